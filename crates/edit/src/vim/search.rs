//! Finding a text, over the end and from the start again.

use super::command::{Direction, Pattern};
use crate::grapheme;
use crate::line;

/// The match of `pattern` after (or before) the one at `at`.
pub(super) fn find(
    text: &str,
    at: usize,
    pattern: &Pattern,
    direction: Direction,
) -> Option<usize> {
    if pattern.text.is_empty() {
        return None;
    }
    let found = text.match_indices(pattern.text.as_str()).map(|(at, _)| at);
    let mut found = found.filter(|at| is_match(text, *at, pattern));
    match direction {
        Direction::Forward => {
            let first = found.next()?;
            let next = if first > at {
                Some(first)
            } else {
                found.find(|found| *found > at)
            };
            Some(next.unwrap_or(first))
        }
        Direction::Back => {
            let all: Vec<usize> = found.collect();
            let before = all.iter().rev().find(|found| **found < at);
            before.or(all.last()).copied()
        }
    }
}

/// The word at `at`, or the first one after it in the line.
pub(super) fn word_at(text: &str, at: usize) -> Option<(usize, &str)> {
    let line = line::around(text, at);
    let before = text[line.start..at].trim_end_matches(is_letter);
    let start = match text[at..line.end].chars().next() {
        Some(c) if is_letter(c) => line.start + before.len(),
        _ => at + text[at..line.end].find(is_letter)?,
    };
    let rest = &text[start..line.end];
    let length = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
    Some((start, &rest[..length]))
}

fn is_match(text: &str, at: usize, pattern: &Pattern) -> bool {
    let end = at + pattern.text.len();
    let is_whole = !text[..at].ends_with(is_letter) && !text[end..].starts_with(is_letter);
    grapheme::is_boundary(text, at) && (is_whole || !pattern.whole_word)
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
