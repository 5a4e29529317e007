//! How the text is laid out in rows, and moving between them.
//!
//! Rows break after blanks and between wide characters, and inside a word only if it is longer than
//! a row. One blank that does not fit hangs over the end of its row and is not shown. Pasted blocks
//! are as wide as their labels. **Invariant:** the rows hold all of the text in order, and none is
//! wider than there is room.

use std::cell::Ref;
use std::ops::Range;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::atom::{Atoms, is_atom};
use crate::grapheme;
use crate::text::Text;

/// The columns of a tab.
const TAB: usize = 4;

/// A row of the screen, as a part of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The part of the text, in bytes, without the newline that ends it.
    pub range: Range<usize>,
    /// Its columns, without those that the first row is indented by.
    pub width: usize,
}

impl Text {
    /// The text in rows of at most `width` columns (of which there are at least two), the first
    /// `indent` columns shorter. There is always a row for the cursor.
    pub fn rows(&self, width: usize, indent: usize) -> Vec<Row> {
        self.lay_out(width, indent, usize::MAX);
        self.laid_out().to_vec()
    }

    /// The rows up to that of the cursor and so many `below` it, as far as there are any, and the row
    /// and column of the cursor: for whoever wants to show both.
    pub fn layout(
        &self,
        width: usize,
        indent: usize,
        below: usize,
    ) -> (Ref<'_, [Row]>, (usize, usize)) {
        self.lay_out(width, indent, below);
        let rows = self.laid_out();
        let position = self.position(&rows, width, indent);
        (rows, position)
    }

    /// What is shown of a row: labels for pasted blocks, spaces for tabs.
    pub fn shown(&self, row: &Row) -> String {
        let mut shown = String::with_capacity(row.range.len());
        let mut room = row.width;
        for (_, unit) in grapheme::all(&self.as_str()[row.range.clone()]) {
            let text = face(unit, self.atoms());
            if text.width() <= room {
                shown.push_str(text);
                room -= text.width();
            } else {
                // A block or a character that is wider than all of the row.
                let fits = |c: &char| {
                    let mut bytes = [0; 4];
                    let left = room.checked_sub(c.encode_utf8(&mut bytes).width());
                    left.inspect(|left| room = *left).is_some()
                };
                shown.extend(text.chars().take_while(fits));
                break;
            }
        }
        shown
    }

    /// The row and the column of the cursor when the text is laid out as in [`Text::rows`]. The
    /// column counts from the edge of the screen, so it includes the indent of the first row.
    pub fn cursor_position(&self, width: usize, indent: usize) -> (usize, usize) {
        self.layout(width, indent, 0).1
    }

    /// Moves the cursor to the row above, if there is one, and says so.
    pub fn up(&mut self, width: usize, indent: usize) -> bool {
        let (rows, (row, column)) = self.layout(width, indent, 0);
        let Some(above) = row.checked_sub(1) else {
            return false;
        };
        let at = self.at_column_of(&rows, (above, column), indent);
        drop(rows);
        self.move_to_column(at)
    }

    /// Moves the cursor to the row below, if there is one, and says so.
    pub fn down(&mut self, width: usize, indent: usize) -> bool {
        // The end of a row depends on whether it goes on below.
        let (rows, (row, column)) = self.layout(width, indent, 2);
        if row + 1 == rows.len() {
            return false;
        }
        let at = self.at_column_of(&rows, (row + 1, column), indent);
        drop(rows);
        self.move_to_column(at)
    }

    fn position(&self, rows: &[Row], width: usize, indent: usize) -> (usize, usize) {
        let after = rows.partition_point(|row| row.range.start <= self.cursor());
        let index = after.saturating_sub(1);
        let before = &self.as_str()[rows[index].range.start..self.cursor()];
        let indent = if index == 0 { indent } else { 0 };
        let column = indent + columns(before, self.atoms());
        // A cursor at the end of a full row stands on its last column.
        (index, column.min(width.max(2) - 1))
    }

    /// The byte in the column that was kept to, or else in `column`, of a row; and that column.
    fn at_column_of(
        &self,
        rows: &[Row],
        (index, column): (usize, usize),
        indent: usize,
    ) -> (usize, usize) {
        let wanted = self.column.unwrap_or(column);
        let indent = if index == 0 { indent } else { 0 };
        let row = &rows[index];
        let mut end = row.range.end;
        if rows
            .get(index + 1)
            .is_some_and(|next| next.range.start == end)
            && end > row.range.start
        {
            // The end of a row that goes on below is the start of that row.
            end = grapheme::previous(self.as_str(), end);
        }
        let at = at_column(
            &self.as_str()[row.range.start..end],
            wanted.saturating_sub(indent),
            self.atoms(),
        );
        (row.range.start + at, wanted)
    }

    /// Moves up or down, and keeps to the column.
    fn move_to_column(&mut self, (at, column): (usize, usize)) -> bool {
        self.move_to(at);
        self.column = Some(column);
        true
    }
}

/// The byte of `text` that stands in `column`, or its end.
pub(crate) fn at_column(text: &str, column: usize, atoms: &Atoms) -> usize {
    let mut used = 0;
    for (at, unit) in grapheme::all(text) {
        used += width(unit, atoms);
        if used > column {
            return at;
        }
    }
    text.len()
}

/// The columns of `text`.
pub(crate) fn columns(text: &str, atoms: &Atoms) -> usize {
    let units = grapheme::all(text);
    units.map(|(_, unit)| width(unit, atoms)).sum()
}

