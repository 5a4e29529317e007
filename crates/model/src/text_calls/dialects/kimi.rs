//! Kimi-K2: sections of calls whose ids are `functions.NAME:0`.

use super::{Outcome, Reading, known};
use crate::text_calls::input::Input;
use crate::text_calls::json;
use crate::text_calls::shape::Call;

const BEGIN: &str = "<|tool_call_begin|>";
const ARGUMENTS: &str = "<|tool_call_argument_begin|>";
const END: &str = "<|tool_call_end|>";
const SECTION_END: &str = "<|tool_calls_section_end|>";

/// A section of calls.
pub(super) fn section(text: &Input) -> Reading<'_> {
    Box::pin(async move {
        text.space().await;
        if !text.eat(BEGIN).await {
            return Outcome::No;
        }
        let mut calls = Vec::new();
        loop {
            match one(text).await {
                Some(call) => calls.push(call),
                None => break,
            }
            text.space().await;
            if text.eat(BEGIN).await {
                continue;
            }
            if text.close_with(&[SECTION_END]).await {
                return known(text, calls);
            }
            break;
        }
        text.until(&[SECTION_END]).await;
        Outcome::Text
    })
}

/// A call without a section around it.
pub(super) fn single(text: &Input) -> Reading<'_> {
    Box::pin(async move {
        if let Some(call) = one(text).await {
            known(text, vec![call])
        } else {
            text.until(&[END]).await;
            Outcome::Text
        }
    })
}

async fn one(text: &Input) -> Option<Call> {
    text.space().await;
    let id = text
        .run(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'))
        .await;
    text.space().await;
    if !text.eat(ARGUMENTS).await {
        return None;
    }
    let args = json::object(text).await?;
    text.space().await;
    let name = match id.rsplit_once(':') {
        Some((name, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => name.to_owned(),
        _ => id,
    };
    text.close_with(&[END]).await.then_some(Call { name, args })
}
