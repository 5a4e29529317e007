//! `/context`: how full the conversation is.

use pollux_types::Before;

use super::{Arguments, Slash};
use crate::app::{App, Effect};

pub(super) const COMMAND: Slash = Slash {
    name: "context",
    aliases: &[],
    arguments: Arguments::None,
    help: "how many tokens the conversation takes, and of what",
    examples: &[("/new", "begins with an empty conversation when it is full")],
    run,
};

fn run(app: &mut App, _: &str) -> Vec<Effect> {
    let status = &app.status;
    let of = status.limit.map_or_else(String::new, |limit| {
        let percent = status.tokens * 100 / limit.max(1);
        format!(" of {limit} ({percent} %)")
    });
    let Before {
        instructions,
        memory,
        tools,
    } = status.before;
    let text = format!(
        "context: {} tokens{of}\nbefore the conversation: about {} tokens of these (instructions \
         {instructions}, memory {memory}, tools {tools})",
        status.tokens,
        status.before.total()
    );
    app.say(&text);
    Vec::new()
}
