//! Who answers: the model that was chosen, and those that stand in for it.

use std::sync::Arc;

use jiff::Timestamp;
use pollux_model::{ErrorKind, LONGEST_WAIT, Model, ModelError};
use pollux_types::FinishReason;

use crate::unread::Unread;

/// The models of a session, and the one that is asked now.
pub(crate) struct Models {
    /// The chosen one first; never empty.
    chain: Vec<Standing>,
    current: usize,
    now: fn() -> Timestamp,
}

struct Standing {
    model: Arc<dyn Model>,
    /// Its quota is gone until then.
    spent_until: Option<Timestamp>,
    unread: Unread,
}

impl Models {
    pub(crate) fn new(
        chosen: Arc<dyn Model>,
        stand_ins: Vec<Arc<dyn Model>>,
        now: fn() -> Timestamp,
    ) -> Self {
        let chain = std::iter::once(chosen).chain(stand_ins);
        Self {
            chain: chain.map(Standing::of).collect(),
            current: 0,
            now,
        }
    }

    /// Another model is chosen. It does not stand in for itself.
    pub(crate) fn choose(&mut self, model: Arc<dyn Model>) {
        let mut chain = std::mem::take(&mut self.chain);
        chain.remove(0);
        chain.retain(|standing| standing.model.info() != model.info());
        chain.insert(0, Standing::of(model));
        self.chain = chain;
        self.current = 0;
    }

    pub(crate) fn current(&self) -> &dyn Model {
        &*self.chain[self.current].model
    }

    /// What is known of how the current model counts.
    pub(crate) fn unread(&mut self) -> &mut Unread {
        &mut self.chain[self.current].unread
    }

    /// Whether the provider that was chosen is at work.
    pub(crate) fn at_home(&self) -> bool {
        self.chain[0].model.info().provider == self.current().info().provider
    }

    /// A new prompt, a new chance: what failed may have passed, unless it was a quota that is still
    /// gone. Whether another model is asked from now on.
    pub(crate) fn start_over(&mut self) -> bool {
        let now = (self.now)();
        let mut chain = self.chain.iter();
        let usable = chain.position(|standing| standing.is_usable(now));
        let before = std::mem::replace(&mut self.current, usable.unwrap_or(0));
        self.current != before
    }

    /// The current model has failed for good. Whether another is asked from now on.
    pub(crate) fn pass_on(&mut self, error: &ModelError) -> bool {
        let now = (self.now)();
        if error.kind == ErrorKind::QuotaExhausted {
            self.chain[self.current].spent_until = Some(renewal(error, now));
        }
        let is_stand_in = self.current > 0;
        if !another_may_answer(error, is_stand_in) {
            return false;
        }
        let mut rest = self.chain.iter().skip(self.current + 1);
        let Some(ahead) = rest.position(|standing| standing.is_usable(now)) else {
            return false;
        };
        self.current += 1 + ahead;
        true
    }
}

impl Standing {
    fn of(model: Arc<dyn Model>) -> Self {
        Self {
            model,
            spent_until: None,
            unread: Unread::default(),
        }
    }

    fn is_usable(&self, now: Timestamp) -> bool {
        self.spent_until.is_none_or(|until| until <= now)
    }
}

/// When a quota that is used up will be there again, as far as the provider tells; else never. A
/// short wait means nothing: it comes with quotas of a day too.
fn renewal(error: &ModelError, now: Timestamp) -> Timestamp {
    let asked = error.retry_after.filter(|wait| *wait > LONGEST_WAIT);
    asked
        .and_then(|wait| now.checked_add(wait).ok())
        .unwrap_or(Timestamp::MAX)
}

/// Whether it is the model or its server that failed, and not the request. What is wrong with a
/// stand-in, its key or its name for instance, is no reason not to try the next.
fn another_may_answer(error: &ModelError, is_stand_in: bool) -> bool {
    match error.kind {
        // What one provider will not answer is not taken to another.
        ErrorKind::Blocked => false,
        _ if error.finish == Some(FinishReason::ContentFilter) => false,
        ErrorKind::Auth
        | ErrorKind::BadRequest
        | ErrorKind::NoTools
        | ErrorKind::ContextOverflow => is_stand_in,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use pollux_testkit::{ScriptedModel, ScriptedReply};

    use super::*;

    thread_local! {
        static SECONDS: Cell<i64> = const { Cell::new(0) };
    }

    fn now() -> Timestamp {
        Timestamp::from_second(SECONDS.get()).unwrap()
    }

    fn models(names: &[&str]) -> Models {
        let model = |name: &&str| -> Arc<dyn Model> {
            Arc::new(ScriptedModel::new(Vec::<ScriptedReply>::new()).called(*name, "m"))
        };
        let mut models: Vec<_> = names.iter().map(model).collect();
        Models::new(models.remove(0), models, now)
    }

    fn fail(models: &mut Models, kind: ErrorKind) -> String {
        if models.pass_on(&ModelError::new(kind, "")) {
            models.current().info().provider.clone()
        } else {
            "nobody".into()
        }
    }

    #[test]
    fn what_passes_is_tried_again_and_what_is_spent_is_not() {
        let mut models = models(&["a", "b", "c"]);
        assert_eq!(fail(&mut models, ErrorKind::Overloaded), "b");
        assert_eq!(fail(&mut models, ErrorKind::QuotaExhausted), "c");
        assert_eq!(fail(&mut models, ErrorKind::Overloaded), "nobody");
        assert!(models.start_over());
        assert_eq!(models.current().info().provider, "a");
        assert!(!models.start_over());
        // `b` is left out from now on.
        assert_eq!(fail(&mut models, ErrorKind::QuotaExhausted), "c");
        assert!(!models.start_over());
        assert!(!models.at_home());
        // With nobody left, the first is as good as any.
        assert_eq!(fail(&mut models, ErrorKind::QuotaExhausted), "nobody");
        assert!(models.start_over());
        assert!(models.at_home());
    }

    #[test]
    fn a_quota_is_gone_for_as_long_as_the_provider_says() {
        let gone = |seconds| ModelError {
            retry_after: Some(Duration::from_secs(seconds)),
            ..ModelError::new(ErrorKind::QuotaExhausted, "")
        };
        let mut models = models(&["a", "b"]);
        assert!(models.pass_on(&gone(600)));
        SECONDS.set(599);
        assert!(!models.start_over());
        SECONDS.set(600);
        assert!(models.start_over());
        // The quota of a day is not back after the seconds that come with it.
        assert!(models.pass_on(&gone(30)));
        SECONDS.set(100_000);
        assert!(!models.start_over());
    }

    #[test]
    fn what_lies_with_the_request_stays_with_the_model_that_was_chosen() {
        for kind in [
            ErrorKind::Auth,
            ErrorKind::BadRequest,
            ErrorKind::ContextOverflow,
        ] {
            let mut models = models(&["a", "b", "c"]);
            assert_eq!(fail(&mut models, kind), "nobody");
            assert_eq!(fail(&mut models, ErrorKind::Unreachable), "b");
            assert_eq!(fail(&mut models, kind), "c");
        }
        let mut withheld = ModelError::new(ErrorKind::EmptyResponse, "");
        withheld.finish = Some(FinishReason::ContentFilter);
        assert!(!models(&["a", "b"]).pass_on(&withheld));
        assert_eq!(fail(&mut models(&["a", "b"]), ErrorKind::Blocked), "nobody");
    }
}
