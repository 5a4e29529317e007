//! Actions that are about text.

use std::ops::Range;

use crate::action::Action;
use crate::edit::Edit;
use crate::grapheme;
use crate::kill::Side;
use crate::line;
use crate::text::Text;
use crate::word;

impl Text {
    /// Does `action` if it is about text, and says whether it is. Moving up and down is not: it
    /// depends on the rows, see [`Text::up`].
    pub fn perform(&mut self, action: Action) -> bool {
        let (at, end) = (self.cursor(), self.as_str().len());
        match action {
            Action::Newline => self.insert("\n"),
            Action::Home => self.move_to(self.line().start),
            Action::End => self.move_to(self.line().end),
            Action::TextStart => self.move_to(0),
            Action::TextEnd => self.move_to(end),
            Action::Left => self.move_to(self.before()),
            Action::Right => self.move_to(self.after()),
            Action::WordLeft => self.move_to(word::start(self.as_str(), at)),
            Action::WordRight => self.move_to(word::end(self.as_str(), at)),
            Action::DeleteLeft => self.erase(self.before()..at),
            Action::DeleteRight => self.erase(at..self.after()),
            Action::DeleteWordLeft => self.kill(word::start(self.as_str(), at)..at, Side::Left),
            Action::DeleteWordRight => self.kill(at..word::end(self.as_str(), at), Side::Right),
            Action::DeleteLeftAll => match self.line().start {
                start if start == at => self.kill(self.before()..at, Side::Left),
                start => self.kill(start..at, Side::Left),
            },
            Action::DeleteRightAll => match self.line().end {
                end if end == at => self.kill(at..self.after(), Side::Right),
                end => self.kill(at..end, Side::Right),
            },
            Action::Clear => self.kill(0..end, Side::Left),
            Action::Yank => self.yank(),
            Action::YankOlder => self.yank_older(),
            Action::Transpose => self.transpose(),
            Action::Undo => _ = self.undo(),
            Action::Redo => _ = self.redo(),
            Action::ExpandPaste => _ = self.expand_nearest(),
            _ => return false,
        }
        true
    }

    /// The line of the cursor, without its newline.
    fn line(&self) -> Range<usize> {
        line::around(self.as_str(), self.cursor())
    }

    fn before(&self) -> usize {
        grapheme::previous(self.as_str(), self.cursor())
    }

    fn after(&self) -> usize {
        grapheme::next(self.as_str(), self.cursor())
    }

    /// Swaps the characters before and after the cursor, or the two before it at the end of a line.
    fn transpose(&mut self) {
        let line = self.line();
        let middle = match self.cursor() {
            at if at == line.end => self.before(),
            at => at,
        };
        let start = grapheme::previous(self.as_str(), middle);
        if middle <= line.start || start < line.start {
            return;
        }
        let end = grapheme::next(self.as_str(), middle);
        let first = &self.as_str()[start..middle];
        let second = &self.as_str()[middle..end];
        let swapped = format!("{second}{first}");
        self.apply(&Edit::replace(start..end, swapped));
    }
}
