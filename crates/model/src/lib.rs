//! Talking to models.
//!
//! One trait, [`Model`], and an implementation for each protocol. What a provider puts on the
//! wire never leaves its own module: above this crate there are only the messages of
//! `pollux-types`, [`Delta`]s and [`ModelError`]s.
//!
//! **Invariant:** a tool call is delivered only when the whole reply has arrived. A reply that
//! breaks off, times out or turns into an error delivers none of its calls.

mod anthropic;
mod arguments;
mod body;
mod catalogue;
mod chat;
mod deltas;
mod endpoint;
mod error;
mod exchange;
mod gemini;
mod http;
mod inquiry;
mod json;
mod offline;
mod ollama;
mod openai;
mod recorded;
mod refusal;
mod server;
mod sse;
mod text_calls;
mod text_tools;

use std::pin::Pin;
use std::sync::Arc;

use futures_util::Stream;
use pollux_types::{FinishReason, FunctionCall, Message, ToolSpec, Usage};

pub use anthropic::Anthropic;
pub use catalogue::{Catalogue, Directory, Listed, ServerKind};
pub use endpoint::{DEFAULT_IDLE, Endpoint, Key};
pub use error::{ErrorKind, LONGEST_WAIT, ModelError};
pub use gemini::Gemini;
pub use http::http_client;
pub use inquiry::{Inquiry, Wire};
pub use offline::Offline;
pub use ollama::Ollama;
pub use openai::{OpenAi, Profile, Thoughts, Ways};
pub use recorded::{Protocol, read_recorded};
pub use text_calls::{Found, TextCalls, Tools};
pub use text_tools::{Guidance, TextTools};

/// Something that answers.
///
/// Dropping the [`Reply`] cancels it: no task or connection outlives it.
pub trait Model: Send + Sync {
    /// What it is called.
    fn info(&self) -> &ModelInfo;

    /// Asks for the next message. A failure to connect is the stream's first item.
    fn reply(&self, request: Request<'_>) -> Reply;
}

/// The names under which a model is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelInfo {
    /// The provider's name.
    pub provider: String,
    /// The model's name.
    pub model: String,
}

/// Everything a model gets to see. Borrowed: building a request copies no history, and messages that
/// were sent before are known again by their address.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// Standing instructions.
    pub system: &'a str,
    /// The tools it may call.
    pub tools: &'a [ToolSpec],
    /// The conversation, oldest first.
    pub messages: Vec<&'a Arc<Message>>,
}

/// A reply as it arrives. After an error or [`Delta::Finish`] nothing follows.
pub type Reply = Pin<Box<dyn Stream<Item = Result<Delta, ModelError>> + Send>>;

/// The next piece of a reply. Text that arrives together comes as one piece.
#[derive(Clone, Debug, PartialEq)]
pub enum Delta {
    /// Words of the answer.
    Text(String),
    /// Reasoning, or its summary.
    Thought {
        /// The words; may be empty where only a signature came.
        text: String,
        /// What the provider wants back with it.
        signature: Option<String>,
    },
    /// A whole tool call.
    Call(FunctionCall),
    /// A tool call that cannot be run as it was written: its arguments are no JSON object, or the
    /// reply was cut off. It is never repaired; the model is told of the problem.
    BrokenCall {
        /// The call, without arguments.
        call: FunctionCall,
        /// What is wrong with them.
        problem: String,
    },
    /// A source that the answer repeats.
    Citation {
        /// What it is called, if that is known.
        title: Option<String>,
        /// Where it is.
        uri: String,
    },
    /// All words so far were a thought: the tag that should have opened it never came.
    WasThought,
    /// The model writes its calls as text, or takes no native tools, and will be talked to in text
    /// from now on.
    LearnedTextCalls,
    /// What the reply cost so far; the newest counts.
    Usage(Usage),
    /// The reply is complete. Always last.
    Finish {
        /// Why it ended.
        reason: FinishReason,
        /// The provider's own word, where `reason` does not tell all.
        detail: Option<String>,
    },
}
