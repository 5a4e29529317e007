//! Asking a person before a call may run, and what may run without asking.

use serde::{Deserialize, Serialize};

use crate::id::CallId;
use crate::tool::FileChange;

/// How much the user has allowed beforehand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ApprovalMode {
    /// Reading inside the project.
    #[default]
    Default,
    /// And changing files inside the project.
    AutoEdit,
    /// Everything but what is dangerous.
    Yolo,
}

/// A question to the person: may this call run?
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApprovalRequest {
    /// Which call.
    pub call: CallId,
    /// The tool's canonical name.
    pub tool: String,
    /// What would happen.
    pub proposal: Proposal,
    /// Why it is asked, a line each.
    pub reasons: Vec<String>,
    /// It may do harm that cannot be undone: it is asked each time.
    pub dangerous: bool,
    /// What can be allowed for good, the narrowest first.
    pub always: Vec<Remember>,
    /// Why nothing can, where that is not plain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub once: Option<String>,
    /// What a command has printed last that is to run again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub printed: String,
    /// Stands for exactly this proposal. The answer gives it back, so that nothing else is
    /// approved by it.
    pub fingerprint: String,
}

/// What a call would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Proposal {
    /// Changing a file.
    Edit {
        /// The change.
        change: FileChange,
        /// The whole file after it, for whoever wants to change the proposal.
        content: Option<String>,
    },
    /// Running a command.
    Exec {
        /// All of it, as it would be run.
        command: String,
        /// Where.
        dir: String,
        /// The programs it starts, with their arguments, as far as they can be told apart.
        parts: Vec<String>,
    },
    /// Reading, where that must be asked.
    Read {
        /// What.
        path: String,
    },
    /// Asking somebody on the network for something.
    Fetch {
        /// For what.
        pages: Vec<Page>,
    },
    /// Anything else.
    Other {
        /// One line.
        summary: String,
    },
}

/// Something on the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// All of its address, as it would be asked for.
    pub url: String,
    /// Who would be asked.
    pub host: String,
}

/// What `always` remembers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remember {
    /// This command, to the letter.
    Command(String),
    /// Commands that begin with these words.
    Prefix(Vec<String>),
    /// Changes to this file.
    Edits(String),
    /// Reading this path.
    Reads(String),
    /// Fetching whatever this host has.
    Host(String),
    /// Calling this tool, whatever it does.
    Tool(String),
}

/// The person's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Yes, this once.
    Approve,
    /// No.
    Refuse,
    /// Yes, and so for this from now on.
    Always(Remember),
    /// Not so, but with this as the file's content. It is asked again.
    Modify(String),
}
