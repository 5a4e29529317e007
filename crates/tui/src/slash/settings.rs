//! `/settings`: what is set, and where.

use super::{Arguments, Slash};
use crate::app::Effect;
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "settings",
    aliases: &["config"],
    arguments: Arguments::None,
    help: "what is set, where, and how to change it",
    examples: &[(
        "--config ui.vim=true",
        "sets one for a run, when pollux starts",
    )],
    run: |_, _| vec![Effect::Inquire(Inquiry::Settings)],
};
