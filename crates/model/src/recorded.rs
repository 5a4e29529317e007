//! Reading a reply from bytes that came over the wire once: no network, no clock.
//!
//! The very code that reads live replies, for whoever has only a recording: fuzzing, measuring, and
//! looking into what a server really said.

use crate::anthropic::AnthropicReply;
use crate::exchange::{Parser, Reading};
use crate::gemini::GeminiReply;
use crate::ollama::OllamaReply;
use crate::openai::OpenAiReply;
use crate::{Delta, ModelError};

/// The protocols that replies come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Gemini's own.
    Gemini,
    /// Chat completions.
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Ollama's own chat.
    Ollama,
}

/// What a reply says whose body arrived in these pieces and then ended in good order.
pub fn read_recorded<'a>(
    protocol: Protocol,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<Delta>, Option<ModelError>) {
    match protocol {
        Protocol::Gemini => read(GeminiReply::default(), pieces),
        Protocol::OpenAi => read(OpenAiReply::default(), pieces),
        Protocol::Anthropic => read(AnthropicReply::default(), pieces),
        Protocol::Ollama => read(OllamaReply::default(), pieces),
    }
}

fn read<'a>(
    parser: impl Parser,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Vec<Delta>, Option<ModelError>) {
    let mut reading = Reading::new(parser);
    let mut pieces = pieces.into_iter();
    let taken = pieces.try_for_each(|piece| reading.take(piece).map(drop));
    let error = taken.and_then(|()| reading.finish()).err();
    let deltas = std::iter::from_fn(|| reading.out.pop()).collect();
    (deltas, error)
}
