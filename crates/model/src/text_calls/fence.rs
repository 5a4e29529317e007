//! Fenced blocks.
//!
//! A block holds calls if its info string allows it and its whole body is calls. Any other block
//! is passed over up to its end: what is in it is shown, not meant.

use super::dialects::{Outcome, known};
use super::input::{Input, Kind};
use super::json;
use super::prose::Prose;
use super::shape::{self, Call, Carrier};

/// The first line of a block.
#[derive(Clone, Debug)]
pub(super) struct Fence {
    mark: char,
    count: usize,
    indent: usize,
    /// What its info string says of the body; `None` if it says that it is something else.
    carrier: Option<Carrier>,
}

/// What there is in a block.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Body {
    /// Calls and nothing else. The cursor is after the block.
    Calls(Vec<Call>),
    /// JSON that is no call. The cursor is after the block.
    Closed,
    /// Something else. The cursor is where it is certain that the block is still open.
    Open,
}

/// Whether there are closing marks.
enum Closing {
    Here,
    /// Marks with an info string on a line of their own: they open the next block, or belong to
    /// what this one shows.
    Forgotten,
    No,
}

/// Reads on after `count` marks; puts the cursor back if they open no block.
pub(super) async fn open(text: &Input, mark: char, count: usize, prose: &Prose) -> Option<Fence> {
    let after_marks = text.at();
    if count < 3 || (prose.is_code() && prose.indent().is_none()) {
        return None;
    }
    text.run(|c| c == ' ').await;
    let info = text
        .run(|c| !c.is_whitespace() && !matches!(c, '`' | '{' | '['))
        .await;
    let carrier = carrier(&info);
    let is_fence = match (prose.indent(), mark) {
        // In the middle of a line, or after the mark of a list item, a block must be unmistakable.
        (None, '`') => carrier.is_some() && !info.is_empty() && line_ends(text).await,
        (None, _) => false,
        (Some(_), '`') => !is_span(text, carrier).await,
        (Some(_), _) => true,
    };
    if !is_fence {
        text.back_to(after_marks);
        return None;
    }
    Some(Fence {
        mark,
        count,
        indent: prose.indent().unwrap_or(4),
        carrier,
    })
}

fn carrier(info: &str) -> Option<Carrier> {
    match info.to_ascii_lowercase().as_str() {
        "" | "json" | "jsonc" | "json5" => Some(Carrier::Alone),
        "tool_call" | "tool" => Some(Carrier::Marked),
        _ => None,
    }
}

/// Whether the marks open a code span: there are backticks later in the line, and it is no call
/// on one line.
async fn is_span(text: &Input, carrier: Option<Carrier>) -> bool {
    let after_info = text.at();
    text.run(|c| matches!(c, ' ' | '\t')).await;
    let may_be_call = carrier.is_some() && matches!(text.peek().await, Some('{' | '['));
    text.run(|c| !may_be_call && c != '\n' && c != '`').await;
    let is_span = text.peek().await == Some('`');
    text.back_to(after_info);
    is_span
}

async fn line_ends(text: &Input) -> bool {
    text.run(|c| matches!(c, ' ' | '\t' | '\r')).await;
    text.peek().await == Some('\n')
}

impl Fence {
    pub(super) fn may_hold_calls(&self) -> bool {
        self.carrier.is_some()
    }

    /// Reads a body that should be calls.
    pub(super) async fn calls(&self, text: &Input) -> Body {
        let start = text.at();
        let mut calls = Some(Vec::new());
        let mut end = start;
        loop {
            text.run(|c| c.is_whitespace() || matches!(c, ',' | ';'))
                .await;
            json::space(text).await;
            match text.peek().await {
                Some('{' | '[') => {}
                Some(mark) if mark == self.mark && text.at() > start => break,
                None => break,
                _ => return Body::Open,
            }
            let document = text.at();
            let Some(value) = json::value(text).await else {
                return self.broken(text, start, document).await;
            };
            let more = shape::calls(&value, self.carrier.unwrap_or(Carrier::Prose));
            calls = shape::joined(calls, more);
            end = text.at();
        }
        let closing = self.close(text, end).await;
        match (closing, known(text, calls.unwrap_or_default())) {
            (Closing::Here | Closing::Forgotten, Outcome::Calls(calls)) => Body::Calls(calls),
            (Closing::Here, _) => Body::Closed,
            _ => Body::Open,
        }
    }

    /// Takes the closing marks of a block whose JSON ends at `end`.
    async fn close(&self, text: &Input, end: usize) -> Closing {
        let is_own_line = text.since(end).contains('\n');
        let marks = text.at();
        let closer = self.mark.to_string().repeat(self.count);
        if !text.close_with(&[&closer]).await {
            return Closing::No;
        }
        text.run(|c| c == self.mark).await;
        if is_own_line && text.peek().await.is_some_and(char::is_alphanumeric) {
            text.back_to(marks);
            return Closing::Forgotten;
        }
        Closing::Here
    }

    /// The JSON that began at `document` is broken. If it was to be a call, then what follows may
    /// be the inside of its strings; it is passed over up to where the braces are even.
    async fn broken(&self, text: &Input, start: usize, document: usize) -> Body {
        let is_closing = text.peek().await == Some(self.mark);
        if is_closing || !json::looks_like_call(&text.since(document)) {
            if !text.ran_out() {
                text.back_to(start);
            }
        } else {
            json::skip_broken(text, document).await;
        }
        Body::Open
    }

    /// Gives out the rest of the block. It ends with a line of enough marks.
    pub(super) async fn pass(&self, text: &Input) {
        let (mut indent, mut marks, mut is_closer) = (0, 0, false);
        loop {
            match text.peek().await {
                None => return,
                Some('\n') if is_closer && marks >= self.count => return,
                Some('\n') => (indent, marks, is_closer) = (0, 0, true),
                Some(c) if c == self.mark && is_closer => marks += 1,
                Some(' ') if marks == 0 => indent += 1,
                Some(' ' | '\t' | '\r') if marks > 0 => {}
                Some(_) => is_closer = false,
            }
            is_closer &= indent <= self.indent + 3;
            text.next().await;
            text.release(Kind::Text);
            if !is_closer {
                text.pass_run(|c| c != '\n').await;
            }
        }
    }
}
