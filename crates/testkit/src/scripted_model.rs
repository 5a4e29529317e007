//! A model that says what the test wrote down, with no network in between.
//!
//! For tests of what stands above the [`Model`] trait. Tests of the protocols use
//! [`ModelServer`](crate::ModelServer).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::{StreamExt as _, stream};
use pollux_model::{Delta, ErrorKind, Model, ModelError, ModelInfo, Reply, Request};
use pollux_types::{CallId, FinishReason, FunctionCall, Message, Usage};
use serde_json::Value;

use crate::Gate;

/// A [`Model`] that gives the scripted replies in order and records what it was asked. Clones
/// are the same model. A request beyond the script gets an error.
#[derive(Clone, Debug)]
pub struct ScriptedModel {
    info: ModelInfo,
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    replies: VecDeque<ScriptedReply>,
    asked: Vec<AskedRequest>,
    calls: usize,
}

/// What a [`ScriptedModel`] was asked, as it was at that moment.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedRequest {
    /// The standing instructions.
    pub system: String,
    /// The names of the tools on offer.
    pub tools: Vec<String>,
    /// The conversation.
    pub messages: Vec<Message>,
}

/// One reply of a [`ScriptedModel`].
///
/// ```
/// # use pollux_testkit::{Gate, ScriptedReply};
/// # use serde_json::json;
/// # let gate = Gate::new();
/// let reply = ScriptedReply::say("Let me look.")
///     .gate(&gate)
///     .and_call("read_file", json!({"file_path": "a.rs"}));
/// ```
///
/// Unless it fails or is spelled out with [`ScriptedReply::exactly`], the usage (10 and 5) and the
/// finish are added at its end. Calls get the ids `call_1`, `call_2`, ... over the model's life.
#[derive(Clone, Debug)]
pub struct ScriptedReply {
    items: Vec<Item>,
    complete: bool,
}

#[derive(Clone, Debug)]
enum Item {
    Next(Result<Delta, ModelError>),
    /// A call that has no id yet.
    Call(String, Value),
    Gate(Gate),
}

