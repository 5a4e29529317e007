//! Earlier calls and results in words, for a model that knows only words.

use std::sync::Arc;

use pollux_types::{FunctionCall, FunctionResponse, Message, Part, Response};
use serde_json::json;

/// A conversation without native calls, which grows with the one that it repeats.
pub(super) struct InWords {
    form: ResultForm,
    worded: Vec<(Arc<Message>, Arc<Message>)>,
}

/// How results are written down. Models of a family have seen many results in one form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResultForm {
    /// `<tool_response>`
    Response,
    /// A block of `tool_output`.
    Block,
    /// `<tool_result>`, with the tool's name.
    Result,
}

impl ResultForm {
    fn of_family(model: &str) -> Self {
        let name = model.to_lowercase();
        let is = |families: &[&str]| families.iter().any(|family| name.contains(family));
        if is(&["qwen", "qwq", "hermes", "glm"]) {
            Self::Response
        } else if is(&["gemma"]) {
            Self::Block
        } else {
            Self::Result
        }
    }
}

impl InWords {
    /// Of a conversation with this model.
    pub(super) fn with(model: &str) -> Self {
        Self {
            form: ResultForm::of_family(model),
            worded: Vec::new(),
        }
    }

    /// The same messages in words. Those that were there before are the same ones again.
    pub(super) fn of(&mut self, messages: &[&Arc<Message>]) -> impl Iterator<Item = &Arc<Message>> {
        let Self { form, worded } = self;
        let both = worded.iter().zip(messages);
        let same = both
            .take_while(|((original, _), message)| Arc::ptr_eq(original, message))
            .count();
        worded.truncate(same);
        let new = messages[same..].iter();
        worded.extend(new.map(|message| (Arc::clone(message), in_words(message, *form))));
        worded.iter().map(|(_, words)| words)
    }
}

/// What holds no calls is not copied.
fn in_words(message: &Arc<Message>, form: ResultForm) -> Arc<Message> {
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
            Part::FunctionResponse(response) => Part::text(result_in_words(response, form)),
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
fn result_in_words(response: &FunctionResponse, form: ResultForm) -> String {
    let text = response.response.text();
    let (sort, next) = match response.response {
        Response::Output(_) => ("result", "Answer from this, or make the next call."),
        Response::Error(_) => (
            "error",
            "Do not repeat this call; mend it or go another way.",
        ),
    };
    let name = &response.name;
    let result = match form {
        ResultForm::Response => format!("<tool_response>\n{text}\n</tool_response>"),
        ResultForm::Block => format!("```tool_output\n{text}\n```"),
        ResultForm::Result => format!("<tool_{sort} name=\"{name}\">\n{text}\n</tool_{sort}>"),
    };
    format!("{result}\n{next}\n")
}

#[cfg(test)]
mod tests {
    use pollux_types::CallId;

    use super::*;

    #[test]
    fn each_family_gets_its_own_form() {
        let response = FunctionResponse {
            id: CallId::new("1"),
            name: "read_file".into(),
            response: Response::Error("gone".into()),
        };
        let message = Arc::new(Message::user(vec![Part::FunctionResponse(response)]));
        let told = |model: &str| {
            let mut conversation = InWords::with(model);
            let messages = [&message];
            let mut told = conversation.of(&messages);
            told.next().unwrap().text()
        };
        let next = "Do not repeat this call; mend it or go another way.\n";
        assert_eq!(
            told("Qwen3-8B"),
            format!("<tool_response>\ngone\n</tool_response>\n{next}")
        );
        assert_eq!(
            told("gemma-3"),
            format!("```tool_output\ngone\n```\n{next}")
        );
        let named = "<tool_error name=\"read_file\">\ngone\n</tool_error>\n";
        assert_eq!(told("llama3"), format!("{named}{next}"));
    }
}
