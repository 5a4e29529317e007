//! `/context`: how full the conversation is.

use super::{Arguments, Slash};
use crate::app::{App, Effect};
use crate::program::Inquiry;

pub(super) const COMMAND: Slash = Slash {
    name: "context",
    aliases: &[],
    arguments: Arguments::None,
    help: "how many tokens the conversation takes, and of what",
    run,
};

fn run(app: &mut App, _: &str) -> Vec<Effect> {
    let status = &app.status;
    let of = status.limit.map_or_else(String::new, |limit| {
        let percent = status.tokens * 100 / limit.max(1);
        format!(" of {limit} ({percent} %)")
    });
    app.say(&format!(
        "in the conversation: {} tokens{of}",
        status.tokens
    ));
    vec![Effect::Inquire(Inquiry::Context)]
}
