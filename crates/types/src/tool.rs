//! Tools as the model sees them, and calls as a person sees them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::CallId;
use crate::todo::Todo;
use crate::tokens;

/// What a model is told about a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// The canonical name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// JSON Schema of the arguments.
    pub parameters: Value,
    /// Other names that models use for it. They are understood, not told.
    #[serde(default, skip_serializing)]
    pub aliases: Vec<String>,
}

impl ToolSpec {
    /// How many tokens it takes to tell of it, by guess.
    pub fn tokens(&self) -> u64 {
        tokens::estimate(&self.name)
            + tokens::estimate(&self.description)
            + tokens::estimate(&self.parameters.to_string())
    }
}

/// Where a call stands. Calls only move forward, but for one that the sandbox has refused something
/// while it ran: a person may be asked about it again. The last three states are final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallStatus {
    /// Its arguments are being checked.
    Validating,
    /// A person is asked whether it may run.
    AwaitingApproval,
    /// It may run.
    Scheduled,
    /// It is running.
    Executing,
    /// It did what was asked.
    Success,
    /// It failed or was refused.
    Error,
    /// It was stopped.
    Cancelled,
}

impl CallStatus {
    /// Whether nothing can follow.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Success | Self::Error | Self::Cancelled)
    }
}

/// A snapshot of one call for a front end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallView {
    /// Which call.
    pub id: CallId,
    /// Canonical name of the tool, or what the model wrote if there is none.
    pub name: String,
    /// One line that says what it is about: a path, a pattern, a command.
    pub summary: String,
    /// Where it stands.
    pub status: CallStatus,
    /// The newest of what it prints while it runs: each snapshot replaces the one before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub live: Option<String>,
    /// What it gave back, once it has ended well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Why it failed, once it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolError>,
    /// Files it changed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<FileChange>,
    /// The todo list, if it has written another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub todos: Option<Vec<Todo>>,
}

/// One file changed by a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// The file, as the person would name it.
    pub path: String,
    /// Unified diff of the change.
    pub diff: String,
    /// Lines that came in.
    pub added: usize,
    /// Lines that went out.
    pub removed: usize,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolError {
    /// What sort of failure; scripts branch on it.
    #[serde(rename = "type")]
    pub kind: ToolErrorKind,
    /// What happened, to what, and what to do instead.
    pub message: String,
}

impl ToolError {
    /// A failure with its message.
    pub fn new(kind: ToolErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}

impl ToolError {
    /// Whether the call was stopped, or refused by the person, rather than failed.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.kind, ToolErrorKind::Cancelled | ToolErrorKind::Refused)
    }
}

/// The sorts of failure that scripts can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolErrorKind {
    /// No such tool.
    ToolNotRegistered,
    /// The arguments do not fit the tool.
    InvalidToolParams,
    /// It would need a person's approval and nobody can be asked.
    ApprovalRequired,
    /// A rule forbids it.
    Denied,
    /// The user stopped it.
    Cancelled,
    /// The user was asked, and said no.
    Refused,
    /// No such file or directory.
    FileNotFound,
    /// A directory where a file was meant.
    TargetIsDirectory,
    /// A file where a directory was meant.
    PathIsNotADirectory,
    /// The operating system refused.
    PermissionDenied,
    /// The disk is full. Nothing further can work, so it ends the run.
    NoSpaceLeft,
    /// The content cannot be shown as text.
    BinaryFile,
    /// More than the tool will handle at once.
    FileTooLarge,
    /// The text to replace is not in the file.
    EditNoOccurrenceFound,
    /// The text to replace is there more than once.
    EditExpectedOccurrenceMismatch,
    /// The edit would change nothing.
    EditNoChange,
    /// The command could not be started, or ran out of time.
    ShellExecuteError,
    /// Somebody on the network did not give what was asked for.
    FetchFailed,
    /// Anything else that went wrong while running.
    ExecutionFailed,
    /// A defect in the tool itself.
    UnhandledException,
}
