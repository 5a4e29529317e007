//! The live area as it stands on the terminal, and the bytes that change it.
//!
//! Everything is relative to the cursor: nobody can tell on which row of the screen the live area
//! begins, but how far the cursor is below that is known.
//!
//! **Invariant:** the cursor never goes above the first live row, so nothing settled is touched.

use super::looks::{Looks, Rewrap};
use super::pen::{Pen, clean, put};
use super::row::Row;
use super::{Position, Size, View};
use crate::line::Line;

const ERASE_BELOW: &str = "\x1b[J";
const ERASE_RIGHT: &str = "\x1b[K";
const SHOW_CURSOR: &str = "\x1b[?25h";
const HIDE_CURSOR: &str = "\x1b[?25l";

/// Where the cursor is if nothing is drawn.
const START: Position = Position { row: 0, column: 0 };

/// What is known of the terminal.
#[derive(Debug)]
pub(super) struct Canvas {
    looks: Looks,
    size: Size,
    rows: Vec<Row>,
    /// Where the cursor was asked to be.
    asked: Option<Position>,
    /// The row of the cursor, counted from the first live row.
    row: usize,
    /// Its column, if that is certain: it is not behind the last column, where terminals wait for
    /// more before they go on to the next row.
    column: Option<usize>,
    visible: bool,
    /// Whether the size has changed since `rows` were drawn.
    stale: bool,
}

impl Canvas {
    pub(super) fn new(size: Size, looks: Looks) -> Self {
        Self {
            looks,
            size,
            rows: Vec::new(),
            asked: Some(START),
            row: 0,
            column: None,
            visible: true,
            stale: false,
        }
    }

    pub(super) fn resize(&mut self, size: Size) {
        self.stale |= size != self.size && !self.rows.is_empty();
        self.size = size;
    }

    /// The live area is drawn anew in colours, or in none.
    pub(super) fn set_color(&mut self, color: bool) {
        self.looks.color = color;
        self.doubt();
    }

    /// The rows may not be what they were.
    pub(super) fn doubt(&mut self) {
        self.stale |= !self.rows.is_empty();
    }

    pub(super) fn draw(&mut self, view: View, out: &mut Vec<u8>) {
        if self.stale || !view.settled.is_empty() {
            self.withdraw(out);
            for line in &view.settled {
                self.settle(line, out);
            }
        }
        self.show(view.live, view.cursor, out);
    }

    /// Takes the live area away.
    pub(super) fn leave(&mut self, out: &mut Vec<u8>) {
        self.withdraw(out);
        self.show_cursor(out);
        self.asked = Some(START);
        // Others may write now; the next line begins at the left in any case.
        self.column = None;
    }

    /// Scrolls everything settled out of sight, and draws the live area at the top.
    pub(super) fn clear(&mut self, out: &mut Vec<u8>) {
        let live = self.rows.iter().map(|row| row.line.clone()).collect();
        self.withdraw(out);
        // From wherever the live area began: that many line feeds end on the last row, and have
        // scrolled exactly what was above it.
        let below = usize::from(self.size.height).saturating_sub(1);
        out.extend(std::iter::repeat_n(b'\n', below));
        if below > 0 {
            put(out, format_args!("\x1b[{below}A"));
        }
        self.show(live, self.asked, out);
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// What makes the terminal wait with showing a change; failing that, the cursor is hidden
    /// while it travels.
    pub(super) fn opening(&self) -> &'static str {
        match (self.looks.synchronized, self.visible) {
            (true, _) => "\x1b[?2026h",
            (false, true) => HIDE_CURSOR,
            (false, false) => "",
        }
    }

