//! Calls as bare JSON.
//!
//! `{"tool_call": ..}` is a call wherever it stands in prose. `{"name": .., "arguments": ..}` might
//! be anything, and is one only if it is the whole message; so is a list of such objects.

use super::{Outcome, Reading, known, pythonic};
use crate::text_calls::input::Input;
use crate::text_calls::json;
use crate::text_calls::shape::{self, Carrier};

/// An object at the beginning of the message.
pub(super) fn alone(text: &Input) -> Reading<'_> {
    Box::pin(whole(text))
}

/// A list at the beginning of the message: of objects, or Python's.
pub(super) fn list(text: &Input) -> Reading<'_> {
    Box::pin(async move {
        let start = text.at() - 1;
        text.space().await;
        match text.peek().await {
            Some('{') => {
                text.back_to(start + 1);
                whole(text).await
            }
            _ => pythonic::whole(text).await,
        }
    })
}

/// An object in prose.
pub(super) fn inline(text: &Input) -> Reading<'_> {
    Box::pin(async move {
        let start = text.at() - 1;
        text.space().await;
        if !is_wrapper(text).await {
            return Outcome::No;
        }
        text.back_to(start);
        if let Some(value) = json::value(text).await {
            match shape::calls(&value, Carrier::Prose) {
                Some(calls) => known(text, calls),
                None => Outcome::Text,
            }
        } else {
            Outcome::Broken(&[])
        }
    })
}

/// Whether the key at the cursor is the wrapper's.
async fn is_wrapper(text: &Input) -> bool {
    let quote = text.eat_any(&["\"", "'"]).await;
    if !text.eat("tool_call").await {
        return false;
    }
    text.eat("s").await;
    if let Some(quote) = quote
        && !text.eat(["\"", "'"][quote]).await
    {
        return false;
    }
    text.space().await;
    text.eat(":").await
}

/// Objects or lists that are all of the message. A wrapper stands for itself.
async fn whole(text: &Input) -> Outcome {
    text.back_to(text.at() - 1);
    let mut calls = Some(Vec::new());
    loop {
        let start = text.at();
        let Some(value) = json::value(text).await else {
            if !json::looks_like_call(&text.since(start)) {
                return Outcome::No;
            }
            return Outcome::Broken(&[]);
        };
        if let (Some(wrapped), Some([])) = (shape::calls(&value, Carrier::Prose), calls.as_deref())
        {
            return known(text, wrapped);
        }
        let more = shape::calls(&value, Carrier::Alone);
        calls = shape::joined(calls, more);
        let after = text.at();
        if calls.is_none() {
            return Outcome::Text;
        }
        text.run(|c| c.is_whitespace() || matches!(c, ',' | ';'))
            .await;
        match text.peek().await {
            Some('{' | '[') => {}
            _ => return pythonic::if_last(text, after, calls.unwrap_or_default()).await,
        }
    }
}
