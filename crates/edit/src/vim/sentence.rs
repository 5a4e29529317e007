//! Sentences: up to a `.`, `!` or `?` before a blank, also over lines, but not over an empty one.

use std::ops::Range;

use crate::grapheme;
use crate::line;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Sentence,
    /// What stands between two sentences.
    Blanks,
    /// Blanks with an empty line in them: no sentence goes on behind it.
    Break,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    kind: Kind,
    range: Range<usize>,
}

/// As many sentences and blanks as `count` says from those at `at` on; or, `around`, sentences with
/// the blanks after them, or else before them. Between paragraphs there is nothing.
pub(super) fn range(text: &str, at: usize, around: bool, count: usize) -> Option<Range<usize>> {
    let parts = parts(text);
    let here = parts.iter().position(|part| part.range.contains(&at))?;
    let (before, rest) = parts.split_at(here);
    let paragraph = rest.iter().take_while(|part| part.kind != Kind::Break);
    let wanted = if around { 2 * count } else { count };
    let taken: Vec<&Part> = paragraph.take(wanted).collect();
    let (first, last) = (taken.first()?, taken.last()?);
    let lacks_blanks = first.kind == Kind::Sentence && last.kind == Kind::Sentence;
    let start = match before.last() {
        Some(blanks) if around && lacks_blanks && blanks.kind == Kind::Blanks => {
            // The line that the sentence begins stays one.
            let line = line::around(text, first.range.start);
            blanks.range.start.max(line.start)
        }
        _ => first.range.start,
    };
    Some(start..last.range.end)
}

/// The whole text, part by part.
fn parts(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for run in runs(text) {
        match parts.as_mut_slice() {
            [.., sentence, blanks]
                if run.kind == Kind::Sentence
                    && blanks.kind == Kind::Blanks
                    && !is_ended(&text[sentence.range.clone()]) =>
            {
                sentence.range.end = run.range.end;
                parts.pop();
            }
            _ => parts.push(run),
        }
    }
    parts
}

/// Words and blanks in turn, as if each word were a sentence.
fn runs(text: &str) -> Vec<Part> {
    let is_blank = |unit: &str| unit.starts_with(char::is_whitespace);
    let mut runs: Vec<Part> = Vec::new();
    for (at, unit) in grapheme::all(text) {
        let end = at + unit.len();
        let kind = if is_blank(unit) {
            Kind::Blanks
        } else {
            Kind::Sentence
        };
        match runs.last_mut() {
            Some(run) if run.kind == kind => run.range.end = end,
            _ => runs.push(Part {
                kind,
                range: at..end,
            }),
        }
    }
    for run in &mut runs {
        if run.kind == Kind::Blanks && has_empty_line(text, &run.range) {
            run.kind = Kind::Break;
        }
    }
    runs
}

fn has_empty_line(text: &str, blanks: &Range<usize>) -> bool {
    let newlines = text[blanks.clone()].matches('\n').count();
    let is_at_edge = blanks.start == 0 || blanks.end == text.len();
    newlines > 1 || newlines == 1 && is_at_edge
}

/// Whether `words` end a sentence, also within brackets or quotes.
fn is_ended(words: &str) -> bool {
    let words = words.trim_end_matches([')', ']', '"', '\'']);
    words.ends_with(['.', '!', '?'])
}
