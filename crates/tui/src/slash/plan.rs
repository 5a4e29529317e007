//! `/plan`: the model may only look.

use pollux_types::{Command, Mode};

use super::{Arguments, Slash};
use crate::app::Effect;

pub(super) const COMMAND: Slash = Slash {
    name: "plan",
    aliases: &[],
    arguments: Arguments::None,
    help: "let the model only look and plan",
    run: |_, _| vec![Effect::Send(Command::Mode(Mode::Plan))],
};
