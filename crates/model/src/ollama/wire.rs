//! Ollama's chat as it is on the wire.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::chat::Tool;

/// What a request says before the messages.
#[derive(Serialize)]
pub(super) struct Head<'a> {
    pub(super) model: &'a str,
    pub(super) stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) think: Option<bool>,
    pub(super) options: Options,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) tools: Vec<Tool<'a>>,
}

#[derive(Serialize)]
pub(super) struct Options {
    pub(super) num_ctx: u64,
}

#[derive(Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
pub(super) enum Message<'a> {
    System {
        content: &'a str,
    },
    User {
        content: Cow<'a, str>,
    },
    Assistant {
        content: String,
        #[serde(skip_serializing_if = "String::is_empty")]
        thinking: String,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<ToolCall<'a>>,
    },
    Tool {
        content: &'a str,
        tool_name: &'a str,
    },
}

#[derive(Serialize)]
pub(super) struct ToolCall<'a> {
    pub(super) function: CalledFunction<'a>,
}

#[derive(Serialize)]
pub(super) struct CalledFunction<'a> {
    pub(super) name: &'a str,
    pub(super) arguments: &'a Map<String, Value>,
}

/// One line of the reply.
#[derive(Deserialize)]
pub(super) struct Line {
    #[serde(default)]
    pub(super) message: Option<ReplyMessage>,
    #[serde(default)]
    pub(super) done: bool,
    #[serde(default)]
    pub(super) done_reason: Option<String>,
    #[serde(default)]
    pub(super) prompt_eval_count: Option<u64>,
    #[serde(default)]
    pub(super) eval_count: Option<u64>,
    #[serde(default)]
    pub(super) error: Option<Value>,
}

#[derive(Deserialize)]
pub(super) struct ReplyMessage {
    #[serde(default)]
    pub(super) content: Option<String>,
    #[serde(default)]
    pub(super) thinking: Option<String>,
    #[serde(default)]
    pub(super) tool_calls: Option<Vec<ReplyCall>>,
}

#[derive(Deserialize)]
pub(super) struct ReplyCall {
    #[serde(default)]
    pub(super) id: Option<String>,
    pub(super) function: ReplyFunction,
}

#[derive(Deserialize)]
pub(super) struct ReplyFunction {
    #[serde(default)]
    pub(super) name: String,
    /// An object; nothing else can be run.
    #[serde(default)]
    pub(super) arguments: Value,
}
