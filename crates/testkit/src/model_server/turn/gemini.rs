//! A turn as `streamGenerateContent` sends it.

use pollux_types::{FinishReason, Usage};
use serde_json::{Value, json};

use super::{Piece, Turn, What};
use crate::Step;

pub(super) fn steps(turn: &Turn) -> Vec<Step> {
    let together = |one: &Piece, next: &Piece| one.is_call() && next.is_call();
    let mut steps = Vec::new();
    for pieces in turn.pieces.chunk_by(together) {
        steps.push(match pieces {
            [
                Piece {
                    what: What::Gate(gate),
                    ..
                },
            ] => Step::Gate(gate.clone()),
            pieces => saying(pieces, turn),
        });
    }
    if turn.complete {
        steps.push(last(turn));
    }
    steps
}

fn saying(pieces: &[Piece], turn: &Turn) -> Step {
    let parts: Vec<Value> = pieces.iter().map(part).collect();
    let candidate = json!({"content": {"role": "model", "parts": parts}, "index": 0});
    let input = turn.usage.input;
    event(
        candidate,
        json!({"promptTokenCount": input, "totalTokenCount": input}),
    )
}

/// The event that ends the reply: no words, the reason, and the whole bill.
fn last(turn: &Turn) -> Step {
    let candidate = json!({
        "content": {"role": "model", "parts": [{"text": ""}]},
        "finishReason": finish_reason(turn.reason()),
        "index": 0,
    });
    event(candidate, usage(turn.usage))
}

#[expect(clippy::needless_pass_by_value, reason = "built for this call only")]
fn event(candidate: Value, usage: Value) -> Step {
    let data = json!({
        "candidates": [candidate],
        "usageMetadata": usage,
        "modelVersion": "mock-model",
        "responseId": "mock-response",
    });
    Step::Chunk(format!("data: {data}\r\n\r\n").into_bytes())
}

fn part(piece: &Piece) -> Value {
    let mut part = match &piece.what {
        What::Text(text) => json!({"text": text}),
        What::Thought(text) => json!({"text": text, "thought": true}),
        What::Call { id, name, args } => {
            json!({"functionCall": {"id": id, "name": name, "args": args}})
        }
        What::Gate(_) => unreachable!("gates are steps of their own"),
    };
    if let Some(signature) = &piece.signature {
        part["thoughtSignature"] = json!(signature);
    }
    part
}

fn usage(usage: Usage) -> Value {
    // Gemini counts thoughts beside the answer, not within it.
    let mut counts = json!({
        "promptTokenCount": usage.input,
        "candidatesTokenCount": usage.output - usage.thoughts,
        "totalTokenCount": usage.total(),
    });
    if usage.cached > 0 {
        counts["cachedContentTokenCount"] = json!(usage.cached);
    }
    if usage.thoughts > 0 {
        counts["thoughtsTokenCount"] = json!(usage.thoughts);
    }
    counts
}

fn finish_reason(reason: FinishReason) -> &'static str {
    match reason {
        FinishReason::Stop | FinishReason::ToolCalls => "STOP",
        FinishReason::Length => "MAX_TOKENS",
        FinishReason::ContentFilter => "SAFETY",
        FinishReason::Unknown => "SOMETHING_NEW",
    }
}
