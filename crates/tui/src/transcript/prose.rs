//! Text that is shown as it comes, in one look.
//!
//! A row is settled as soon as nothing can change it, so that a picture costs what is new and the row
//! that is being written, however long the line is.

use pollux_types::untrusted::visible;

use crate::line::{Line, Span, untabbed};
use crate::style::Style;
use crate::wrap::{Indent, Wrapper};

/// A stream of words.
pub(super) struct Prose {
    style: Style,
    /// What is not laid out.
    pending: String,
    /// The row that has begun.
    wrapper: Wrapper,
}

impl Prose {
    pub(super) fn new(style: Style) -> Self {
        Self {
            style,
            pending: String::new(),
            wrapper: Wrapper::new(Indent::default()),
        }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.pending.push_str(text);
    }

    /// Ends a line that has begun.
    pub(super) fn start_line(&mut self) {
        let begun = if self.pending.is_empty() {
            !self.wrapper.is_empty()
        } else {
            !self.pending.ends_with('\n')
        };
        if begun {
            self.pending.push('\n');
        }
    }

    /// The rows that nothing can change.
    pub(super) fn settle(&mut self, width: usize) -> Vec<Line> {
        let mut rows = Vec::new();
        let pending = std::mem::take(&mut self.pending);
        let mut lines = pending.split('\n');
        self.lay_out(lines.next().unwrap_or_default(), width, &mut rows);
        for line in lines {
            self.wrapper.end(width, &mut rows);
            self.lay_out(line, width, &mut rows);
        }
        rows
    }

    /// The row that has begun.
    pub(super) fn tail(&self, width: usize) -> Vec<Line> {
        let mut rest = Self {
            style: self.style,
            pending: self.pending.clone(),
            wrapper: self.wrapper.clone(),
        };
        rest.finish(width)
    }

    /// What is left, without blanks at the end.
    pub(super) fn finish(&mut self, width: usize) -> Vec<Line> {
        self.pending.truncate(self.pending.trim_end().len());
        let mut rows = self.settle(width);
        if !self.wrapper.is_empty() {
            self.wrapper.end(width, &mut rows);
        }
        rows
    }

    fn lay_out(&mut self, text: &str, width: usize, rows: &mut Vec<Line>) {
        let span = Span::new(untabbed(&visible(text)), self.style);
        self.wrapper.push(&span, width, rows);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(rows: &[Line]) -> Vec<String> {
        rows.iter().map(Line::text).collect()
    }

    /// Everything that is shown of a text that comes in these pieces, a picture after each.
    fn shown(pieces: &[&str], width: usize) -> Vec<String> {
        let mut prose = Prose::new(Style::DIM);
        let mut rows = Vec::new();
        for piece in pieces {
            prose.push(piece);
            rows.extend(prose.settle(width));
            prose.tail(width);
        }
        rows.extend(prose.finish(width));
        text(&rows)
    }

    proptest! {
        #[test]
        fn it_does_not_matter_how_text_is_cut(
            pieces in prop::collection::vec("[ab 漢。\n\t\x1b]{0,12}", 0..12),
            width in 2_usize..12,
        ) {
            let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
            let whole = pieces.concat();
            let mut cut = shown(&pieces, width);
            let mut at_once = shown(&[&whole], width);
            // Whether blank lines at the end are settled depends on when the end comes.
            for rows in [&mut cut, &mut at_once] {
                while rows.last().is_some_and(String::is_empty) {
                    rows.pop();
                }
            }
            prop_assert_eq!(cut, at_once);
        }
    }

    #[test]
    fn a_picture_costs_no_more_than_a_row() {
        let mut prose = Prose::new(Style::DIM);
        for _ in 0..2_000 {
            prose.push("漢字 ひらがな und Wörter ");
            prose.settle(40);
            assert!(prose.pending.is_empty());
            assert!(prose.tail(40).len() <= 1);
        }
    }

    #[test]
    fn a_subject_begins_a_line() {
        let mut prose = Prose::new(Style::DIM);
        prose.push("so far");
        let mut rows = prose.settle(40);
        prose.start_line();
        prose.push("Next\n");
        prose.start_line();
        prose.push("and on");
        rows.extend(prose.finish(40));
        assert_eq!(text(&rows), ["so far", "Next", "and on"]);
    }
}
