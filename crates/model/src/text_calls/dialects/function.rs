//! `<function=NAME>`: Qwen3-Coder with `<parameter=KEY>`, Seed-OSS likewise, Llama 3.1 with JSON.

use serde_json::{Map, Value};

use super::{Outcome, Reading, known, name};
use crate::text_calls::input::Input;
use crate::text_calls::shape::Call;
use crate::text_calls::{json, param};

/// Without a tag around it. Qwen3-Coder forgets the opening tag more often than the closing one.
pub(super) fn bare(text: &Input) -> Reading<'_> {
    Box::pin(async move {
        let outcome = one(text).await;
        let after = text.at();
        text.space().await;
        if !text.eat("</tool_call>").await {
            text.back_to(after);
        }
        match outcome {
            Ok(call) => known(text, vec![call]),
            Err(outcome) => outcome,
        }
    })
}

/// In Seed-OSS's tag.
pub(super) fn in_seed(text: &Input) -> Reading<'_> {
    Box::pin(inside(text, "</seed:tool_call>"))
}

/// In a tag that is closed with `closer`.
pub(super) async fn inside(text: &Input, closer: &str) -> Outcome {
    let mut calls = Vec::new();
    loop {
        let after = text.at();
        text.space().await;
        if text.eat("<function=").await {
            match one(text).await {
                Ok(call) => calls.push(call),
                Err(Outcome::No) if calls.is_empty() => return Outcome::No,
                Err(_) => {
                    text.until(&[closer]).await;
                    return Outcome::Text;
                }
            }
        } else if calls.is_empty() {
            return Outcome::No;
        } else if text.close_with(&[closer]).await {
            return known(text, calls);
        } else {
            text.back_to(after);
            return Outcome::Text;
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
            } else {
                json::skip_broken(text, start).await;
                return Err(Outcome::Text);
            }
        }
        _ => return parameters(text, name).await,
    };
    text.space().await;
    if text.close_with(&["</function>"]).await {
        Ok(Call { name, args })
    } else {
        Err(Outcome::Text)
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
                    return Err(broken(text, &args).await);
                }
                let raw = param::raw(text, "<parameter=", "</parameter>").await;
                let raw = raw.ok_or(Outcome::Text)?;
                args.insert(key.trim().to_owned(), param::typed(&raw));
            }
            Some(_) => return Ok(Call { name, args }),
            None => return Err(broken(text, &args).await),
        }
    }
}

/// After its first parameter it was to be a call, and nothing in it is another.
async fn broken(text: &Input, args: &Map<String, Value>) -> Outcome {
    if args.is_empty() {
        return Outcome::No;
    }
    text.until(&["</function>"]).await;
    Outcome::Text
}
