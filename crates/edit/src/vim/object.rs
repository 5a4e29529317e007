//! Text objects: the words, strings, brackets, sentences and paragraphs around the cursor.

use std::ops::Range;

use super::command::{Object, ObjectKind, Shape, Size};
use super::motion::{closing, opening};
use super::sentence;
use super::word::{self, Class};
use crate::line;

/// What `object` is at `at`.
pub(super) fn range(
    text: &str,
    at: usize,
    object: Object,
    count: usize,
) -> Option<(Range<usize>, Shape)> {
    let around = object.around;
    match object.kind {
        ObjectKind::Word(size) if around => Some((a_word(text, at, size, count), Shape::Chars)),
        ObjectKind::Word(size) => Some((inner_word(text, at, size, count), Shape::Chars)),
        ObjectKind::Quotes(quote) => Some((quotes(text, at, quote, around)?, Shape::Chars)),
        ObjectKind::Brackets(open, close) => brackets(text, at, (open, close), (around, count)),
        ObjectKind::Sentence => Some((sentence::range(text, at, around, count)?, Shape::Chars)),
        ObjectKind::Paragraph => Some((paragraph(text, at, around, count), Shape::Lines)),
    }
}

fn inner_word(text: &str, at: usize, size: Size, count: usize) -> Range<usize> {
    let mut range = word::run(text, at, size);
    let line = line::around(text, at);
    for _ in 1..count {
        if range.end < line.end {
            range.end = word::run(text, range.end, size).end;
        }
    }
    range
}

/// Words with the blanks after them; if there are none, those before them.
fn a_word(text: &str, at: usize, size: Size, count: usize) -> Range<usize> {
    let line = line::around(text, at);
    let is_blank = |at| word::class(text, at, size) == Some(Class::Blank);
    let mut range = word::run(text, at, size);
    if is_blank(at) {
        // Here the blanks before words belong to them.
        for step in 1..2 * count {
            if range.end < line.end && (step == 1 || is_blank(range.end) == (step % 2 == 0)) {
                range.end = word::run(text, range.end, size).end;
            }
        }
        return range;
    }
    let mut has_blanks = false;
    for step in 0..count {
        if step > 0 && range.end < line.end {
            range.end = word::run(text, range.end, size).end;
        }
        has_blanks = range.end < line.end && is_blank(range.end);
        if has_blanks {
            range.end = word::run(text, range.end, size).end;
        }
    }
    if !has_blanks {
        let before = &text[line.start..range.start];
        range.start = line.start + before.trim_end().len();
    }
    range
}

/// A string in the line: the one around `at`, or the next one.
fn quotes(text: &str, at: usize, quote: char, around: bool) -> Option<Range<usize>> {
    let line = line::around(text, at);
    let mut places = Vec::new();
    let mut escaped = false;
    for (found, c) in text[line.clone()].char_indices() {
        if c == quote && !escaped {
            places.push(line.start + found);
        }
        escaped = c == '\\' && !escaped;
    }
    let mut pairs = places.as_chunks::<2>().0.iter();
    let [open, close] = *pairs.find(|[_, close]| *close >= at)?;
    if !around {
        return Some(open + 1..close);
    }
    let (start, end) = (open, close + 1);
    let after = &text[end..line.end];
    let blanks = after.len() - after.trim_start().len();
    if blanks > 0 {
        return Some(start..end + blanks);
    }
    Some(line.start + text[line.start..start].trim_end().len()..end)
}

/// What stands between brackets; in the `count`th pair of them around `at`.
fn brackets(
    text: &str,
    at: usize,
    pair: (char, char),
    (around, count): (bool, usize),
) -> Option<(Range<usize>, Shape)> {
    let mut open = if text[at..].starts_with(pair.0) {
        at
    } else {
        opening(text, at, pair)?
    };
    for _ in 1..count {
        open = opening(text, open, pair)?;
    }
    let close = closing(text, open + 1, pair)?;
    if around {
        return Some((open..close + 1, Shape::Chars));
    }
    // Brackets on lines of their own stay there.
    let inside = &text[open + 1..close];
    let last = inside.rfind('\n').unwrap_or(0);
    if inside.starts_with('\n') && last > 0 && inside[last..].trim().is_empty() {
        return Some((open + 2..open + 1 + last, Shape::Lines));
    }
    Some((open + 1..close, Shape::Chars))
}

/// Lines with text or lines without; with the empty ones after them, or else before them.
fn paragraph(text: &str, at: usize, around: bool, count: usize) -> Range<usize> {
    let is_empty = |line: &Range<usize>| text[line.clone()].trim().is_empty();
    let mut range = line::around(text, at);
    let first = is_empty(&range);
    while range.start > 0 && is_empty(&line::around(text, range.start - 1)) == first {
        range.start = line::around(text, range.start - 1).start;
    }
    let runs = if around { 2 * count } else { count };
    let mut last = first;
    for run in 0..runs {
        if run > 0 && range.end < text.len() {
            last = !last;
        }
        while range.end < text.len() {
            let next = line::around(text, range.end + 1);
            if is_empty(&next) != last {
                break;
            }
            range.end = next.end;
        }
    }
    if around && !first && !last {
        while range.start > 0 && is_empty(&line::around(text, range.start - 1)) {
            range.start = line::around(text, range.start - 1).start;
        }
    }
    range
}
