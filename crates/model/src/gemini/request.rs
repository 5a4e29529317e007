//! Our messages as Gemini contents.

use pollux_types::{Message, Part, Role, ToolSpec};

use super::wire;
use crate::Request;

/// The JSON body of a request. System text and tools come first: they stay the same from turn to
/// turn, and a stable prefix is what providers cache.
pub(super) fn body(model: &str, request: &Request<'_>) -> Vec<u8> {
    let body = wire::Body {
        system_instruction: (!request.system.is_empty()).then(|| wire::Content {
            role: None,
            parts: vec![wire::Part {
                text: Some(request.system),
                ..wire::Part::default()
            }],
        }),
        tools: (!request.tools.is_empty()).then(|| {
            [wire::Tools {
                function_declarations: request.tools.iter().map(declaration).collect(),
            }]
        }),
        generation_config: thinks(model).then_some(wire::GenerationConfig {
            thinking_config: wire::ThinkingConfig {
                include_thoughts: true,
            },
        }),
        contents: contents(&request.messages),
    };
    serde_json::to_vec(&body).expect("strings and JSON values always serialise")
}

/// Neighbours of one role become one content: the API wants them to alternate.
fn contents<'a>(messages: &[&'a Message]) -> Vec<wire::Content<'a>> {
    let mut contents: Vec<wire::Content<'a>> = Vec::with_capacity(messages.len());
    for message in messages {
        let role = match message.role {
            Role::User => "user",
            Role::Model => "model",
        };
        let parts = message.parts.iter().filter_map(part);
        match contents.last_mut() {
            Some(last) if last.role == Some(role) => last.parts.extend(parts),
            _ => contents.push(wire::Content {
                role: Some(role),
                parts: parts.collect(),
            }),
        }
    }
    contents.retain(|content| !content.parts.is_empty());
    contents
}

fn part(part: &Part) -> Option<wire::Part<'_>> {
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
                id: call.id.as_str(),
                name: &call.name,
                args: &call.args,
            }),
            thought_signature: call.signature.as_deref(),
            ..empty
        }),
        Part::FunctionResponse(response) => Some(wire::Part {
            function_response: Some(wire::FunctionResponse {
                id: response.id.as_str(),
                name: &response.name,
                response: &response.response,
            }),
            ..empty
        }),
    }
}

fn declaration(spec: &ToolSpec) -> wire::FunctionDeclaration<'_> {
    wire::FunctionDeclaration {
        name: &spec.name,
        description: &spec.description,
        parameters_json_schema: &spec.parameters,
    }
}

/// Whether the model has thoughts to show; older ones refuse the setting.
fn thinks(model: &str) -> bool {
    let version = model.strip_prefix("gemini-");
    version.is_some_and(|version| version.starts_with("2.5") || version.starts_with('3'))
}
