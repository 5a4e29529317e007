//! Where motions lead. Pure: from a text and a place to a place.

use super::command::{Direction, Find, Motion, Size};
use super::search;
use super::word;
use crate::grapheme;
use crate::line;
use crate::text::Text;
use crate::wrap;

/// Where a motion leads, and what an operator takes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Landing {
    pub(super) at: usize,
    pub(super) reach: Reach,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Up to the character.
    Exclusive,
    /// With the character.
    Inclusive,
    /// All lines from here to there.
    Lines,
}

/// Where `motion` leads from `at`, `count` times; `None` if it leads nowhere. `column` is what
/// moving up and down keeps to. `FindAgain` and the like must have been looked up before.
pub(super) fn landing(
    text: &Text,
    at: usize,
    motion: &Motion,
    count: Option<usize>,
    column: usize,
) -> Option<Landing> {
    let content = text.as_str();
    let times = count.unwrap_or(1);
    let line = line::around(content, at);
    let exclusive = |at| {
        Some(Landing {
            at,
            reach: Reach::Exclusive,
        })
    };
    let inclusive = |at| {
        Some(Landing {
            at,
            reach: Reach::Inclusive,
        })
    };
    let lines = |at| {
        Some(Landing {
            at,
            reach: Reach::Lines,
        })
    };
    match motion {
        Motion::Left => exclusive(steps(at, times, |at| {
            (at > line.start).then(|| grapheme::previous(content, at))
        })?),
        Motion::Right => exclusive(steps(at, times, |at| {
            (at < line.end).then(|| grapheme::next(content, at))
        })?),
        Motion::Up | Motion::Down => {
            let to = match motion {
                Motion::Up => line::above(content, at, times),
                _ => line::below(content, at, times),
            };
            let column = wrap::at_column(&content[to.clone()], column, text.atoms());
            (to != line).then_some(())?;
            lines(to.start + column)
        }
        Motion::LineStart => exclusive(line.start),
        Motion::FirstText => exclusive(line::first_text(content, at)),
        Motion::LineEnd => exclusive(line::below(content, at, times - 1).end),
        Motion::Word(size) => exclusive(steps(at, times, |at| word::next(content, at, *size))?),
        Motion::WordBack(size) => exclusive(steps(at, times, |at| word::back(content, at, *size))?),
        Motion::WordEnd(size) => inclusive(steps(at, times, |at| word::end(content, at, *size))?),
        Motion::WordEndBack(size) => {
            inclusive(steps(at, times, |at| word::end_back(content, at, *size))?)
        }
        Motion::FirstLine => lines(line::first_text(
            content,
            line::below(content, 0, times - 1).start,
        )),
        Motion::LastLine => {
            let to = match count {
                Some(number) => line::below(content, 0, number - 1).start,
                None => content.len(),
            };
            lines(line::first_text(content, to))
        }
        Motion::Find(find) => {
            let found = find_in_line(content, at, *find, times)?;
            match find.direction {
                Direction::Forward => inclusive(found),
                Direction::Back => exclusive(found),
            }
        }
        Motion::Pair => inclusive(pair(content, at)?),
        Motion::ParagraphBack => exclusive(steps(at, times, |at| paragraph_back(content, at))?),
        Motion::ParagraphForward => {
            exclusive(steps(at, times, |at| paragraph_forward(content, at))?)
        }
        Motion::Search(pattern, direction) => exclusive(steps(at, times, |at| {
            search::find(content, at, pattern, *direction)
        })?),
        Motion::FindAgain { .. } | Motion::SearchAgain { .. } | Motion::SearchWord(_) => None,
    }
}

/// The place after `times` steps, or after as many as there are; `None` if there is none.
fn steps(at: usize, times: usize, step: impl Fn(usize) -> Option<usize>) -> Option<usize> {
    let mut reached = step(at)?;
    for _ in 1..times {
        match step(reached) {
            Some(next) if next != reached => reached = next,
            _ => break,
        }
    }
    Some(reached)
}

/// Where `cw` ends: with the word under the cursor, even if the cursor is on its last character.
pub(super) fn word_to_change(text: &str, at: usize, size: Size, times: usize) -> usize {
    let first = word::run(text, at, size).end;
    let last = grapheme::previous(text, first);
    match times {
        0 | 1 => first,
        times => {
            let end = steps(last, times - 1, |at| word::end(text, at, size));
            grapheme::next(text, end.unwrap_or(last))
        }
    }
}

fn find_in_line(text: &str, at: usize, find: Find, times: usize) -> Option<usize> {
    let line = line::around(text, at);
    let is_target = |place: usize| text[place..].starts_with(find.target);
    let step = |place: usize| match find.direction {
        Direction::Forward => (place < line.end).then(|| grapheme::next(text, place)),
        Direction::Back => (place > line.start).then(|| grapheme::previous(text, place)),
    };
    let next = |place: usize| {
        let mut places = std::iter::successors(step(place), |place| step(*place));
        places.find(|place| *place < line.end && is_target(*place))
    };
    // Beside the target that `t` found before: begin behind it.
    let start = if find.till && find.again {
        step(at)?
    } else {
        at
    };
    let mut found = start;
    for _ in 0..times {
        found = next(found)?;
    }
    match (find.till, find.direction) {
        (false, _) => Some(found),
        (true, Direction::Forward) => Some(grapheme::previous(text, found)),
        (true, Direction::Back) => Some(grapheme::next(text, found)),
    }
}

/// The bracket that belongs to the first one at or after `at` in the line.
fn pair(text: &str, at: usize) -> Option<usize> {
    const PAIRS: [(char, char); 3] = [('(', ')'), ('[', ']'), ('{', '}')];
    let line = line::around(text, at);
    let here = &text[at..line.end];
    let (found, bracket) = here.char_indices().find(|(_, c)| "()[]{}".contains(*c))?;
    let place = at + found;
    let (open, close) = PAIRS
        .into_iter()
        .find(|(open, close)| [*open, *close].contains(&bracket))?;
    if bracket == open {
        closing(text, place + 1, (open, close))
    } else {
        opening(text, place, (open, close))
    }
}

/// The bracket that closes what is open at `from`.
pub(super) fn closing(text: &str, from: usize, (open, close): (char, char)) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text[from..].char_indices() {
        if c == close {
            match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return Some(from + at),
            }
        } else if c == open {
            depth += 1;
        }
    }
    None
}

/// The bracket that opened what is open at `to`.
pub(super) fn opening(text: &str, to: usize, (open, close): (char, char)) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text[..to].char_indices().rev() {
        if c == open {
            match depth.checked_sub(1) {
                Some(less) => depth = less,
                None => return Some(at),
            }
        } else if c == close {
            depth += 1;
        }
    }
    None
}

/// The empty line after the lines with text from `at` on, or the end.
fn paragraph_forward(text: &str, at: usize) -> Option<usize> {
    let mut line = line::around(text, at);
    let mut seen_text = false;
    while line.end < text.len() {
        seen_text |= !line.is_empty();
        line = line::around(text, line.end + 1);
        if line.is_empty() && seen_text {
            return Some(line.start);
        }
    }
    (at < text.len()).then_some(text.len())
}

/// The empty line before the lines with text up to `at`, or the start.
fn paragraph_back(text: &str, at: usize) -> Option<usize> {
    let mut line = line::around(text, at);
    let mut seen_text = false;
    while line.start > 0 {
        seen_text |= !line.is_empty();
        line = line::around(text, line.start - 1);
        if line.is_empty() && seen_text {
            return Some(line.start);
        }
    }
    (at > 0).then_some(0)
}
