//! Whether a quota will do again in a moment, or is gone.

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

/// Whether waiting will not help. `asked` is how long the server asks to wait.
pub(super) fn is_gone(code: Option<u16>, words: &Words, asked: Option<Duration>) -> bool {
    if code == Some(402) || words.marks.iter().any(|mark| GONE.contains(&mark.as_str())) {
        return true;
    }
    let lower = words.lower();
    let refused = code.is_none_or(|code| (400..500).contains(&code));
    if refused && SAID.iter().any(|said| lower.contains(said)) {
        return true;
    }
    // A day's quota comes with a wait of seconds too, which is not enough.
    let daily = words.marks_say(&["PerDay", "Daily"]);
    let says_daily = ["per day", "per-day", "daily"]
        .iter()
        .any(|word| lower.contains(word));
    let rated = code == Some(429);
    rated && (daily || is_nothing(&lower) || asked.map_or(says_daily, |wait| wait > LONGEST_WAIT))
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
