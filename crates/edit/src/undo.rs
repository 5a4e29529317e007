//! What was changed, in groups that are taken back together.

use std::collections::VecDeque;

use crate::edit::Edit;

/// As many groups as can be taken back.
const MOST: usize = 100;

/// The groups that can be taken back and put in again.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    past: VecDeque<Group>,
    future: Vec<Group>,
    session: Session,
}

/// Edits that take a change back, to be made from the last to the first.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) edits: Vec<Edit>,
    /// Where the cursor goes once they are made.
    pub(crate) cursor: usize,
    /// Where it was before.
    pub(crate) other: usize,
}

/// Whether edits are being gathered in one group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Session {
    #[default]
    Closed,
    /// The next edit begins a group.
    Fresh,
    /// The next edit joins the last group.
    Open,
}

impl History {
    /// Remembers how to take an edit back that moved the cursor from `before` to `after`; in the
    /// group of the last one if it `joins` that.
    pub(crate) fn record(&mut self, inverse: Edit, (before, after): (usize, usize), joins: bool) {
        self.future.clear();
        let joins = match self.session {
            Session::Closed => joins,
            Session::Fresh => false,
            Session::Open => true,
        };
        if self.session == Session::Fresh {
            self.session = Session::Open;
        }
        if let Some(group) = self.past.back_mut().filter(|_| joins) {
            group.add(inverse);
            group.other = after;
            return;
        }
        if self.past.len() == MOST {
            self.past.pop_front();
        }
        self.past.push_back(Group {
            edits: vec![inverse],
            cursor: before,
            other: after,
        });
    }

    /// Everything up to `close` is one group.
    pub(crate) fn open(&mut self) {
        self.session = Session::Fresh;
    }

    /// Whether a group is open.
    pub(crate) fn is_open(&self) -> bool {
        self.session != Session::Closed
    }

    /// See `open`.
    pub(crate) fn close(&mut self) {
        self.session = Session::Closed;
    }

    pub(crate) fn last(&mut self) -> Option<Group> {
        self.close();
        self.past.pop_back()
    }

    pub(crate) fn undone(&mut self, group: Group) {
        self.future.push(group);
    }

    pub(crate) fn next(&mut self) -> Option<Group> {
        self.close();
        self.future.pop()
    }

    pub(crate) fn redone(&mut self, group: Group) {
        self.past.push_back(group);
    }
}

impl Group {
    /// Adds an edit; what is typed character by character becomes one.
    fn add(&mut self, inverse: Edit) {
        if let Some(last) = self.edits.last_mut()
            && last.text.is_empty()
            && inverse.text.is_empty()
            && last.range.end == inverse.range.start
        {
            last.range.end = inverse.range.end;
        } else {
            self.edits.push(inverse);
        }
    }
}
