//! `/build`: the model may change things.

use pollux_types::{Command, Mode};

use super::{Arguments, Slash};
use crate::app::Effect;

pub(super) const COMMAND: Slash = Slash {
    name: "build",
    aliases: &[],
    arguments: Arguments::None,
    help: "let the model change things (Tab with nothing typed switches)",
    run: |_, _| vec![Effect::Send(Command::Mode(Mode::Build))],
};
