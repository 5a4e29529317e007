//! Calls as Python: Llama 3.2 and 4, LFM2, and Llama 3's `<|python_tag|>`.
//!
//! `[read_file(path="a"), todo()]`, with literals for arguments. Without marks around it, it must
//! be the whole message.

use serde_json::Map;

use super::{Outcome, Reading, STOPS, documents, known, name};
use crate::text_calls::input::Input;
use crate::text_calls::shape::Call;
use crate::text_calls::{json, param};

const CLOSERS: &[&str] = &["<|python_end|>", "<|tool_call_end|>"];

/// After `<|python_tag|>`: JSON, or `tool.call(..)`.
pub(super) fn tag(text: &Input) -> Reading<'_> {
    Box::pin(async move {
        let start = text.at();
        text.space().await;
        if matches!(text.peek().await, Some('{' | '[')) {
            return documents::open(text).await;
        }
        match call(text).await {
            Some(Call { name, args }) => {
                let name = name.strip_suffix(".call").unwrap_or(&name).to_owned();
                known(text, vec![Call { name, args }])
            }
            None => broken(text, start, STOPS).await,
        }
    })
}

/// A list between marks.
pub(super) fn block(text: &Input) -> Reading<'_> {
    Box::pin(async move {
        text.space().await;
        if !text.eat("[").await {
            return Outcome::No;
        }
        let start = text.at();
        let Some(calls) = list(text).await else {
            return broken(text, start, CLOSERS).await;
        };
        let after = text.at();
        text.space().await;
        if !text.close_with(CLOSERS).await {
            text.back_to(after);
            return Outcome::Broken(CLOSERS);
        }
        known(text, calls)
    })
}

/// A list that is the whole message; the cursor is in it.
pub(super) async fn whole(text: &Input) -> Outcome {
    let start = text.at();
    let Some(calls) = list(text).await else {
        return broken(text, start, STOPS).await;
    };
    let after = text.at();
    if_last(text, after, calls).await
}

/// `calls`, which end at `after`, if nothing else is said.
pub(super) async fn if_last(text: &Input, after: usize, calls: Vec<Call>) -> Outcome {
    text.space().await;
    while text.eat_any(STOPS).await.is_some() {
        text.space().await;
    }
    if text.peek().await.is_some() {
        text.back_to(after);
        return Outcome::Text;
    }
    known(text, calls)
}

/// What began at `start` is no Python. If it has arguments it was to be a call, and nothing in it
/// is another.
async fn broken(text: &Input, start: usize, closers: &[&str]) -> Outcome {
    let read = text.since(start);
    if !(read.contains('(') && read.contains('=')) {
        return Outcome::No;
    }
    text.until(closers).await;
    Outcome::Text
}

async fn list(text: &Input) -> Option<Vec<Call>> {
    let mut calls = Vec::new();
    loop {
        text.space().await;
        if !calls.is_empty() && text.eat("]").await {
            return Some(calls);
        }
        calls.push(call(text).await?);
        text.space().await;
        if !text.eat(",").await && text.peek().await != Some(']') {
            return None;
        }
    }
}

async fn call(text: &Input) -> Option<Call> {
    let name = name(text).await?;
    if !text.eat("(").await {
        return None;
    }
    let mut args = Map::new();
    loop {
        text.space().await;
        if text.eat(")").await {
            return Some(Call { name, args });
        }
        let key = json::word(text).await;
        text.space().await;
        if key.is_empty() || !text.eat("=").await {
            return None;
        }
        param::add(&mut args, key, json::value(text).await?)?;
        text.space().await;
        if !text.eat(",").await && text.peek().await != Some(')') {
            return None;
        }
    }
}
