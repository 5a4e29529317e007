//! The calls of one reply, on their way together.
//!
//! **Invariants**, proven for all small batches by going through every order of events
//! (`batch/tests.rs`): nothing starts before every call of the batch is settled; a call starts
//! once, and again only after a person was asked again; what it has done is not forgotten; what has
//! ended stays as it is; every call comes to exactly one end; and no call comes in before all others
//! have come to theirs.

use pollux_tools::{Outcome, Output};
use pollux_types::{CallView, ToolError};

use crate::stage::Stage;

/// What came of looking at a call.
#[derive(Clone, Debug)]
pub(crate) enum Judged<P> {
    Allow(P),
    Ask(P),
    Refuse(ToolError),
}

/// What a person says to a call.
#[derive(Clone, Debug)]
pub(crate) enum Answer<P> {
    Accept,
    Refuse(ToolError),
    Revise(P),
}

/// Some of the calls have not ended, so that no others can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Cannot schedule new tool calls while other tool calls are actively running")]
pub(crate) struct Busy;

/// Calls that run when all of them are settled.
#[derive(Clone, Debug)]
pub(crate) struct Batch<P> {
    calls: Vec<Call<P>>,
    /// What listeners do not know yet.
    news: Vec<CallView>,
}

impl<P> Default for Batch<P> {
    fn default() -> Self {
        Self {
            calls: Vec::new(),
            news: Vec::new(),
        }
    }
}

#[derive(Clone, Debug)]
struct Call<P> {
    view: CallView,
    /// Empty only while a step is taken.
    stage: Option<Stage<P>>,
}

impl<P> Batch<P> {
    /// Takes calls, all at their beginning, once those before have ended.
    pub(crate) fn schedule(&mut self, views: Vec<CallView>) -> Result<(), Busy> {
        if !self.is_over() {
            return Err(Busy);
        }
        let calls = views.into_iter().map(|view| Call { view, stage: None });
        self.calls = calls.collect();
        for index in 0..self.calls.len() {
            self.put(index, Stage::begin());
        }
        Ok(())
    }

    /// Changes since this was asked last: each a copy that nobody changes any more.
    pub(crate) fn news(&mut self) -> Vec<CallView> {
        std::mem::take(&mut self.news)
    }

    /// What a listener sees of a call.
    pub(crate) fn view(&self, index: usize) -> &CallView {
        &self.calls[index].view
    }

    /// The same, to be changed; what is changed here is seen with its next step.
    pub(crate) fn view_mut(&mut self, index: usize) -> &mut CallView {
        &mut self.calls[index].view
    }

    /// The call has been understood, or not.
    pub(crate) fn judge(&mut self, index: usize, judged: Judged<P>) {
        self.step(index, |stage| match (stage, judged) {
            (Stage::Validating(call), Judged::Allow(plan)) => Ok(call.schedule(plan)),
            (Stage::Validating(call), Judged::Ask(plan)) => Ok(call.ask(plan)),
            (Stage::Validating(call), Judged::Refuse(error)) => Ok(call.fail(error)),
            (stage, _) => Err(stage),
        });
    }

    /// The first call that waits for a person, once all are understood.
    pub(crate) fn question(&self) -> Option<(usize, &P)> {
        let mut waiting = None;
        for (index, call) in self.calls.iter().enumerate() {
            match &call.stage {
                Some(Stage::Validating(_)) => return None,
                Some(Stage::AwaitingApproval(asked)) if waiting.is_none() => {
                    waiting = Some((index, asked.plan()));
                }
                _ => {}
            }
        }
        waiting
    }

    /// All calls that wait for a person.
    pub(crate) fn questions(&self) -> impl Iterator<Item = (usize, &P)> {
        let calls = self.calls.iter().enumerate();
        calls.filter_map(|(index, call)| match &call.stage {
            Some(Stage::AwaitingApproval(asked)) => Some((index, asked.plan())),
            _ => None,
        })
    }

    /// What is asked about a call, to be changed before it is answered.
    pub(crate) fn asked_mut(&mut self, index: usize) -> Option<&mut P> {
        match &mut self.calls[index].stage {
            Some(Stage::AwaitingApproval(asked)) => Some(asked.plan_mut()),
            _ => None,
        }
    }

    /// A person has answered, or another mode has. What waits no longer can only be refused.
    pub(crate) fn answer(&mut self, index: usize, answer: Answer<P>) {
        self.step(index, |stage| match (stage, answer) {
            (Stage::AwaitingApproval(call), Answer::Accept) => Ok(call.accept()),
            (Stage::AwaitingApproval(call), Answer::Refuse(error)) => Ok(call.refuse(error)),
            (Stage::AwaitingApproval(call), Answer::Revise(plan)) => Ok(call.revise(plan)),
            (Stage::Scheduled(call), Answer::Refuse(error)) => Ok(call.give_up(error)),
            (stage, _) => Err(stage),
        });
    }

