//! The vocabulary that every room of pollux shares.
//!
//! Plain serde data: what a conversation consists of ([`message`]), what a front end tells the
//! agent ([`command`]) and what the agent tells it back ([`event`]). Front ends and agent know
//! each other only through these types, so each can be tested without the other.
//!
//! Not here: anything that does I/O, anything a model provider puts on the wire, anything that
//! only one crate needs.

mod again;
pub mod approval;
pub mod command;
mod command_ran;
pub mod event;
mod fact;
mod fingerprint;
pub mod id;
pub mod message;
mod mode;
mod nearest;
pub mod protected;
mod question;
mod skill;
mod todo;
pub mod tokens;
pub mod tool;
pub mod untrusted;
pub mod usage;

pub use again::{Again, Told};
pub use approval::{ApprovalMode, ApprovalRequest, Decision, Page, Proposal, Remember};
pub use command::Command;
pub use command_ran::CommandRan;
pub use event::{Event, PromptEnd};
pub use fact::with_fact;
pub use fingerprint::fingerprint;
pub use id::{CallId, PromptId, SessionId};
pub use message::{FunctionCall, FunctionResponse, Message, Part, Response, Role};
pub use mode::Mode;
pub use nearest::nearest;
pub use question::{Question, QuestionOption};
pub use skill::Skill;
pub use todo::{Todo, TodoStatus};
pub use tool::{CallStatus, CallView, FileChange, ToolError, ToolErrorKind, ToolSpec};
pub use usage::{Before, FinishReason, Spent, Usage};
