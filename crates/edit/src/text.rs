//! The buffer: text, cursor, pasted blocks, and what was done to them.
//!
//! **Invariant:** the cursor stands between two characters that a person sees, never inside one or
//! inside a pasted block, whatever is done.

use std::cell::{Ref, RefCell};
use std::ops::Range;

use crate::atom::{Atoms, is_atom};
use crate::clean::{clean, clean_for_buffer};
use crate::edit::Edit;
use crate::grapheme;
use crate::kill::{KillRing, Side};
use crate::layout::Layout;
use crate::undo::{Group, History};
use crate::wrap::Row;

/// A pasted line longer than this, in bytes, is a block too: it would make every key slow.
const LONGEST_LINE: usize = 10_000;

/// A text that is being edited.
#[derive(Clone, Debug, Default)]
pub struct Text {
    content: String,
    cursor: usize,
    /// The column that moving up and down keeps to.
    pub(crate) column: Option<usize>,
    atoms: Atoms,
    history: History,
    kills: KillRing,
    last: Last,
    layout: RefCell<Layout>,
}

/// What was done last, as far as it changes what comes next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Other,
    /// A character was typed; a blank one ends the word.
    Typed { blank: bool },
    /// A character was deleted.
    Erased,
    /// Something was cut into the kill ring.
    Killed,
    /// This was put in from the kill ring.
    Yanked(Range<usize>),
}

impl Text {
    /// An empty text.
    pub fn new() -> Self {
        Self::default()
    }

    /// The text, with one character for each pasted block; see [`Text::expanded`].
    pub fn as_str(&self) -> &str {
        &self.content
    }

    /// Whether nothing is there.
    pub fn is_empty(&self) -> bool {
        self.content.is_empty()
    }

    /// Where the cursor is, in bytes.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Moves the cursor to `at`, or the nearest place before it where a cursor may be.
    pub fn move_to(&mut self, at: usize) {
        self.cursor = grapheme::floor(&self.content, at);
        self.column = None;
        self.last = Last::Other;
    }

    /// The text with pasted blocks in full: what is submitted.
    pub fn expanded(&self) -> String {
        self.atoms.expand(&self.content)
    }

    /// A part that was cut from the text, with pasted blocks in full.
    pub fn expand(&self, part: &str) -> String {
        self.atoms.expand(part)
    }

    /// The text with a label for each pasted block: what a person sees of it.
    pub fn labelled(&self) -> String {
        self.atoms.label(&self.content)
    }

    /// Takes the text out, with pasted blocks in full, and leaves an empty one without a past. What
    /// was killed can still be put in.
    pub fn take(&mut self) -> String {
        let text = self.expanded();
        self.content.clear();
        self.forget_layout();
        self.history = History::default();
        self.move_to(0);
        text
    }

    /// Puts `text` in place of everything; the cursor goes to its end.
    pub fn set(&mut self, text: &str) {
        let text = clean_for_buffer(text);
        self.change(&Edit::replace(0..self.content.len(), text), false);
    }

    /// As [`Text::set`], but a text of several lines is shown as a pasted block.
    pub fn recall(&mut self, text: &str) {
        let text = self.block_or_text(text);
        self.change(&Edit::replace(0..self.content.len(), text), false);
    }

    /// Puts in what was typed. The characters of a word are taken back together.
    pub fn insert(&mut self, text: &str) {
        let text = clean_for_buffer(text);
        let is_one = grapheme::next(&text, 0) == text.len();
        let blank = text.chars().all(char::is_whitespace);
        let joins = match self.last {
            Last::Typed { blank: before } => is_one && (blank || !before),
            _ => false,
        };
        self.change(&Edit::insert(self.cursor, text), joins);
        if is_one {
            self.last = Last::Typed { blank };
        }
    }

    /// Puts in what was pasted: several lines as one block, a single line as if it were typed
    /// (without the newline at its end, which belongs to how it was copied).
    pub fn paste(&mut self, text: &str) {
        let text = self.block_or_text(text);
        self.change(&Edit::insert(self.cursor, text), false);
    }

    /// Puts the text of a pasted block in its place: that of the block at the cursor, or else of the
    /// nearest one before it, or else of the first one behind it. Says whether there is one.
    pub fn expand_nearest(&mut self) -> bool {
        let (before, behind) = self.content.split_at(self.cursor);
        let first = behind.find(is_atom).map(|at| self.cursor + at);
        let here = first.filter(|at| *at == self.cursor);
        let Some(at) = here.or_else(|| before.rfind(is_atom)).or(first) else {
            return false;
        };
        let range = at..grapheme::next(&self.content, at);
        let text = self.atoms.expand(&self.content[range.clone()]);
        let text = clean_for_buffer(&text).into_owned();
        self.change(&Edit::replace(range, text), false);
        true
    }

    /// Makes a change and gives the one that takes it back. The cursor goes to the end of what was
    /// put in. A range that ends inside a character or beyond the text is cut down.
    pub fn apply(&mut self, edit: &Edit) -> Edit {
        let is_foreign = |c| is_atom(c) && self.atoms.get(c).is_none();
        let text = clean(&edit.text).replace(is_foreign, "\u{fffd}");
        self.change(&Edit::replace(edit.range.clone(), text), false)
    }

