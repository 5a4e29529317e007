//! What a model says as chat completions, with their defects.

use serde_json::{Map, Value, json};

use super::{Defect, Said};
use crate::HttpReply;

pub(super) fn reply(said: &Said, defects: &[Defect]) -> HttpReply {
    let has = |defect| defects.contains(&defect);
    let deltas = deltas(said, has(Defect::BrokenArguments));
    let reason = if said.calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    };
    let usage = json!({"prompt_tokens": said.read, "completion_tokens": 5});
    let usage = (!has(Defect::NoUsage)).then_some(usage);
    if has(Defect::NoStreaming) {
        let choice = json!({"index": 0, "message": whole(&deltas), "finish_reason": reason});
        return HttpReply::json(200, json!({"choices": [choice], "usage": usage}));
    }
    let event = |delta: &Value, reason: Option<&str>| {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
        json!({"choices": [choice]})
    };
    let reply = deltas.iter().fold(HttpReply::sse(), |reply, delta| {
        reply.event(event(delta, None))
    });
    let reply = reply.event(event(&json!({}), Some(reason)));
    let reply = match usage {
        Some(usage) => reply.event(json!({"choices": [], "usage": usage})),
        None => reply,
    };
    reply.chunk("data: [DONE]\n\n")
}

fn deltas(said: &Said, broken: bool) -> Vec<Value> {
    let mut deltas = Vec::new();
    match said.thought {
        Some("<think>") => deltas.push(json!({"content": "<think>Let me see.</think>\n"})),
        Some(field) => deltas.push(json!({field: "Let me see."})),
        None => {}
    }
    deltas.extend(said.text.iter().map(|text| json!({"content": text})));
    deltas.extend(said.calls.iter().enumerate().map(|(index, (name, args))| {
        let mut args = Value::from(args.clone()).to_string();
        if broken {
            args.pop();
        }
        let function = json!({"name": name, "arguments": args});
        json!({"tool_calls": [{"index": index, "id": format!("c{index}"), "function": function}]})
    }));
    deltas
}

/// The same in one message.
fn whole(deltas: &[Value]) -> Value {
    let mut message = Map::new();
    for (key, value) in deltas.iter().filter_map(Value::as_object).flatten() {
        match (message.get_mut(key), value) {
            (Some(Value::String(before)), Value::String(more)) => before.push_str(more),
            (Some(Value::Array(before)), Value::Array(more)) => before.extend(more.clone()),
            _ => drop(message.insert(key.clone(), value.clone())),
        }
    }
    Value::Object(message)
}
