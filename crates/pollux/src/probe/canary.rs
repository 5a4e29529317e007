//! Whether the beginning of a long conversation is still known at its end.
//!
//! Some servers silently cut what is too long for them. It shows in two ways: a word from the
//! beginning is forgotten, and fewer tokens are counted than were sent.

use std::sync::Arc;
use std::time::Duration;

use pollux_model::{ErrorKind, Request, ServerKind};
use pollux_types::{Message, Part, tokens};
use tokio::time::Instant;

use super::answer::{Pace, user};
use super::{Answer, Budget, Reached, Subject, TOO_SLOW};
use crate::checks::Check;

const NAME: &str = "context";

/// No model would guess it.
const WORD: &str = "marmalade";

/// Enough to be more than what servers cut at if nobody has told them otherwise.
const MOST: u64 = 8000;

/// Less than this proves nothing.
const LEAST: u64 = 400;

/// Who reads a question in this time will read a long one too.
const QUICK: Duration = Duration::from_secs(1);

/// How fast the server has read a short question, and a longer one.
pub(super) struct Paces {
    pub(super) short: Option<Pace>,
    pub(super) longer: Option<Pace>,
}

/// Asks for a word that was said long ago.
pub(super) async fn check(
    subject: &Subject,
    budget: &Budget,
    reached: &Reached,
    paces: &Paces,
) -> Check {
    let deadline = budget.deadline();
    let left = deadline.saturating_duration_since(Instant::now());
    let Some(size) = size(reached.context, paces, left) else {
        return Check::skip(NAME, TOO_SLOW);
    };
    let conversation = conversation(size);
    let sent: u64 = conversation
        .iter()
        .map(|message| tokens::estimate(&message.text()))
        .sum();
    let (reply, _) = subject.inquiry.reply(&Request {
        system: "",
        tools: &[],
        messages: conversation.iter().collect(),
    });
    judge(&Answer::of(reply, deadline).await, sent, mend(reached.kind))
}

/// How many tokens to send: what the server says that it can read, as far as there is time.
fn size(claimed: Option<u64>, paces: &Paces, left: Duration) -> Option<u64> {
    // Some room for the answer and for counting in another way.
    let wanted = claimed.map_or(MOST, |tokens| tokens / 4 * 3).min(MOST);
    let (short, longer) = (paces.short?, paces.longer?);
    // What a longer question takes longer is time for reading; all else is spent anyway.
    let more = longer.tokens.saturating_sub(short.tokens);
    let slower = longer.time.saturating_sub(short.time).as_millis();
    // Servers remember what they have read before, and look faster than they are.
    let reading = left.mul_f64(0.4).saturating_sub(longer.time).as_millis();
    let affordable = if longer.time <= QUICK || slower == 0 {
        wanted
    } else {
        u64::try_from(reading * u128::from(more) / slower).unwrap_or(wanted)
    };
    let size = wanted.min(affordable);
    (size >= LEAST && !left.is_zero()).then_some(size)
}

/// A word, a lot of talk, and a question.
fn conversation(size: u64) -> Vec<Arc<Message>> {
    let talk = |part: u64| {
        let lines = (0..size / 64).map(|line| {
            format!("Entry {line} of part {part}: the weather was fair and nothing happened.\n")
        });
        lines.collect::<String>()
    };
    let reply = |text: &str| Arc::new(Message::model(vec![Part::text(text)]));
    let mut conversation = vec![
        user(format!("The secret word is `{WORD}`. Keep it in mind.")),
        reply("I will."),
    ];
    for part in 1..=3 {
        conversation.push(user(talk(part)));
        conversation.push(reply("Go on."));
    }
    let question = "What was the secret word? Answer with that one word.";
    conversation.push(user(format!("{}{question}", talk(4))));
    conversation
}

fn judge(answer: &Answer, sent: u64, mend: &str) -> Check {
    let read = answer.usage.input;
    // Estimates err by a fifth; a cut costs more.
    let cut = answer.usage.is_known() && read < sent / 10 * 6;
    let knows = answer.text.to_lowercase().contains(WORD);
    let about = (sent + 50) / 100 * 100;
    let too_long = matches!(&answer.error, Some(error) if error.kind == ErrorKind::ContextOverflow);
    if knows {
        Check::ok(
            NAME,
            format!("a word from about {about} tokens ago is known"),
        )
    } else if too_long {
        Check::warn(
            NAME,
            format!("about {about} tokens are refused as too many"),
        )
    } else if let Some(trouble) = answer.trouble(NAME) {
        trouble
    } else if cut {
        let found = format!("silently cut: of about {about} tokens, {read} were read");
        Check::warn(NAME, found).mend(mend)
    } else {
        let found = format!("a word from about {about} tokens ago is forgotten");
        Check::warn(NAME, found).mend(mend)
    }
}

/// How to get a larger context.
fn mend(kind: Option<ServerKind>) -> &'static str {
    match kind {
        Some(ServerKind::Ollama) => "set the provider's `context_window`",
        Some(ServerKind::LlamaCpp) => "start the server with a larger `--ctx-size`",
        _ => "start the server with a larger context",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paces(short: f64, longer: f64) -> Paces {
        let pace = |tokens, seconds| {
            let time = Duration::from_secs_f64(seconds);
            Some(Pace { tokens, time })
        };
        Paces {
            short: pace(40, short),
            longer: pace(240, longer),
        }
    }

    #[test]
    fn the_size_follows_claim_and_pace() {
        let left = Duration::from_secs(7);
        // Far away and fast.
        assert_eq!(size(None, &paces(0.5, 0.5), left), Some(MOST));
        assert_eq!(size(Some(200_000), &paces(0.5, 0.4), left), Some(MOST));
        assert_eq!(size(Some(2048), &paces(0.5, 0.6), left), Some(1536));
        assert_eq!(size(Some(500), &paces(0.5, 0.5), left), None);
        // Thirty tokens a second.
        assert_eq!(size(Some(8192), &paces(1.3, 8.0), left), None);
        assert_eq!(size(Some(8192), &paces(1.3, 8.0), 10 * left), Some(597));
        assert_eq!(size(None, &paces(0.5, 0.5), Duration::ZERO), None);
        let unknown = Paces {
            longer: None,
            ..paces(0.5, 0.5)
        };
        assert_eq!(size(None, &unknown, left), None);
    }

    #[test]
    fn the_conversation_is_as_long_as_asked_for() {
        for size in [LEAST, 2000, MOST] {
            let text: String = conversation(size).iter().map(|m| m.text()).collect();
            let made = tokens::estimate(&text);
            assert!(
                (size * 7 / 10..=size * 12 / 10).contains(&made),
                "{size}: {made}"
            );
        }
    }
}
