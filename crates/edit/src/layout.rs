//! The rows of a text as far as somebody has asked for them, and what changes have left of them.
//!
//! A key changes a few characters, and the rows before them stay what they are; of those after them
//! only a screenful is looked at. So a key costs what is shown, however long the text is.

use crate::atom::Atoms;
use crate::wrap::{Row, Wrap};

/// How many rows before that of a change may be other ones after it: one whose last word did not
/// fit, and one more, whose last character may go on.
const BEFORE: usize = 2;

/// What is known of the rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    width: usize,
    indent: usize,
    /// From the start of the text.
    rows: Vec<Row>,
    /// Where the next one begins, if there is another.
    next: Option<usize>,
}

impl Layout {
    /// The rows that are known.
    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Goes on until there are `enough` rows, or no more. Says how many that were.
    pub(crate) fn go_on(
        &mut self,
        content: &str,
        atoms: &Atoms,
        (width, indent): (usize, usize),
        enough: impl Fn(&[Row]) -> bool,
    ) -> usize {
        if (self.width, self.indent) != (width, indent) || self.rows.is_empty() {
            *self = Self {
                width,
                indent,
                rows: Vec::new(),
                next: Some(0),
            };
        }
        let known = self.rows.len();
        if let Some(next) = self.next.filter(|_| !enough(&self.rows)) {
            let rows = std::mem::take(&mut self.rows);
            let mut wrap = Wrap::after(rows, content, atoms, (width, indent));
            self.next = wrap.lines(next, enough);
            self.rows = wrap.rows;
        }
        self.rows.len() - known
    }

    /// The text is another one from this byte on.
    pub(crate) fn change(&mut self, from: usize) {
        let reached = self.rows.partition_point(|row| row.range.start <= from);
        let kept = reached.saturating_sub(1 + BEFORE);
        if let Some(row) = self.rows.get(kept) {
            self.next = Some(row.range.start);
            self.rows.truncate(kept);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{Edit, Text};

    /// The rows that somebody gets who has never seen the text before.
    fn afresh(text: &Text, width: usize, indent: usize) -> Vec<crate::Row> {
        let mut other = text.clone();
        other.forget_layout();
        other.rows(width, indent)
    }

    fn edits() -> impl Strategy<Value = Vec<(usize, usize, String, bool)>> {
        let inserted = "[ab 漢\u{301}\u{1f1e9}\u{1f469}\u{200d}\n\t]{0,6}";
        prop::collection::vec((0_usize..200, 0_usize..9, inserted, any::<bool>()), 1..12)
    }

    proptest! {
        #[test]
        fn rows_are_the_same_however_the_text_came_about(
            start in "[ab 漢\u{301}\u{1f1e9}\u{1f469}\u{200d}\n\t]{0,120}",
            edits in edits(),
            width in 2_usize..12,
            indent in 0_usize..14,
        ) {
            let mut text = Text::new();
            text.set(&start);
            text.rows(width, indent);
            for (at, length, inserted, looks) in edits {
                text.apply(&Edit::replace(at..at + length, inserted));
                // Some look at all of it, some at a part.
                let below = if looks { usize::MAX } else { 2 };
                text.lay_out(width, indent, below);
                let known = text.laid_out().to_vec();
                prop_assert_eq!(&known[..], &afresh(&text, width, indent)[..known.len()]);
            }
            text.undo();
            prop_assert_eq!(text.rows(width, indent), afresh(&text, width, indent));
        }
    }

    #[test]
    fn a_key_lays_out_what_is_shown() {
        for words in ["漢字 ひらがな und Wörter ", "漢字", "ö"] {
            let mut text = Text::new();
            text.set(&words.repeat(100_000 / words.len()));
            let all = text.rows(80, 10).len();
            for at in [text.as_str().len(), text.as_str().len() / 2, 0] {
                text.move_to(at);
                // Whoever goes to another place pays for the way once.
                text.insert("x");
                text.lay_out(80, 10, 20);
                text.insert("ö");
                let laid_out = text.lay_out(80, 10, 20);
                assert!((1..=25).contains(&laid_out), "{laid_out} of {all}");
                assert_eq!(text.lay_out(80, 10, 20), 0, "nothing has changed");
            }
        }
    }
}
