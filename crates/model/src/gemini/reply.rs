//! Gemini's events as deltas.

use pollux_types::{CallId, FinishReason, FunctionCall, Usage};
use serde_json::{Map, Value};

use super::wire::{self, Candidate, Chunk, ReplyCall, ReplyPart};
use crate::deltas::Deltas;
use crate::exchange::Parser;
use crate::{Delta, ErrorKind, ModelError, json, refusal};

/// Reads one reply.
#[derive(Debug, Default)]
pub(crate) struct GeminiReply {
    /// Given out only when the reply has ended.
    calls: Vec<Delta>,
    ids: Vec<String>,
    finish: Option<(String, Option<String>)>,
    spoke: bool,
}

impl Parser for GeminiReply {
    fn event(&mut self, data: &[u8], out: &mut Deltas) -> Result<(), ModelError> {
        json::documents(data, &mut |chunk| self.chunk(chunk, out))
    }

    fn body(&mut self, body: &[u8], out: &mut Deltas) -> Result<(), ModelError> {
        if body.starts_with(b"[") {
            return json::documents(body, &mut |chunks: Vec<Chunk>| {
                chunks
                    .into_iter()
                    .try_for_each(|chunk| self.chunk(chunk, out))
            });
        }
        self.event(body, out)
    }

    fn is_done(&self) -> bool {
        false
    }

    fn end(&mut self, out: &mut Deltas) -> Result<(), ModelError> {
        let calls = std::mem::take(&mut self.calls);
        let (finish, words) = match self.finish.take() {
            Some(finish) => finish,
            // A complete call and a clean end: the model waits for the result.
            None if !calls.is_empty() => ("STOP".into(), None),
            None => return Err(ModelError::truncated()),
        };
        if calls.is_empty() {
            self.check_usable(&finish, words.as_deref())?;
        }
        let (reason, detail) = reason(&finish, !calls.is_empty());
        out.finish(calls, reason, detail);
        Ok(())
    }
}

impl GeminiReply {
    fn chunk(&mut self, chunk: Chunk, out: &mut Deltas) -> Result<(), ModelError> {
        if let Some(inner) = chunk.response {
            return self.chunk(*inner, out);
        }
        if let Some(error) = &chunk.error {
            return Err(refusal::of_value(error));
        }
        if let Some(reason) = chunk
            .prompt_feedback
            .as_ref()
            .and_then(|f| f.block_reason.as_ref())
        {
            let words = chunk
                .prompt_feedback
                .as_ref()
                .and_then(|f| f.block_reason_message.clone());
            let message = words.unwrap_or_else(|| format!("the prompt was blocked ({reason})"));
            return Err(ModelError::new(ErrorKind::Blocked, message));
        }
        if let Some(usage) = &chunk.usage_metadata {
            out.push(Delta::Usage(tokens(usage)));
        }
        let candidates = chunk.candidates.into_iter().flatten();
        candidates
            .filter(|candidate| candidate.index.unwrap_or(0) == 0)
            .for_each(|candidate| self.candidate(candidate, out));
        Ok(())
    }

    fn candidate(&mut self, candidate: Candidate, out: &mut Deltas) {
        let parts = candidate.content.and_then(|content| content.parts);
        for part in parts.into_iter().flatten() {
            self.part(part, out);
        }
        let citations = candidate.citation_metadata.and_then(|data| data.citations);
        for citation in citations.into_iter().flatten() {
            if let Some(uri) = citation.uri {
                let title = citation.title;
                out.push(Delta::Citation { title, uri });
            }
        }
        if let Some(finish) = candidate.finish_reason {
            self.finish = Some((finish, candidate.finish_message));
        }
    }

    fn part(&mut self, part: ReplyPart, out: &mut Deltas) {
        let ReplyPart {
            text,
            thought,
            function_call,
            thought_signature: signature,
        } = part;
        if let Some(call) = function_call {
            return self.call(call, signature);
        }
        let text = text.unwrap_or_default();
        if thought == Some(true) {
            return out.push(Delta::Thought { text, signature });
        }
        if !text.is_empty() {
            self.spoke |= !text.trim().is_empty();
            out.push(Delta::Text(text));
        }
        if signature.is_some() {
            out.push(Delta::Thought {
                text: String::new(),
                signature,
            });
        }
    }

    fn call(&mut self, call: ReplyCall, signature: Option<String>) {
        let id = call.id.unwrap_or_default();
        if !id.is_empty() && self.ids.contains(&id) {
            return;
        }
        self.ids.push(id.clone());
        let (args, problem) = match call.args {
            Some(Value::Object(args)) => (args, None),
            None | Some(Value::Null) => (Map::new(), None),
            Some(_) => (Map::new(), Some("not a JSON object".to_owned())),
        };
        let name = call.name.unwrap_or_default();
        let call = FunctionCall {
            id: CallId::new(id),
            name,
            args,
            signature,
        };
        self.calls.push(match problem {
            None => Delta::Call(call),
            Some(problem) => Delta::BrokenCall { call, problem },
        });
    }

    /// A reply without calls must say something, or say why it does not.
    fn check_usable(&self, finish: &str, words: Option<&str>) -> Result<(), ModelError> {
        match finish {
            "MALFORMED_FUNCTION_CALL" | "UNEXPECTED_TOOL_CALL" => {
                let message = words.unwrap_or("the model failed to write a tool call down");
                Err(ModelError::new(ErrorKind::MalformedCall, message))
            }
            _ if self.spoke => Ok(()),
            "STOP" | "MAX_TOKENS" | "FINISH_REASON_UNSPECIFIED" => {
                Err(ModelError::empty().at_the_end(reason(finish, false).0))
            }
            other => {
                let why = withheld(other).unwrap_or(other);
                let message =
                    words.map_or_else(|| format!("the reply was withheld ({why})"), str::to_owned);
                Err(ModelError::new(ErrorKind::Blocked, message))
            }
        }
    }
}

fn reason(finish: &str, has_calls: bool) -> (FinishReason, Option<String>) {
    if let Some(why) = withheld(finish) {
        return (FinishReason::ContentFilter, Some(why.to_owned()));
    }
    match finish {
        "MAX_TOKENS" => (FinishReason::Length, None),
        _ if has_calls => (FinishReason::ToolCalls, None),
        "STOP" => (FinishReason::Stop, None),
        other => (FinishReason::Unknown, Some(other.to_owned())),
    }
}

/// Why the provider kept a reply, or the rest of it, to itself.
fn withheld(finish: &str) -> Option<&'static str> {
    Some(match finish {
        "SAFETY" => "SAFETY: it may be unsafe",
        "RECITATION" => "RECITATION: it is too close to a source",
        "LANGUAGE" => "LANGUAGE: the language is not supported",
        "BLOCKLIST" => "BLOCKLIST: it holds forbidden terms",
        "PROHIBITED_CONTENT" => "PROHIBITED_CONTENT: it may be prohibited",
        "SPII" => "SPII: it may hold personal data",
        "IMAGE_SAFETY" => "IMAGE_SAFETY: an image may be unsafe",
        "IMAGE_PROHIBITED_CONTENT" => "IMAGE_PROHIBITED_CONTENT: an image may be prohibited",
        _ => return None,
    })
}

fn tokens(usage: &wire::UsageMetadata) -> Usage {
    Usage {
        input: usage.prompt,
        output: usage.candidates + usage.thoughts,
        cached: usage.cached,
        thoughts: usage.thoughts,
    }
}
