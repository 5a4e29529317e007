//! Anthropic's events as deltas.

use std::collections::BTreeMap;

use pollux_types::{CallId, FinishReason, FunctionCall, Usage};
use serde_json::{Map, Value};

use super::wire::{self, Event, StartedBlock, WholeMessage};
use crate::deltas::Deltas;
use crate::exchange::Parser;
use crate::{Delta, ModelError, arguments, json, refusal};

/// Reads one reply.
#[derive(Debug, Default)]
pub(crate) struct AnthropicReply {
    /// Calls by their block, given out only when the reply has ended.
    calls: BTreeMap<u64, Building>,
    usage: Usage,
    stop_reason: Option<String>,
    done: bool,
    spoke: bool,
}

#[derive(Debug)]
struct Building {
    id: String,
    name: String,
    input: Option<Value>,
    text: String,
}

impl Parser for AnthropicReply {
    fn event(&mut self, data: &[u8], out: &mut Deltas) -> Result<(), ModelError> {
        let taken = json::documents(data, &mut |event| self.take(event, out));
        taken.map_err(|error| gateway_error(data).unwrap_or(error))
    }

    fn body(&mut self, body: &[u8], out: &mut Deltas) -> Result<(), ModelError> {
        json::documents(body, &mut |message: WholeMessage| {
            if let Some(error) = message.error {
                return Err(refusal::of_value(&error));
            }
            for (index, block) in (0..).zip(message.content) {
                self.start(index, block, out);
            }
            self.count(message.usage.as_ref(), out);
            self.stop_reason = message.stop_reason;
            self.done = self.stop_reason.is_some();
            Ok(())
        })
    }

    fn is_done(&self) -> bool {
        self.done
    }

    fn end(&mut self, out: &mut Deltas) -> Result<(), ModelError> {
        if !self.done {
            return Err(ModelError::truncated());
        }
        let calls = std::mem::take(&mut self.calls);
        let (reason, detail) = self.reason(!calls.is_empty());
        if calls.is_empty() && !self.spoke {
            return Err(ModelError::empty().at_the_end(reason));
        }
        out.finish(calls.into_values().map(Building::finish), reason, detail);
        Ok(())
    }
}

impl AnthropicReply {
    fn take(&mut self, event: Event, out: &mut Deltas) -> Result<(), ModelError> {
        match event {
            Event::MessageStart { message } => self.count(message.usage.as_ref(), out),
            Event::ContentBlockStart {
                index,
                content_block,
            } => self.start(index, content_block, out),
            Event::ContentBlockDelta { index, delta } => self.extend(index, delta, out),
            Event::MessageDelta { delta, usage } => {
                self.count(usage.as_ref(), out);
                self.stop_reason = delta.stop_reason.or(self.stop_reason.take());
            }
            Event::MessageStop => self.done = true,
            Event::Error { error } => return Err(refusal::of_value(&error)),
            Event::Other => {}
        }
        Ok(())
    }

    fn start(&mut self, index: u64, block: StartedBlock, out: &mut Deltas) {
        match block {
            StartedBlock::Text { text } => self.say(text, out),
            StartedBlock::Thinking { thinking } => think(thinking, None, out),
            StartedBlock::RedactedThinking { data } => think(String::new(), Some(data), out),
            StartedBlock::ToolUse { id, name, input } => {
                let call = Building {
                    id,
                    name,
                    input,
                    text: String::new(),
                };
                self.calls.insert(index, call);
            }
            StartedBlock::Other => {}
        }
    }

    fn extend(&mut self, index: u64, delta: wire::Delta, out: &mut Deltas) {
        match delta {
            wire::Delta::Text { text } => self.say(text, out),
            wire::Delta::Thinking { thinking } => think(thinking, None, out),
            wire::Delta::Signature { signature } => {
                think(String::new(), Some(signature), out);
            }
            wire::Delta::InputJson { partial_json } => {
                if let Some(call) = self.calls.get_mut(&index) {
                    call.text.push_str(&partial_json);
                }
            }
            wire::Delta::Other => {}
        }
    }

    fn say(&mut self, text: String, out: &mut Deltas) {
        if !text.is_empty() {
            self.spoke |= !text.trim().is_empty();
            out.push(Delta::Text(text));
        }
    }

    /// Counts come in pieces, each the newest of its kind.
    fn count(&mut self, usage: Option<&wire::Usage>, out: &mut Deltas) {
        let Some(usage) = usage else { return };
        if let Some(fresh) = usage.input {
            self.usage.cached = usage.cache_read.unwrap_or(0);
            self.usage.input = fresh + self.usage.cached + usage.cache_written.unwrap_or(0);
        }
        self.usage.output = usage.output.unwrap_or(self.usage.output);
        out.push(Delta::Usage(self.usage));
    }

    fn reason(&self, has_calls: bool) -> (FinishReason, Option<String>) {
        match self.stop_reason.as_deref() {
            Some("max_tokens" | "model_context_window_exceeded") => (FinishReason::Length, None),
            Some(refused @ "refusal") => (FinishReason::ContentFilter, Some(refused.to_owned())),
            _ if has_calls => (FinishReason::ToolCalls, None),
            None | Some("end_turn" | "stop_sequence") => (FinishReason::Stop, None),
            Some(other) => (FinishReason::Unknown, Some(other.to_owned())),
        }
    }
}

/// A gateway in between reports its failures in its own form.
fn gateway_error(data: &[u8]) -> Option<ModelError> {
    let json: Value = serde_json::from_slice(data).ok()?;
    (json.get("type").is_none()).then(|| json.get("error").map(refusal::of_value))?
}

fn think(text: String, signature: Option<String>, out: &mut Deltas) {
    if !text.is_empty() || signature.is_some() {
        out.push(Delta::Thought { text, signature });
    }
}

impl Building {
    fn finish(self) -> Delta {
        let args = match self.input {
            Some(Value::Object(input)) if self.text.is_empty() => Ok(input),
            _ => arguments::read(&self.text),
        };
        let call = |args| FunctionCall {
            id: CallId::new(self.id),
            name: self.name,
            args,
            signature: None,
        };
        match args {
            Ok(args) => Delta::Call(call(args)),
            Err(problem) => Delta::BrokenCall {
                call: call(Map::new()),
                problem,
            },
        }
    }
}
