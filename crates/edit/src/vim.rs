//! Vim: a translator from keys to changes of the text.
//!
//! It stands before the keymap. In insert mode it takes nothing but Esc, so typing, completion and
//! the keys of the table work as they do without it. In the other modes it takes every key that
//! types a character, and gives back those that are no command: so Enter submits, and keys with Ctrl
//! do what they always do.
//!
//! `grammar` makes a `command` of keys; `normal` runs it, with `motion`, `object` and `search` to say
//! where things are, `operator` and `change` to change them, `insert` for what is typed in between.

mod change;
mod command;
mod grammar;
mod insert;
mod motion;
mod normal;
mod object;
mod operator;
mod register;
mod search;
mod sentence;
mod visual;
mod word;

use crate::grapheme;
use crate::key::{Code, Key};
use crate::line;
use crate::text::Text;
use command::{Command, Direction, Find, Pattern, Shape};
use grammar::{Grammar, Stop};
use insert::{Overwriting, Session};
use register::Registers;

/// A vim, with all that it remembers.
#[derive(Clone, Debug, Default)]
pub struct Vim {
    state: State,
    /// Keys that are no command yet.
    pending: Vec<Key>,
    registers: Registers,
    /// What `.` does again.
    last: Option<Change>,
    found: Option<Find>,
    searched: Option<(Pattern, Direction)>,
    /// The column that moving up and down keeps to.
    column: Option<usize>,
    /// What `gv` selects again.
    left: Option<Selection>,
}

#[derive(Clone, Debug)]
enum State {
    Normal,
    Insert(Session),
    Overwrite(Overwriting),
    Visual { shape: Shape, anchor: usize },
}

impl Default for State {
    /// One wants to write first.
    fn default() -> Self {
        Self::Insert(Session::default())
    }
}

/// What was selected: from the anchor to the cursor, or back.
#[derive(Clone, Debug)]
struct Selection {
    shape: Shape,
    anchor: usize,
    cursor: usize,
}

/// A change as it was asked for, and what was typed then.
#[derive(Clone, Debug)]
struct Change {
    command: Command,
    typed: String,
}

/// What became of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Press {
    /// It did what it does.
    Done,
    /// It is the start of something.
    Pending,
    /// It means nothing here: it is for the keymap, or else to be typed.
    Ignored,
}

/// How keys are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Keys are commands.
    Normal,
    /// Keys are typed.
    Insert,
    /// Keys are typed over what is there.
    Replace,
    /// Moving selects characters.
    Visual,
    /// Moving selects lines.
    VisualLine,
}

impl Mode {
    /// Its name, as vim shows it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "NORMAL",
            Self::Insert => "INSERT",
            Self::Replace => "REPLACE",
            Self::Visual => "VISUAL",
            Self::VisualLine => "VISUAL LINE",
        }
    }
}

impl Vim {
    /// A vim in insert mode.
    pub fn new() -> Self {
        Self::default()
    }

    /// Offers it a key.
    pub fn press(&mut self, key: Key, text: &mut Text) -> Press {
        let key = key.normal();
        match self.state {
            State::Insert(_) => self.press_inserting(key, text),
            State::Overwrite(_) => self.press_overwriting(key, text),
            State::Normal => self.press_command(key, text, Grammar::Normal),
            State::Visual { .. } => self.press_command(key, text, Grammar::Visual),
        }
    }

    /// How the next key is understood.
    pub fn mode(&self) -> Mode {
        match self.state {
            State::Normal => Mode::Normal,
            State::Insert(_) => Mode::Insert,
            State::Overwrite(_) => Mode::Replace,
            State::Visual { shape, .. } => match shape {
                Shape::Chars => Mode::Visual,
                Shape::Lines => Mode::VisualLine,
            },
        }
    }

    /// The mode, and the keys that are no command yet: `NORMAL 2d`.
    pub fn status(&self) -> String {
        let mut status = self.mode().name().to_owned();
        if !self.pending.is_empty() {
            status.push(' ');
            status.extend(self.pending.iter().map(|key| match key.typed() {
                Some(c) => c.to_string(),
                None => format!("<{key}>"),
            }));
        }
        status
    }

    /// What a register holds, as it stands in the text (see [`Text::expand`]).
    pub fn register(&self, name: char) -> Option<&str> {
        let register = self.registers.get(Some(name))?;
        Some(&register.text)
    }

    /// Puts the cursor where it may be in this mode, after it was moved by another hand: on a
    /// character, and not behind the last one of its line.
    pub fn settle(&self, text: &mut Text) {
        let at = text.cursor();
        let line = line::around(text.as_str(), at);
        let writes = matches!(self.state, State::Insert(_) | State::Overwrite(_));
        if !writes && at == line.end && at > line.start {
            text.move_to(grapheme::previous(text.as_str(), at));
        }
    }

    fn press_command(&mut self, key: Key, text: &mut Text, grammar: Grammar) -> Press {
        if is_escape(key) {
            return self.escape(text);
        }
        self.settle(text);
        self.pending.push(key);
        let read = grammar::read(&self.pending, grammar);
        if read == Err(Stop::More) {
            return Press::Pending;
        }
        self.pending.clear();
        match read {
            Ok(command) => {
                match grammar {
                    Grammar::Normal => self.run(command, text),
                    Grammar::Visual => self.run_on_selection(command, text),
                }
                self.settle(text);
                Press::Done
            }
            Err(_) if key.typed().is_some() => Press::Done,
            Err(_) => {
                // Nothing stays selected in a text that is submitted or replaced.
                self.unselect(text);
                Press::Ignored
            }
        }
    }

    /// Leaves what was begun; in normal mode there is nothing to leave.
    fn escape(&mut self, text: &Text) -> Press {
        if !self.pending.is_empty() {
            self.pending.clear();
        } else if matches!(self.state, State::Normal) {
            return Press::Ignored;
        } else {
            self.unselect(text);
        }
        Press::Done
    }
}

fn is_escape(key: Key) -> bool {
    key == Key::plain(Code::Esc) || key == Key::ctrl('[')
}
