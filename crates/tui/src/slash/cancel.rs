//! `/cancel`: what Esc does, for those who type lines.

use super::{Arguments, Slash};
use crate::app::{App, Effect};

pub(super) const COMMAND: Slash = Slash {
    name: "cancel",
    aliases: &[],
    arguments: Arguments::None,
    help: "stop everything that runs, as Esc does",
    examples: &[(
        "Esc",
        "the same; messages that wait come back to the prompt",
    )],
    run,
};

fn run(app: &mut App, _: &str) -> Vec<Effect> {
    let effects = app.cancel_by("/cancel");
    if effects.is_empty() {
        app.say("nothing is running");
    }
    effects
}
