//! Where a call stands, and the only ways on from there.
//!
//! Each state is a type whose methods are the steps that lead out of it, and nobody else can make
//! one: a step that is not written here cannot be taken. What ends has no way on.

#![expect(
    clippy::unused_self,
    reason = "a step uses the state up, even where the state holds nothing"
)]

use pollux_tools::Outcome;
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
pub(crate) struct Awaiting<P>(P);

/// It may run.
#[derive(Clone, Debug)]
pub(crate) struct Scheduled<P>(P);

/// It runs.
#[derive(Clone, Debug)]
pub(crate) struct Executing(());

/// It has come to an end, which is final.
#[derive(Clone, Debug)]
pub(crate) struct Ended(Outcome);

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
        Stage::AwaitingApproval(Awaiting(plan))
    }

    pub(crate) fn schedule<P>(self, plan: P) -> Stage<P> {
        Stage::Scheduled(Scheduled(plan))
    }

    pub(crate) fn fail<P>(self, error: ToolError) -> Stage<P> {
        Stage::Ended(Ended(Err(error)))
    }
}

impl<P> Awaiting<P> {
    pub(crate) fn plan(&self) -> &P {
        &self.0
    }

    pub(crate) fn accept(self) -> Stage<P> {
        Stage::Scheduled(Scheduled(self.0))
    }

    /// Something else is proposed, and asked for again.
    pub(crate) fn revise(self, plan: P) -> Stage<P> {
        Stage::AwaitingApproval(Self(plan))
    }

    pub(crate) fn refuse(self, error: ToolError) -> Stage<P> {
        Stage::Ended(Ended(Err(error)))
    }
}

impl<P> Scheduled<P> {
    pub(crate) fn plan(&self) -> &P {
        &self.0
    }

    pub(crate) fn start(self) -> (Stage<P>, P) {
        (Stage::Executing(Executing(())), self.0)
    }

    pub(crate) fn give_up(self, error: ToolError) -> Stage<P> {
        Stage::Ended(Ended(Err(error)))
    }
}

impl Executing {
    pub(crate) fn finish<P>(self, outcome: Outcome) -> Stage<P> {
        Stage::Ended(Ended(outcome))
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