    /// Whether nothing is left to be settled, so that what may run can run.
    pub(crate) fn is_settled(&self) -> bool {
        self.calls.iter().all(|call| {
            !matches!(
                call.stage,
                Some(Stage::Validating(_) | Stage::AwaitingApproval(_))
            )
        })
    }

    /// What may run and does not yet, in order.
    pub(crate) fn scheduled(&self) -> impl Iterator<Item = (usize, &P)> {
        let calls = self.calls.iter().enumerate();
        calls.filter_map(|(index, call)| match &call.stage {
            Some(Stage::Scheduled(ready)) => Some((index, ready.plan())),
            _ => None,
        })
    }

    /// Starts a call, if it may run and all are settled.
    pub(crate) fn start(&mut self, index: usize) -> Option<P> {
        if !self.is_settled() {
            return None;
        }
        let mut started = None;
        self.step(index, |stage| match stage {
            Stage::Scheduled(call) => {
                let (stage, plan) = call.start();
                started = Some(plan);
                Ok(stage)
            }
            stage => Err(stage),
        });
        started
    }

    /// A running call has printed something.
    pub(crate) fn show(&mut self, index: usize, newest: String) {
        let call = &mut self.calls[index];
        if matches!(call.stage, Some(Stage::Executing(_))) {
            call.view.live = Some(newest);
            self.tell(index);
        }
    }

    /// A running call has ended.
    pub(crate) fn finish(&mut self, index: usize, outcome: Outcome) {
        self.step(index, |stage| match stage {
            Stage::Executing(call) => Ok(call.finish(outcome)),
            stage => Err(stage),
        });
    }

    /// A running call was refused something, and has come to `before`: `plan` is asked about.
    pub(crate) fn ask_again(&mut self, index: usize, plan: P, before: Output) {
        self.step(index, |stage| match stage {
            Stage::Executing(call) => Ok(call.ask_again(plan, before)),
            stage => Err(stage),
        });
    }

    /// Ends every call that does not run yet. What runs ends by itself.
    pub(crate) fn give_up(&mut self, error: &ToolError) {
        for index in 0..self.calls.len() {
            self.step(index, |stage| match stage {
                Stage::Validating(call) => Ok(call.fail(error.clone())),
                Stage::AwaitingApproval(call) => Ok(call.refuse(error.clone())),
                Stage::Scheduled(call) => Ok(call.give_up(error.clone())),
                stage @ (Stage::Executing(_) | Stage::Ended(_)) => Err(stage),
            });
        }
    }

    /// The ends, in the order of the calls, which are gone then; `None` if there is a call without
    /// one.
    pub(crate) fn take_outcomes(&mut self) -> Option<Vec<Outcome>> {
        if !self.is_over() {
            return None;
        }
        let calls = std::mem::take(&mut self.calls);
        let outcomes = calls.into_iter().map(|call| match call.stage {
            Some(Stage::Ended(ended)) => Some(ended.into_outcome()),
            _ => None,
        });
        outcomes.collect()
    }

    /// Whether every call has come to its end.
    fn is_over(&self) -> bool {
        let has_ended = |call: &Call<P>| matches!(call.stage, Some(Stage::Ended(_)));
        self.calls.iter().all(has_ended)
    }

    /// Takes a step, if the call's state has it.
    fn step(&mut self, index: usize, step: impl FnOnce(Stage<P>) -> Result<Stage<P>, Stage<P>>) {
        let Some(stage) = self.calls[index].stage.take() else {
            return;
        };
        match step(stage) {
            Ok(next) => self.put(index, next),
            Err(same) => self.calls[index].stage = Some(same),
        }
    }

    /// The one place where a call's state changes, and where listeners learn of it.
    fn put(&mut self, index: usize, stage: Stage<P>) {
        let call = &mut self.calls[index];
        call.view.status = stage.status();
        call.view.live = None;
        if let Stage::Ended(ended) = &stage {
            match ended.outcome() {
                Ok(Output {
                    text,
                    changes,
                    todos,
                    ..
                }) => {
                    call.view.output = Some(text.clone());
                    call.view.changes.clone_from(changes);
                    call.view.todos.clone_from(todos);
                }
                Err(error) => call.view.error = Some(error.clone()),
            }
        }
        call.stage = Some(stage);
        self.tell(index);
    }

    /// Keeps a copy of what there is to see of a call for those who listen.
    fn tell(&mut self, index: usize) {
        self.news.push(self.calls[index].view.clone());
    }
}

#[cfg(test)]
mod tests;
