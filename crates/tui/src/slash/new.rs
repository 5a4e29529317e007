//! `/new`: a new session.

use pollux_types::Command;

use super::{Arguments, Slash};
use crate::app::Effect;

pub(super) const COMMAND: Slash = Slash {
    name: "new",
    aliases: &[],
    arguments: Arguments::None,
    help: "begin a new session; the old one is kept",
    examples: &[("/resume latest", "goes back to the old session")],
    run: |_, _| vec![Effect::Send(Command::NewSession)],
};
