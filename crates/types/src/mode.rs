//! What the session is for at the moment: doing, or only planning.

use serde::{Deserialize, Serialize};

/// Whether the model may change things, or only look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Everything is offered.
    #[default]
    Build,
    /// Looking only: edits are not offered, and commands ask unless they only read.
    Plan,
}

impl Mode {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Build => "build",
            Self::Plan => "plan",
        }
    }
}
