//! Whether what a tool gave back is understood.

use std::sync::Arc;

use pollux_model::Request;
use pollux_types::{FunctionResponse, Message, Part, Response};

use super::answer::{brief, look_up, user};
use super::tools::{Calls, TASK};
use super::{Answer, Budget, Subject};
use crate::checks::Check;

const NAME: &str = "tool result";

/// No model would guess it.
const WORD: &str = "quokka";

pub(super) async fn check(subject: &Subject, budget: &Budget, calls: &Calls) -> Check {
    let call = calls.example();
    let result = FunctionResponse {
        id: call.id.clone(),
        name: call.name.clone(),
        response: Response::Output(format!("The value is {WORD}.")),
    };
    let (tools, question) = ([look_up()], user(TASK));
    let called = Arc::new(Message::model(vec![Part::FunctionCall(call)]));
    let result = Arc::new(Message::user(vec![Part::FunctionResponse(result)]));
    let request = Request {
        system: "",
        tools: &tools,
        messages: vec![&question, &called, &result],
    };
    let reply = match calls {
        Calls::Native(_) => subject.inquiry.reply(&request).0,
        _ => subject.in_words.reply(request),
    };
    let answer = Answer::of(reply, budget.deadline()).await;
    if answer.text.to_lowercase().contains(WORD) {
        return Check::ok(NAME, "understood");
    }
    match answer.trouble(NAME) {
        Some(check) => check,
        None if !answer.calls.is_empty() => Check::warn(NAME, "not used: the call is repeated"),
        None => Check::warn(NAME, format!("not used; it says: {}", brief(&answer.text))),
    }
}
