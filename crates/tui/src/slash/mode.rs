//! `/mode`: building or planning.

use pollux_types::{Command, Mode};

use super::{Arguments, Slash};
use crate::app::{App, Effect};

pub(super) const COMMAND: Slash = Slash {
    name: "mode",
    aliases: &[],
    arguments: Arguments::Words(&["build", "plan"]),
    help: "build: everything is offered; plan: looking only",
    examples: &[
        ("/mode", "which it is"),
        (
            "/mode plan",
            "tools that edit are not offered, and commands may only read",
        ),
        ("/mode build", "everything is offered again"),
    ],
    run,
};

fn run(app: &mut App, word: &str) -> Vec<Effect> {
    let mode = match word {
        "build" => Mode::Build,
        "plan" => Mode::Plan,
        "" => {
            app.say(&format!("mode: {}", app.status.mode.name()));
            return Vec::new();
        }
        other => {
            app.complain(&format!("`{other}` is no mode"), "there are: build, plan");
            return Vec::new();
        }
    };
    enter(app, mode)
}

/// Switches. The prompt says so at once: the next key may come before the agent has heard of it.
pub(crate) fn enter(app: &mut App, mode: Mode) -> Vec<Effect> {
    app.status.mode = mode;
    vec![Effect::Send(Command::Mode(mode))]
}
