//! Words as vim sees them: runs of letters, runs of signs, and blanks between them.

use std::ops::Range;

use super::command::Size;
use crate::atom::is_atom;
use crate::grapheme;
use crate::line;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Newline,
    Blank,
    Letters,
    Signs,
    /// A pasted block.
    Block,
}

/// The class of the character at `at`; none at the end.
pub(super) fn class(text: &str, at: usize, size: Size) -> Option<Class> {
    Some(match text[at..].chars().next()? {
        '\n' => Class::Newline,
        c if c.is_whitespace() => Class::Blank,
        _ if size == Size::Big => Class::Letters,
        c if is_atom(c) => Class::Block,
        c if c.is_alphanumeric() || c == '_' => Class::Letters,
        _ => Class::Signs,
    })
}

/// The characters of one class around `at`, in its line.
pub(super) fn run(text: &str, at: usize, size: Size) -> Range<usize> {
    let line = line::around(text, at);
    let same = class(text, at, size);
    let (mut start, mut end) = (at, at);
    while end < line.end && class(text, end, size) == same {
        end = grapheme::next(text, end);
    }
    while start > line.start {
        let before = grapheme::previous(text, start);
        if class(text, before, size) != same {
            break;
        }
        start = before;
    }
    start..end
}

/// The start of the next word, or the end of the text. An empty line is a word.
pub(super) fn next(text: &str, from: usize, size: Size) -> Option<usize> {
    let mut at = from;
    if !is_blank(text, at, size) {
        at = run(text, at, size).end;
    }
    while at < text.len() && is_blank(text, at, size) {
        if at > from && line::is_empty(text, at) {
            break;
        }
        at = grapheme::next(text, at);
    }
    (at > from).then_some(at)
}

/// The last character of this word, or of the next one if that is where it begins.
pub(super) fn end(text: &str, from: usize, size: Size) -> Option<usize> {
    let mut at = grapheme::next(text, from);
    while at < text.len() && is_blank(text, at, size) {
        at = grapheme::next(text, at);
    }
    if at == text.len() {
        let last = grapheme::previous(text, at);
        return (last > from).then_some(last);
    }
    Some(grapheme::previous(text, run(text, at, size).end))
}

/// The start of this word, or of the one before if that is where it begins.
pub(super) fn back(text: &str, from: usize, size: Size) -> Option<usize> {
    let at = skip_blanks_back(text, from, size)?;
    Some(match class(text, at, size) {
        Some(Class::Blank | Class::Newline) => at,
        _ => run(text, at, size).start,
    })
}

/// The last character of the word before this one.
pub(super) fn end_back(text: &str, from: usize, size: Size) -> Option<usize> {
    let start = if is_blank(text, from, size) {
        from
    } else {
        run(text, from, size).start
    };
    skip_blanks_back(text, start, size).or((from > 0).then_some(0))
}

/// The character before `from` that is no blank, or an empty line; the start if all are blank.
fn skip_blanks_back(text: &str, from: usize, size: Size) -> Option<usize> {
    let mut at = from;
    while at > 0 {
        at = grapheme::previous(text, at);
        if !is_blank(text, at, size) || line::is_empty(text, at) {
            break;
        }
    }
    (at < from).then_some(at)
}

fn is_blank(text: &str, at: usize, size: Size) -> bool {
    matches!(class(text, at, size), Some(Class::Blank | Class::Newline))
}
