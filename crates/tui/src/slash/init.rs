//! `/init`: have the model write down what the project is about.

use pollux_types::Mode;

use super::{Arguments, Slash};
use crate::app::{App, Effect};
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "init",
    aliases: &[],
    arguments: Arguments::None,
    help: "have the model look at the project and write POLLUX.md, or improve it",
    examples: &[(
        "POLLUX.md",
        "is what the model is to know of the project, in the working directory",
    )],
    run,
};

fn run(app: &mut App, _: &str) -> Vec<Effect> {
    if app.status.mode == Mode::Plan {
        app.complain("in plan mode nothing is written", "`/build` first");
        return Vec::new();
    }
    vec![Effect::Inquire(Inquiry::Init)]
}
