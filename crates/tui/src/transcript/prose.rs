//! Text that is shown as it comes, in one look.

use pollux_types::untrusted::visible;

use crate::line::{Line, untabbed};
use crate::style::Style;
use crate::wrap::{Indent, wrap};

/// A stream of words.
pub(super) struct Prose {
    style: Style,
    /// What is not settled.
    pending: String,
}

impl Prose {
    pub(super) fn new(style: Style) -> Self {
        Self {
            style,
            pending: String::new(),
        }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.pending.push_str(text);
    }

    /// Ends a line that has begun.
    pub(super) fn start_line(&mut self) {
        if !self.pending.is_empty() && !self.pending.ends_with('\n') {
            self.pending.push('\n');
        }
    }

    /// The lines that have ended.
    pub(super) fn settle(&mut self, width: usize) -> Vec<Line> {
        let ended = self.pending.rfind('\n').map_or(0, |at| at + 1);
        let rest = self.pending.split_off(ended);
        let ended = std::mem::replace(&mut self.pending, rest);
        self.lines(&ended, width)
    }

    /// The line that has not.
    pub(super) fn tail(&self, width: usize) -> Vec<Line> {
        self.lines(&self.pending, width)
    }

    pub(super) fn finish(&mut self, width: usize) -> Vec<Line> {
        let rest = std::mem::take(&mut self.pending);
        self.lines(rest.trim_end(), width)
    }

    fn lines(&self, text: &str, width: usize) -> Vec<Line> {
        let text = visible(text);
        let lines = text.lines();
        let lines = lines.map(|text| Line::new(untabbed(text), self.style));
        lines
            .flat_map(|line| wrap(&line, width, &Indent::default()))
            .collect()
    }
}
