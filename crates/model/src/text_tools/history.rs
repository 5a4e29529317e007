//! Earlier calls and results in words, for a model that knows only words.

use std::borrow::Cow;

use pollux_types::{FunctionCall, FunctionResponse, Message, Part};
use serde_json::json;

/// The same conversation without native calls. What holds none is not copied.
pub(super) fn in_words<'a>(messages: &[&'a Message]) -> Vec<Cow<'a, Message>> {
    messages.iter().map(|message| worded(message)).collect()
}

fn worded(message: &Message) -> Cow<'_, Message> {
    let is_plain = |part: &Part| !matches!(part, Part::FunctionCall(_) | Part::FunctionResponse(_));
    if message.parts.iter().all(is_plain) {
        return Cow::Borrowed(message);
    }
    let mut worded = Message {
        role: message.role,
        parts: Vec::new(),
    };
    for part in &message.parts {
        worded.push(match part {
            Part::FunctionCall(call) => Part::text(call_in_words(call)),
            Part::FunctionResponse(response) => Part::text(result_in_words(response)),
            other => other.clone(),
        });
    }
    Cow::Owned(worded)
}

/// As the model was told to write it.
fn call_in_words(call: &FunctionCall) -> String {
    let json = json!({"tool_call": {"name": call.name, "arguments": call.args}});
    format!("\n```json\n{json}\n```\n")
}

fn result_in_words(response: &FunctionResponse) -> String {
    let text = response.response.text();
    let sort = match response.response {
        pollux_types::Response::Output(_) => "result",
        pollux_types::Response::Error(_) => "error",
    };
    format!(
        "<tool_{sort} name=\"{}\">\n{text}\n</tool_{sort}>\n",
        response.name
    )
}
