//! `/vim`: vim keys in the prompt.

use super::{Arguments, Slash};
use crate::app::{App, Effect};

pub(super) const COMMAND: Slash = Slash {
    name: "vim",
    aliases: &[],
    arguments: Arguments::None,
    help: "vim keys in the prompt, or no more (`ui.vim` makes it last)",
    run,
};

fn run(app: &mut App, _: &str) -> Vec<Effect> {
    let on = app.composer.toggle_vim();
    app.say(if on {
        "vim keys are on"
    } else {
        "vim keys are off"
    });
    Vec::new()
}
