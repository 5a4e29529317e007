//! What must hold for every text and every dialect.
//!
//! A found answer is written as one line: words as they are, calls as `⟦name {..}⟧`, thoughts as
//! `⟪..⟫`.

mod dialects;
mod forms;
mod places;
mod properties;
mod streaming;

use super::{Found, TextCalls};

pub(super) const TOOLS: [&str; 4] = ["read", "write", "shell", "todo"];

/// What is found in a text that arrives in `pieces`.
fn found<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Vec<Found> {
    found_by(TextCalls::new(tools()), pieces)
}

fn tools() -> Vec<String> {
    TOOLS.map(String::from).to_vec()
}

/// What `reader` finds in it.
fn found_by<'a>(mut reader: TextCalls, pieces: impl IntoIterator<Item = &'a str>) -> Vec<Found> {
    let mut found = Vec::new();
    for piece in pieces {
        reader.feed(piece, &mut found);
    }
    reader.end(&mut found);
    found
}

/// What is found, as one line.
fn line<'a>(pieces: impl IntoIterator<Item = &'a str>) -> String {
    shown(found(pieces))
}

fn shown(found: Vec<Found>) -> String {
    let shown = found.into_iter().map(|found| match found {
        Found::Text(text) => text,
        Found::Thought(text) => format!("⟪{text}⟫"),
        Found::Call { name, args } => format!("⟦{name} {}⟧", serde_json::Value::Object(args)),
        Found::WasThought => "⟪⟫".to_owned(),
    });
    // A thought that came in pieces is one thought.
    shown.collect::<String>().replace("⟫⟪", "")
}

/// Only the calls.
fn calls(text: &str) -> Vec<Found> {
    let mut found = found([text]);
    found.retain(|found| matches!(found, Found::Call { .. }));
    found
}

/// The text is read as `expected`; however it is cut; and what is left of it when it breaks off
/// calls the same, or less.
#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(line([text]), expected, "{text:?}");
    let all = calls(text);
    for (at, _) in text.char_indices() {
        let (one, two) = text.split_at(at);
        assert_eq!(line([one, two]), expected, "{text:?} cut at {at}");
        if !all.is_empty() {
            let some = calls(one);
            assert!(all.starts_with(&some), "{one:?} calls {some:?}");
        }
    }
    let single = text.split_inclusive(|_| true);
    assert_eq!(line(single), expected, "{text:?} in single characters");
}

/// The text is no call and comes out as it is.
#[track_caller]
fn unchanged(text: &str) {
    check(text, text);
}
