//! `/doctor`: check everything, and say how to mend it.

use super::{Arguments, Slash};
use crate::app::Effect;
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "doctor",
    aliases: &[],
    arguments: Arguments::None,
    help: "check everything, and say how to mend it",
    examples: &[],
    run: |_, _| vec![Effect::Inquire(Inquiry::Doctor)],
};
