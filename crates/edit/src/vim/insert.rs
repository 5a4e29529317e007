//! What is typed between a command and Esc.
//!
//! In insert mode the front end types, completes and pastes as it always does. What was typed is
//! found out from the text itself: it is what stands between what was before the insert and what was
//! behind it.

use super::change::copies;
use super::command::{Command, Place, Verb};
use super::{Change, Press, State, Vim, is_escape};
use crate::edit::Edit;
use crate::grapheme;
use crate::key::{Code, Key};
use crate::line;
use crate::text::Text;

/// An insert that goes on.
#[derive(Clone, Debug)]
pub(super) struct Session {
    /// What it began with.
    command: Command,
    /// The text before it.
    before: String,
    /// The bytes behind it.
    behind: usize,
}

impl Default for Session {
    /// As if `i` had been pressed in an empty text.
    fn default() -> Self {
        Self::new(plain_insert(), &Text::new())
    }
}

impl Session {
    fn new(command: Command, text: &Text) -> Self {
        Self {
            command,
            before: text.as_str()[..text.cursor()].to_owned(),
            behind: text.as_str().len() - text.cursor(),
        }
    }

    /// What was typed, if the cursor is still at its end. It is not after it was moved, or after
    /// another text was put in place of this one.
    fn typed<'a>(&self, text: &'a Text) -> Option<&'a str> {
        let (before, after) = text.as_str().split_at(text.cursor());
        let typed = before.strip_prefix(self.before.as_str())?;
        (after.len() == self.behind).then_some(typed)
    }
}

/// Typing over what is there.
#[derive(Clone, Debug)]
pub(super) struct Overwriting {
    command: Command,
    typed: String,
    /// What stood under each character that was typed; nothing at the end of a line.
    covered: Vec<String>,
    /// Where the next one goes.
    at: usize,
}

impl Vim {
    /// Begins an insert at `place`.
    pub(super) fn insert(&mut self, command: Command, place: Place, text: &mut Text) {
        let at = text.cursor();
        let line = line::around(text.as_str(), at);
        text.begin_group();
        match place {
            Place::Before => {}
            Place::After => text.move_to(grapheme::next(text.as_str(), at).min(line.end)),
            Place::FirstText => text.move_to(line::first_text(text.as_str(), at)),
            Place::LineEnd => text.move_to(line.end),
            Place::LineBelow => {
                text.apply(&Edit::insert(line.end, "\n"));
            }
            Place::LineAbove => {
                text.apply(&Edit::insert(line.start, "\n"));
                text.move_to(line.start);
            }
        }
        self.begin_insert(command, text);
    }

    /// Begins an insert at the cursor, in the group that was begun.
    pub(super) fn begin_insert(&mut self, command: Command, text: &Text) {
        self.state = State::Insert(Session::new(command, text));
    }

    /// `R`: begins to type over what is there.
    pub(super) fn overwrite(&mut self, command: Command, text: &mut Text) {
        text.begin_group();
        self.state = State::Overwrite(Overwriting {
            command,
            typed: String::new(),
            covered: Vec::new(),
            at: text.cursor(),
        });
    }

    /// Types what was typed when a command was first run, and ends its insert if it began one.
    pub(super) fn type_again(&mut self, typed: &str, text: &mut Text) {
        match &mut self.state {
            State::Insert(_) => {
                text.apply(&Edit::insert(text.cursor(), typed));
                self.end_insert(text);
            }
            State::Overwrite(overwriting) => {
                overwriting.write(typed, text);
                self.end_overwriting(text);
            }
            State::Normal | State::Visual { .. } => {}
        }
    }

    pub(super) fn press_inserting(&mut self, key: Key, text: &mut Text) -> Press {
        let State::Insert(session) = &mut self.state else {
            return Press::Ignored;
        };
        let goes_on = session.typed(text).is_some();
        if !goes_on {
            *session = Session::new(plain_insert(), text);
        }
        if is_escape(key) {
            self.end_insert(text);
            return Press::Done;
        }
        if !goes_on || !text.is_in_group() {
            text.begin_group();
        }
        Press::Ignored
    }

    /// Ends an insert: what was typed is typed again as often as the count says.
    fn end_insert(&mut self, text: &mut Text) {
        let State::Insert(session) = std::mem::replace(&mut self.state, State::Normal) else {
            return;
        };
        let typed = session.typed(text).unwrap_or_default().to_owned();
        let command = session.command;
        let again = command.count.unwrap_or(1).saturating_sub(1);
        let once_more = match command.verb {
            Verb::Insert(Place::LineAbove | Place::LineBelow) => format!("\n{typed}"),
            Verb::Insert(_) => typed.clone(),
            _ => String::new(),
        };
        if again > 0 && !once_more.is_empty() {
            text.apply(&Edit::insert(text.cursor(), copies(&once_more, again)));
        }
        self.end_writing(Change { command, typed }, text);
    }

    pub(super) fn press_overwriting(&mut self, key: Key, text: &mut Text) -> Press {
        let State::Overwrite(overwriting) = &mut self.state else {
            return Press::Ignored;
        };
        if overwriting.at != text.cursor() {
            overwriting.typed.clear();
            overwriting.covered.clear();
            overwriting.at = text.cursor();
        }
        if is_escape(key) {
            self.end_overwriting(text);
        } else if let Some(c) = key.typed() {
            overwriting.write(&c.to_string(), text);
        } else if key == Key::plain(Code::Backspace) {
            overwriting.take_back(text);
        } else {
            return Press::Ignored;
        }
        Press::Done
    }

    fn end_overwriting(&mut self, text: &mut Text) {
        let State::Overwrite(mut overwriting) = std::mem::replace(&mut self.state, State::Normal)
        else {
            return;
        };
        let typed = std::mem::take(&mut overwriting.typed);
        let again = overwriting.command.count.unwrap_or(1).saturating_sub(1);
        if again > 0 && !typed.is_empty() {
            overwriting.write(&copies(&typed, again), text);
        }
        let command = overwriting.command;
        self.end_writing(Change { command, typed }, text);
    }

    /// Goes back to normal mode, one character to the left.
    fn end_writing(&mut self, change: Change, text: &mut Text) {
        text.end_group();
        self.last = Some(change);
        let line = line::around(text.as_str(), text.cursor());
        if text.cursor() > line.start {
            text.move_to(grapheme::previous(text.as_str(), text.cursor()));
        }
    }
}

impl Overwriting {
    /// Types over what is there.
    fn write(&mut self, typed: &str, text: &mut Text) {
        for (_, typed) in grapheme::all(typed) {
            let at = text.cursor();
            let end = line::around(text.as_str(), at).end;
            let end = grapheme::next(text.as_str(), at).min(end);
            self.covered.push(text.as_str()[at..end].to_owned());
            text.apply(&Edit::replace(at..end, typed));
            self.typed.push_str(typed);
        }
        self.at = text.cursor();
    }

    /// Brings back what the last character covered.
    fn take_back(&mut self, text: &mut Text) {
        let at = text.cursor();
        let before = grapheme::previous(text.as_str(), at);
        if let Some(covered) = self.covered.pop() {
            text.apply(&Edit::replace(before..at, covered));
            let last = grapheme::previous(&self.typed, self.typed.len());
            self.typed.truncate(last);
        }
        text.move_to(before);
        self.at = text.cursor();
    }
}

fn plain_insert() -> Command {
    Command {
        register: None,
        count: None,
        verb: Verb::Insert(Place::Before),
    }
}
