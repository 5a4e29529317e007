//! What a model says in one reply, whatever the protocol.
//!
//! Most tests care about what is said and not about its form; they write a [`Turn`] and choose
//! the protocol, or run for both. Tests of the form itself write an [`HttpReply`] by hand.

mod anthropic;
mod gemini;
mod ollama;
mod openai;

use pollux_types::{FinishReason, Usage};
use serde_json::Value;

use super::reply::{HttpReply, Step};
use super::request::Recorded;
use crate::Gate;

/// The protocols that the server can speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// `streamGenerateContent` with `alt=sse`.
    Gemini,
    /// Chat completions with `stream: true`.
    OpenAi,
    /// Messages with `stream: true`.
    Anthropic,
    /// Ollama's own chat.
    Ollama,
}

impl Protocol {
    /// All, for tests that must hold in each.
    pub const ALL: [Self; 4] = [Self::Gemini, Self::OpenAi, Self::Anthropic, Self::Ollama];
}

/// One reply of a model. Pieces are said in the order in which they are added; each is an event
/// of its own, except that Gemini puts calls that follow each other into one.
///
/// ```
/// # use pollux_testkit::Turn;
/// # use serde_json::json;
/// let turn = Turn::text(["Let me ", "look."])
///     .thought("**Reading** The file first.")
///     .and_call("read_file", json!({"file_path": "a.rs"}))
///     .usage(120, 8);
/// ```
///
/// Calls get the ids `call_1`, `call_2`, ... over the life of the server.
#[derive(Clone, Debug)]
pub struct Turn {
    pieces: Vec<Piece>,
    usage: Usage,
    finish: Option<FinishReason>,
    complete: bool,
}

#[derive(Clone, Debug)]
struct Piece {
    what: What,
    signature: Option<String>,
}

#[derive(Clone, Debug)]
enum What {
    Text(String),
    Thought(String),
    Call {
        id: String,
        name: String,
        args: Value,
    },
    Gate(Gate),
}

impl Turn {
    /// A turn that says nothing yet.
    pub fn new() -> Self {
        Self {
            pieces: Vec::new(),
            usage: Usage {
                input: 10,
                output: 5,
                ..Usage::default()
            },
            finish: None,
            complete: true,
        }
    }

    /// Words, one event each.
    pub fn text<T: Into<String>>(pieces: impl IntoIterator<Item = T>) -> Self {
        let pieces = pieces.into_iter();
        pieces.fold(Self::new(), Self::and_text)
    }

    /// A tool call.
    pub fn call(name: impl Into<String>, args: Value) -> Self {
        Self::new().and_call(name, args)
    }

    /// Words in one event, then calls.
    pub fn text_then_calls<N: Into<String>>(
        text: impl Into<String>,
        calls: impl IntoIterator<Item = (N, Value)>,
    ) -> Self {
        let calls = calls.into_iter();
        calls.fold(Self::new().and_text(text), |turn, (name, args)| {
            turn.and_call(name, args)
        })
    }

    /// Adds words.
    #[must_use]
    pub fn and_text(self, text: impl Into<String>) -> Self {
        self.and(What::Text(text.into()))
    }

    /// Adds a tool call.
    #[must_use]
    pub fn and_call(self, name: impl Into<String>, args: Value) -> Self {
        let (id, name) = (String::new(), name.into());
        self.and(What::Call { id, name, args })
    }

    /// Adds reasoning. Models think before they speak: it goes before all that is not reasoning.
    #[must_use]
    pub fn thought(mut self, text: impl Into<String>) -> Self {
        let is_thought = |piece: &Piece| matches!(piece.what, What::Thought(_));
        let first_other = self.pieces.iter().position(|piece| !is_thought(piece));
        let at = first_other.unwrap_or(self.pieces.len());
        self.pieces
            .insert(at, Piece::new(What::Thought(text.into())));
        self
    }

    /// Waits here until the test opens the gate.
    #[must_use]
    pub fn gate(self, gate: &Gate) -> Self {
        self.and(What::Gate(gate.clone()))
    }

    /// Puts a signature on what is the last piece so far. OpenAI has none.
    #[must_use]
    pub fn signed(mut self, signature: impl Into<String>) -> Self {
        let last = self.pieces.last_mut().expect("a piece to sign");
        last.signature = Some(signature.into());
        self
    }

    /// What it costs; 10 and 5 unless said.
    #[must_use]
    pub fn usage(mut self, input: u64, output: u64) -> Self {
        (self.usage.input, self.usage.output) = (input, output);
        self
    }

    /// What it costs, in full.
    #[must_use]
    pub fn usage_in_full(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    /// Why it ends, if not because the model is done.
    #[must_use]
    pub fn finish(mut self, reason: FinishReason) -> Self {
        self.finish = Some(reason);
        self
    }

    /// Leaves out everything that tells that the turn is over. For replies that break off:
    /// `turn.unfinished().gemini().cut()`.
    #[must_use]
    pub fn unfinished(mut self) -> Self {
        self.complete = false;
        self
    }

    /// The reply of a Gemini server.
    pub fn gemini(self) -> HttpReply {
        self.reply(Protocol::Gemini)
    }

    /// The reply of an OpenAI-compatible server.
    pub fn openai(self) -> HttpReply {
        self.reply(Protocol::OpenAi)
    }

    /// The reply of an Anthropic server.
    pub fn anthropic(self) -> HttpReply {
        self.reply(Protocol::Anthropic)
    }

    /// The reply of a server that speaks this protocol.
    pub fn reply(self, protocol: Protocol) -> HttpReply {
        let reply = match protocol {
            Protocol::Ollama => {
                HttpReply::status(200).header("content-type", "application/x-ndjson")
            }
            Protocol::Gemini | Protocol::OpenAi | Protocol::Anthropic => HttpReply::sse(),
        };
        reply.step(Step::Turn(protocol, self))
    }

    /// What is sent in answer to this request. `calls` counts the tool calls so far.
    pub(super) fn steps(
        mut self,
        protocol: Protocol,
        request: &Recorded,
        calls: &mut usize,
    ) -> Vec<Step> {
        for piece in &mut self.pieces {
            if let What::Call { id, .. } = &mut piece.what {
                *calls += 1;
                *id = format!("call_{calls}");
            }
        }
        match protocol {
            Protocol::Gemini => gemini::steps(&self),
            Protocol::OpenAi => openai::steps(&self, openai::wants_usage(request)),
            Protocol::Anthropic => anthropic::steps(&self),
            Protocol::Ollama => ollama::steps(&self),
        }
    }

    fn and(mut self, what: What) -> Self {
        self.pieces.push(Piece::new(what));
        self
    }

    fn reason(&self) -> FinishReason {
        let calls = self.pieces.iter().any(Piece::is_call);
        let by_itself = if calls {
            FinishReason::ToolCalls
        } else {
            FinishReason::Stop
        };
        self.finish.unwrap_or(by_itself)
    }
}

impl Default for Turn {
    fn default() -> Self {
        Self::new()
    }
}

impl Piece {
    fn new(what: What) -> Self {
        Self {
            what,
            signature: None,
        }
    }

    fn is_call(&self) -> bool {
        matches!(self.what, What::Call { .. })
    }
}

#[cfg(test)]
mod tests;
