//! Our messages as Gemini contents.

use bytes::{BufMut, BytesMut};
use pollux_types::{Message, Part, Role, ToolSpec};
use serde_json::{Map, Value};

use super::wire;
use crate::Request;
use crate::body::{Format, object_up_to, put_json};

/// Contents as this model wants them. System text and tools come first: they stay the same from
/// turn to turn, and a stable prefix is what providers cache.
pub(super) struct Contents<'a> {
    pub(super) model: &'a str,
    /// Calls and results have ids. Vertex knows them by their names and their order, and refuses
    /// what it does not know.
    pub(super) ids: bool,
    pub(super) more: &'a Map<String, Value>,
}

impl Format for Contents<'_> {
    fn head(&self, request: &Request<'_>) -> BytesMut {
        let head = wire::Head {
            system_instruction: (!request.system.is_empty()).then(|| wire::SystemInstruction {
                parts: [wire::Part {
                    text: Some(request.system),
                    ..wire::Part::default()
                }],
            }),
            tools: (!request.tools.is_empty()).then(|| {
                [wire::Tools {
                    function_declarations: request.tools.iter().map(declaration).collect(),
                }]
            }),
            generation_config: thinks(self.model).then_some(wire::GenerationConfig {
                thinking_config: wire::ThinkingConfig {
                    include_thoughts: true,
                },
            }),
        };
        object_up_to(&head, self.more, "contents")
    }

    /// Neighbours of one role become one content: the API wants them to alternate.
    fn message(&self, message: &Message, last: Option<Role>, out: &mut BytesMut) -> Option<Role> {
        let mut last = last;
        let mut unsigned = wants_signatures(self.model);
        for mut part in message.parts.iter().filter_map(|part| self.part(part)) {
            // Of several calls only the first one is signed.
            if part.function_call.is_some() && std::mem::take(&mut unsigned) {
                part.thought_signature.get_or_insert(NOT_OURS);
            }
            match last {
                Some(role) if role == message.role => out.put_slice(b","),
                Some(_) => open(b"]},", message.role, out),
                None => open(b"", message.role, out),
            }
            put_json(&part, out);
            last = Some(message.role);
        }
        last
    }

    fn tail(&self, last: Option<Role>, out: &mut BytesMut) {
        out.put_slice(if last.is_some() { b"]}]}" } else { b"]}" });
    }
}

impl Contents<'_> {
    fn part<'m>(&self, part: &'m Part) -> Option<wire::Part<'m>> {
        let empty = wire::Part::default();
        match part {
            Part::Text(text) => Some(wire::Part {
                text: Some(text),
                ..empty
            }),
            // Thoughts are not sent back, only the token that stands for them.
            Part::Thought { signature, .. } => signature.as_deref().map(|signature| wire::Part {
                text: Some(""),
                thought_signature: Some(signature),
                ..empty
            }),
            Part::FunctionCall(call) => Some(wire::Part {
                function_call: Some(wire::FunctionCall {
                    id: self.ids.then_some(call.id.as_str()),
                    name: &call.name,
                    args: &call.args,
                }),
                thought_signature: call.signature.as_deref(),
                ..empty
            }),
            Part::FunctionResponse(response) => Some(wire::Part {
                function_response: Some(wire::FunctionResponse {
                    id: self.ids.then_some(response.id.as_str()),
                    name: &response.name,
                    response: &response.response,
                }),
                ..empty
            }),
        }
    }
}

fn open(before: &[u8], role: Role, out: &mut BytesMut) {
    let role = match role {
        Role::User => "user",
        Role::Model => "model",
    };
    out.put_slice(before);
    out.put_slice(format!("{{\"role\":\"{role}\",\"parts\":[").as_bytes());
}

fn declaration(spec: &ToolSpec) -> wire::FunctionDeclaration<'_> {
    wire::FunctionDeclaration {
        name: &spec.name,
        description: &spec.description,
        parameters_json_schema: &spec.parameters,
    }
}

/// What stands for the signature of a call that another model has made.
const NOT_OURS: &str = "skip_thought_signature_validator";

/// Whether the model refuses calls that nobody has signed.
fn wants_signatures(model: &str) -> bool {
    model.starts_with("gemini-3")
}

/// Whether the model has thoughts to show; older ones refuse the setting.
fn thinks(model: &str) -> bool {
    let version = model.strip_prefix("gemini-");
    version.is_some_and(|version| version.starts_with("2.5") || version.starts_with('3'))
}
