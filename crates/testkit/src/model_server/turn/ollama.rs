//! A turn as Ollama's own interface sends it: a JSON document a line.

use pollux_types::FinishReason;
use serde_json::{Value, json};

use super::{Turn, What};
use crate::Step;

pub(super) fn steps(turn: &Turn) -> Vec<Step> {
    let pieces = turn.pieces.iter().map(|piece| match &piece.what {
        What::Text(text) => line(json!({"message": {"role": "assistant", "content": text}})),
        What::Thought(text) => {
            line(json!({"message": {"role": "assistant", "content": "", "thinking": text}}))
        }
        What::Call { id, name, args } => {
            let call = json!({"id": id, "function": {"name": name, "arguments": args}});
            line(json!({"message": {"role": "assistant", "content": "", "tool_calls": [call]}}))
        }
        What::Gate(gate) => Step::Gate(gate.clone()),
    });
    pieces.chain(turn.complete.then(|| ending(turn))).collect()
}

fn ending(turn: &Turn) -> Step {
    line(json!({
        "message": {"role": "assistant", "content": ""},
        "done": true,
        "done_reason": done_reason(turn.reason()),
        "prompt_eval_count": turn.usage.input,
        "eval_count": turn.usage.output,
    }))
}

fn line(mut data: Value) -> Step {
    if data.get("done").is_none() {
        data["done"] = false.into();
    }
    data["model"] = "mock-model".into();
    Step::Chunk(format!("{data}\n").into_bytes())
}

/// It has no word for calls, nor for what it withholds.
fn done_reason(reason: FinishReason) -> &'static str {
    match reason {
        FinishReason::Stop | FinishReason::ToolCalls => "stop",
        FinishReason::Length => "length",
        FinishReason::ContentFilter | FinishReason::Unknown => "something_new",
    }
}
