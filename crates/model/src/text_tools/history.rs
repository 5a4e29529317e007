//! Earlier calls and results in words, for a model that knows only words.

use std::sync::Arc;

use pollux_types::{FunctionCall, FunctionResponse, Message, Part, Response};
use serde_json::json;

/// A conversation without native calls, which grows with the one that it repeats.
#[derive(Default)]
pub(super) struct InWords(Vec<(Arc<Message>, Arc<Message>)>);

impl InWords {
    /// The same messages in words. Those that were there before are the same ones again.
    pub(super) fn of(&mut self, messages: &[&Arc<Message>]) -> impl Iterator<Item = &Arc<Message>> {
        let Self(worded) = self;
        let both = worded.iter().zip(messages);
        let same = both
            .take_while(|((original, _), message)| Arc::ptr_eq(original, message))
            .count();
        worded.truncate(same);
        let new = messages[same..].iter();
        worded.extend(new.map(|message| (Arc::clone(message), in_words(message))));
        worded.iter().map(|(_, words)| words)
    }
}

/// What holds no calls is not copied.
fn in_words(message: &Arc<Message>) -> Arc<Message> {
    let is_plain = |part: &Part| !matches!(part, Part::FunctionCall(_) | Part::FunctionResponse(_));
    if message.parts.iter().all(is_plain) {
        return Arc::clone(message);
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
    Arc::new(worded)
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
