//! DeepSeek V3 and R1: `function<｜tool▁sep｜>NAME` and fenced JSON; V3.1: `NAME<｜tool▁sep｜>{..}`.

use super::{Outcome, Reading, known, name};
use crate::text_calls::input::Input;
use crate::text_calls::json;
use crate::text_calls::shape::Call;

const BEGIN: &str = "<｜tool▁call▁begin｜>";
const SEPARATOR: &str = "<｜tool▁sep｜>";
const END: &str = "<｜tool▁call▁end｜>";
const ENDS: [&str; 3] = [
    "<｜tool▁calls▁end｜>",
    "<｜tool_calls_end｜>",
    "<｜tool calls end｜>",
];

/// A section of calls.
pub(super) fn section(text: &Input) -> Reading<'_> {
    Box::pin(async move {
        text.space().await;
        if text.eat(BEGIN).await {
            calls(text, true).await
        } else {
            Outcome::No
        }
    })
}

/// A call without a section around it.
pub(super) fn single(text: &Input) -> Reading<'_> {
    Box::pin(calls(text, false))
}

async fn calls(text: &Input, in_section: bool) -> Outcome {
    let mut calls = Vec::new();
    loop {
        match one(text).await {
            Some(call) => calls.push(call),
            None => return broken(text, in_section).await,
        }
        let after = text.at();
        text.space().await;
        if text.eat(BEGIN).await {
            continue;
        }
        if in_section && text.close_with(&ENDS).await {
            return known(text, calls);
        }
        if text.eat_any(&ENDS).await.is_none() {
            text.back_to(after);
        }
        return if in_section {
            Outcome::Broken(&ENDS)
        } else {
            known(text, calls)
        };
    }
}

async fn broken(text: &Input, in_section: bool) -> Outcome {
    if in_section {
        text.until(&ENDS).await
    } else {
        text.until(&[END]).await
    };
    Outcome::Text
}

/// Reads a call after its opening mark.
async fn one(text: &Input) -> Option<Call> {
    text.space().await;
    let mut tool = name(text).await?;
    if !text.eat(SEPARATOR).await {
        return None;
    }
    text.space().await;
    if tool == "function" && text.peek().await != Some('{') {
        tool = name(text).await?;
        text.space().await;
    }
    let is_fenced = text.eat("```json").await || text.eat("```").await;
    let args = json::object(text).await?;
    text.space().await;
    if is_fenced {
        text.close_with(&["```"]).await.then_some(())?;
        text.space().await;
    }
    let name = tool;
    text.close_with(&[END]).await.then_some(Call { name, args })
}
