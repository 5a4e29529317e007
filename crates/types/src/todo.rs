//! What the model has set out to do.

use serde::{Deserialize, Serialize};

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    /// What is to be done.
    pub description: String,
    /// How far it is.
    pub status: TodoStatus,
}

/// How far a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TodoStatus {
    /// Not begun.
    Pending,
    /// Being worked on; so is one at a time at most.
    InProgress,
    /// Done.
    Completed,
    /// Not to be done any more.
    Cancelled,
}

impl TodoStatus {
    /// The word for it, as models write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Cancelled => "cancelled",
        }
    }
}
