//! What a front end tells the agent.

use serde::{Deserialize, Serialize};

use crate::approval::{ApprovalMode, Decision};
use crate::id::CallId;
use crate::message::Part;

/// One instruction to the agent. They are taken in order; see each for what happens while the
/// agent is busy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// A user prompt. While another is being answered it waits in a queue.
    Submit(Vec<Part>),
    /// The answer to a question. It counts only for the proposal that it is an answer to.
    Decide {
        /// Which call.
        call: CallId,
        /// The fingerprint of the proposal.
        fingerprint: String,
        /// The answer.
        decision: Decision,
    },
    /// What may happen without asking, from now on. Questions that it answers are settled by it.
    Allow(ApprovalMode),
    /// The rules have changed on disk: read them again.
    ReadRules,
    /// Stop what is being done for the current prompt, at once. Queued prompts are dropped.
    Cancel,
    /// Stop, and end the session.
    Shutdown,
}