    /// Takes the last group of changes back; says whether there was one.
    pub fn undo(&mut self) -> bool {
        let Some(group) = self.history.last() else {
            return false;
        };
        let undone = self.roll(&group);
        self.history.undone(undone);
        true
    }

    /// Makes the changes again that were taken back last; says whether there were any.
    pub fn redo(&mut self) -> bool {
        let Some(group) = self.history.next() else {
            return false;
        };
        let redone = self.roll(&group);
        self.history.redone(redone);
        true
    }

    /// All changes up to [`Text::end_group`] are taken back together.
    pub fn begin_group(&mut self) {
        self.history.open();
        self.last = Last::Other;
    }

    /// See [`Text::begin_group`].
    pub fn end_group(&mut self) {
        self.history.close();
        self.last = Last::Other;
    }

    /// Whether a group was begun and neither ended nor lost with the text.
    pub(crate) fn is_in_group(&self) -> bool {
        self.history.is_open()
    }

    /// Lays the text out as far as `below` rows after that of the cursor. Says how many rows that
    /// took.
    pub(crate) fn lay_out(&self, width: usize, indent: usize, below: usize) -> usize {
        let enough = |rows: &[Row]| {
            let reached = rows.partition_point(|row| row.range.start <= self.cursor);
            rows.len() - reached >= below.max(1)
        };
        let columns = (width.max(2), indent);
        let mut layout = self.layout.borrow_mut();
        layout.go_on(&self.content, &self.atoms, columns, enough)
    }

    /// The rows as far as they were laid out.
    pub(crate) fn laid_out(&self) -> Ref<'_, [Row]> {
        Ref::map(self.layout.borrow(), Layout::rows)
    }

    pub(crate) fn forget_layout(&mut self) {
        self.layout = RefCell::default();
    }

    pub(crate) fn atoms(&self) -> &Atoms {
        &self.atoms
    }

    /// Deletes a character; several in a row are taken back together.
    pub(crate) fn erase(&mut self, range: Range<usize>) {
        let joins = self.last == Last::Erased;
        self.change(&Edit::delete(range), joins);
        self.last = Last::Erased;
    }

    /// Cuts `range` into the kill ring; cuts in a row are one.
    pub(crate) fn kill(&mut self, range: Range<usize>, side: Side) {
        if range.is_empty() {
            return;
        }
        let goes_on = self.last == Last::Killed;
        self.kills.add(&self.content[range.clone()], side, goes_on);
        self.change(&Edit::delete(range), false);
        self.last = Last::Killed;
    }

    /// Puts in what was cut last.
    pub(crate) fn yank(&mut self) {
        if let Some(text) = self.kills.newest() {
            let edit = Edit::insert(self.cursor, text);
            self.change_to_yanked(&edit, false);
        }
    }

    /// Puts the cut before in place of the one that was just put in.
    pub(crate) fn yank_older(&mut self) {
        let Last::Yanked(range) = self.last.clone() else {
            return;
        };
        if let Some(text) = self.kills.rotate() {
            let edit = Edit::replace(range, text);
            self.change_to_yanked(&edit, true);
        }
    }

    fn change_to_yanked(&mut self, edit: &Edit, joins: bool) {
        let yanked = self.change(edit, joins).range;
        self.last = Last::Yanked(yanked);
    }

    /// Pasted or recalled text as it gets into the buffer.
    fn block_or_text(&mut self, text: &str) -> String {
        let text = clean(text);
        let line = text.trim_end_matches('\n');
        if line.len() <= LONGEST_LINE && !line.contains('\n') {
            return clean_for_buffer(line).into_owned();
        }
        match self.atoms.keep(&text) {
            Some(block) => block.to_string(),
            None => clean_for_buffer(&text).into_owned(),
        }
    }

    /// Makes a change that can be taken back, with the last one if it `joins` that.
    fn change(&mut self, edit: &Edit, joins: bool) -> Edit {
        let before = self.cursor;
        let inverse = self.splice(edit);
        if !inverse.range.is_empty() || !inverse.text.is_empty() {
            let cursors = (before, self.cursor);
            self.history.record(inverse.clone(), cursors, joins);
        }
        self.last = Last::Other;
        inverse
    }

    /// Makes a change of the text alone.
    fn splice(&mut self, edit: &Edit) -> Edit {
        let start = self.content.floor_char_boundary(edit.range.start);
        let end = self.content.floor_char_boundary(edit.range.end).max(start);
        let removed = self.content[start..end].to_owned();
        self.layout.get_mut().change(start);
        self.content.replace_range(start..end, &edit.text);
        let end = start + edit.text.len();
        self.cursor = grapheme::ceil(&self.content, end);
        self.column = None;
        Edit::replace(start..end, removed)
    }

    /// Makes the edits of a group, and gives the group that takes them back.
    fn roll(&mut self, group: &Group) -> Group {
        let edits = group.edits.iter().rev();
        let edits = edits.map(|edit| self.splice(edit)).collect();
        self.move_to(group.cursor);
        Group {
            edits,
            cursor: group.other,
            other: group.cursor,
        }
    }
}
