//! `/todos`: what the model has set out to do.

use super::{Arguments, Slash};
use crate::app::{App, Effect};
use crate::todos::{NONE, todo_lines};

pub(super) const COMMAND: Slash = Slash {
    name: "todos",
    aliases: &[],
    arguments: Arguments::None,
    help: "what the model has set out to do, and how far it is",
    examples: &[],
    run,
};

fn run(app: &mut App, _: &str) -> Vec<Effect> {
    if app.todos.is_empty() {
        app.say(NONE);
    } else {
        app.print(todo_lines(&app.todos, app.width()));
    }
    Vec::new()
}
