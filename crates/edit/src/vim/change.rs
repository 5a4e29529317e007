//! Changes that are no operators: replacing, joining, putting.

use super::Vim;
use super::command::{Operator, Shape, Side};
use super::operator::with_case;
use crate::edit::Edit;
use crate::grapheme;
use crate::line;
use crate::text::Text;

/// As much as a count may make of a text, in bytes.
const LARGEST: usize = 1_000_000;

/// `r`: puts `c` in place of `count` characters, if there are so many in the line.
pub(super) fn replace(c: char, count: usize, text: &mut Text) -> Option<()> {
    let start = text.cursor();
    let line = line::around(text.as_str(), start);
    let end = (0..count).try_fold(start, |at, _| {
        (at < line.end).then(|| grapheme::next(text.as_str(), at))
    })?;
    text.apply(&Edit::replace(start..end, c.to_string().repeat(count)));
    text.move_to(start + c.len_utf8() * (count - 1));
    Some(())
}

/// `~`: swaps the case of `count` characters and goes on behind them.
pub(super) fn swap_case(count: usize, text: &mut Text) -> Option<()> {
    let start = text.cursor();
    let line = line::around(text.as_str(), start);
    let next = |at| grapheme::next(text.as_str(), at).min(line.end);
    let end = (0..count).fold(start, |at, _| next(at));
    let changed = with_case(&text.as_str()[start..end], Operator::SwapCase);
    (start < end).then_some(())?;
    text.apply(&Edit::replace(start..end, changed));
    Some(())
}

/// `J`: makes one line of `count` lines, or of two.
pub(super) fn join(count: usize, text: &mut Text) -> Option<()> {
    let lines = count.max(2);
    let mut changed = None;
    text.begin_group();
    for _ in 1..lines {
        let content = text.as_str();
        let end = line::around(content, text.cursor()).end;
        if end == content.len() {
            break;
        }
        let next = line::first_text(content, end + 1);
        let is_blank = content[..end].ends_with([' ', '\t', '\n']) || end == 0;
        let is_closed = content[next..].starts_with([')', '\n']) || next == content.len();
        let between = if is_blank || is_closed { "" } else { " " };
        text.apply(&Edit::replace(end..next, between));
        text.move_to(end);
        changed = Some(());
    }
    text.end_group();
    changed
}

impl Vim {
    /// `p` and `P`: puts a register in, `count` times.
    pub(super) fn put(
        &mut self,
        register: Option<char>,
        side: Side,
        count: usize,
        text: &mut Text,
    ) -> Option<()> {
        let register = self.registers.get(register)?.clone();
        let at = text.cursor();
        let line = line::around(text.as_str(), at);
        match (register.shape, side) {
            (Shape::Chars, _) => {
                let after = grapheme::next(text.as_str(), at).min(line.end);
                let at = if side == Side::After { after } else { at };
                let put = copies(&register.text, count);
                let end = at + put.len();
                let is_one_line = !put.contains('\n');
                text.apply(&Edit::insert(at, put));
                let last = grapheme::previous(text.as_str(), grapheme::floor(text.as_str(), end));
                text.move_to(if is_one_line { last.max(at) } else { at });
            }
            (Shape::Lines, Side::After) => {
                let put = copies(&format!("\n{}", register.text), count);
                text.apply(&Edit::insert(line.end, put));
                text.move_to(line::first_text(text.as_str(), line.end + 1));
            }
            (Shape::Lines, Side::Before) => {
                let put = copies(&format!("{}\n", register.text), count);
                text.apply(&Edit::insert(line.start, put));
                text.move_to(line::first_text(text.as_str(), line.start));
            }
        }
        Some(())
    }
}

/// `text`, `count` times, as far as anybody can want that.
pub(super) fn copies(text: &str, count: usize) -> String {
    let most = LARGEST / text.len().max(1);
    text.repeat(count.min(most.max(1)))
}
