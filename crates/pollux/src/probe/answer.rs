//! A reply, as far as it came in time.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use pollux_model::{Delta, Found, ModelError, Reply, TextCalls};
use pollux_types::{FinishReason, FunctionCall, Message, Part, ToolSpec, Usage};
use serde_json::json;
use tokio::time::{Instant, timeout_at};

use super::TOO_SLOW;
use crate::checks::Check;

/// What the checks want to know of a reply.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) thought: bool,
    pub(super) calls: Vec<FunctionCall>,
    /// What is wrong with a call.
    pub(super) broken: Option<String>,
    pub(super) usage: Usage,
    pub(super) finish: Option<FinishReason>,
    pub(super) error: Option<ModelError>,
    /// There was no time to hear it to its end.
    pub(super) late: bool,
    /// How long it took until something was said.
    pub(super) first: Option<Duration>,
}

impl Answer {
    /// Listens until the reply or the time is over.
    pub(super) async fn of(mut reply: Reply, deadline: Instant) -> Self {
        let began = Instant::now();
        let mut answer = Self::default();
        loop {
            let item = match timeout_at(deadline, reply.next()).await {
                Ok(Some(item)) => item,
                Ok(None) => return answer,
                Err(_) => {
                    answer.late = true;
                    return answer;
                }
            };
            let said = match item {
                Ok(delta) => answer.take(delta),
                Err(error) => {
                    answer.error = Some(error);
                    false
                }
            };
            if said && answer.first.is_none() {
                answer.first = Some(began.elapsed());
            }
        }
    }

    /// Whether there is anything to be heard in it.
    pub(super) fn spoke(&self) -> bool {
        self.first.is_some()
    }

    /// How fast the question was read; `usual` is how long it is where nobody has counted.
    pub(super) fn pace(&self, usual: u64) -> Option<Pace> {
        let counted = self.usage.input;
        Some(Pace {
            tokens: if counted > 0 { counted } else { usual },
            time: self.first?,
        })
    }

    /// Why there is nothing to judge: the check that says so.
    pub(super) fn trouble(&self, name: &'static str) -> Option<Check> {
        match &self.error {
            Some(error) => Some(Check::warn(name, brief(&error.message))),
            None if self.late => Some(Check::skip(name, TOO_SLOW)),
            None => None,
        }
    }

    /// Whether the delta says something.
    fn take(&mut self, delta: Delta) -> bool {
        match delta {
            Delta::Text(text) => self.text.push_str(&text),
            Delta::Thought { .. } => self.thought = true,
            Delta::Call(call) => self.calls.push(call),
            Delta::BrokenCall { problem, .. } => self.broken = Some(problem),
            Delta::WasThought => {
                self.text.clear();
                self.thought = true;
            }
            Delta::LearnedTextCalls | Delta::Citation { .. } => return false,
            Delta::Usage(usage) => {
                self.usage = usage;
                return false;
            }
            Delta::Finish { reason, .. } => {
                self.finish = Some(reason);
                return false;
            }
        }
        true
    }
}

/// How long a server took to read how much.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    pub(super) tokens: u64,
    pub(super) time: Duration,
}

/// A text without what stands between think tags, and whether there was any of that.
pub(super) fn without_thoughts(text: &str) -> (String, bool) {
    let mut reader = TextCalls::thoughts_only();
    let mut found = Vec::new();
    reader.feed(text, &mut found);
    reader.end(&mut found);
    let (mut spoken, mut thought) = (String::new(), false);
    for found in found {
        match found {
            Found::Text(text) => spoken.push_str(&text),
            Found::WasThought => {
                spoken.clear();
                thought = true;
            }
            Found::Thought(_) => thought = true,
            Found::Call { .. } => {}
        }
    }
    (spoken, thought)
}

/// As much of a message as fits into a line or two.
pub(super) fn brief(text: &str) -> String {
    let mut start: String = text.chars().take(120).collect();
    if start.len() < text.len() {
        start.push_str("..");
    }
    start
}

/// The tool that is offered in checks.
pub(super) fn look_up() -> ToolSpec {
    ToolSpec {
        name: "look_up".into(),
        description: "Gives the value of a key.".into(),
        parameters: json!({
            "type": "object",
            "properties": {"key": {"type": "string", "description": "The key."}},
            "required": ["key"],
        }),
        aliases: Vec::new(),
    }
}

/// What the user says.
pub(super) fn user(text: impl Into<String>) -> Arc<Message> {
    Arc::new(Message::user(vec![Part::text(text)]))
}
