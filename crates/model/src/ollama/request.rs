//! Our messages as Ollama's.

use std::borrow::Cow;

use bytes::{BufMut, BytesMut};
use pollux_types::{FunctionCall, FunctionResponse, Message, Role};
use serde_json::{Map, Value};

use super::wire;
use crate::body::{Format, object_up_to};
use crate::{Request, chat};

/// Messages as this model wants them.
pub(super) struct Chat<'a> {
    pub(super) model: &'a str,
    pub(super) context_window: u64,
    pub(super) no_think: bool,
    pub(super) more: &'a Map<String, Value>,
}

impl Format for Chat<'_> {
    fn head(&self, request: &Request<'_>) -> BytesMut {
        let head = wire::Head {
            model: self.model,
            stream: true,
            // Models that cannot think refuse to be told to.
            think: self.no_think.then_some(false),
            options: wire::Options {
                num_ctx: self.context_window,
            },
            tools: chat::tools(request.tools),
        };
        let mut out = object_up_to(&head, self.more, "messages");
        if !request.system.is_empty() {
            let content = request.system;
            chat::put_message(&wire::Message::System { content }, &mut out);
        }
        out
    }

    fn message(&self, message: &Message, last: Option<Role>, out: &mut BytesMut) -> Option<Role> {
        let mut put = |message: &wire::Message<'_>| chat::put_message(message, out);
        if message.role == Role::Model {
            put(&assistant(message));
            return last;
        }
        // Results come first: they must follow the calls they answer.
        message
            .responses()
            .for_each(|response| put(&result(response)));
        let content = message.text();
        if !content.is_empty() {
            put(&wire::Message::User {
                content: Cow::Owned(content),
            });
        }
        last
    }

    fn tail(&self, _: Option<Role>, out: &mut BytesMut) {
        out.put_slice(b"]}");
    }
}

fn assistant(message: &Message) -> wire::Message<'_> {
    let tool_calls: Vec<_> = message.calls().map(call).collect();
    wire::Message::Assistant {
        content: message.text(),
        // What led to a call helps with its result; older thoughts only cost room.
        thinking: match tool_calls.as_slice() {
            [] => String::new(),
            _ => message.thoughts().collect(),
        },
        tool_calls,
    }
}

fn call(call: &FunctionCall) -> wire::ToolCall<'_> {
    wire::ToolCall {
        function: wire::CalledFunction {
            name: &call.name,
            arguments: &call.args,
        },
    }
}

fn result(response: &FunctionResponse) -> wire::Message<'_> {
    wire::Message::Tool {
        content: response.response.text(),
        tool_name: &response.name,
    }
}
