//! `/copy`: the newest answer, or what a command has printed, to the clipboard.

use super::{Arguments, Slash};
use crate::app::{App, Effect};

pub(super) const COMMAND: Slash = Slash {
    name: "copy",
    aliases: &[],
    arguments: Arguments::None,
    help: "copy the last answer, or what your command has printed, to the clipboard",
    examples: &[],
    run,
};

fn run(app: &mut App, _: &str) -> Vec<Effect> {
    if app.is_plain() {
        let hint = "`/export` writes the session to a file";
        app.complain("nothing is copied where lines are plain", hint);
        return Vec::new();
    }
    let (what, missing, text) = match &app.last_output {
        Some(output) => (
            "what the command printed",
            "the command has printed nothing",
            output,
        ),
        None => ("the answer", "there is no answer to copy", &app.last_answer),
    };
    let text = text.trim_matches('\n').trim_end().to_owned();
    let message = match text.lines().count() {
        0 => {
            app.complain(missing, "ask something first");
            return Vec::new();
        }
        1 => format!("copied {what}: 1 line"),
        lines => format!("copied {what}: {lines} lines"),
    };
    app.say(&message);
    vec![Effect::Copy(text)]
}
