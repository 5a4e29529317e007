//! Whether words come as they are said, and where thoughts come.

use std::time::Duration;

use pollux_model::{Request, Wire};

use super::answer::{brief, user, without_thoughts};
use super::{Answer, Budget, Subject};
use crate::checks::Check;

const NAME: &str = "streaming";

/// How long the question is about, with what servers put around it.
pub(super) const QUESTION_TOKENS: u64 = 40;

/// A first answer, with what was seen of it on the wire.
pub(super) struct Heard {
    pub(super) answer: Answer,
    wire: Wire,
}

pub(super) async fn ask(subject: &Subject, budget: &Budget) -> Heard {
    let question = user("Say just this: one, two, three, four");
    let (reply, wire) = subject.inquiry.reply(&Request {
        system: "",
        tools: &[],
        messages: vec![&question],
    });
    let answer = Answer::of(reply, budget.deadline()).await;
    Heard { answer, wire }
}

pub(super) fn check(heard: &Heard, patience: Duration) -> Check {
    let Heard { answer, wire } = heard;
    let first = match (answer.first, &answer.error) {
        (Some(first), _) => first,
        (None, Some(error)) => return Check::fail(NAME, brief(&error.message)),
        (None, None) => {
            let seconds = patience.as_secs_f64();
            let check = Check::fail(NAME, format!("no word in {seconds:.1} s"));
            return check.mend("it may still be loading: try again, or with `--seconds 120`");
        }
    };
    let mut found = vec![match wire.pieces() {
        0 | 1 if !wire.streamed() => "all at once, in one document".to_owned(),
        1 => "all at once, in one piece".to_owned(),
        pieces => format!("in {pieces} pieces"),
    }];
    found.push(format!("first after {:.1} s", first.as_secs_f64()));
    let counted = answer.usage.is_known();
    found.push(match (&answer.error, answer.late) {
        (Some(error), _) => brief(&error.message),
        (None, true) => "too slow to be heard to its end".to_owned(),
        (None, false) if counted => "tokens counted".to_owned(),
        (None, false) => "no usage told: tokens will be estimated".to_owned(),
    });
    let good = wire.pieces() > 1 && answer.error.is_none() && (counted || answer.late);
    let found = found.join("; ");
    if good {
        Check::ok(NAME, found)
    } else {
        Check::warn(NAME, found)
    }
}

/// Thoughts in that first answer.
pub(super) fn reasoning(heard: &Heard) -> Check {
    let name = "reasoning";
    match heard.wire.thoughts() {
        Some(field) => Check::ok(name, format!("in `{field}`")),
        None if without_thoughts(&heard.answer.text).1 => {
            Check::ok(name, "in the text, between think tags")
        }
        None if heard.answer.thought => Check::ok(name, "in a field of its own"),
        None => Check::ok(name, "none seen"),
    }
}
