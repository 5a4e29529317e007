//! Terminals to draw on: one that wraps its rows anew when its width changes, and one that cuts
//! them.

use std::num::NonZeroU16;

use pollux_tui::screen::{Rewrap, Size};

/// A row of a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// Its text, without blanks at the end.
    pub(super) text: String,
    /// Whether the terminal knows that the next row goes on with its line.
    pub(super) wrapped: bool,
}

/// What the audit needs of a terminal.
pub(super) trait Terminal {
    /// What it does when its width changes.
    const REWRAP: Rewrap;
    /// Whether it is right about characters that take no column, or that take two where they are
    /// wrapped anew.
    const EXACT: bool;

    fn new(size: Size) -> Self;
    fn feed(&mut self, text: &str);
    fn resize(&mut self, size: Size);
    /// Everything from the oldest row of the scrollback to the last row of the screen.
    fn rows(&mut self) -> Vec<Shown>;
    /// Row, counted from the oldest, and column of the cursor.
    fn cursor(&self) -> (usize, usize);
    fn is_cursor_visible(&self) -> bool;
    /// What the screen shows, with its looks.
    fn picture(&self) -> String;
}

/// Cuts, as xterm does. Rows that no longer fit leave at the top, and come back when there is room.
pub(super) struct Cutting(vt100::Parser);

impl Terminal for Cutting {
    const REWRAP: Rewrap = Rewrap::No;
    const EXACT: bool = true;

    fn new(size: Size) -> Self {
        let [height, width] = [size.height, size.width].map(|n| NonZeroU16::new(n).unwrap());
        Self(vt100::Parser::new(height, width, 10_000))
    }

    fn feed(&mut self, text: &str) {
        self.0.process(text.as_bytes());
    }

    fn resize(&mut self, size: Size) {
        let [height, width] = [size.height, size.width].map(|n| NonZeroU16::new(n).unwrap());
        self.0.screen_mut().set_size(height, width);
    }

    fn rows(&mut self) -> Vec<Shown> {
        let screen = self.0.screen_mut();
        let (height, _) = screen.size();
        let mut rows = Vec::new();
        let mut above = screen.scrollback_len();
        loop {
            screen.set_scrollback(above);
            // The last of these overlap with what the next round begins with.
            let new = if above == 0 {
                height.get()
            } else {
                height.get().min(above.try_into().unwrap())
            };
            for (row, text) in (0..new).zip(screen.rows(0, u16::MAX)) {
                rows.push(Shown {
                    text: text.trim_end().to_owned(),
                    wrapped: screen.row_wrapped(row),
                });
            }
            if above == 0 {
                return rows;
            }
            above -= usize::from(new);
        }
    }

    fn cursor(&self) -> (usize, usize) {
        let screen = self.0.screen();
        let (row, column) = screen.cursor_position();
        (
            screen.scrollback_len() + usize::from(row),
            usize::from(column),
        )
    }

    fn is_cursor_visible(&self) -> bool {
        !self.0.screen().hide_cursor()
    }

    fn picture(&self) -> String {
        self.0.screen().state_formatted()
    }
}

/// Wraps anew, as most terminals do.
pub(super) struct Wrapping(avt::Terminal);

impl Terminal for Wrapping {
    const REWRAP: Rewrap = Rewrap::Yes;
    const EXACT: bool = false;

    fn new(size: Size) -> Self {
        let (width, height) = (size.width.into(), size.height.into());
        Self(avt::Terminal::with_scrollback(width, height, None).unwrap())
    }

    fn feed(&mut self, text: &str) {
        self.0.feed(text);
    }

    /// What is blank below the text makes room first, as it does in terminals that people use.
    fn resize(&mut self, size: Size) {
        let (width, _) = self.0.size();
        let lines: Vec<&avt::Line> = self.0.screen().visible_lines().collect();
        let has_text = |line: &&avt::Line| !line.text().trim_end().is_empty();
        let used = lines.iter().rposition(has_text).map_or(0, |row| row + 1);
        let used = used.max(self.0.cursor().row + 1);
        self.0.resize(width, used);
        self.0.resize(size.width.into(), used);
        self.0.resize(size.width.into(), size.height.into());
    }

    fn rows(&mut self) -> Vec<Shown> {
        let lines = self.0.screen().all_lines();
        let row = |line: &avt::Line| Shown {
            text: line.chars().collect::<String>().trim_end().to_owned(),
            wrapped: line.is_wrapped(),
        };
        lines.map(row).collect()
    }

    fn cursor(&self) -> (usize, usize) {
        let screen = self.0.screen();
        let above = screen.all_lines().count() - screen.visible_lines().len();
        let cursor = self.0.cursor();
        (above + cursor.row, cursor.col)
    }

    fn is_cursor_visible(&self) -> bool {
        self.0.cursor().visible
    }

    fn picture(&self) -> String {
        self.0.dump()
    }
}
