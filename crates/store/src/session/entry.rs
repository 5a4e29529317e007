//! The lines of a session log.
//!
//! The format is a promise: a log written today is read by every later pollux. New fields are
//! optional, new kinds of entry are passed over by those who do not know them.

use std::borrow::Cow;

use jiff::Timestamp;
use pollux_types::{CallView, Message, SessionId};
use serde::{Deserialize, Serialize};

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Entry<'a> {
    /// The first line: what this file is.
    Session(Header),
    /// A message of the conversation.
    Message {
        /// When it was recorded.
        at: Timestamp,
        /// The message.
        #[serde(flatten)]
        message: Cow<'a, Message>,
    },
    /// What people saw of calls, but for what the model reads too: that is in the message.
    Calls {
        /// When they had ended.
        at: Timestamp,
        /// Each of them.
        calls: Vec<CallView>,
    },
    /// Another model answers from here on.
    Model {
        /// When it was chosen.
        at: Timestamp,
        /// Which one.
        #[serde(flatten)]
        answering: Answering,
    },
    /// What the person calls the session from here on.
    Name {
        /// When they said so.
        at: Timestamp,
        /// The name.
        name: Cow<'a, str>,
    },
    /// Written by a later version.
    #[serde(other)]
    Unknown,
}

/// What a session is about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Of the format.
    pub version: u32,
    /// Also the name of the file.
    pub id: SessionId,
    /// When it began.
    pub at: Timestamp,
    /// The directory it works in, as far as it can be written as text.
    pub cwd: String,
    /// The model it began with.
    #[serde(flatten)]
    pub answering: Answering,
}

/// Who answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answering {
    /// The provider.
    pub provider: String,
    /// The model.
    pub model: String,
    /// The server, where it is not the provider's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// Nobody has chosen that server: it was found, and gets no key.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub found: bool,
}

impl Header {
    /// The format that this pollux writes.
    pub const VERSION: u32 = 1;
}

impl Answering {
    /// Stands for what a damaged log no longer tells.
    pub const LOST: &str = "unknown";
}
