//! `/vim`: vim keys in the prompt.

use super::{Arguments, Slash};
use crate::app::{App, Effect};

pub(super) const COMMAND: Slash = Slash {
    name: "vim",
    aliases: &[],
    arguments: Arguments::None,
    help: "vim keys in the prompt, or no more (`ui.vim` makes it last)",
    examples: &[("Esc", "normal mode; `i` writes again")],
    run,
};

fn run(app: &mut App, _: &str) -> Vec<Effect> {
    if app.is_plain() {
        let hint = "start without `--plain`, on a terminal that is not `dumb`";
        app.complain("keys are the terminal's own here", hint);
        return Vec::new();
    }
    let on = app.composer.toggle_vim();
    app.say(if on {
        "vim keys are on"
    } else {
        "vim keys are off"
    });
    Vec::new()
}
