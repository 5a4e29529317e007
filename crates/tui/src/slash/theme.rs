//! `/theme`: colours, or none.

use super::{Arguments, Slash};
use crate::app::{App, Effect};

pub(super) const COMMAND: Slash = Slash {
    name: "theme",
    aliases: &[],
    arguments: Arguments::Words(&["ansi", "none"]),
    help: "the colours of your terminal, or none (`ui.theme` makes it last)",
    examples: &[
        ("/theme", "which it is"),
        ("/theme none", "no colours"),
        ("/theme ansi", "the colours of your terminal"),
    ],
    run,
};

fn run(app: &mut App, word: &str) -> Vec<Effect> {
    if app.is_plain() {
        let hint = "start without `--plain`, on a terminal that is not `dumb`";
        app.complain("plain lines have no colours", hint);
        return Vec::new();
    }
    let color = match word {
        "ansi" => true,
        "none" => false,
        "" => {
            let now = if app.has_color() { "ansi" } else { "none" };
            app.say(&format!("theme: {now}"));
            return Vec::new();
        }
        other => {
            let message = format!("`{other}` is no theme");
            app.complain(&message, "there are: ansi, none");
            return Vec::new();
        }
    };
    app.set_color(color);
    app.say(&format!(
        "theme: {word}, until you leave; `ui.theme = \"{word}\"` in the settings makes it last"
    ));
    vec![Effect::Color(color)]
}
