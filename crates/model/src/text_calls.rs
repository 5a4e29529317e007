//! Tool calls that models write as text.
//!
//! A model without native tool calls, or one whose server lets its own markup through, writes its
//! calls into the answer. [`TextCalls`] reads such an answer as it arrives, and tells words,
//! thoughts and calls apart. Words are given out at once; they are held back only from the first
//! character that may open a call until it is clear whether it does.
//!
//! Everything is written as if the whole text was there: the scanner and the dialects are `async`
//! functions, and what they wait for is more text. No runtime is needed; [`TextCalls::feed`] polls
//! the one future there is. So how the text was cut cannot change what is found in it.
//!
//! | room | what is in it |
//! |---|---|
//! | `input` | the text as far as it has arrived, the cursor, and waiting |
//! | `scan` | the walk through the answer |
//! | `prose` | where in a text a call may stand: not in code, quotes or quotations |
//! | `fence` | fenced blocks, those that hold calls and those that do not |
//! | `json`, `shape`, `param` | reading arguments, and which JSON is a call |
//! | `tools` | what may be called, and what its parameters take |
//! | `dialects` | what opens a call, and a file for each way to write one |
//!
//! **Invariants:** only offered tools are called. Nothing is called that is not whole, and nothing
//! is mended to make it whole; only a missing last closing mark is forgiven. A block that holds
//! several calls is taken as a whole or not at all. What is no call comes out byte for byte.

mod dialects;
mod fence;
mod input;
mod json;
mod param;
mod prose;
mod scan;
mod shape;
mod tools;

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Waker};

use serde_json::{Map, Value};

use dialects::Forms;
use input::Input;
pub use tools::Tools;

/// Something found in an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// Words to show and to keep.
    Text(String),
    /// Words from between think tags.
    Thought(String),
    /// A whole call of a tool that is offered.
    Call {
        /// The tool's name, one of those that were offered.
        name: String,
        /// The arguments as the model wrote them.
        args: Map<String, Value>,
    },
    /// Everything before this was a thought: its opening tag was part of the prompt, and only the
    /// closing one has come; or it seemed to end early, and called something. The words so far are thoughts, and the calls so far are **void**.
    WasThought,
}

/// Reads an answer's text as it arrives.
///
/// Calls are certain as far as the text goes; whoever runs them waits for the end of the answer,
/// since [`Found::WasThought`] may still come.
pub struct TextCalls {
    input: Input,
    scanner: Pin<Box<dyn Future<Output = ()> + Send>>,
}

impl TextCalls {
    /// A reader that knows these tools; nothing else is a call.
    pub fn new(tools: impl Into<Tools>) -> Self {
        Self::with(tools.into(), Forms::All)
    }

    /// A reader for which only what stands behind a mark is a call: no fenced block is one, and no
    /// bare JSON or Python.
    pub fn tagged_only(tools: impl Into<Tools>) -> Self {
        Self::with(tools.into(), Forms::Tagged)
    }

    /// A reader that finds thoughts between think tags, and no calls.
    pub fn thoughts_only() -> Self {
        Self::with(Tools::default(), Forms::Thoughts)
    }

    /// What the calls in a text begin with, for whoever wants to name the dialect: a mark, or none
    /// where they are bare or fenced.
    pub fn mark_in(text: &str) -> Option<&'static str> {
        dialects::mark_in(text)
    }

    fn with(tools: Tools, forms: Forms) -> Self {
        let input = Input::new(tools);
        let scanner = Box::pin(scan::scan(input.clone(), forms));
        Self { input, scanner }
    }

    /// Reads the next piece of text and appends what is certain now.
    pub fn feed(&mut self, text: &str, out: &mut Vec<Found>) {
        self.input.push(text);
        self.run(out);
    }

    /// Takes note that no more text will come, and appends the rest.
    pub fn end(&mut self, out: &mut Vec<Found>) {
        self.input.close();
        self.run(out);
    }

    fn run(&mut self, out: &mut Vec<Found>) {
        // A future that is done must not be polled again.
        if !self.input.is_done() {
            let mut nobody = Context::from_waker(Waker::noop());
            if self.scanner.as_mut().poll(&mut nobody).is_ready() {
                self.input.finish();
            }
        }
        self.input.take_found(out);
    }
}

impl fmt::Debug for TextCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextCalls").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