/// The columns of a character; the usual ones quickly.
fn width(unit: &str, atoms: &Atoms) -> usize {
    match unit.as_bytes() {
        b"\t" => TAB,
        [_] => 1,
        _ => width_of_any(unit, atoms),
    }
}

fn width_of_any(unit: &str, atoms: &Atoms) -> usize {
    let mut chars = unit.chars();
    match (chars.next(), chars.next()) {
        // What has no width is shown by a mark of one.
        (Some(only), None) if !is_atom(only) => only.width().unwrap_or(0).max(1),
        _ => face(unit, atoms).width(),
    }
}

/// What a character is shown as.
fn face<'a>(unit: &'a str, atoms: &'a Atoms) -> &'a str {
    const SPACES: &str = "    ";
    match unit.chars().next() {
        Some('\t') => &SPACES[..TAB],
        // It hides, or turns its neighbours around: one should see that it is there.
        Some(_) if unit.width() == 0 => "\u{fffd}",
        Some(c) => atoms.get(c).map_or(unit, |atom| &atom.label),
        None => unit,
    }
}

/// The layout of a text as it is being made.
pub(crate) struct Wrap<'a> {
    content: &'a str,
    atoms: &'a Atoms,
    width: usize,
    /// The columns of the row that is next.
    room: usize,
    pub(crate) rows: Vec<Row>,
}

impl<'a> Wrap<'a> {
    /// After these rows; only the first of a text is indented.
    pub(crate) fn after(
        rows: Vec<Row>,
        content: &'a str,
        atoms: &'a Atoms,
        (width, indent): (usize, usize),
    ) -> Self {
        let width = width.max(2);
        let indent = if rows.is_empty() { indent } else { 0 };
        Self {
            content,
            atoms,
            width,
            room: width.saturating_sub(indent),
            rows,
        }
    }

    /// Lays out everything from `start` on, or until there are `enough` rows: then it says where the
    /// next one begins.
    pub(crate) fn lines(
        &mut self,
        mut start: usize,
        enough: impl Fn(&[Row]) -> bool,
    ) -> Option<usize> {
        loop {
            let end = self.content[start..].find('\n').map(|at| start + at);
            let line = start..end.unwrap_or(self.content.len());
            if let Some(next) = self.line(&line, &enough) {
                return Some(next);
            }
            start = end? + 1;
            if enough(&self.rows) {
                return Some(start);
            }
        }
    }

    /// The same for a line.
    fn line(&mut self, line: &Range<usize>, enough: impl Fn(&[Row]) -> bool) -> Option<usize> {
        let mut rest = line.clone();
        loop {
            let (row, goes_on) = match self.plain_row(&rest) {
                Some(plain) => plain,
                None => self.row(&rest),
            };
            rest.start = row.range.end;
            let is_full = row.width == self.room;
            self.rows.push(row);
            self.room = self.width;
            let needs_room = is_full && line.end == self.content.len();
            if !goes_on && !needs_room {
                return None;
            }
            if enough(&self.rows) {
                return Some(rest.start);
            }
        }
    }

    /// The first row of `rest`, and whether there is another, if all characters in question are one
    /// byte and one column each. This is quick.
    fn plain_row(&self, rest: &Range<usize>) -> Option<(Row, bool)> {
        let Range { start, end } = *rest;
        // With the one that does not fit, and one that might belong to it.
        let until = end.min(start + self.room + 2);
        let bytes = &self.content.as_bytes()[start..until];
        if !bytes.iter().all(|byte| matches!(byte, b' '..=b'~')) {
            return None;
        }
        if end - start <= self.room {
            let width = end - start;
            let range = start..end;
            return Some((Row { range, width }, false));
        }
        if bytes[self.room] == b' ' && self.room > 0 {
            let width = self.room;
            let range = start..start + width + 1;
            return Some((Row { range, width }, true));
        }
        let blank = bytes[..self.room].iter().rposition(|byte| *byte == b' ');
        let width = blank.map_or(self.room, |blank| blank + 1);
        let range = start..start + width;
        Some((Row { range, width }, true))
    }

    /// The first row of `rest`, and whether there is another.
    fn row(&self, rest: &Range<usize>) -> (Row, bool) {
        let Range { start, end } = *rest;
        let mut used = 0;
        // Where the row may break, and its columns up to there.
        let mut break_at = None;
        let mut at = start;
        while at < end {
            let next = grapheme::next(self.content, at);
            let unit = &self.content[at..next];
            let width = width(unit, self.atoms).min(self.width);
            let is_blank = matches!(unit.as_bytes(), [b' ' | b'\t']);
            if used + width > self.room {
                let hangs = unit == " " && used > 0;
                let (end, width) = match break_at {
                    _ if hangs => (next, used),
                    Some(place) if !is_blank && width < 2 => place,
                    _ => (at, used),
                };
                let range = start..end;
                return (Row { range, width }, true);
            }
            used += width;
            at = next;
            if is_blank || width > 1 {
                break_at = Some((at, used));
            }
        }
        let range = start..end;
        (Row { range, width: used }, false)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn plain_rows_break_where_others_do(line in "[a-c ]{0,40}", width in 2_usize..12, room in 0_usize..12) {
            let wrap = Wrap {
                content: &line,
                atoms: &Atoms::default(),
                width,
                room: room.min(width),
                rows: Vec::new(),
            };
            let all = 0..line.len();
            prop_assert_eq!(wrap.plain_row(&all), Some(wrap.row(&all)));
        }
    }
}
