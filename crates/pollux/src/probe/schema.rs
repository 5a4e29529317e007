//! Whether an answer can be made to keep to a JSON schema.

use pollux_model::Request;
use serde_json::{Value, json};

use super::answer::{brief, user, without_thoughts};
use super::{Answer, Budget, Subject};
use crate::checks::Check;

const NAME: &str = "JSON schema";

pub(super) async fn check(subject: &Subject, budget: &Budget) -> Check {
    let schema = json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "letters": {"type": "integer"}},
        "required": ["city", "letters"],
        "additionalProperties": false,
    });
    let question = user(
        "Which city is the capital of France, and how many letters has its name? Answer in JSON \
         with `city` and `letters`.",
    );
    let request = Request {
        system: "",
        tools: &[],
        messages: vec![&question],
    };
    let Some(reply) = subject.inquiry.reply_in_schema(&request, &schema) else {
        return Check::skip(NAME, "not part of this protocol");
    };
    let answer = Answer::of(reply, budget.deadline()).await;
    if let Some(trouble) = answer.trouble(NAME) {
        return trouble;
    }
    let (spoken, _) = without_thoughts(&answer.text);
    match serde_json::from_str::<Value>(spoken.trim()) {
        Ok(json) if json["city"].is_string() && json["letters"].is_i64() => {
            Check::ok(NAME, "kept to")
        }
        _ => Check::warn(NAME, format!("not kept to: {}", brief(&answer.text))),
    }
}
