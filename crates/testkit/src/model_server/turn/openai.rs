//! A turn as chat completions send it.

use pollux_types::{FinishReason, Usage};
use serde_json::{Value, json};

use super::{Turn, What};
use crate::{Recorded, Step};

/// Servers tell the usage of a stream only to those who ask.
pub(super) fn wants_usage(request: &Recorded) -> bool {
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    body.pointer("/stream_options/include_usage") == Some(&Value::Bool(true))
}

pub(super) fn steps(turn: &Turn, with_usage: bool) -> Vec<Step> {
    let mut steps = vec![delta(json!({"role": "assistant", "content": ""}))];
    let mut index = 0;
    for piece in &turn.pieces {
        match &piece.what {
            What::Text(text) => steps.push(delta(json!({"content": text}))),
            What::Thought(text) => steps.push(delta(json!({"reasoning_content": text}))),
            What::Gate(gate) => steps.push(Step::Gate(gate.clone())),
            What::Call { id, name, args } => {
                steps.extend(call(index, id, name, &args.to_string()));
                index += 1;
            }
        }
    }
    if turn.complete {
        steps.extend(ending(turn, with_usage));
    }
    steps
}

/// The name first, then the arguments in two pieces: clients must put them together.
fn call(index: usize, id: &str, name: &str, args: &str) -> [Step; 3] {
    let function = json!({"name": name, "arguments": ""});
    let opening = json!({"index": index, "id": id, "type": "function", "function": function});
    let (front, back) = args.split_at(args.floor_char_boundary(args.len() / 2));
    let more = |args: &str| json!({"index": index, "function": {"arguments": args}});
    [opening, more(front), more(back)].map(|call| delta(json!({"tool_calls": [call]})))
}

fn ending(turn: &Turn, with_usage: bool) -> Vec<Step> {
    let reason = finish_reason(turn.reason());
    let choice = json!({"index": 0, "delta": {}, "finish_reason": reason});
    let mut steps = vec![event(json!([choice]), None)];
    if with_usage {
        steps.push(event(json!([]), Some(usage(turn.usage))));
    }
    steps.push(Step::Chunk(b"data: [DONE]\n\n".to_vec()));
    steps
}

#[expect(clippy::needless_pass_by_value, reason = "built for this call only")]
fn delta(delta: Value) -> Step {
    event(
        json!([{"index": 0, "delta": delta, "finish_reason": null}]),
        None,
    )
}

#[expect(clippy::needless_pass_by_value, reason = "built for this call only")]
fn event(choices: Value, usage: Option<Value>) -> Step {
    let mut data = json!({
        "id": "chatcmpl-mock",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": "mock-model",
        "choices": choices,
    });
    if let Some(usage) = usage {
        data["usage"] = usage;
    }
    Step::Chunk(format!("data: {data}\n\n").into_bytes())
}

fn usage(usage: Usage) -> Value {
    let mut counts = json!({
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.total(),
    });
    if usage.cached > 0 {
        counts["prompt_tokens_details"] = json!({"cached_tokens": usage.cached});
    }
    if usage.thoughts > 0 {
        counts["completion_tokens_details"] = json!({"reasoning_tokens": usage.thoughts});
    }
    counts
}

fn finish_reason(reason: FinishReason) -> &'static str {
    match reason {
        FinishReason::Stop => "stop",
        FinishReason::ToolCalls => "tool_calls",
        FinishReason::Length => "length",
        FinishReason::ContentFilter => "content_filter",
        FinishReason::Unknown => "something_new",
    }
}
