//! A live line as it stands on the screen: cut to its width, in cells.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::looks::{Ink, Looks};
use super::pen::{Pen, clean};
use crate::line::Line;
use crate::style::Style;

/// One row of the live area.
#[derive(Debug)]
pub(super) struct Row {
    /// What was asked for.
    pub(super) line: Line,
    cells: Vec<Cell>,
}

/// One character, as people count them, and the columns that it takes.
#[derive(Debug, PartialEq, Eq)]
struct Cell {
    text: String,
    column: usize,
    width: usize,
    /// Whether all terminals agree on its width.
    sure: bool,
    ink: Ink,
}

/// What of a row has to be written to change it into another.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Change {
    cells: Range<usize>,
    /// Where that begins.
    pub(super) column: usize,
    /// Where it ends.
    pub(super) end: usize,
    /// Whether something is left to erase behind it.
    pub(super) erase: bool,
}

impl Row {
    /// As much of `line` as there is room for.
    pub(super) fn new(line: Line, width: usize, looks: Looks) -> Self {
        let mut row = Self {
            line: Line::default(),
            cells: Vec::new(),
        };
        'line: for span in &line.spans {
            let ink = looks.ink(span);
            for text in clean(&span.text).graphemes(true) {
                if !row.push(text, width, &ink) {
                    break 'line;
                }
            }
        }
        // Terminals disagree on whether blanks at the end are text; there are none, then.
        while row.cells.last().is_some_and(Cell::is_blank) {
            row.cells.pop();
        }
        Self { line, ..row }
    }

    /// How many columns it takes.
    pub(super) fn width(&self) -> usize {
        self.cells.last().map_or(0, |cell| cell.column + cell.width)
    }

    /// The first row of nothing, as an erased screen shows it.
    pub(super) fn blank() -> Self {
        Self {
            line: Line::default(),
            cells: Vec::new(),
        }
    }

    /// What has to be written to make `old` look like this one.
    pub(super) fn change(&self, old: &Self) -> Change {
        let same = |(new, old): &(&Cell, &Cell)| new == old;
        let start = self.cells.iter().zip(&old.cells).take_while(same).count();
        let (new, old_rest) = (&self.cells[start..], &old.cells[start..]);
        let kept = new.iter().rev().zip(old_rest.iter().rev());
        let mut end = self.cells.len() - kept.take_while(same).count();
        // A terminal may draw a doubtful one over what follows it.
        if self.cells[start..end].iter().any(|cell| !cell.sure) {
            end = self.cells.len();
        }
        let column_of = |index: usize| self.cells.get(index).map_or(self.width(), |c| c.column);
        Change {
            column: column_of(start),
            end: column_of(end),
            cells: start..end,
            erase: self.width() < old.width(),
        }
    }

    /// Writes what `change` says, from its column on.
    pub(super) fn write(&self, change: &Change, out: &mut Vec<u8>) {
        let mut pen = Pen::new(out);
        for cell in &self.cells[change.cells.clone()] {
            if cell.sure {
                pen.write(&cell.text, &cell.ink);
            } else {
                // However wide the terminal draws it, it gets its columns and no others.
                let (width, room) = (cell.width, cell.room());
                pen.put(format_args!("\x1b[{width}X"));
                pen.write(&cell.text, &cell.ink);
                pen.put(format_args!("\x1b[{}G", cell.column + width + 1));
                if room > width {
                    pen.put(format_args!("\x1b[{}X", room - width));
                }
            }
        }
        pen.finish();
    }

    /// How many rows it takes on a terminal that has wrapped it anew at `width`.
    pub(super) fn rows_at(&self, width: usize) -> usize {
        self.rows_before(self.width(), width) + 1
    }

    /// On which of those rows the cell in `column` is. What is behind the text counts as its last
    /// row: there terminals differ, and one row too few leaves a bit of the old live area behind,
    /// where one too many would take something that is settled.
    pub(super) fn rows_before(&self, column: usize, width: usize) -> usize {
        let (mut row, mut used) = (0, 0);
        for cell in self.cells.iter().take_while(|cell| cell.column <= column) {
            if used + cell.width > width && used > 0 {
                row += 1;
                used = 0;
            }
            used += cell.width;
        }
        row
    }

    /// Whether there was room for one more.
    fn push(&mut self, text: &str, width: usize, ink: &Ink) -> bool {
        if text.width() > 0 {
            let cell = Cell::new(text.to_owned(), self.width(), ink.clone());
            let fits = cell.column + cell.room() <= width;
            self.cells.extend(fits.then_some(cell));
            return fits;
        }
        // It belongs to what is before it, if there is anything.
        if let Some(last) = self.cells.last_mut() {
            let cell = Cell::new(
                format!("{}{text}", last.text),
                last.column,
                last.ink.clone(),
            );
            if cell.column + cell.room() <= width {
                *last = cell;
            }
        }
        true
    }
}

impl Cell {
    fn new(text: String, column: usize, ink: Ink) -> Self {
        Self {
            width: text.width(),
            sure: is_sure(&text),
            text,
            column,
            ink,
        }
    }

    /// The most that a terminal may take for it: some give even a joiner a column.
    fn room(&self) -> usize {
        if self.sure {
            return self.width;
        }
        let most = |c: char| if c.width() == Some(0) { 1 } else { 2 };
        self.text.chars().map(most).sum()
    }

    fn is_blank(&self) -> bool {
        let Style {
            underline,
            strike,
            reverse,
            ..
        } = self.ink.style;
        self.text == " " && !underline && !strike && !reverse
    }
}

/// Whether every terminal gives `cluster` the same columns: those of its first character. Joined
/// emoji, flags and emoji made by a selector are as wide as they look in some, and as wide as
/// their parts in others.
fn is_sure(cluster: &str) -> bool {
    let mut chars = cluster.chars();
    let first = chars.next().and_then(char::width).unwrap_or(0);
    first == cluster.width() && chars.all(|c| c.width() == Some(0) && c != '\u{200d}')
}
