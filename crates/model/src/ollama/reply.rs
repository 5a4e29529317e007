//! Ollama's lines as deltas.

use pollux_types::{CallId, FinishReason, FunctionCall, Usage};
use serde_json::{Map, Value};

use super::wire::{Line, ReplyCall, ReplyMessage};
use crate::deltas::Deltas;
use crate::exchange::Parser;
use crate::{Delta, ModelError, json, refusal};

/// Reads one reply.
#[derive(Debug, Default)]
pub(crate) struct OllamaReply {
    /// Given out only when the reply has ended.
    calls: Vec<Delta>,
    finish: Option<String>,
    spoke: bool,
}

impl Parser for OllamaReply {
    const LINES: bool = true;

    fn event(&mut self, data: &[u8], out: &mut Deltas) -> Result<(), ModelError> {
        json::documents(data, &mut |line| self.line(line, out))
    }

    fn body(&mut self, body: &[u8], out: &mut Deltas) -> Result<(), ModelError> {
        self.event(body, out)
    }

    fn is_done(&self) -> bool {
        self.finish.is_some()
    }

    fn end(&mut self, out: &mut Deltas) -> Result<(), ModelError> {
        let finish = self.finish.take().ok_or_else(ModelError::truncated)?;
        let calls = std::mem::take(&mut self.calls);
        let (reason, detail) = match finish.as_str() {
            "length" => (FinishReason::Length, None),
            _ if !calls.is_empty() => (FinishReason::ToolCalls, None),
            "stop" | "" => (FinishReason::Stop, None),
            _ => (FinishReason::Unknown, Some(finish)),
        };
        if calls.is_empty() && !self.spoke {
            return Err(ModelError::empty().at_the_end(reason));
        }
        out.finish(calls, reason, detail);
        Ok(())
    }
}

impl OllamaReply {
    fn line(&mut self, line: Line, out: &mut Deltas) -> Result<(), ModelError> {
        if let Some(error) = line.error {
            return Err(refusal::of_value(&error));
        }
        if let Some(message) = line.message {
            self.message(message, out);
        }
        if line.done {
            self.finish = Some(line.done_reason.unwrap_or_default());
            out.push(Delta::Usage(Usage {
                input: line.prompt_eval_count.unwrap_or(0),
                output: line.eval_count.unwrap_or(0),
                ..Usage::default()
            }));
        }
        Ok(())
    }

    fn message(&mut self, message: ReplyMessage, out: &mut Deltas) {
        if let Some(text) = message.thinking.filter(|text| !text.is_empty()) {
            out.push(Delta::Thought {
                text,
                signature: None,
            });
        }
        if let Some(text) = message.content.filter(|text| !text.is_empty()) {
            self.spoke |= !text.trim().is_empty();
            out.push(Delta::Text(text));
        }
        let calls = message.tool_calls.into_iter().flatten();
        self.calls.extend(calls.map(delta));
    }
}

fn delta(call: ReplyCall) -> Delta {
    let (args, problem) = match call.function.arguments {
        Value::Object(args) => (args, None),
        Value::Null => (Map::new(), None),
        _ => (Map::new(), Some("not a JSON object".to_owned())),
    };
    let call = FunctionCall {
        id: CallId::new(call.id.unwrap_or_default()),
        name: call.function.name,
        args,
        signature: None,
    };
    match problem {
        None => Delta::Call(call),
        Some(problem) => Delta::BrokenCall { call, problem },
    }
}
