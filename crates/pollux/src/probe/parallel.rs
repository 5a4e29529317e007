//! Whether several tools are called in one reply.

use super::tools::{self, Calls};
use super::{Budget, Subject};
use crate::checks::Check;

const NAME: &str = "parallel";

pub(super) async fn check(subject: &Subject, budget: &Budget, calls: &Calls) -> Check {
    let task = "Call the tool look_up twice in this one reply: for the key `alpha` and for the key \
                `beta`.";
    let words = matches!(calls, Calls::Text);
    let answer = tools::ask(subject, budget, task, words).await;
    match answer.calls.len() {
        0 => match answer.trouble(NAME) {
            Some(check) => check,
            None => Check::warn(NAME, "no call at all when asked for two"),
        },
        1 => Check::warn(NAME, "one call at a time"),
        count => Check::ok(NAME, format!("{count} calls in one reply")),
    }
}
