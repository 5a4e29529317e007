//! Whether a quota will do again in a moment, or is gone, and how to say so.

use std::time::Duration;

use super::Words;
use crate::LONGEST_WAIT;

/// How long a quota that is counted by the minute takes to be there again.
const MINUTE: Duration = Duration::from_mins(1);

/// What providers call a quota or a credit that is used up.
const GONE: [&str; 8] = [
    "insufficient_quota",
    "insufficient_user_quota",
    "exceeded_current_quota_error",
    "billing_hard_limit_reached",
    "billing_not_active",
    "billing_error",
    "QUOTA_EXHAUSTED",
    "INSUFFICIENT_G1_CREDITS_BALANCE",
];

/// The same in sentences, in lower case.
const SAID: [&str; 5] = [
    "credit balance is too low",
    "insufficient balance",
    "insufficient credit",
    "insufficient funds",
    "key limit exceeded",
];

/// Why there is no point in waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gone {
    /// It is used up.
    Spent,
    /// It will be back, but not soon.
    For(Duration),
}

/// Whether there is no point in waiting. `asked` is how long the server asks to wait.
pub(super) fn gone(code: Option<u16>, words: &Words, asked: Option<Duration>) -> Option<Gone> {
    let long = asked.filter(|asked| *asked > LONGEST_WAIT);
    let lower = words.lower();
    let refused = code.is_none_or(|code| (400..500).contains(&code));
    let spent = code == Some(402)
        || words.marks.iter().any(|mark| GONE.contains(&mark.as_str()))
        || (refused && SAID.iter().any(|said| lower.contains(said)));
    let rated = code == Some(429);
    // A day's quota comes with a wait of seconds too, which is not enough.
    let daily = words.marks_say(&["PerDay", "Daily"]);
    let says_daily = ["per day", "per-day", "daily"]
        .iter()
        .any(|word| lower.contains(word));
    let for_today = daily || is_nothing(&lower) || (asked.is_none() && says_daily);
    match long {
        Some(wait) if rated && !spent => Some(Gone::For(wait)),
        _ if spent || (rated && for_today) => Some(Gone::Spent),
        _ => None,
    }
}

impl Gone {
    /// The server's words with what they mean.
    pub(super) fn told(self, message: &str) -> String {
        match self {
            Self::Spent => format!("the quota or the credit is used up: {message}"),
            Self::For(wait) => format!("no more requests for {}: {message}", span(wait)),
        }
    }

    /// What to do.
    pub(super) fn hint(self) -> String {
        let first = match self {
            Self::Spent => "wait until it is renewed, add credit,".to_owned(),
            Self::For(wait) => format!("come back in {},", span(wait)),
        };
        format!(
            "{first} or use another model: `--model` names one, `models.fallback` those that stand \
             in by themselves"
        )
    }
}

/// A wait in words, rounded up.
fn span(wait: Duration) -> String {
    match wait.as_secs().div_ceil(60) {
        minutes @ 0..=120 => format!("{minutes} min"),
        minutes => format!("{} h", minutes.div_ceil(60)),
    }
}

/// How long to wait where the server does not say it, but says by what time it counts.
pub(super) fn usual_wait(words: &Words) -> Option<Duration> {
    words.marks_say(&["PerMinute"]).then_some(MINUTE)
}

/// `limit: 0`: there never was a quota.
fn is_nothing(lower: &str) -> bool {
    lower.match_indices("limit: 0").any(|(at, found)| {
        let mut after = lower[at + found.len()..].chars();
        match after.next() {
            Some('.') => !after.next().is_some_and(|c| c.is_ascii_digit()),
            Some(c) => !c.is_ascii_digit(),
            None => true,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_not_a_little() {
        assert!(is_nothing("metric: requests, limit: 0, model: x"));
        assert!(is_nothing("limit: 0."));
        assert!(!is_nothing("limit: 0.5"));
        assert!(!is_nothing("limit: 05"));
        assert!(!is_nothing("limit: 10"));
    }
}
