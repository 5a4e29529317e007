//! Earlier calls and results in words, for a model that knows only words.

use std::borrow::Cow;

use pollux_types::{FunctionCall, FunctionResponse, Message, Part, Response};
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

/// With a word on what comes next: small models tend to repeat the call that they see last.
fn result_in_words(response: &FunctionResponse) -> String {
    let text = response.response.text();
    let (sort, next) = match response.response {
        Response::Output(_) => ("result", "Answer from this, or make the next call."),
        Response::Error(_) => (
            "error",
            "Do not repeat this call; mend it or go another way.",
        ),
    };
    let name = &response.name;
    format!("<tool_{sort} name=\"{name}\">\n{text}\n</tool_{sort}>\n{next}\n")
}
