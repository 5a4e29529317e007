//! What is on the screen, and the shortest way to change it.

use crate::line::Line;

/// The size of the terminal in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

/// A place in the live area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Which of its lines, counted from 0.
    pub row: usize,
    /// Which column, counted from 0.
    pub column: usize,
}

/// What the screen is to show from now on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Lines that are finished since the last time. They are printed once.
    pub settled: Vec<Line>,
    /// What stands below them. None of these lines is wider than the screen, and there are fewer
    /// than the screen has rows.
    pub live: Vec<Line>,
    /// Where the cursor is to be; hidden if nowhere.
    pub cursor: Option<Position>,
}
