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

/// What an operator takes with it on a motion.
pub(super) fn reach(motion: &Motion) -> Reach {
    match motion {
        Motion::Up | Motion::Down | Motion::FirstLine | Motion::LastLine => Reach::Lines,
        Motion::WordEnd(_) | Motion::WordEndBack(_) | Motion::Pair => Reach::Inclusive,
        Motion::Find(find) if find.direction == Direction::Forward => Reach::Inclusive,
        _ => Reach::Exclusive,
    }
}

/// Where moving up or down leads, in the column that it keeps to.
pub(super) fn vertical(
    text: &Text,
    motion: &Motion,
    count: Option<usize>,
    column: usize,
) -> Option<usize> {
    let (content, at) = (text.as_str(), text.cursor());
    let times = count.unwrap_or(1);
    let line = match motion {
        Motion::Up => line::above(content, at, times),
        _ => line::below(content, at, times),
    };
    let moves = line != line::around(content, at);
    moves.then(|| line.start + wrap::at_column(&content[line.clone()], column, text.atoms()))
}

/// The place in `column` of the line, or its end.
pub(super) fn in_column(text: &Text, column: usize) -> usize {
    let line = line::around(text.as_str(), text.cursor());
    line.start + wrap::at_column(&text.as_str()[line], column, text.atoms())
}

/// Where any other motion leads from `at`, `count` times; `None` if it leads nowhere. `FindAgain`
/// and the like must have been looked up before.
pub(super) fn place(text: &str, at: usize, motion: &Motion, count: Option<usize>) -> Option<usize> {
    let times = count.unwrap_or(1);
    let line = line::around(text, at);
    let left = |at| (at > line.start).then(|| grapheme::previous(text, at));
    let right = |at| (at < line.end).then(|| grapheme::next(text, at));
    match motion {
        Motion::Left => steps(at, times, left),
        Motion::Right => steps(at, times, right),
        Motion::LineStart => Some(line.start),
        Motion::FirstText => Some(line::first_text(text, at)),
        Motion::LineEnd => Some(line::below(text, at, times - 1).end),
        Motion::Word(size) => steps(at, times, |at| word::next(text, at, *size)),
        Motion::WordBack(size) => steps(at, times, |at| word::back(text, at, *size)),
        Motion::WordEnd(size) => steps(at, times, |at| word::end(text, at, *size)),
        Motion::WordEndBack(size) => steps(at, times, |at| word::end_back(text, at, *size)),
        Motion::LastLine if count.is_none() => Some(line::first_text(text, text.len())),
        Motion::FirstLine | Motion::LastLine => {
            let line = line::below(text, 0, times - 1);
            Some(line::first_text(text, line.start))
        }
        Motion::Find(find) => find_in_line(text, at, *find, times),
        Motion::Pair => pair(text, at),
        Motion::ParagraphBack => steps(at, times, |at| paragraph_back(text, at)),
        Motion::ParagraphForward => steps(at, times, |at| paragraph_forward(text, at)),
        Motion::Search(pattern, direction) => {
            steps(at, times, |at| search::find(text, at, pattern, *direction))
        }
        Motion::Up
        | Motion::Down
        | Motion::Column
        | Motion::FindAgain { .. }
        | Motion::SearchAgain { .. }
        | Motion::SearchWord(_) => None,
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
