//! Whether tools are called, and in which way.

use pollux_model::{Found, Request, TextCalls};
use pollux_types::{CallId, FunctionCall};
use serde_json::Value;

use super::answer::{brief, look_up, user};
use super::{Answer, Budget, Subject};
use crate::checks::Check;

const NATIVE: &str = "tool call";
const TEXT: &str = "text calls";

/// What the model is asked to do.
pub(super) const TASK: &str =
    "Call the tool look_up to get the value of the key `alpha`. Do not guess it.";

/// How long that question is about, with the tool.
pub(super) const TASK_TOKENS: u64 = 160;

/// How the model calls tools.
pub(super) enum Calls {
    /// As the protocol has it; such a call.
    Native(FunctionCall),
    /// In its text.
    Text,
    /// Not at all.
    No,
    /// There was no time to find out.
    Unknown,
}

impl Calls {
    pub(super) fn work(&self) -> bool {
        matches!(self, Self::Native(_) | Self::Text)
    }

    /// A call to go on from, real or made up.
    pub(super) fn example(&self) -> FunctionCall {
        match self {
            Self::Native(call) => call.clone(),
            _ => FunctionCall {
                id: CallId::new("call_1"),
                name: look_up().name,
                args: [("key".to_owned(), "alpha".into())].into_iter().collect(),
                signature: None,
            },
        }
    }
}

/// Judges the answer to [`TASK`]; where it has no call, asks once more in words.
pub(super) async fn check(
    subject: &Subject,
    budget: &Budget,
    native: &Answer,
) -> (Vec<Check>, Calls) {
    if let Some(call) = native.calls.first() {
        if call.args.get("key").is_some_and(Value::is_string) {
            let check = Check::ok(NATIVE, "native, with valid arguments");
            return (vec![check], Calls::Native(call.clone()));
        }
        let args = Value::from(call.args.clone());
        let found = format!("native, but the arguments do not fit: {args}");
        return in_words(subject, budget, Check::warn(NATIVE, found)).await;
    }
    if let Some(problem) = &native.broken {
        let check = Check::warn(NATIVE, format!("native, but broken: {problem}"));
        return in_words(subject, budget, check).await;
    }
    if let Some(form) = written(&native.text) {
        let checks = vec![
            Check::warn(NATIVE, "not native: the call is written as text"),
            Check::ok(TEXT, format!("understood: {form}")),
        ];
        return (checks, Calls::Text);
    }
    match native.trouble(NATIVE) {
        Some(check) if native.late => (vec![check], Calls::Unknown),
        Some(check) => in_words(subject, budget, check).await,
        None => {
            in_words(
                subject,
                budget,
                Check::warn(NATIVE, format!("none; it says: {}", brief(&native.text))),
            )
            .await
        }
    }
}

/// Asks for calls, natively or in words.
pub(super) async fn ask(subject: &Subject, budget: &Budget, task: &str, words: bool) -> Answer {
    let (tools, question) = ([look_up()], user(task));
    let request = Request {
        system: "",
        tools: &tools,
        messages: vec![&question],
    };
    let reply = if words {
        subject.in_words.reply(request)
    } else {
        subject.inquiry.reply(&request).0
    };
    Answer::of(reply, budget.deadline()).await
}

/// A second try where native calls have failed.
async fn in_words(subject: &Subject, budget: &Budget, native: Check) -> (Vec<Check>, Calls) {
    let answer = ask(subject, budget, TASK, true).await;
    let (check, calls) = if answer.calls.is_empty() {
        match answer.trouble(TEXT) {
            Some(check) if answer.late => (check, Calls::Unknown),
            Some(check) => (check, Calls::No),
            None => (
                Check::warn(TEXT, "none, though told how to write them"),
                Calls::No,
            ),
        }
    } else {
        (
            Check::ok(TEXT, "understood, once told how to write them"),
            Calls::Text,
        )
    };
    (vec![native, check], calls)
}

/// How a call is written in the text, if there is one.
fn written(text: &str) -> Option<String> {
    let mut reader = TextCalls::new(vec![look_up().name]);
    let mut found = Vec::new();
    reader.feed(text, &mut found);
    reader.end(&mut found);
    found
        .iter()
        .any(|found| matches!(found, Found::Call { .. }))
        .then(|| match TextCalls::mark_in(text) {
            Some(mark) => format!("behind `{mark}`"),
            None if text.contains("```") => "in a fenced block".to_owned(),
            None => "bare in the text".to_owned(),
        })
}
