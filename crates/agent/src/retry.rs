//! When a failed request is worth another try, and after what wait.

use std::time::Duration;

use pollux_model::{ErrorKind, LONGEST_WAIT, ModelError};
use pollux_types::FinishReason;

/// How persistent pollux is.
#[derive(Clone, Copy, Debug)]
pub struct RetryPolicy {
    /// Tries in all, the first one included.
    pub attempts: u32,
    /// The wait before the second try; it doubles from try to try.
    pub first: Duration,
    /// The wait does not grow beyond this.
    pub longest: Duration,
    /// A number from 0 to 1, different each time, so that many clients do not come back together.
    pub random: fn() -> f64,
}

impl RetryPolicy {
    /// The usual persistence.
    pub fn new(random: fn() -> f64) -> Self {
        Self {
            attempts: 6,
            first: Duration::from_secs(1),
            longest: Duration::from_secs(30),
            random,
        }
    }

    /// How many tries there are in all where one has failed like this.
    pub(crate) fn attempts_after(&self, error: &ModelError) -> u32 {
        // Time rarely brings somebody to where nobody is: once more, and the person is told.
        let most = if error.nobody_there { 2 } else { u32::MAX };
        self.attempts.min(most)
    }

    /// The wait before the next try after the `failed`-th has failed; `None` if there is none.
    pub(crate) fn wait(&self, failed: u32, error: &ModelError) -> Option<Duration> {
        if failed >= self.attempts_after(error) || !may_pass(error) {
            return None;
        }
        let doubled = self.first.saturating_mul(1 << (failed - 1).min(16));
        let own = doubled.min(self.longest);
        match error.retry_after {
            Some(asked) if asked > LONGEST_WAIT => None,
            // Never earlier than asked for.
            Some(asked) if asked >= own => Some(asked.mul_f64(1.0 + 0.2 * (self.random)())),
            _ => Some(own.mul_f64(0.7 + 0.6 * (self.random)())),
        }
    }
}

/// Whether the same request may succeed later.
fn may_pass(error: &ModelError) -> bool {
    // A reply that was used up by thoughts, or withheld, would only cost the same again.
    if matches!(
        error.finish,
        Some(FinishReason::Length | FinishReason::ContentFilter)
    ) {
        return false;
    }
    match error.kind {
        ErrorKind::Unreachable
        | ErrorKind::RateLimited
        | ErrorKind::Overloaded
        | ErrorKind::ProviderError
        | ErrorKind::StreamTruncated
        | ErrorKind::IdleTimeout
        | ErrorKind::MalformedChunk
        | ErrorKind::MalformedCall
        | ErrorKind::EmptyResponse => true,
        ErrorKind::Auth
        | ErrorKind::QuotaExhausted
        | ErrorKind::BadRequest
        | ErrorKind::NoTools
        | ErrorKind::ContextOverflow
        | ErrorKind::Blocked
        | ErrorKind::NotSse
        | ErrorKind::LineTooLong => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(kind: ErrorKind, asked: Option<u64>, random: fn() -> f64) -> Vec<Option<u128>> {
        let mut error = ModelError::new(kind, "");
        error.retry_after = asked.map(Duration::from_secs);
        let policy = RetryPolicy::new(random);
        let wait = |failed| policy.wait(failed, &error).map(|wait| wait.as_millis());
        (1..=6).map(wait).collect()
    }

    #[test]
    fn waits_double_and_end() {
        let middle = [1000, 2000, 4000, 8000, 16_000].map(Some);
        let waits_of = |random| waits(ErrorKind::Overloaded, None, random);
        assert_eq!(waits_of(|| 0.5)[..5], middle);
        assert_eq!(waits_of(|| 0.5)[5], None);
        assert_eq!(waits_of(|| 0.0)[0], Some(700));
        assert_eq!(waits_of(|| 1.0)[0], Some(1300));
    }

    #[test]
    fn a_wait_that_is_asked_for_is_kept() {
        assert_eq!(
            waits(ErrorKind::RateLimited, Some(7), || 0.0)[0],
            Some(7000)
        );
        assert_eq!(
            waits(ErrorKind::RateLimited, Some(7), || 1.0)[0],
            Some(8400)
        );
        // Where it asks for less than we would wait, ours counts.
        assert_eq!(
            waits(ErrorKind::RateLimited, Some(1), || 0.5)[3],
            Some(8000)
        );
        assert_eq!(waits(ErrorKind::RateLimited, Some(301), || 0.5)[0], None);
    }

    #[test]
    fn where_nobody_is_one_more_try_must_do() {
        let mut error = ModelError::new(ErrorKind::Unreachable, "");
        error.nobody_there = true;
        let policy = RetryPolicy::new(|| 0.5);
        assert_eq!(policy.wait(1, &error), Some(Duration::from_secs(1)));
        assert_eq!(policy.wait(2, &error), None);
        assert_eq!(policy.attempts_after(&error), 2);
        let once = RetryPolicy {
            attempts: 1,
            ..policy
        };
        assert_eq!(once.wait(1, &error), None);
    }

    #[test]
    fn what_will_not_change_is_not_tried_again() {
        for kind in [
            ErrorKind::Auth,
            ErrorKind::QuotaExhausted,
            ErrorKind::BadRequest,
            ErrorKind::Blocked,
        ] {
            assert_eq!(waits(kind, Some(1), || 0.5), [None; 6]);
        }
        let mut spent = ModelError::new(ErrorKind::EmptyResponse, "");
        spent.finish = Some(FinishReason::Length);
        assert_eq!(RetryPolicy::new(|| 0.5).wait(1, &spent), None);
    }
}
