//! Calls as JSON behind a mark: Granite, Phi-4, and others that differ in the mark only.

use super::{Outcome, Reading, STOPS, known};
use crate::text_calls::input::Input;
use crate::text_calls::json;
use crate::text_calls::shape::{self, Call, Carrier};

/// Granite: `<|tool_call|>[{..}, ..]`.
pub(super) fn list(text: &Input) -> Reading<'_> {
    Box::pin(open(text))
}

/// Phi-4: `functools[{..}, ..]`.
pub(super) fn functools(text: &Input) -> Reading<'_> {
    text.back_to(text.at() - 1);
    Box::pin(open(text))
}

/// Nemotron: `<TOOLCALL>[{..}, ..]</TOOLCALL>`.
pub(super) fn nemotron(text: &Input) -> Reading<'_> {
    Box::pin(closed(text, "<TOOLCALL>", &["</TOOLCALL>"]))
}

/// `<function_call>{..}</function_call>`.
pub(super) fn function_call(text: &Input) -> Reading<'_> {
    Box::pin(closed(text, "<function_call>", &["</function_call>"]))
}

/// Reads JSON that needs no closing mark.
pub(super) async fn open(text: &Input) -> Outcome {
    match documents(text).await {
        Ok(calls) => known(text, calls),
        Err(Trouble::Other) => Outcome::Text,
        Err(Trouble::None) => Outcome::No,
        Err(Trouble::Broken { .. }) => Outcome::Broken(&[]),
    }
}

/// Reads JSON up to `closer`. It may be missing at the end of the text, or before the next call.
pub(super) async fn closed(text: &Input, opener: &str, closer: &'static [&'static str]) -> Outcome {
    let calls = match documents(text).await {
        Ok(calls) => Some(calls),
        Err(Trouble::Other) => None,
        Err(Trouble::None) => return Outcome::No,
        Err(Trouble::Broken { start }) => {
            if text.eat_any(closer).await.is_some() {
                return Outcome::Text;
            }
            json::skip_broken(text, start).await;
            return Outcome::Broken(closer);
        }
    };
    let after = text.at();
    json::space(text).await;
    let is_closed = text.close_with(closer).await || {
        text.back_to(after);
        text.space().await;
        let next = text.at();
        let follows = text.eat(opener).await || text.eat_any(STOPS).await.is_some();
        text.back_to(next);
        follows
    };
    if !is_closed {
        text.back_to(after);
        return Outcome::Broken(closer);
    }
    calls.map_or(Outcome::Text, |calls| known(text, calls))
}

enum Trouble {
    /// There is no JSON.
    None,
    /// It is no call.
    Other,
    /// It was to be a call, and is broken.
    Broken { start: usize },
}

/// Reads one or several documents.
async fn documents(text: &Input) -> Result<Vec<Call>, Trouble> {
    let mut calls = Some(Vec::new());
    let mut is_first = true;
    loop {
        let after = text.at();
        text.run(|c| c.is_whitespace() || (!is_first && matches!(c, ',' | ';')))
            .await;
        let start = text.at();
        if !matches!(text.peek().await, Some('{' | '[')) {
            text.back_to(after);
            break;
        }
        let Some(value) = json::value(text).await else {
            return Err(if json::looks_like_call(&text.since(start)) {
                Trouble::Broken { start }
            } else {
                Trouble::None
            });
        };
        let more = shape::calls(&value, Carrier::Marked);
        calls = shape::joined(calls, more);
        is_first = false;
    }
    if is_first {
        Err(Trouble::None)
    } else {
        calls.ok_or(Trouble::Other)
    }
}
