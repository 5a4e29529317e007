//! How the text is laid out in rows, and moving between them.
//!
//! Rows break after blanks and between wide characters, and inside a word only if it is longer than
//! a row. One blank that does not fit hangs over the end of its row and is not shown. Pasted blocks
//! are as wide as their labels. **Invariant:** the rows hold all of the text in order, and none is
//! wider than there is room.

use std::ops::Range;

use unicode_width::UnicodeWidthStr as _;

use crate::atom::Atoms;
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
        let width = width.max(2);
        let mut wrap = Wrap {
            content: self.as_str(),
            atoms: self.atoms(),
            width,
            room: width.saturating_sub(indent),
            rows: Vec::new(),
        };
        let mut start = 0;
        for line in self.as_str().split('\n') {
            wrap.line(start..start + line.len());
            start += line.len() + 1;
        }
        wrap.rows
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
        self.position(&self.rows(width, indent), width, indent)
    }

    /// Moves the cursor to the row above, if there is one, and says so.
    pub fn up(&mut self, width: usize, indent: usize) -> bool {
        let rows = self.rows(width, indent);
        let (row, column) = self.position(&rows, width, indent);
        row > 0 && self.move_to_row(&rows, (row - 1, column), indent)
    }

    /// Moves the cursor to the row below, if there is one, and says so.
    pub fn down(&mut self, width: usize, indent: usize) -> bool {
        let rows = self.rows(width, indent);
        let (row, column) = self.position(&rows, width, indent);
        row + 1 < rows.len() && self.move_to_row(&rows, (row + 1, column), indent)
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

    /// Moves to the column that was kept to, or else to `column`, of a row.
    fn move_to_row(
        &mut self,
        rows: &[Row],
        (index, column): (usize, usize),
        indent: usize,
    ) -> bool {
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
        self.move_to(row.range.start + at);
        self.column = Some(wanted);
        true
    }
}

/// The byte of `text` that stands in `column`, or its end.
pub(crate) fn at_column(text: &str, column: usize, atoms: &Atoms) -> usize {
    let mut used = 0;
    for (at, unit) in grapheme::all(text) {
        used += face(unit, atoms).width();
        if used > column {
            return at;
        }
    }
    text.len()
}

/// The columns of `text`.
pub(crate) fn columns(text: &str, atoms: &Atoms) -> usize {
    let units = grapheme::all(text);
    units.map(|(_, unit)| face(unit, atoms).width()).sum()
}

/// What a character is shown as.
fn face<'a>(unit: &'a str, atoms: &'a Atoms) -> &'a str {
    const SPACES: &str = "    ";
    match unit.chars().next() {
        Some('\t') => &SPACES[..TAB],
        Some(c) => atoms.get(c).map_or(unit, |atom| &atom.label),
        None => unit,
    }
}

/// The layout of a text as it is being made.
struct Wrap<'a> {
    content: &'a str,
    atoms: &'a Atoms,
    width: usize,
    /// The columns of the row that is next.
    room: usize,
    rows: Vec<Row>,
}

impl Wrap<'_> {
    /// Lays out a line.
    fn line(&mut self, line: Range<usize>) {
        let is_last = line.end == self.content.len();
        let rest = if self.content[line.clone()]
            .bytes()
            .all(|byte| matches!(byte, b' '..=b'~'))
        {
            self.plain_rows(line)
        } else {
            self.rows_of_units(line)
        };
        let full = rest.width == self.room;
        let end = rest.range.end;
        self.push(rest.range, rest.width);
        if is_last && full {
            self.push(end..end, 0);
        }
    }

    /// All rows but the last of a line whose characters are one byte and one column each, quickly.
    fn plain_rows(&mut self, line: Range<usize>) -> Row {
        let bytes = self.content.as_bytes();
        let mut start = line.start;
        while line.end - start > self.room {
            let end = start + self.room;
            if bytes[end] == b' ' && self.room > 0 {
                self.push(start..end + 1, end - start);
                start = end + 1;
                continue;
            }
            let blank = bytes[start..end].iter().rposition(|byte| *byte == b' ');
            let end = blank.map_or(end, |blank| start + blank + 1);
            self.push(start..end, end - start);
            start = end;
        }
        Row {
            range: start..line.end,
            width: line.end - start,
        }
    }

    /// All rows but the last of any line.
    fn rows_of_units(&mut self, line: Range<usize>) -> Row {
        let mut start = line.start;
        let mut used = 0;
        // Where the row may break, and its columns up to there.
        let mut break_at = None;
        let mut at = start;
        while at < line.end {
            let next = grapheme::next(self.content, at);
            let unit = &self.content[at..next];
            let width = face(unit, self.atoms).width().min(self.width);
            let is_blank = matches!(unit, " " | "\t");
            if used + width <= self.room {
                used += width;
                at = next;
                if is_blank || width > 1 {
                    break_at = Some((at, used));
                }
                continue;
            }
            let hangs = unit == " " && used > 0;
            let (end, columns) = match break_at {
                _ if hangs => (next, used),
                Some(place) if !is_blank && width < 2 => place,
                _ => (at, used),
            };
            self.push(start..end, columns);
            used -= columns;
            start = end;
            at = at.max(end);
            break_at = None;
        }
        Row {
            range: start..line.end,
            width: used,
        }
    }

    fn push(&mut self, range: Range<usize>, width: usize) {
        self.rows.push(Row { range, width });
        self.room = self.width;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn plain_rows_break_where_others_do(line in "[a-c ]{0,40}", width in 2_usize..12, room in 0_usize..12) {
            let layout = |plain: bool| {
                let mut wrap = Wrap {
                    content: &line,
                    atoms: &Atoms::default(),
                    width,
                    room: room.min(width),
                    rows: Vec::new(),
                };
                let all = 0..line.len();
                let rest = if plain { wrap.plain_rows(all) } else { wrap.rows_of_units(all) };
                (wrap.rows, rest)
            };
            prop_assert_eq!(layout(true), layout(false));
        }
    }
}
