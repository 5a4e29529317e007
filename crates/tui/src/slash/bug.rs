//! `/bug`: what a report of a defect needs.

use super::{Arguments, Slash};
use crate::app::Effect;
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "bug",
    aliases: &[],
    arguments: Arguments::None,
    help: "what a report of a defect needs",
    examples: &[("/doctor", "often tells what is wrong already")],
    run: |app, _| {
        app.say(&app.status.in_words());
        vec![Effect::Inquire(Inquiry::Bug)]
    },
};
