//! `/stats`: what this session has cost.

use super::{Arguments, Slash};
use crate::app::{App, Effect, Stats};

pub(super) const COMMAND: Slash = Slash {
    name: "stats",
    aliases: &["usage"],
    arguments: Arguments::None,
    help: "requests, tokens and tool calls since the start",
    examples: &[],
    run,
};

fn run(app: &mut App, _: &str) -> Vec<Effect> {
    let Stats {
        spent,
        calls,
        failed,
    } = &app.stats;
    let (requests, usage) = (spent.requests(), spent.usage());
    let text = format!(
        "{requests} requests: {} tokens in ({} cached), {} out\n{calls} tool calls, {failed} of \
         them failed",
        usage.input, usage.cached, usage.output
    );
    app.say(&text);
    Vec::new()
}
