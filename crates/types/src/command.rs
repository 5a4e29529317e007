//! What a front end tells the agent.

use serde::{Deserialize, Serialize};

use crate::message::Part;

/// One instruction to the agent. They are taken in order; see each for what happens while the
/// agent is busy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// A user prompt. While another is being answered it waits in a queue.
    Submit(Vec<Part>),
    /// Stop what is being done for the current prompt, at once. Queued prompts are dropped.
    Cancel,
    /// Stop, and end the session.
    Shutdown,
}