    /// The end of what `opening` began.
    pub(super) fn closing(&self) -> &'static str {
        match (self.looks.synchronized, self.visible) {
            (true, _) => "\x1b[?2026l",
            (false, true) => SHOW_CURSOR,
            (false, false) => "",
        }
    }

    /// Takes the live area away. If the screen has become too small for it, the terminal may have
    /// pushed its first rows off, perhaps in the middle of a line, and would take what comes next
    /// for the rest of that.
    fn withdraw(&mut self, out: &mut Vec<u8>) {
        let rows = self.rows.iter().map(|row| row.rows_at(self.width()));
        let is_torn = self.stale && rows.sum::<usize>() > self.size.height.into();
        self.erase(out);
        if is_torn {
            out.push(b'\n');
        }
    }

    /// Leaves the cursor where the live area began, with nothing below it.
    fn erase(&mut self, out: &mut Vec<u8>) {
        if !self.rows.is_empty() {
            self.row = self.rows_above();
            self.column = None;
            self.travel(0, 0, out);
            put(out, ERASE_RIGHT);
            // Erased from its very first cell on, a screen counts as cleared, and tmux keeps what was
            // on it in the scrollback.
            self.travel(0, 1, out);
            put(out, ERASE_BELOW);
            self.travel(0, 0, out);
            self.rows.clear();
        }
        self.stale = false;
    }

    /// How many rows of the live area are above the cursor. If the screen has fewer, the terminal
    /// stops at its first row, and that is live too.
    fn rows_above(&self) -> usize {
        if !self.stale || self.looks.rewrap == Rewrap::No {
            return self.row;
        }
        let width = self.width();
        let above = self.rows.iter().take(self.row);
        let above: usize = above.map(|row| row.rows_at(width)).sum();
        let here = self.rows.get(self.row).map_or(0, |row| {
            row.rows_before(self.column.unwrap_or_else(|| row.width()), width)
        });
        above + here
    }

    /// Prints a line for good. Where it is too long, breaking it is left to the terminal, which
    /// then knows that it is one line.
    fn settle(&mut self, line: &Line, out: &mut Vec<u8>) {
        if self.column != Some(0) {
            out.push(b'\r');
        }
        let mut pen = Pen::new(out);
        for span in &line.spans {
            pen.write(&clean(&span.text), &self.looks.ink(span));
        }
        pen.finish();
        out.extend_from_slice(b"\r\n");
        self.column = Some(0);
    }

    /// Brings the live area and the cursor from what they are to what they should be.
    fn show(&mut self, live: Vec<Line>, cursor: Option<Position>, out: &mut Vec<u8>) {
        let (live, cursor) = fit(live, cursor, self.size);
        let count = live.len();
        for (index, line) in live.into_iter().enumerate() {
            self.show_row(index, line, out);
        }
        if count == 0 {
            self.erase(out);
        } else if count < self.rows.len() {
            self.travel(count, 0, out);
            put(out, ERASE_BELOW);
            self.rows.truncate(count);
        }
        self.asked = cursor;
        match cursor {
            Some(Position { row, column }) => {
                self.travel(row, column, out);
                self.show_cursor(out);
            }
            None if self.visible => {
                put(out, HIDE_CURSOR);
                self.visible = false;
            }
            None => {}
        }
    }

    fn show_row(&mut self, index: usize, line: Line, out: &mut Vec<u8>) {
        if self.rows.get(index).is_some_and(|row| row.line == line) {
            return;
        }
        let row = Row::new(line, self.width(), self.looks);
        if index == self.rows.len() {
            if index > 0 {
                // Only a line feed makes a row where there is none yet.
                self.travel(index - 1, 0, out);
                out.push(b'\n');
                self.row = index;
            }
            self.rows.push(Row::blank());
        }
        let change = row.change(&self.rows[index]);
        if change.column < change.end || change.erase {
            self.travel(index, change.column, out);
            row.write(&change, out);
            self.column = Some(change.end).filter(|column| *column < self.width());
            if change.erase {
                put(out, ERASE_RIGHT);
            }
        }
        self.rows[index] = row;
    }

    /// Moves the cursor to a row that is there already.
    fn travel(&mut self, row: usize, column: usize, out: &mut Vec<u8>) {
        match (row.abs_diff(self.row), row < self.row) {
            (0, _) => {}
            (1, true) => put(out, "\x1b[A"),
            (1, false) => put(out, "\x1b[B"),
            (rows, true) => put(out, format_args!("\x1b[{rows}A")),
            (rows, false) => put(out, format_args!("\x1b[{rows}B")),
        }
        match self.column {
            Some(from) if from == column => {}
            _ if column == 0 => out.push(b'\r'),
            Some(from) if from > column && from - column <= 3 => {
                out.extend(std::iter::repeat_n(b'\x08', from - column));
            }
            Some(from) if from + 1 == column => put(out, "\x1b[C"),
            _ => put(out, format_args!("\x1b[{}G", column + 1)),
        }
        self.row = row;
        self.column = Some(column);
    }

    fn show_cursor(&mut self, out: &mut Vec<u8>) {
        if !self.visible {
            put(out, SHOW_CURSOR);
            self.visible = true;
        }
    }

    fn width(&self) -> usize {
        usize::from(self.size.width).max(1)
    }
}

/// As many of the rows as there is room for: the last ones, and the cursor's.
fn fit(mut live: Vec<Line>, cursor: Option<Position>, size: Size) -> (Vec<Line>, Option<Position>) {
    if live.is_empty() && cursor.is_some() {
        live.push(Line::default());
    }
    let room = usize::from(size.height).max(1);
    let row = cursor.map(|cursor| cursor.row.min(live.len() - 1));
    let from = live.len().saturating_sub(room);
    let from = row.map_or(from, |row| from.min(row));
    live.drain(..from);
    live.truncate(room);
    let cursor = cursor.zip(row).map(|(cursor, row)| Position {
        row: row - from,
        column: cursor.column.min(usize::from(size.width).saturating_sub(1)),
    });
    (live, cursor)
}
