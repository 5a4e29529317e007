//! `/plan`: the model may only look.

use pollux_types::Mode;

use super::mode::enter;
use super::{Arguments, Slash};

pub(super) const COMMAND: Slash = Slash {
    name: "plan",
    aliases: &[],
    arguments: Arguments::None,
    help: "let the model only look and plan",
    examples: &[("/build", "lets the model change things again")],
    run: |app, _| enter(app, Mode::Plan),
};
