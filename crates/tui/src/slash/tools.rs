//! `/tools`: what the model can call.

use super::{Arguments, Slash};
use crate::app::Effect;
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "tools",
    aliases: &[],
    arguments: Arguments::None,
    help: "what the model can call",
    examples: &[("/plan", "leaves out those that edit")],
    run: |app, _| vec![Effect::Inquire(Inquiry::Tools(app.status.mode))],
};
