//! Lines of the text.

use std::ops::Range;

/// The line around `at`, without its newline.
pub(crate) fn around(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |found| found + 1);
    let end = text[at..].find('\n').map_or(text.len(), |found| at + found);
    start..end
}

/// The line that is `count` lines after the one around `at`, or the last one.
pub(crate) fn below(text: &str, at: usize, count: usize) -> Range<usize> {
    let mut line = around(text, at);
    for _ in 0..count {
        if line.end == text.len() {
            break;
        }
        line = around(text, line.end + 1);
    }
    line
}

/// The line that is `count` lines before the one around `at`, or the first one.
pub(crate) fn above(text: &str, at: usize, count: usize) -> Range<usize> {
    let mut line = around(text, at);
    for _ in 0..count {
        if line.start == 0 {
            break;
        }
        line = around(text, line.start - 1);
    }
    line
}

/// Where the text of the line around `at` begins, or the end of a line of blanks.
pub(crate) fn first_text(text: &str, at: usize) -> usize {
    let line = around(text, at);
    line.end - text[line].trim_start().len()
}

/// Whether `at` is in a line without characters.
pub(crate) fn is_empty(text: &str, at: usize) -> bool {
    let starts = at == 0 || text[..at].ends_with('\n');
    let ends = at == text.len() || text[at..].starts_with('\n');
    starts && ends
}
