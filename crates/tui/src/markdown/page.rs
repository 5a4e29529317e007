//! Where lines are put, one below the other.

use crate::line::Line;

/// The lines of a screen.
pub(super) struct Page {
    /// The columns of the screen.
    pub(super) width: usize,
    /// What is settled.
    pub(super) lines: Vec<Line>,
}

impl Page {
    /// Nothing yet, on a screen of `width` columns.
    pub(super) fn new(width: usize) -> Self {
        Self {
            width,
            lines: Vec::new(),
        }
    }
}
