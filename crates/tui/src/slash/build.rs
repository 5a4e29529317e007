//! `/build`: the model may change things.

use pollux_types::Mode;

use super::mode::enter;
use super::{Arguments, Slash};

pub(super) const COMMAND: Slash = Slash {
    name: "build",
    aliases: &[],
    arguments: Arguments::None,
    help: "let the model change things (Tab with nothing typed switches)",
    examples: &[],
    run: |app, _| enter(app, Mode::Build),
};
