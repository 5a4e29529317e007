//! `/copy`: the last answer to the clipboard.

use super::{Arguments, Slash};
use crate::app::{App, Effect};

pub(super) const COMMAND: Slash = Slash {
    name: "copy",
    aliases: &[],
    arguments: Arguments::None,
    help: "copy the last answer to the clipboard, as it was written",
    run,
};

fn run(app: &mut App, _: &str) -> Vec<Effect> {
    let answer = app.last_answer.trim().to_owned();
    if answer.is_empty() {
        app.complain("there is no answer to copy", "ask something first");
        return Vec::new();
    }
    app.say(&format!("copied {} characters", answer.chars().count()));
    vec![Effect::Copy(answer)]
}
