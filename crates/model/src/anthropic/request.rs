//! Our messages as Anthropic's.

use pollux_types::{Message, Part, Response, Role, ToolSpec};

use super::wire::{self, Block, BlockKind, CacheControl};
use crate::Request;

/// The JSON body of a request.
pub(super) fn body(model: &str, request: &Request<'_>) -> Vec<u8> {
    let mut system = Vec::new();
    if !request.system.is_empty() {
        let text = request.system;
        system.push(Block::from(BlockKind::Text { text }));
    }
    let mut messages = messages(&request.messages);
    mark(&mut system, &mut messages);
    let body = wire::Body {
        model,
        max_tokens: max_tokens(model),
        stream: true,
        tools: request.tools.iter().map(tool).collect(),
        system,
        messages,
    };
    serde_json::to_vec(&body).expect("strings and JSON values always serialise")
}

/// Neighbours of one role become one message: the API wants them to alternate.
fn messages<'a>(history: &[&'a Message]) -> Vec<wire::Message<'a>> {
    let mut messages: Vec<wire::Message<'a>> = Vec::with_capacity(history.len());
    for message in history {
        let role = match message.role {
            Role::User => "user",
            Role::Model => "assistant",
        };
        let blocks = blocks(message);
        match messages.last_mut() {
            Some(last) if last.role == role => last.content.extend(blocks),
            _ => messages.push(wire::Message {
                role,
                content: blocks.collect(),
            }),
        }
    }
    messages.retain(|message| !message.content.is_empty());
    messages
}

/// Results come first: they must follow the calls they answer.
fn blocks(message: &Message) -> impl Iterator<Item = Block<'_>> {
    let is_result = |part: &&Part| matches!(part, Part::FunctionResponse(_));
    let results = message.parts.iter().filter(is_result);
    let others = message.parts.iter().filter(move |part| !is_result(part));
    results.chain(others).filter_map(block)
}

fn block(part: &Part) -> Option<Block<'_>> {
    let kind = match part {
        // The API refuses text that says nothing.
        Part::Text(text) if text.trim().is_empty() => return None,
        Part::Text(text) => BlockKind::Text { text },
        Part::Thought { text, signature } => match signature.as_deref()? {
            data if text.is_empty() => BlockKind::RedactedThinking { data },
            signature => BlockKind::Thinking {
                thinking: text,
                signature,
            },
        },
        Part::FunctionCall(call) => BlockKind::ToolUse {
            id: call.id.as_str(),
            name: &call.name,
            input: &call.args,
        },
        Part::FunctionResponse(response) => BlockKind::ToolResult {
            tool_use_id: response.id.as_str(),
            content: response.response.text(),
            is_error: matches!(response.response, Response::Error(_)),
        },
    };
    Some(Block::from(kind))
}

impl<'a> From<BlockKind<'a>> for Block<'a> {
    fn from(kind: BlockKind<'a>) -> Self {
        Self {
            kind,
            cache_control: None,
        }
    }
}

/// Asks the provider to cache what will come again: the system text with the tools before it, and
/// the conversation up to its last message.
fn mark<'a>(system: &mut [Block<'a>], messages: &mut [wire::Message<'a>]) {
    let newest = messages.last_mut().and_then(|last| last.content.last_mut());
    for block in system.last_mut().into_iter().chain(newest) {
        // Thoughts cannot be marked.
        if !matches!(
            block.kind,
            BlockKind::Thinking { .. } | BlockKind::RedactedThinking { .. }
        ) {
            block.cache_control = Some(CacheControl::Ephemeral);
        }
    }
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
