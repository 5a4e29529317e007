//! Our messages as Anthropic's.

use bytes::{BufMut, BytesMut};
use pollux_types::{Message, Part, Response, Role, ToolSpec};
use serde_json::{Map, Value};

use super::wire::{self, Block, CacheControl};
use crate::Request;
use crate::body::{Format, object_up_to, put_json};

/// Messages as this model wants them. Asks the provider to cache what will come again: the system
/// text with the tools before it, and the conversation up to its last message.
pub(super) struct Messages<'a> {
    pub(super) model: &'a str,
    pub(super) more: &'a Map<String, Value>,
}

impl Format for Messages<'_> {
    fn head(&self, request: &Request<'_>) -> BytesMut {
        let text = request.system;
        let head = wire::Head {
            model: self.model,
            max_tokens: max_tokens(self.model),
            stream: true,
            tools: request.tools.iter().map(tool).collect(),
            system: (!text.is_empty()).then_some([wire::System {
                block: Block::Text { text },
                cache_control: CacheControl::Ephemeral,
            }]),
        };
        object_up_to(&head, self.more, "messages")
    }

    /// Neighbours of one role become one message: the API wants them to alternate. The last block
    /// stays open, since it may be marked.
    fn message(&self, message: &Message, last: Option<Role>, out: &mut BytesMut) -> Option<Role> {
        let mut last = last;
        for block in blocks(message) {
            match last {
                Some(role) if role == message.role => out.put_slice(b"},"),
                Some(_) => open(b"}]},", message.role, out),
                None => open(b"", message.role, out),
            }
            put_json(&block, out);
            out.truncate(out.len() - 1);
            last = Some(message.role);
        }
        last
    }

    fn tail(&self, last: Option<Role>, out: &mut BytesMut) {
        out.put_slice(match last {
            Some(Role::User) => br#","cache_control":{"type":"ephemeral"}}]}]}"#,
            // It may end with a thought, which cannot be marked.
            Some(Role::Model) => b"}]}]}",
            None => b"]}",
        });
    }
}

fn open(before: &[u8], role: Role, out: &mut BytesMut) {
    let role = match role {
        Role::User => "user",
        Role::Model => "assistant",
    };
    out.put_slice(before);
    out.put_slice(format!("{{\"role\":\"{role}\",\"content\":[").as_bytes());
}

/// Results come first: they must follow the calls they answer.
fn blocks(message: &Message) -> impl Iterator<Item = Block<'_>> {
    let is_result = |part: &&Part| matches!(part, Part::FunctionResponse(_));
    let results = message.parts.iter().filter(is_result);
    let others = message.parts.iter().filter(move |part| !is_result(part));
    results.chain(others).filter_map(block)
}

fn block(part: &Part) -> Option<Block<'_>> {
    Some(match part {
        // The API refuses text that says nothing.
        Part::Text(text) if text.trim().is_empty() => return None,
        Part::Text(text) => Block::Text { text },
        Part::Thought { text, signature } => match signature.as_deref()? {
            data if text.is_empty() => Block::RedactedThinking { data },
            signature => Block::Thinking {
                thinking: text,
                signature,
            },
        },
        Part::FunctionCall(call) => Block::ToolUse {
            id: call.id.as_str(),
            name: &call.name,
            input: &call.args,
        },
        Part::FunctionResponse(response) => Block::ToolResult {
            tool_use_id: response.id.as_str(),
            content: response.response.text(),
            is_error: matches!(response.response, Response::Error(_)),
        },
    })
}

fn tool(spec: &ToolSpec) -> wire::Tool<'_> {
    wire::Tool {
        name: &spec.name,
        description: &spec.description,
        input_schema: &spec.parameters,
    }
}

/// The API wants a limit. The third generation takes no more than this; later ones take more.
fn max_tokens(model: &str) -> u32 {
    if model.contains("claude-3") {
        8_192
    } else {
        32_000
    }
}
