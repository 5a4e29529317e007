//! A turn as Anthropic sends it: numbered blocks, each opened, filled and closed.

use pollux_types::FinishReason;
use serde_json::{Value, json};

use super::{Turn, What};
use crate::Step;

pub(super) fn steps(turn: &Turn) -> Vec<Step> {
    let counts = turn.usage;
    let usage = json!({
        "input_tokens": counts.input - counts.cached,
        "cache_read_input_tokens": counts.cached,
        "output_tokens": 1,
    });
    let message = json!({"id": "msg_mock", "type": "message", "role": "assistant",
        "content": [], "model": "mock-model", "usage": usage});
    let mut steps = vec![event("message_start", json!({"message": message}))];
    for (index, piece) in turn.pieces.iter().enumerate() {
        match &piece.what {
            What::Gate(gate) => steps.push(Step::Gate(gate.clone())),
            what => steps.extend(block(index, what, piece.signature.as_deref())),
        }
    }
    if turn.complete {
        let reason = stop_reason(turn.reason());
        let usage = json!({"output_tokens": counts.output});
        let end = json!({"delta": {"stop_reason": reason}, "usage": usage});
        steps.push(event("message_delta", end));
        steps.push(event("message_stop", json!({})));
    }
    steps
}

fn block(index: usize, what: &What, signature: Option<&str>) -> Vec<Step> {
    let (start, mut deltas) = match what {
        What::Text(text) => (
            json!({"type": "text", "text": ""}),
            vec![json!({"type": "text_delta", "text": text})],
        ),
        What::Thought(text) => (
            json!({"type": "thinking", "thinking": ""}),
            vec![json!({"type": "thinking_delta", "thinking": text})],
        ),
        What::Call { id, name, args } => (
            json!({"type": "tool_use", "id": id, "name": name, "input": {}}),
            arguments(&args.to_string()),
        ),
        What::Gate(_) => return Vec::new(),
    };
    if let (What::Thought(_), Some(signature)) = (what, signature) {
        deltas.push(json!({"type": "signature_delta", "signature": signature}));
    }
    let open = json!({"index": index, "content_block": start});
    let mut steps = vec![event("content_block_start", open)];
    for delta in deltas {
        let filled = json!({"index": index, "delta": delta});
        steps.push(event("content_block_delta", filled));
    }
    steps.push(event("content_block_stop", json!({"index": index})));
    steps
}

/// In two pieces: clients must put them together.
fn arguments(args: &str) -> Vec<Value> {
    let (front, back) = args.split_at(args.floor_char_boundary(args.len() / 2));
    let piece = |json: &str| json!({"type": "input_json_delta", "partial_json": json});
    vec![piece(front), piece(back)]
}

fn event(kind: &str, mut data: Value) -> Step {
    data["type"] = kind.into();
    Step::Chunk(format!("event: {kind}\ndata: {data}\n\n").into_bytes())
}

fn stop_reason(reason: FinishReason) -> &'static str {
    match reason {
        FinishReason::Stop => "end_turn",
        FinishReason::ToolCalls => "tool_use",
        FinishReason::Length => "max_tokens",
        FinishReason::ContentFilter => "refusal",
        FinishReason::Unknown => "something_new",
    }
}
