//! Tables: as wide as their cells, or as the screen.
//!
//! A table is held until it ends, because each row may widen its columns; a long one is settled
//! by its first rows.

use crate::line::Line;
use crate::screen::Looks;
use crate::style::Style;
use crate::wrap::{Indent, fitting, fold, wrap};

use super::inline;
use super::page::Page;

/// How much of a table is held to see how wide its columns are.
const HELD_ROWS: usize = 200;
const HELD_BYTES: usize = 32_768;

/// A column that is cut is no narrower than this.
const NARROWEST: usize = 6;

/// What stands between two columns.
const BAR: &str = " │ ";
const CROSSING: &str = "─┼─";

/// On which side of its column a cell stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Middle,
    Right,
}

/// A table that is still being written.
#[derive(Clone, Debug)]
pub(super) struct Table {
    looks: Looks,
    indent: Indent,
    sides: Vec<Side>,
    header: Vec<Line>,
    /// The rows that wait for the layout.
    rows: Vec<Vec<Line>>,
    bytes: usize,
    layout: Option<Layout>,
    /// Whether a line has been given out.
    begun: bool,
}

/// How rows are shown.
#[derive(Clone, Debug)]
enum Layout {
    /// In columns of these widths.
    Columns(Vec<usize>),
    /// One cell below the other, since there is no room for columns.
    Records,
}

/// The sides of the columns, if `row` is the line between `header` and the rows of a table.
pub(super) fn delimiters(row: &str, header: &str) -> Option<Vec<Side>> {
    let side = |cell: &String| {
        let dashes = cell.strip_prefix(':').unwrap_or(cell);
        let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
        let is_dashes = !dashes.is_empty() && dashes.chars().all(|c| c == '-');
        is_dashes.then(|| match (cell.starts_with(':'), cell.ends_with(':')) {
            (true, true) => Side::Middle,
            (false, true) => Side::Right,
            _ => Side::Left,
        })
    };
    let sides: Option<Vec<Side>> = cells(row).iter().map(side).collect();
    sides.filter(|sides| sides.len() == cells(header).len())
}

impl Table {
    pub(super) fn new(header: &str, sides: Vec<Side>, indent: Indent, looks: Looks) -> Self {
        let mut table = Self {
            looks,
            indent,
            sides,
            header: Vec::new(),
            rows: Vec::new(),
            bytes: 0,
            layout: None,
            begun: false,
        };
        table.header = table.row(header, Style::BOLD);
        table
    }

    /// Takes the next row.
    pub(super) fn push(&mut self, row: &str, page: &mut Page) {
        let cells = self.row(row, Style::PLAIN);
        if let Some(layout) = self.layout.clone() {
            return self.show(&cells, &layout, page);
        }
        self.rows.push(cells);
        self.bytes += row.len();
        if self.rows.len() >= HELD_ROWS || self.bytes >= HELD_BYTES {
            self.end(page);
        }
    }

    /// Gives out everything that is held.
    pub(super) fn end(&mut self, page: &mut Page) {
        if self.layout.is_some() {
            return;
        }
        let layout = self.layout(page.width);
        if let Layout::Columns(widths) = &layout {
            self.show(&self.header.clone(), &layout, page);
            let dashes: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
            self.put(&Line::new(dashes.join(CROSSING), Style::DIM), page);
        }
        for row in std::mem::take(&mut self.rows) {
            self.show(&row, &layout, page);
        }
        self.layout = Some(layout);
    }

    /// The cells of a row, one for each column. More cells than that share the last one.
    fn row(&self, row: &str, style: Style) -> Vec<Line> {
        let columns = self.sides.len();
        let mut cells = cells(row);
        if cells.len() > columns {
            let last = cells.split_off(columns - 1).join(" | ");
            cells.push(last);
        }
        cells.resize(columns, String::new());
        let line = |cell: &String| Line {
            spans: inline::spans(cell, style, self.looks),
        };
        cells.iter().map(line).collect()
    }

