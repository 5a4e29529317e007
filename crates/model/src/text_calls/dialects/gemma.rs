//! `call:NAME{key:value, ..}`: function-gemma and Gemma 4, which differ in their marks.
//!
//! Keys have no quotes, and strings stand between two equal marks.

use std::pin::Pin;

use serde_json::{Map, Value};

use super::{Outcome, Reading, known, name};
use crate::text_calls::input::Input;
use crate::text_calls::shape::Call;
use crate::text_calls::{json, param};

struct Marks {
    quote: &'static str,
    end: &'static str,
}

const FUNCTION_GEMMA: Marks = Marks {
    quote: "<escape>",
    end: "<end_function_call>",
};

const GEMMA: Marks = Marks {
    quote: "<|\"|>",
    end: "<tool_call|>",
};

/// Deeper is no call but an attack on the stack.
const MOST_DEPTH: usize = 100;

pub(super) fn function_gemma(text: &Input) -> Reading<'_> {
    Box::pin(read(text, &FUNCTION_GEMMA))
}

pub(super) fn gemma(text: &Input) -> Reading<'_> {
    Box::pin(read(text, &GEMMA))
}

async fn read(text: &Input, marks: &'static Marks) -> Outcome {
    text.space().await;
    if !text.eat("call:").await {
        return Outcome::No;
    }
    let Some(name) = name(text).await else {
        return Outcome::No;
    };
    if text.peek().await == Some('{')
        && let Some(Value::Object(args)) = value(text, marks, 0).await
    {
        text.space().await;
        if text.close_with(&[marks.end]).await {
            return known(text, vec![Call { name, args }]);
        }
    }
    text.until(&[marks.end]).await;
    Outcome::Text
}

type Nested<'a> = Pin<Box<dyn Future<Output = Option<Value>> + Send + 'a>>;

fn value<'a>(text: &'a Input, marks: &'static Marks, depth: usize) -> Nested<'a> {
    Box::pin(async move {
        if depth > MOST_DEPTH {
            return None;
        }
        text.space().await;
        if text.eat(marks.quote).await {
            let (string, _) = text.until(&[marks.quote]).await?;
            return Some(Value::String(string));
        }
        match text.peek().await? {
            '{' => members(text, marks, depth).await,
            '[' => items(text, marks, depth).await,
            _ => json::value(text).await,
        }
    })
}

async fn members(text: &Input, marks: &'static Marks, depth: usize) -> Option<Value> {
    let mut members = Map::new();
    text.next().await;
    loop {
        text.space().await;
        if text.eat("}").await {
            return Some(Value::Object(members));
        }
        let key = if text.eat(marks.quote).await {
            text.until(&[marks.quote]).await?.0
        } else {
            text.run(|c| !matches!(c, ':' | '{' | '}' | ',' | '\n'))
                .await
        };
        if !text.eat(":").await {
            return None;
        }
        let value = value(text, marks, depth + 1).await?;
        let key = key.trim().trim_matches('"').to_owned();
        param::add(&mut members, key, value)?;
        if !separated(text, '}').await {
            return None;
        }
    }
}

async fn items(text: &Input, marks: &'static Marks, depth: usize) -> Option<Value> {
    let mut items = Vec::new();
    text.next().await;
    loop {
        text.space().await;
        if text.eat("]").await {
            return Some(Value::Array(items));
        }
        items.push(value(text, marks, depth + 1).await?);
        if !separated(text, ']').await {
            return None;
        }
    }
}

async fn separated(text: &Input, closer: char) -> bool {
    text.space().await;
    text.eat(",").await || text.peek().await == Some(closer)
}
