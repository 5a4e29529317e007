//! Where a call stands, and the only ways on from there.
//!
//! Each state is a type whose methods are the steps that lead out of it, and nobody else can make
//! one: a step that is not written here cannot be taken. What ends has no way on, and there is one
//! way back: what was refused something while it ran can be asked about again.

#![expect(
    clippy::unused_self,
    reason = "a step uses the state up, even where the state holds nothing"
)]

use pollux_tools::{Outcome, Output};
use pollux_types::{CallStatus, ToolError};

/// The states of a call; `P` is what is to be run.
#[derive(Clone, Debug)]
pub(crate) enum Stage<P> {
    Validating(Validating),
    AwaitingApproval(Awaiting<P>),
    Scheduled(Scheduled<P>),
    Executing(Executing),
    Ended(Ended),
}

/// Its arguments are being checked.
#[derive(Clone, Debug)]
pub(crate) struct Validating(());

/// A person is asked.
#[derive(Clone, Debug)]
pub(crate) struct Awaiting<P>(Proposed<P>);

/// It may run.
#[derive(Clone, Debug)]
pub(crate) struct Scheduled<P>(Proposed<P>);

/// It runs.
#[derive(Clone, Debug)]
pub(crate) struct Executing(());

/// It has come to an end, which is final.
#[derive(Clone, Debug)]
pub(crate) struct Ended(Outcome);

/// What is to be run.
#[derive(Clone, Debug)]
struct Proposed<P> {
    plan: P,
    /// What came of it when it ran before. That has happened, whether it runs again or not.
    before: Option<Output>,
}

impl<P> Proposed<P> {
    fn new(plan: P) -> Self {
        Self { plan, before: None }
    }

    /// It does not run, or not again.
    fn end(self, error: ToolError) -> Stage<P> {
        Stage::Ended(Ended(match self.before {
            Some(mut output) => {
                output.text.extend(["[", &error.message, "]\n"]);
                Ok(output)
            }
            None => Err(error),
        }))
    }
}

impl<P> Stage<P> {
    /// Where every call begins.
    pub(crate) fn begin() -> Self {
        Self::Validating(Validating(()))
    }

    pub(crate) fn status(&self) -> CallStatus {
        match self {
            Self::Validating(_) => CallStatus::Validating,
            Self::AwaitingApproval(_) => CallStatus::AwaitingApproval,
            Self::Scheduled(_) => CallStatus::Scheduled,
            Self::Executing(_) => CallStatus::Executing,
            Self::Ended(ended) => ended.status(),
        }
    }
}

impl Validating {
    pub(crate) fn ask<P>(self, plan: P) -> Stage<P> {
        Stage::AwaitingApproval(Awaiting(Proposed::new(plan)))
    }

    pub(crate) fn schedule<P>(self, plan: P) -> Stage<P> {
        Stage::Scheduled(Scheduled(Proposed::new(plan)))
    }

    pub(crate) fn fail<P>(self, error: ToolError) -> Stage<P> {
        Stage::Ended(Ended(Err(error)))
    }
}

impl<P> Awaiting<P> {
    pub(crate) fn plan(&self) -> &P {
        &self.0.plan
    }

    pub(crate) fn plan_mut(&mut self) -> &mut P {
        &mut self.0.plan
    }

    pub(crate) fn accept(self) -> Stage<P> {
        Stage::Scheduled(Scheduled(self.0))
    }

    /// Something else is proposed, and asked for again.
    pub(crate) fn revise(self, plan: P) -> Stage<P> {
        let before = self.0.before;
        Stage::AwaitingApproval(Self(Proposed { plan, before }))
    }

    pub(crate) fn refuse(self, error: ToolError) -> Stage<P> {
        self.0.end(error)
    }
}

impl<P> Scheduled<P> {
    pub(crate) fn plan(&self) -> &P {
        &self.0.plan
    }

    pub(crate) fn start(self) -> (Stage<P>, P) {
        (Stage::Executing(Executing(())), self.0.plan)
    }

    pub(crate) fn give_up(self, error: ToolError) -> Stage<P> {
        self.0.end(error)
    }
}

impl Executing {
    pub(crate) fn finish<P>(self, outcome: Outcome) -> Stage<P> {
        Stage::Ended(Ended(outcome))
    }

    /// It was refused something, and has come to this. Whether it runs again, and how, is for a
    /// person to say.
    pub(crate) fn ask_again<P>(self, plan: P, before: Output) -> Stage<P> {
        let before = Some(before);
        Stage::AwaitingApproval(Awaiting(Proposed { plan, before }))
    }
}

impl Ended {
    pub(crate) fn outcome(&self) -> &Outcome {
        &self.0
    }

    pub(crate) fn into_outcome(self) -> Outcome {
        self.0
    }

    fn status(&self) -> CallStatus {
        match &self.0 {
            Ok(_) => CallStatus::Success,
            Err(error) if error.is_cancelled() => CallStatus::Cancelled,
            Err(_) => CallStatus::Error,
        }
    }
}