    fn layout(&self, width: usize) -> Layout {
        let columns = self.sides.len();
        let room = width.saturating_sub(fitting(&self.indent.rest, width).width());
        let Some(room) = room.checked_sub((columns - 1) * 3) else {
            return Layout::Records;
        };
        let mut widths: Vec<usize> = (0..columns)
            .map(|column| {
                let cells = self.rows.iter().chain([&self.header]);
                let widest = cells.map(|row| row[column].width()).max();
                widest.unwrap_or(0).max(1)
            })
            .collect();
        if widths.iter().sum::<usize>() > room {
            let most = fair_share(&widths, room);
            if most < NARROWEST {
                return Layout::Records;
            }
            for width in &mut widths {
                *width = most.min(*width);
            }
        }
        Layout::Columns(widths)
    }

    fn show(&mut self, row: &[Line], layout: &Layout, page: &mut Page) {
        match layout {
            Layout::Columns(widths) => self.show_columns(row, widths, page),
            Layout::Records => self.show_record(row, page),
        }
    }

    fn show_columns(&mut self, row: &[Line], widths: &[usize], page: &mut Page) {
        let wrapped = row.iter().zip(widths).map(|(cell, width)| {
            let rows = wrap(cell, *width, &Indent::default());
            rows.iter().flat_map(|row| fold(row, *width)).collect()
        });
        let cells: Vec<Vec<Line>> = wrapped.collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let nothing = Line::default();
        for index in 0..height {
            let mut line = Line::default();
            for (column, cell) in cells.iter().enumerate() {
                if column > 0 {
                    line = line.with(BAR, Style::DIM);
                }
                let text = cell.get(index).unwrap_or(&nothing);
                let blank = widths[column].saturating_sub(text.width());
                let before = match self.sides[column] {
                    Side::Left => 0,
                    Side::Middle => blank / 2,
                    Side::Right => blank,
                };
                line = line.with(" ".repeat(before), Style::PLAIN);
                line.spans.extend(text.spans.iter().cloned());
                line = line.with(" ".repeat(blank - before), Style::PLAIN);
            }
            self.put(&line, page);
        }
    }

    fn show_record(&mut self, row: &[Line], page: &mut Page) {
        if self.begun {
            self.put(&Line::default(), page);
        }
        let width = page.width - fitting(&self.indent.rest, page.width).width();
        for (name, value) in self.header.clone().into_iter().zip(row) {
            let mut line = name.with(": ", Style::BOLD);
            line.spans.extend(value.spans.iter().cloned());
            let indent = Indent {
                first: Line::default(),
                rest: "  ".into(),
            };
            for line in wrap(&line, width, &indent) {
                self.put(&line, page);
            }
        }
    }

    fn put(&mut self, line: &Line, page: &mut Page) {
        let indent = if self.begun {
            &self.indent.rest
        } else {
            &self.indent.first
        };
        let mut indented = fitting(indent, page.width);
        for span in line.spans.iter().filter(|span| !span.text.is_empty()) {
            indented.append(&span.text, span);
        }
        indented.trim_end();
        self.begun = true;
        page.lines.push(indented);
    }
}

/// The widest that columns may be to fit into `room` together: those that need less leave the rest
/// to the others.
fn fair_share(widths: &[usize], room: usize) -> usize {
    let mut widths = widths.to_vec();
    widths.sort_unstable();
    let mut left = room;
    for (index, width) in widths.iter().enumerate() {
        let share = left / (widths.len() - index);
        if *width > share {
            return share;
        }
        left -= width;
    }
    left
}

/// The cells of a row. A bar that belongs to a cell is written as `\|`.
fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let mut cells = Vec::new();
    let mut cell = String::new();
    let mut is_escaped = false;
    for c in row.chars() {
        match c {
            '|' if !is_escaped => cells.push(std::mem::take(&mut cell)),
            '|' => {
                cell.pop();
                cell.push(c);
            }
            _ => cell.push(c),
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    if cells.is_empty() || !cell.trim().is_empty() {
        cells.push(cell);
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}
