//! `<function=NAME>`: Qwen3-Coder with `<parameter=KEY>`, Seed-OSS likewise, Llama 3.1 with JSON.

use serde_json::{Map, Value};

use super::{Outcome, Reading, known, name};
use crate::text_calls::input::Input;
use crate::text_calls::shape::Call;
use crate::text_calls::{json, param};

const END: &[&str] = &["</function>"];

/// Without a tag around it. Qwen3-Coder forgets the opening tag more often than the closing one.
pub(super) fn bare(text: &Input) -> Reading<'_> {
    Box::pin(async move {
        let call = match one(text).await {
            Ok(call) => call,
            Err(outcome) => return outcome,
        };
        let after = text.at();
        text.space().await;
        if !text.eat("</tool_call>").await {
            text.back_to(after);
        }
        known(text, vec![call])
    })
}

/// In Seed-OSS's tag.
pub(super) fn in_seed(text: &Input) -> Reading<'_> {
    Box::pin(inside(text, &["</seed:tool_call>"]))
}

/// In a tag that is closed with `closer`.
pub(super) async fn inside(text: &Input, closer: &'static [&'static str]) -> Outcome {
    let mut calls = Vec::new();
    loop {
        let after = text.at();
        text.space().await;
        if text.eat("<function=").await {
            match one(text).await {
                Ok(call) => calls.push(call),
                Err(Outcome::No) if calls.is_empty() => return Outcome::No,
                Err(_) => return Outcome::Broken(closer),
            }
        } else if calls.is_empty() {
            return Outcome::No;
        } else if text.close_with(closer).await {
            return known(text, calls);
        } else {
            text.back_to(after);
            return Outcome::Broken(closer);
        }
    }
}

/// Reads a function after `<function=`.
async fn one(text: &Input) -> Result<Call, Outcome> {
    let name = name(text).await.ok_or(Outcome::No)?;
    if !text.eat(">").await {
        return Err(Outcome::No);
    }
    text.space().await;
    let start = text.at();
    let args = match text.peek().await {
        Some('{') => {
            if let Some(args) = json::object(text).await {
                args
            } else if text.eat_any(END).await.is_some() {
                return Err(Outcome::Text);
            } else {
                json::skip_broken(text, start).await;
                return Err(Outcome::Broken(END));
            }
        }
        _ => return parameters(text, name).await,
    };
    text.space().await;
    if text.close_with(END).await {
        Ok(Call { name, args })
    } else {
        Err(Outcome::Broken(END))
    }
}

async fn parameters(text: &Input, name: String) -> Result<Call, Outcome> {
    let mut args = Map::new();
    loop {
        text.space().await;
        match text.eat_any(&["<parameter=", "</function>"]).await {
            Some(0) => {
                let key = text.run(|c| !matches!(c, '>' | '<' | '\n')).await;
                if !text.eat(">").await {
                    return Err(broken(&args));
                }
                let raw = param::raw(text, "<parameter=", "</parameter>").await;
                let raw = raw.ok_or(Outcome::Text)?;
                let key = key.trim().to_owned();
                let value = param::typed(&raw, &text.tools().types(&name, &key));
                if param::add(&mut args, key, value).is_none() {
                    return Err(Outcome::Broken(END));
                }
            }
            Some(_) => return Ok(Call { name, args }),
            None => return Err(broken(&args)),
        }
    }
}

/// After its first parameter it was to be a call, and nothing in it is another.
fn broken(args: &Map<String, Value>) -> Outcome {
    if args.is_empty() {
        return Outcome::No;
    }
    Outcome::Broken(END)
}
