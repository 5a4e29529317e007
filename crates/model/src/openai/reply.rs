//! Chat completion chunks as deltas.

use pollux_types::{FinishReason, Usage};
use serde_json::Value;

use super::calls::Calls;
use super::details::Details;
use super::wire::{self, CallFragment, Chunk};
use crate::deltas::Deltas;
use crate::exchange::Parser;
use crate::{Delta, ErrorKind, ModelError, json, refusal};

/// Reads one reply.
#[derive(Debug, Default)]
pub(crate) struct OpenAiReply {
    calls: Calls,
    finish: Option<String>,
    done: bool,
    /// Thoughts in the form in which the server wants them back.
    details: Details,
    /// Some words of an answer have come.
    spoke: bool,
}

impl Parser for OpenAiReply {
    fn event(&mut self, data: &[u8], out: &mut Deltas) -> Result<(), ModelError> {
        let (data, done) = match data.strip_suffix(b"[DONE]") {
            Some(before) if before.is_empty() || before.ends_with(b"\n") => (before, true),
            _ => (data, false),
        };
        if !data.is_empty() {
            json::documents(data.trim_ascii(), &mut |chunk| self.chunk(chunk, out))?;
        }
        self.done |= done;
        Ok(())
    }

    fn body(&mut self, body: &[u8], out: &mut Deltas) -> Result<(), ModelError> {
        json::documents(body, &mut |chunk| self.chunk(chunk, out))
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn end(&mut self, out: &mut Deltas) -> Result<(), ModelError> {
        if self.finish.is_none() && !self.done {
            return Err(ModelError::truncated());
        }
        if let Some(error) = self.finish.as_deref().and_then(interruption) {
            return Err(error);
        }
        let calls = std::mem::take(&mut self.calls);
        let (reason, detail) = self.reason(&calls);
        if calls.is_empty() && !self.spoke {
            return Err(ModelError::empty().at_the_end(reason));
        }
        if let Some(signature) = self.details.take() {
            out.push(Delta::Thought {
                text: String::new(),
                signature: Some(signature),
            });
        }
        out.finish(calls.finish(), reason, detail);
        Ok(())
    }
}

impl OpenAiReply {
    fn chunk(&mut self, chunk: Chunk, out: &mut Deltas) -> Result<(), ModelError> {
        if let Some(error) = failure(&chunk) {
            return Err(refusal::of_value(&error));
        }
        let usage = chunk.usage.or(chunk.x_groq.and_then(|more| more.usage));
        if let Some(usage) = usage {
            out.push(Delta::Usage(tokens(&usage)));
        }
        // Only one choice was asked for; a second one is not part of this reply.
        let choices = chunk.choices.into_iter().flatten();
        choices
            .filter(|choice| choice.index.unwrap_or(0) == 0)
            .try_for_each(|choice| self.choice(choice, out))
    }

    fn choice(&mut self, choice: wire::Choice, out: &mut Deltas) -> Result<(), ModelError> {
        if let Some(error) = choice.error.filter(|error| !error.is_null()) {
            return Err(refusal::of_value(&error));
        }
        if let Some(delta) = choice.delta {
            self.delta(delta, out);
        }
        if let Some(usage) = choice.usage {
            out.push(Delta::Usage(tokens(&usage)));
        }
        if let Some(finish) = choice.finish_reason.filter(|finish| !finish.is_empty()) {
            self.finish = Some(finish);
        }
        Ok(())
    }

    fn delta(&mut self, delta: wire::Delta, out: &mut Deltas) {
        // Servers that know both names send the same words twice.
        let thought = [delta.reasoning_content, delta.reasoning]
            .into_iter()
            .flatten()
            .find(|thought| !thought.is_empty());
        if let Some(text) = thought {
            out.push(Delta::Thought {
                text,
                signature: None,
            });
        }
        self.details
            .add(delta.reasoning_details.into_iter().flatten());
        self.content(delta.content, out);
        self.say(delta.refusal.unwrap_or_default(), out);
        for fragment in delta.tool_calls.into_iter().flatten() {
            self.calls.add(fragment);
        }
        if let Some(function) = delta.function_call {
            self.calls.add(CallFragment {
                index: Some(0),
                id: None,
                function: Some(function),
            });
        }
    }

    fn content(&mut self, content: Option<Value>, out: &mut Deltas) {
        match content {
            Some(Value::String(text)) => self.say(text, out),
            Some(Value::Array(parts)) => parts.iter().for_each(|part| self.part(part, out)),
            _ => {}
        }
    }

    /// One part of a content list: words, or a list of thoughts.
    fn part(&mut self, part: &Value, out: &mut Deltas) {
        let text = |part: &Value| part.get("text").and_then(Value::as_str).map(str::to_owned);
        match part.get("thinking") {
            Some(Value::Array(thoughts)) => {
                for text in thoughts.iter().filter_map(text) {
                    out.push(Delta::Thought {
                        text,
                        signature: None,
                    });
                }
            }
            Some(Value::String(thought)) => {
                out.push(Delta::Thought {
                    text: thought.clone(),
                    signature: None,
                });
            }
            _ => self.say(text(part).unwrap_or_default(), out),
        }
    }

    fn say(&mut self, text: String, out: &mut Deltas) {
        if !text.is_empty() {
            self.spoke |= !text.trim().is_empty();
            out.push(Delta::Text(text));
        }
    }

    fn reason(&self, calls: &Calls) -> (FinishReason, Option<String>) {
        match self.finish.as_deref() {
            Some("length" | "max_tokens") => (FinishReason::Length, None),
            Some("content_filter") => (FinishReason::ContentFilter, None),
            _ if !calls.is_empty() => (FinishReason::ToolCalls, None),
            None | Some("stop" | "eos" | "end_turn" | "stop_sequence" | "eos_token") => {
                (FinishReason::Stop, None)
            }
            Some(other) => (FinishReason::Unknown, Some(other.to_owned())),
        }
    }
}

/// The error that a finish reason stands for: some servers say in this way that they have given up.
/// What has come by then may be half of it, also where it looks whole.
fn interruption(finish: &str) -> Option<ModelError> {
    let kind = match finish {
        "insufficient_system_resource" => ErrorKind::Overloaded,
        "error" | "abort" | "aborted" | "cancelled" | "canceled" | "network_error" => {
            ErrorKind::ProviderError
        }
        _ => return None,
    };
    let message = format!("the server gave up on the reply ({finish})");
    Some(ModelError::new(kind, message))
}

/// The error object of a chunk, wherever the server put it.
fn failure(chunk: &Chunk) -> Option<Value> {
    if let Some(error) = chunk.error.as_ref().filter(|error| !error.is_null()) {
        return Some(error.clone());
    }
    (chunk.object.as_deref() == Some("error"))
        .then(|| serde_json::json!({"message": chunk.message, "code": chunk.code}))
}

fn tokens(usage: &wire::Usage) -> Usage {
    let prompt = usage.prompt_tokens_details.as_ref();
    let completion = usage.completion_tokens_details.as_ref();
    Usage {
        input: usage.prompt_tokens.unwrap_or(0),
        output: usage.completion_tokens.unwrap_or(0),
        cached: prompt
            .and_then(|details| details.cached_tokens)
            .or(usage.prompt_cache_hit_tokens)
            .unwrap_or(0),
        thoughts: completion
            .and_then(|details| details.reasoning_tokens)
            .unwrap_or(0),
    }
}
