//! `/sessions`: stored sessions of this project.

use super::{Arguments, Slash};
use crate::app::Effect;
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "sessions",
    aliases: &[],
    arguments: Arguments::None,
    help: "stored sessions of this project",
    examples: &[("/resume 2", "goes on with the second of them")],
    run: |_, _| vec![Effect::Inquire(Inquiry::Sessions)],
};
