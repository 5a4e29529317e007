//! `/clear`: a clean screen and nothing said.

use pollux_types::Command;

use super::{Arguments, Slash};
use crate::app::Effect;

pub(super) const COMMAND: Slash = Slash {
    name: "clear",
    aliases: &[],
    arguments: Arguments::None,
    help: "begin a new session on a clean screen; the old one is kept",
    examples: &[("/resume latest", "goes back to the old session")],
    run: |_, _| vec![Effect::Send(Command::NewSession), Effect::ClearScreen],
};
