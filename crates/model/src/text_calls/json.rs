//! JSON as models write it.
//!
//! What is closed is read with good will: comments, trailing commas, single quotes, keys without
//! quotes, Python's literals, and line breaks inside strings. What is not closed, or where it is
//! not clear what was meant (a wrong escape, a missing comma, a quote too many), is not read at
//! all.

use std::pin::Pin;

use serde_json::{Map, Number, Value};

use super::input::Input;
use super::param;

/// Deeper is no call but an attack on the stack.
const MOST_DEPTH: usize = 100;

/// Reads one value. If there is none, the cursor is at the character that does not fit.
pub(super) async fn value(text: &Input) -> Option<Value> {
    nested(text, 0).await
}

/// Reads one object.
pub(super) async fn object(text: &Input) -> Option<Map<String, Value>> {
    space(text).await;
    if text.peek().await != Some('{') {
        return None;
    }
    match value(text).await? {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

/// Skips white space and comments.
pub(super) async fn space(text: &Input) {
    loop {
        text.space().await;
        match text.eat_any(&["//", "#", "/*"]).await {
            Some(2) => {
                text.until(&["*/"]).await;
            }
            Some(_) => {
                text.run(|c| c != '\n').await;
            }
            None => return,
        }
    }
}

/// Reads a string in double or single quotes.
pub(super) async fn string(text: &Input) -> Option<String> {
    let quote = text.peek().await.filter(|c| matches!(c, '"' | '\''))?;
    text.next().await;
    let mut string = String::new();
    loop {
        string.push_str(&text.run(|c| c != quote && c != '\\').await);
        if text.next().await? == quote {
            return Some(string);
        }
        string.push(escape(text).await?);
    }
}

/// A name without quotes.
pub(super) async fn word(text: &Input) -> String {
    text.run(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '-'))
        .await
}

type Nested<'a> = Pin<Box<dyn Future<Output = Option<Value>> + Send + 'a>>;

fn nested(text: &Input, depth: usize) -> Nested<'_> {
    Box::pin(async move {
        if depth > MOST_DEPTH {
            return None;
        }
        space(text).await;
        match text.peek().await? {
            '{' => members(text, depth).await.map(Value::Object),
            '[' => items(text, depth).await.map(Value::Array),
            '"' | '\'' => string(text).await.map(Value::String),
            _ => scalar(text).await,
        }
    })
}

async fn members(text: &Input, depth: usize) -> Option<Map<String, Value>> {
    let mut members = Map::new();
    text.next().await;
    loop {
        space(text).await;
        if text.eat("}").await {
            return Some(members);
        }
        let key = key(text).await?;
        space(text).await;
        if !text.eat(":").await {
            return None;
        }
        let value = nested(text, depth + 1).await?;
        param::add(&mut members, key, value)?;
        if !comma(text, '}').await {
            return None;
        }
    }
}

async fn items(text: &Input, depth: usize) -> Option<Vec<Value>> {
    let mut items = Vec::new();
    text.next().await;
    loop {
        space(text).await;
        if text.eat("]").await {
            return Some(items);
        }
        items.push(nested(text, depth + 1).await?);
        if !comma(text, ']').await {
            return None;
        }
    }
}

/// Takes a comma; or sees that `closer` comes next.
async fn comma(text: &Input, closer: char) -> bool {
    space(text).await;
    text.eat(",").await || text.peek().await == Some(closer)
}

async fn key(text: &Input) -> Option<String> {
    match text.peek().await? {
        '"' | '\'' => string(text).await,
        c if c.is_alphabetic() || matches!(c, '_' | '$') => Some(word(text).await),
        _ => None,
    }
}

async fn scalar(text: &Input) -> Option<Value> {
    let word = text
        .run(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-' | '.'))
        .await;
    match word.as_str() {
        "true" | "True" => Some(Value::Bool(true)),
        "false" | "False" => Some(Value::Bool(false)),
        "null" | "None" => Some(Value::Null),
        number => serde_json::from_str::<Number>(number)
            .ok()
            .map(Value::Number),
    }
}

async fn escape(text: &Input) -> Option<char> {
    Some(match text.next().await? {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        c @ ('"' | '\'' | '\\' | '/') => c,
        'u' => return unicode(text).await,
        _ => return None,
    })
}

/// What follows `\u`. A lone half of a surrogate pair becomes U+FFFD: models write them, and they
/// are no reason to lose the rest.
async fn unicode(text: &Input) -> Option<char> {
    let first = unit(text).await?;
    if !(0xd800..0xdc00).contains(&first) {
        return Some(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
    }
    let after_first = text.at();
    if text.eat("\\u").await
        && let Some(second @ 0xdc00..0xe000) = unit(text).await
    {
        return char::from_u32(0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00));
    }
    text.back_to(after_first);
    Some(char::REPLACEMENT_CHARACTER)
}

async fn unit(text: &Input) -> Option<u32> {
    let mut unit = 0;
    for _ in 0..4 {
        unit = unit * 16 + text.peek().await?.to_digit(16)?;
        text.next().await;
    }
    Some(unit)
}

/// Whether broken JSON was meant to be a call, as far as one can tell.
pub(super) fn looks_like_call(broken: &str) -> bool {
    broken.contains("tool_call")
        || (broken.contains("name") && ["arg", "param"].iter().any(|key| broken.contains(key)))
}

/// Passes over JSON that began at `start` and is broken where the cursor is: up to the place where
/// there have been as many closing braces as opening ones, in strings or not.
pub(super) async fn skip_broken(text: &Input, start: usize) {
    let count = |text: &str, brace| text.matches(brace).count();
    let read = text.since(start);
    let closed = count(&read, '}') + count(&read, ']');
    let mut depth = (count(&read, '{') + count(&read, '[')).saturating_sub(closed);
    while depth > 0 {
        match text.next().await {
            Some('{' | '[') => depth += 1,
            Some('}' | ']') => depth -= 1,
            Some(_) => {}
            None => return,
        }
    }
}
