//! `/stats`: what this session has cost.

use super::{Arguments, Slash};
use crate::app::{App, Effect};

pub(super) const COMMAND: Slash = Slash {
    name: "stats",
    aliases: &["usage"],
    arguments: Arguments::None,
    help: "requests, tokens and tool calls since the start",
    run,
};

fn run(app: &mut App, _: &str) -> Vec<Effect> {
    let stats = &app.stats;
    let text = format!(
        "{} requests: {} tokens in ({} cached), {} out\n{} tool calls, {} of them failed",
        stats.requests, stats.input, stats.cached, stats.output, stats.calls, stats.failed
    );
    app.say(&text);
    Vec::new()
}
