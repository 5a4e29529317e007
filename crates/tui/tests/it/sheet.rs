//! A strict terminal of our own.
//!
//! It wraps its rows anew when its width changes, and is exact where the others are not: the
//! cursor stays with its character among wide ones, marks take no column, blanks that were written
//! count as text and erased cells do not, and history comes back whenever there is room. It
//! refuses what terminals disagree on: erasing or moving sideways while the cursor waits behind
//! the last column, and erasing from the first cell of the screen on, which tmux takes for clearing
//! it, and keeps what was there in the scrollback.

use pollux_tui::screen::{Rewrap, Size};
use unicode_width::UnicodeWidthChar as _;

use super::terminals::{Shown, Terminal};
use super::tokens::tokens;

pub(super) struct Sheet {
    rows: Vec<Row>,
    /// The first row of the screen; what is before it is the scrollback.
    top: usize,
    width: usize,
    height: usize,
    row: usize,
    column: usize,
    /// Whether the last column was written, and the next character goes to the next row.
    waits: bool,
    visible: bool,
}

#[derive(Clone, Default)]
struct Row {
    cells: Vec<Cell>,
    wrapped: bool,
}

#[derive(Clone, Default, PartialEq)]
enum Cell {
    #[default]
    Blank,
    Text(String),
    /// The right half of what is before it.
    Tail,
}

impl Terminal for Sheet {
    const REWRAP: Rewrap = Rewrap::Yes;
    const EXACT: bool = true;

    fn new(size: Size) -> Self {
        let mut sheet = Self {
            rows: Vec::new(),
            top: 0,
            width: size.width.into(),
            height: size.height.into(),
            row: 0,
            column: 0,
            waits: false,
            visible: true,
        };
        sheet.fill();
        sheet
    }

    fn feed(&mut self, text: &str) {
        for token in tokens(text) {
            self.obey(token);
        }
    }

    fn resize(&mut self, size: Size) {
        self.height = size.height.into();
        let lines = self.lines();
        self.width = size.width.into();
        self.rows.clear();
        for (cells, cursor) in lines {
            self.lay(cells, cursor);
        }
        let used = self.rows.iter().rposition(Row::has_text);
        let used = used.map_or(0, |row| row + 1);
        let used = used.max(self.row + 1);
        self.top = used.saturating_sub(self.height).min(self.row);
        self.rows.truncate(self.top + self.height);
        for row in &mut self.rows {
            row.cells.resize(self.width, Cell::Blank);
        }
        self.fill();
    }

    fn rows(&mut self) -> Vec<Shown> {
        self.rows.iter().map(Row::shown).collect()
    }

    fn cursor(&self) -> (usize, usize) {
        (self.row, self.column)
    }

    fn is_cursor_visible(&self) -> bool {
        self.visible
    }

    /// It has no looks.
    fn picture(&self) -> String {
        let rows: Vec<String> = self.rows.iter().map(|row| row.shown().text).collect();
        format!("{rows:?} {:?}", self.cursor())
    }
}

impl Sheet {
    fn obey(&mut self, token: &str) {
        let sideways = matches!(token, "\n" | "\x08") || token.ends_with(['C', 'J', 'K', 'X']);
        if sideways && (token.len() == 1 || token.starts_with("\x1b[")) {
            assert!(!self.waits, "{token:?} behind the last column");
        }
        match token {
            "\r" => self.go(self.row, 0),
            "\x08" => self.go(self.row, self.column.saturating_sub(1)),
            "\n" => self.feed_line(),
            "\x1b[?25h" => self.visible = true,
            "\x1b[?25l" => self.visible = false,
            _ if token.starts_with("\x1b]")
                || token.ends_with('m') && token.starts_with('\x1b') => {}
            _ => match token.strip_prefix("\x1b[") {
                Some(sequence) if sequence.starts_with('?') => {}
                Some(sequence) => {
                    let (number, what) = sequence.split_at(sequence.len() - 1);
                    self.steer(number.parse().unwrap_or(1), what);
                }
                None => token.chars().for_each(|c| self.print(c)),
            },
        }
    }

    fn steer(&mut self, number: usize, what: &str) {
        let bottom = self.top + self.height - 1;
        match what {
            "A" => self.go(self.row.saturating_sub(number).max(self.top), self.column),
            "B" => self.go((self.row + number).min(bottom), self.column),
            "C" => self.go(self.row, self.column + number),
            "G" => self.go(self.row, number - 1),
            "X" => self.erase(self.row, self.column..self.column + number),
            "K" => self.erase(self.row, self.column..self.width),
            _ => {
                let is_whole = (self.row, self.column) == (self.top, 0);
                let is_blank = self.rows[self.top..].iter().all(|row| !row.has_text());
                assert!(!is_whole || is_blank, "erasing all of the screen");
                self.erase(self.row, self.column..self.width);
                for row in self.row + 1..=bottom {
                    self.erase(row, 0..self.width);
                }
            }
        }
    }

