//! gpt-oss's channels: `analysis` is thought, `final` and plain `commentary` are for the person, and
//! what is addressed `to=functions.NAME` is a call.

use super::{Outcome, Reading, Span, known};
use crate::text_calls::input::Input;
use crate::text_calls::json;
use crate::text_calls::shape::Call;

const MESSAGE: &str = "<|message|>";
const CHANNEL: &str = "<|channel|>";
const ENDS: &[&str] = &["<|call|>", "<|end|>", "<|return|>"];

/// After `<|channel|>`.
pub(super) fn channel(text: &Input) -> Reading<'_> {
    Box::pin(named(text, String::new()))
}

/// After `<|start|>`: who speaks, and perhaps to whom.
pub(super) fn start(text: &Input) -> Reading<'_> {
    Box::pin(async move {
        let head = head(text).await;
        match text.eat_any(&[CHANNEL, MESSAGE]).await {
            _ if !head.starts_with("assistant") => Outcome::No,
            Some(0) => named(text, head).await,
            Some(_) => addressed(text, &head).await,
            None => Outcome::No,
        }
    })
}

async fn named(text: &Input, before: String) -> Outcome {
    let channel = text.run(char::is_alphabetic).await;
    if !matches!(channel.as_str(), "analysis" | "commentary" | "final") {
        return Outcome::No;
    }
    let mut head = head(text).await;
    if text.eat("<|constrain|>").await {
        head.push(' ');
        head.push_str(&self::head(text).await);
    }
    if !text.eat(MESSAGE).await {
        return Outcome::No;
    }
    let head = format!("{before} {head}");
    if channel == "analysis" && recipient(&head).is_none() {
        return Outcome::Thought(Span {
            closers: ENDS,
            before: &["<|start|>", CHANNEL],
        });
    }
    addressed(text, &head).await
}

/// The words of a head, up to the next mark.
async fn head(text: &Input) -> String {
    text.run(|c| !matches!(c, '<' | '\n')).await
}

fn recipient(head: &str) -> Option<&str> {
    head.split_whitespace()
        .find_map(|word| word.strip_prefix("to="))
}

async fn addressed(text: &Input, head: &str) -> Outcome {
    let Some(name) = recipient(head) else {
        return Outcome::Channel;
    };
    let name = name.to_owned();
    text.space().await;
    let start = text.at();
    let args = match text.peek().await {
        Some('{') => json::object(text).await,
        _ => None,
    };
    if let Some(args) = args {
        text.space().await;
        if text.close_with(ENDS).await {
            return known(text, vec![Call { name, args }]);
        }
    }
    json::skip_broken(text, start).await;
    text.until(ENDS).await;
    Outcome::Text
}
