//! What a front end tells the agent.

use serde::{Deserialize, Serialize};

use crate::approval::{ApprovalMode, Decision};
use crate::id::CallId;
use crate::message::Part;
use crate::mode::Mode;

/// One instruction to the agent. They are taken in order; see each for what happens while the
/// agent is busy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// A user prompt. While another is being answered it waits in a queue. Files that its first
    /// text names with `@` are read; what follows that text is taken as it is.
    Submit(Vec<Part>),
    /// A command line of the person's own (`!`): run as such, never sent on as a request of the
    /// model. While busy it waits in the queue like a prompt.
    Run {
        /// What to run.
        command: String,
        /// What was typed, with the `!`.
        raw: String,
    },
    /// What the session is for, from now on.
    Mode(Mode),
    /// Who answers from the next request on: `model` or `provider/model`. Waits in the queue, as do
    /// the four below.
    UseModel(String),
    /// Begin a new session, with nothing said yet.
    NewSession,
    /// Go on with a stored session: an id, a number of the list, or `latest`.
    Resume(String),
    /// What this session is called from now on.
    NameSession(String),
    /// Memory files have changed on disk: read them again.
    ReadMemory,
    /// The answer to a question. It counts only for the proposal that it is an answer to.
    Decide {
        /// Which call.
        call: CallId,
        /// The fingerprint of the proposal.
        fingerprint: String,
        /// The answer.
        decision: Decision,
    },
    /// The answers to the model's questions, in their order; none if they are sent away.
    Answer(Option<Vec<String>>),
    /// What may happen without asking, from now on. Questions that it answers are settled by it.
    Allow(ApprovalMode),
    /// The rules have changed on disk: read them again.
    ReadRules,
    /// Stop what is being done for the current prompt, at once. Prompts that wait in the queue are
    /// dropped; other models and sessions that were asked for before are still gone to.
    Cancel,
    /// Stop, and end the session.
    Shutdown,
}
