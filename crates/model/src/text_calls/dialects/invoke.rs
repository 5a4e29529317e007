//! `<invoke name="..">` and its relatives: `MiniMax` M2, and DeepSeek V3.2's DSML.

use serde_json::{Map, Value};

use super::{Outcome, Reading, known};
use crate::text_calls::input::Input;
use crate::text_calls::param;
use crate::text_calls::shape::Call;

/// How a family writes its tags.
struct Tags {
    invoke: &'static str,
    end_invoke: &'static str,
    parameter: &'static str,
    end_parameter: &'static str,
}

const PLAIN: Tags = Tags {
    invoke: "<invoke",
    end_invoke: "</invoke>",
    parameter: "<parameter",
    end_parameter: "</parameter>",
};

const DSML: Tags = Tags {
    invoke: "<｜DSML｜invoke",
    end_invoke: "</｜DSML｜invoke>",
    parameter: "<｜DSML｜parameter",
    end_parameter: "</｜DSML｜parameter>",
};

pub(super) fn minimax(text: &Input) -> Reading<'_> {
    Box::pin(block(text, &PLAIN, "</minimax:tool_call>"))
}

pub(super) fn function_calls(text: &Input) -> Reading<'_> {
    Box::pin(block(text, &PLAIN, "</function_calls>"))
}

pub(super) fn dsml(text: &Input) -> Reading<'_> {
    Box::pin(block(text, &DSML, "</｜DSML｜function_calls>"))
}

pub(super) fn dsml_tool_calls(text: &Input) -> Reading<'_> {
    Box::pin(block(text, &DSML, "</｜DSML｜tool_calls>"))
}

pub(super) fn bare(text: &Input) -> Reading<'_> {
    Box::pin(single(text, &PLAIN))
}

pub(super) fn dsml_bare(text: &Input) -> Reading<'_> {
    Box::pin(single(text, &DSML))
}

async fn single(text: &Input, tags: &Tags) -> Outcome {
    match one(text, tags).await {
        Ok(call) => known(text, vec![call]),
        Err(outcome) => outcome,
    }
}

async fn block(text: &Input, tags: &Tags, closer: &str) -> Outcome {
    let mut calls = Vec::new();
    loop {
        text.space().await;
        if text.eat(tags.invoke).await {
            match one(text, tags).await {
                Ok(call) => calls.push(call),
                Err(Outcome::No) if calls.is_empty() => return Outcome::No,
                Err(_) => break,
            }
        } else if calls.is_empty() {
            return Outcome::No;
        } else if text.close_with(&[closer]).await {
            return known(text, calls);
        } else {
            break;
        }
    }
    text.until(&[closer]).await;
    Outcome::Text
}

/// Reads a call after `<invoke`.
async fn one(text: &Input, tags: &Tags) -> Result<Call, Outcome> {
    let name = attribute(text, "name").await.ok_or(Outcome::No)?;
    if !text.eat(">").await {
        return Err(Outcome::No);
    }
    let mut args = Map::new();
    loop {
        text.space().await;
        match text.eat_any(&[tags.parameter, tags.end_invoke]).await {
            Some(0) => {
                let added = match parameter(text, tags, &name).await {
                    Some((key, value)) => param::add(&mut args, key, value),
                    None => None,
                };
                if added.is_none() {
                    text.until(&[tags.end_invoke]).await;
                    return Err(Outcome::Text);
                }
            }
            Some(_) => return Ok(Call { name, args }),
            None if args.is_empty() => return Err(Outcome::No),
            None => {
                text.until(&[tags.end_invoke]).await;
                return Err(Outcome::Text);
            }
        }
    }
}

async fn parameter(text: &Input, tags: &Tags, tool: &str) -> Option<(String, Value)> {
    let key = attribute(text, "name").await?;
    let is_string = attribute(text, "string").await;
    text.space().await;
    if !text.eat(">").await {
        return None;
    }
    let raw = param::raw(text, tags.parameter, tags.end_parameter).await?;
    let value = match is_string.as_deref() {
        Some("true") => Value::String(raw),
        Some("false") => serde_json::from_str(raw.trim()).ok()?,
        _ => param::typed(&raw, &text.tools().types(tool, &key)),
    };
    Some((key, value))
}

/// Reads ` name="value"`.
async fn attribute(text: &Input, name: &str) -> Option<String> {
    text.space().await;
    if !(text.eat(name).await && text.eat("=").await) {
        return None;
    }
    let quote = ["\"", "'"][text.eat_any(&["\"", "'"]).await?];
    let value = text
        .run(|c| !quote.contains(c) && !matches!(c, '\n' | '<' | '>'))
        .await;
    text.eat(quote).await.then_some(value)
}
