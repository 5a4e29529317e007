//! Questions of running calls to the person, one call after the other.

use pollux_tools::{Asking, Prompter};
use pollux_types::Question;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::oneshot;

/// What is asked, and whose answers are waited for.
pub(super) struct Prompts {
    /// The way here; none if nobody is there to be asked.
    prompter: Prompter,
    asked: Option<UnboundedReceiver<Asking>>,
    waiting: Option<oneshot::Sender<Option<Vec<String>>>>,
}

impl Prompts {
    pub(super) fn new(asks: bool) -> Self {
        let (prompter, asked) = Prompter::new();
        let there = asks.then_some((prompter, asked));
        let (prompter, asked) = there.unzip();
        Self {
            prompter: prompter.unwrap_or_default(),
            asked,
            waiting: None,
        }
    }

    /// For a call that is to run.
    pub(super) fn prompter(&self) -> Prompter {
        self.prompter.clone()
    }

    /// Whether answers are waited for.
    pub(super) fn waits(&self) -> bool {
        self.waiting.is_some()
    }

    /// The questions of the next call, once those before are answered.
    pub(super) async fn next(&mut self) -> Vec<Question> {
        if let (Some(asked), None) = (&mut self.asked, &self.waiting)
            && let Some(Asking { questions, answers }) = asked.recv().await
        {
            self.waiting = Some(answers);
            return questions;
        }
        std::future::pending().await
    }

    /// What the person has answered.
    pub(super) fn answer(&mut self, answers: Option<Vec<String>>) {
        if let Some(waiting) = self.waiting.take() {
            // A call that was stopped needs no answer.
            waiting.send(answers).ok();
        }
    }
}