impl ScriptedModel {
    /// A model with this script.
    pub fn new<R: Into<ScriptedReply>>(replies: Vec<R>) -> Self {
        let state = State {
            replies: replies.into_iter().map(Into::into).collect(),
            asked: Vec::new(),
            calls: 0,
        };
        Self {
            info: ModelInfo {
                provider: "scripted".into(),
                model: "scripted-model".into(),
            },
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// The same model under other names.
    #[must_use]
    pub fn called(mut self, provider: impl Into<String>, model: impl Into<String>) -> Self {
        self.info = ModelInfo {
            provider: provider.into(),
            model: model.into(),
        };
        self
    }

    /// Adds a reply to the end of the script.
    pub fn push(&self, reply: impl Into<ScriptedReply>) {
        self.state().replies.push_back(reply.into());
    }

    /// All requests so far, oldest first.
    pub fn asked(&self) -> Vec<AskedRequest> {
        self.state().asked.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Model for ScriptedModel {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let mut state = self.state();
        state.asked.push(AskedRequest::of(&request));
        let count = state.asked.len();
        let reply = state.replies.pop_front();
        let reply = reply.unwrap_or_else(|| ScriptedReply::fail(beyond(count)));
        let items = reply.spell_out(&mut state.calls);
        Box::pin(stream::iter(items).filter_map(|item| async move {
            match item {
                Ok(next) => Some(next),
                Err(gate) => {
                    gate.pass().await;
                    None
                }
            }
        }))
    }
}

impl AskedRequest {
    fn of(request: &Request<'_>) -> Self {
        let Request {
            system,
            tools,
            messages,
        } = request;
        Self {
            system: (*system).into(),
            tools: tools.iter().map(|tool| tool.name.clone()).collect(),
            messages: messages.iter().map(|m| Message::clone(m)).collect(),
        }
    }

    /// The newest message; panics if there is none.
    pub fn last(&self) -> &Message {
        self.messages.last().expect("a request with messages")
    }
}

impl ScriptedReply {
    /// A reply that says nothing yet.
    pub fn new() -> Self {
        Self {
            items: Vec::new(),
            complete: true,
        }
    }

    /// Words.
    pub fn say(text: impl Into<String>) -> Self {
        Self::new().and_say(text)
    }

    /// A tool call.
    pub fn call(name: impl Into<String>, args: Value) -> Self {
        Self::new().and_call(name, args)
    }

    /// Nothing but this error.
    pub fn fail(error: ModelError) -> Self {
        Self::new().and_fail(error)
    }

    /// These items and nothing more.
    pub fn exactly(items: Vec<Result<Delta, ModelError>>) -> Self {
        Self {
            items: items.into_iter().map(Item::Next).collect(),
            complete: false,
        }
    }

    /// Adds words.
    #[must_use]
    pub fn and_say(self, text: impl Into<String>) -> Self {
        self.and(Delta::Text(text.into()))
    }

    /// Adds reasoning.
    #[must_use]
    pub fn and_think(self, text: impl Into<String>) -> Self {
        let (text, signature) = (text.into(), None);
        self.and(Delta::Thought { text, signature })
    }

    /// Adds a tool call; `args` is a JSON object.
    #[must_use]
    pub fn and_call(mut self, name: impl Into<String>, args: Value) -> Self {
        self.items.push(Item::Call(name.into(), args));
        self
    }

    /// Adds any delta.
    #[must_use]
    pub fn and(mut self, delta: Delta) -> Self {
        self.items.push(Item::Next(Ok(delta)));
        self
    }

    /// Breaks off with this error.
    #[must_use]
    pub fn and_fail(mut self, error: ModelError) -> Self {
        self.items.push(Item::Next(Err(error)));
        self.complete = false;
        self
    }

    /// Waits here until the test opens the gate.
    #[must_use]
    pub fn gate(mut self, gate: &Gate) -> Self {
        self.items.push(Item::Gate(gate.clone()));
        self
    }

    /// The whole reply: what to give, and the gates between. `calls` counts the calls so far.
    fn spell_out(self, calls: &mut usize) -> Vec<Result<Result<Delta, ModelError>, Gate>> {
        let reason = if self.items.iter().any(Item::is_call) {
            FinishReason::ToolCalls
        } else {
            FinishReason::Stop
        };
        let mut items: Vec<_> = self.items.into_iter().map(|item| item.get(calls)).collect();
        if self.complete {
            let usage = Usage {
                input: 10,
                output: 5,
                ..Usage::default()
            };
            let detail = None;
            items.push(Ok(Ok(Delta::Usage(usage))));
            items.push(Ok(Ok(Delta::Finish { reason, detail })));
        }
        items
    }
}

impl Default for ScriptedReply {
    fn default() -> Self {
        Self::new()
    }
}

impl From<Vec<Result<Delta, ModelError>>> for ScriptedReply {
    fn from(items: Vec<Result<Delta, ModelError>>) -> Self {
        Self::exactly(items)
    }
}

impl Item {
    fn is_call(&self) -> bool {
        matches!(
            self,
            Self::Call(..) | Self::Next(Ok(Delta::Call(_) | Delta::BrokenCall { .. }))
        )
    }

    fn get(self, calls: &mut usize) -> Result<Result<Delta, ModelError>, Gate> {
        match self {
            Self::Gate(gate) => Err(gate),
            Self::Next(next) => Ok(next),
            Self::Call(name, args) => {
                *calls += 1;
                Ok(Ok(Delta::Call(FunctionCall {
                    id: CallId::new(format!("call_{calls}")),
                    name,
                    args: args.as_object().expect("arguments are an object").clone(),
                    signature: None,
                })))
            }
        }
    }
}

fn beyond(count: usize) -> ModelError {
    let message = format!("the script has no reply for request {count}");
    ModelError::new(ErrorKind::ProviderError, message)
}

#[cfg(test)]
mod tests;
