//! Why a reply could not be had.

use std::fmt;
use std::time::Duration;

use pollux_types::FinishReason;
use serde::{Deserialize, Serialize};

/// A reply that failed: typed for those who branch on it, worded for the person.
/// [`Display`](fmt::Display) tells who has failed, `message` alone does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError {
    /// What sort of failure.
    pub kind: ErrorKind,
    /// What happened and to what; the provider's own words where it gave any.
    pub message: String,
    /// Who has failed, where the message does not say it.
    pub host: Option<String>,
    /// What to do about it, where there is something.
    pub hint: Option<String>,
    /// How long the provider asks to wait before the next try.
    pub retry_after: Option<Duration>,
    /// Nobody listens at the address, or nobody who speaks the protocol: that takes a person more
    /// often than time.
    pub nobody_there: bool,
    /// Why the reply ended, where it came to its end and cannot be used all the same.
    pub finish: Option<FinishReason>,
}

impl ModelError {
    /// A failure with its message.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            host: None,
            hint: None,
            retry_after: None,
            nobody_there: false,
            finish: None,
        }
    }

    /// The server hung up in good order, but before the reply was over.
    pub(crate) fn truncated() -> Self {
        let message = "the reply broke off: the server closed the stream before its end";
        Self::new(ErrorKind::StreamTruncated, message)
    }

    /// The reply holds neither words nor calls.
    pub(crate) fn empty() -> Self {
        Self::new(ErrorKind::EmptyResponse, "the model's reply is empty")
    }

    /// The reply came to its end, and cannot be used all the same. The end may tell why there is
    /// nothing in it.
    pub(crate) fn at_the_end(mut self, finish: FinishReason) -> Self {
        let why = match finish {
            _ if self.kind != ErrorKind::EmptyResponse => None,
            FinishReason::ContentFilter => Some("the reply was withheld (content filter)"),
            FinishReason::Length => {
                Some("the output limit was reached before the model said anything")
            }
            FinishReason::Stop | FinishReason::ToolCalls | FinishReason::Unknown => None,
        };
        if let Some(why) = why {
            why.clone_into(&mut self.message);
        }
        self.finish = Some(finish);
        self
    }
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(host) = &self.host {
            write!(f, "{host}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for ModelError {}

/// A wait that a provider asks for is not worth it beyond this.
pub const LONGEST_WAIT: Duration = Duration::from_mins(5);

/// The sorts of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// The server could not be reached.
    Unreachable,
    /// The credentials are missing, wrong or not allowed to do this.
    Auth,
    /// The server says that the request is wrong.
    BadRequest,
    /// The server or its model takes no native tools.
    NoTools,
    /// The conversation is longer than the model can read.
    ContextOverflow,
    /// Too many requests for now.
    RateLimited,
    /// A quota or credit is used up, and will be for longer than it makes sense to wait.
    QuotaExhausted,
    /// The server is too busy at present.
    Overloaded,
    /// The provider failed in some other way.
    ProviderError,
    /// The provider refuses to answer this prompt.
    Blocked,
    /// The answer is no event stream.
    NotSse,
    /// An event is not what the protocol says.
    MalformedChunk,
    /// A line is longer than any honest event.
    LineTooLong,
    /// The stream ended before the reply did.
    StreamTruncated,
    /// Nothing arrived for too long.
    IdleTimeout,
    /// The model tried to call a tool and failed to write the call down.
    MalformedCall,
    /// The reply is complete and holds nothing.
    EmptyResponse,
}
