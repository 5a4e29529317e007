//! `/sandbox`: what confines commands here.

use super::{Arguments, Slash};
use crate::app::Effect;
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "sandbox",
    aliases: &[],
    arguments: Arguments::None,
    help: "what confines commands here",
    examples: &[(
        "--sandbox MODE",
        "auto, strict or off, when pollux starts; or `sandbox.mode`",
    )],
    run: |_, _| vec![Effect::Inquire(Inquiry::Sandbox)],
};
