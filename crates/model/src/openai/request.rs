//! Our messages as chat messages.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use bytes::{BufMut, BytesMut};
use pollux_types::{CallId, FunctionCall, FunctionResponse, Message, Part, Role};
use serde_json::{Map, Value};

use super::wire;
use super::{Profile, Thoughts, details};
use crate::body::{Format, object_up_to};
use crate::{Request, chat};

/// Messages as this model wants them.
pub(super) struct Chat<'a> {
    pub(super) model: &'a str,
    /// Goes in front of what the user says.
    pub(super) no_think: Option<&'a str>,
    pub(super) profile: &'a Profile,
    pub(super) more: &'a Map<String, Value>,
}

impl Format for Chat<'_> {
    fn head(&self, request: &Request<'_>) -> BytesMut {
        let head = wire::Head {
            model: self.model,
            stream: true,
            stream_options: self.profile.ask_for_usage.then_some(wire::StreamOptions {
                include_usage: true,
            }),
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
        let mut messages = Vec::new();
        match message.role {
            Role::User => self.user(message, &mut messages),
            Role::Model => messages.push(self.assistant(message)),
        }
        for message in &messages {
            chat::put_message(message, out);
        }
        last
    }

    fn tail(&self, _: Option<Role>, out: &mut BytesMut) {
        out.put_slice(b"]}");
    }
}

impl Chat<'_> {
    /// Results come first: they must follow the calls they answer.
    fn user<'m>(&self, message: &'m Message, messages: &mut Vec<wire::Message<'m>>) {
        messages.extend(message.responses().map(|response| self.result(response)));
        if let Some(content) = text(message) {
            let content = match self.no_think {
                Some(word) => Cow::Owned(format!("{word}\n\n{content}")),
                None => content,
            };
            messages.push(wire::Message::User { content });
        }
    }

    fn result<'m>(&self, response: &'m FunctionResponse) -> wire::Message<'m> {
        let content = serde_json::to_string(&response.response).expect("text always serialises");
        wire::Message::Tool {
            tool_call_id: self.id(&response.id),
            content,
        }
    }

    fn assistant<'m>(&self, message: &'m Message) -> wire::Message<'m> {
        let tool_calls: Vec<_> = message.calls().map(|call| self.call(call)).collect();
        let with_calls = !tool_calls.is_empty();
        let thoughts = self.profile.thoughts;
        wire::Message::Assistant {
            content: text(message),
            reasoning_content: (thoughts == Thoughts::ReasoningContent && with_calls)
                .then(|| message.thoughts().collect()),
            reasoning_details: match thoughts {
                Thoughts::ReasoningDetails => details::of(message),
                Thoughts::Dropped | Thoughts::ReasoningContent => vec![],
            },
            tool_calls,
        }
    }

    fn call<'m>(&self, call: &'m FunctionCall) -> wire::ToolCall<'m> {
        let arguments = serde_json::to_string(&call.args).expect("a JSON object always serialises");
        wire::ToolCall {
            id: self.id(&call.id),
            kind: "function",
            function: wire::CalledFunction {
                name: &call.name,
                arguments,
            },
        }
    }

    fn id<'m>(&self, id: &'m CallId) -> Cow<'m, str> {
        let id = id.as_str();
        if self.profile.short_ids && !is_short(id) {
            return Cow::Owned(short(id));
        }
        Cow::Borrowed(id)
    }
}

fn is_short(id: &str) -> bool {
    id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Nine letters and digits that stand for this id and, as good as certainly, for no other.
fn short(id: &str) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut hasher = std::hash::DefaultHasher::new();
    id.hash(&mut hasher);
    let mut hash = hasher.finish();
    let digit = || {
        let digit = DIGITS[(hash % 36) as usize];
        hash /= 36;
        char::from(digit)
    };
    std::iter::repeat_with(digit).take(9).collect()
}

/// The words of a message, if it has any.
fn text(message: &Message) -> Option<Cow<'_, str>> {
    let mut texts = message.parts.iter().filter_map(Part::as_text);
    let first = Cow::Borrowed(texts.next()?);
    Some(texts.fold(first, |joined, text| joined + text))
}
