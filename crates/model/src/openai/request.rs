//! Our messages as chat messages.

use std::borrow::Cow;

use bytes::{BufMut, BytesMut};
use pollux_types::{FunctionCall, FunctionResponse, Message, Part, Role, ToolSpec};

use super::wire;
use crate::Request;
use crate::body::{Format, object_up_to, put_json};

/// Messages as this model wants them.
pub(super) struct Chat<'a> {
    pub(super) model: &'a str,
    /// Goes in front of what the user says.
    pub(super) no_think: Option<&'a str>,
}

impl Format for Chat<'_> {
    fn head(&self, request: &Request<'_>) -> BytesMut {
        let head = wire::Head {
            model: self.model,
            stream: true,
            stream_options: wire::StreamOptions {
                include_usage: true,
            },
            tools: request.tools.iter().map(tool).collect(),
        };
        let mut out = object_up_to(&head, "messages");
        if !request.system.is_empty() {
            let content = request.system;
            put_json(&wire::Message::System { content }, &mut out);
        }
        out
    }

    fn message(&self, message: &Message, last: Option<Role>, out: &mut BytesMut) -> Option<Role> {
        let mut messages = Vec::new();
        match message.role {
            Role::User => user(message, self.no_think, &mut messages),
            Role::Model => messages.push(assistant(message)),
        }
        for message in &messages {
            if !out.ends_with(b"[") {
                out.put_u8(b',');
            }
            put_json(message, out);
        }
        last
    }

    fn tail(&self, _: Option<Role>, out: &mut BytesMut) {
        out.put_slice(b"]}");
    }
}

/// Results come first: they must follow the calls they answer.
fn user<'a>(message: &'a Message, no_think: Option<&str>, messages: &mut Vec<wire::Message<'a>>) {
    messages.extend(message.responses().map(result));
    if let Some(content) = text(message) {
        let content = match no_think {
            Some(word) => Cow::Owned(format!("{word}\n\n{content}")),
            None => content,
        };
        messages.push(wire::Message::User { content });
    }
}

fn result(response: &FunctionResponse) -> wire::Message<'_> {
    let content = serde_json::to_string(&response.response).expect("a string always serialises");
    wire::Message::Tool {
        tool_call_id: response.id.as_str(),
        content,
    }
}

fn assistant(message: &Message) -> wire::Message<'_> {
    wire::Message::Assistant {
        content: text(message),
        tool_calls: message.calls().map(call).collect(),
    }
}

fn call(call: &FunctionCall) -> wire::ToolCall<'_> {
    let arguments = serde_json::to_string(&call.args).expect("a JSON object always serialises");
    wire::ToolCall {
        id: call.id.as_str(),
        kind: "function",
        function: wire::CalledFunction {
            name: &call.name,
            arguments,
        },
    }
}

fn tool(spec: &ToolSpec) -> wire::Tool<'_> {
    wire::Tool {
        kind: "function",
        function: wire::Function {
            name: &spec.name,
            description: &spec.description,
            parameters: &spec.parameters,
        },
    }
}

/// The words of a message, if it has any.
fn text(message: &Message) -> Option<Cow<'_, str>> {
    let mut texts = message.parts.iter().filter_map(Part::as_text);
    let first = Cow::Borrowed(texts.next()?);
    Some(texts.fold(first, |joined, text| joined + text))
}
