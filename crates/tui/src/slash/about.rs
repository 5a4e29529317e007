//! `/about`: what is running here.

use super::{Arguments, Slash};
use crate::app::Effect;
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "about",
    aliases: &[],
    arguments: Arguments::None,
    help: "what is running here",
    examples: &[],
    run: |app, _| {
        app.say(&app.status.in_words());
        vec![Effect::Inquire(Inquiry::About)]
    },
};
