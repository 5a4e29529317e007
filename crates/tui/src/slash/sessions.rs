//! `/sessions`: stored sessions of this project.

use super::{Arguments, Slash};
use crate::app::Effect;
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "sessions",
    aliases: &[],
    arguments: Arguments::None,
    help: "stored sessions of this project",
    run: |_, _| vec![Effect::Inquire(Inquiry::Sessions)],
};