    fn go(&mut self, row: usize, column: usize) {
        (self.row, self.column) = (row, column.min(self.width - 1));
        self.waits = false;
    }

    fn feed_line(&mut self) {
        self.go(self.row + 1, self.column);
        if self.row == self.top + self.height {
            self.top += 1;
            self.fill();
        }
    }

    fn print(&mut self, c: char) {
        let width = c.width().unwrap();
        if width == 0 {
            let before = if self.waits {
                self.column
            } else {
                self.column.saturating_sub(1)
            };
            let cells = &mut self.rows[self.row].cells;
            let head = cells[..=before]
                .iter_mut()
                .rfind(|cell| **cell != Cell::Tail);
            if let Some(Cell::Text(text)) = head {
                text.push(c);
            }
            return;
        }
        if self.waits || self.column + width > self.width {
            self.rows[self.row].wrapped = true;
            self.go(self.row, 0);
            self.feed_line();
        }
        self.erase(self.row, self.column..self.column + width);
        let cells = &mut self.rows[self.row].cells;
        cells[self.column] = Cell::Text(c.to_string());
        cells[self.column + 1..self.column + width].fill(Cell::Tail);
        let end = self.column + width;
        self.go(self.row, end);
        self.waits = end == self.width;
    }

    /// Erases these cells, and the other halves of wide ones.
    fn erase(&mut self, row: usize, columns: std::ops::Range<usize>) {
        let row = &mut self.rows[row];
        let end = columns.end.min(self.width);
        if columns.start == 0 && end == self.width {
            row.wrapped = false;
        }
        if row.cells[columns.start] == Cell::Tail {
            row.cells[columns.start - 1] = Cell::Blank;
        }
        if let Some(after) = row.cells.get_mut(end).filter(|cell| **cell == Cell::Tail) {
            *after = Cell::Blank;
        }
        row.cells[columns.start..end].fill(Cell::Blank);
    }

    /// As many rows as the screen has.
    fn fill(&mut self) {
        let blank = Row {
            cells: vec![Cell::Blank; self.width],
            wrapped: false,
        };
        self.rows.resize(self.top + self.height, blank);
    }

    /// The lines that the rows make up, and where in them the cursor is.
    fn lines(&mut self) -> Vec<(Vec<Cell>, Option<usize>)> {
        let mut lines = Vec::new();
        let mut line = (Vec::new(), None);
        for (index, mut row) in self.rows.drain(..).enumerate() {
            if index == self.row {
                line.1 = Some(line.0.len() + self.column);
            }
            let text = row.cells.iter().rposition(|cell| *cell != Cell::Blank);
            row.cells.truncate(text.map_or(0, |last| last + 1));
            line.0.append(&mut row.cells);
            if !row.wrapped {
                lines.push(std::mem::take(&mut line));
            }
        }
        lines
    }

    /// Breaks a line into rows, and takes the cursor along.
    fn lay(&mut self, cells: Vec<Cell>, cursor: Option<usize>) {
        let length = cells.len();
        let mut row = Row::default();
        let mut cells = cells.into_iter().enumerate().peekable();
        while let Some((index, cell)) = cells.next() {
            let is_wide = cells.peek().is_some_and(|(_, next)| *next == Cell::Tail);
            if row.cells.len() + usize::from(is_wide) >= self.width {
                row.wrapped = true;
                self.rows.push(std::mem::take(&mut row));
            }
            if cursor == Some(index) {
                self.go(self.rows.len(), row.cells.len());
            }
            row.cells.push(cell);
        }
        if let Some(behind) = cursor.and_then(|cursor| cursor.checked_sub(length)) {
            self.go(self.rows.len(), row.cells.len() + behind);
        }
        self.rows.push(row);
    }
}

impl Row {
    fn has_text(&self) -> bool {
        self.cells.iter().any(|cell| *cell != Cell::Blank)
    }

    fn shown(&self) -> Shown {
        // Most cells of most rows are blank at the end.
        let last = self.cells.iter().rposition(|cell| *cell != Cell::Blank);
        let cells = &self.cells[..last.map_or(0, |last| last + 1)];
        let text = cells.iter().map(|cell| match cell {
            Cell::Blank => " ",
            Cell::Text(text) => text,
            Cell::Tail => "",
        });
        Shown {
            text: text.collect::<String>().trim_end().to_owned(),
            wrapped: self.wrapped,
        }
    }
}
