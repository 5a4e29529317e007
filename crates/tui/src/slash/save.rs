//! `/save`: a name for this session.

use pollux_types::Command;

use super::{Arguments, Slash};
use crate::app::{App, Effect};

pub(super) const COMMAND: Slash = Slash {
    name: "save",
    aliases: &[],
    arguments: Arguments::Free("[NAME]"),
    help: "give this session a name to come back to; it is kept in any case",
    examples: &[("/save the parser", "`/resume the parser` comes back to it")],
    run,
};

fn run(app: &mut App, name: &str) -> Vec<Effect> {
    if name.is_empty() {
        let session = &app.status.session;
        app.say(&format!(
            "all that is said is kept as session {session}; `/save NAME` gives it a name"
        ));
        return Vec::new();
    }
    vec![Effect::Send(Command::NameSession(name.to_owned()))]
}
