//! Running commands of normal mode.

use super::command::{Command, Motion, Pattern, Shape, Verb};
use super::motion::{self, Landing};
use super::{Change, State, Vim, change, search};
use crate::line;
use crate::text::Text;
use crate::wrap;

impl Vim {
    /// Does what `command` says, and keeps it for `.` if it changed something.
    pub(super) fn run(&mut self, command: Command, text: &mut Text) {
        let count = command.count;
        let column = self.column.take();
        let changed = match &command.verb {
            Verb::Move(motion) => {
                self.column = column;
                self.go(motion, count, text);
                None
            }
            Verb::Operate(operator, target) => self.operate(&command, *operator, target, text),
            Verb::Insert(place) => {
                self.insert(command.clone(), *place, text);
                None
            }
            Verb::Overwrite => {
                self.overwrite(command.clone(), text);
                None
            }
            Verb::Replace(c) => change::replace(*c, count.unwrap_or(1), text),
            Verb::SwapCase => change::swap_case(count.unwrap_or(1), text),
            Verb::Join => change::join(count.unwrap_or(1), text),
            Verb::Put(side) => self.put(command.register, *side, count.unwrap_or(1), text),
            Verb::Undo => {
                (0..count.unwrap_or(1)).all(|_| text.undo());
                None
            }
            Verb::Redo => {
                (0..count.unwrap_or(1)).all(|_| text.redo());
                None
            }
            Verb::Repeat => {
                self.repeat(count, text);
                None
            }
            Verb::Visual(shape) => {
                self.select(*shape, text.cursor());
                None
            }
            Verb::SelectAgain => {
                self.select_again(text);
                None
            }
            Verb::Select(_) | Verb::SwapEnds => None,
        };
        if changed.is_some() {
            let typed = String::new();
            self.last = Some(Change { command, typed });
        }
    }

    /// Moves the cursor.
    pub(super) fn go(&mut self, motion: &Motion, count: Option<usize>, text: &mut Text) {
        let column = match motion {
            Motion::Up | Motion::Down => Some(self.column(text)),
            Motion::LineEnd => Some(usize::MAX),
            Motion::Column => Some(count.unwrap_or(1) - 1),
            _ => None,
        };
        if let Some(landing) = self.landing(motion, count, text) {
            text.move_to(landing.at);
            self.column = column;
        }
    }

    /// Where `motion` leads.
    pub(super) fn landing(
        &mut self,
        motion: &Motion,
        count: Option<usize>,
        text: &Text,
    ) -> Option<Landing> {
        let (from, motion) = self.known(motion, text)?;
        let at = match motion {
            Motion::Up | Motion::Down => motion::vertical(text, &motion, count, self.column(text)),
            Motion::Column => Some(motion::in_column(text, count.unwrap_or(1) - 1)),
            _ => motion::place(text.as_str(), from, &motion, count),
        };
        let reach = motion::reach(&motion);
        at.map(|at| Landing { at, reach })
    }

    /// The column that moving up and down keeps to.
    fn column(&self, text: &Text) -> usize {
        self.column.unwrap_or_else(|| {
            let line = line::around(text.as_str(), text.cursor());
            let before = &text.as_str()[line.start..text.cursor()];
            wrap::columns(before, text.atoms())
        })
    }

    /// The motion that `motion` is with what was found before, and where it begins.
    fn known(&mut self, motion: &Motion, text: &Text) -> Option<(usize, Motion)> {
        let at = text.cursor();
        match motion {
            Motion::Find(find) => {
                self.found = Some(*find);
                Some((at, motion.clone()))
            }
            Motion::FindAgain { reverse } => {
                let mut find = self.found?;
                find.direction = find.direction.reversed(*reverse);
                find.again = true;
                Some((at, Motion::Find(find)))
            }
            Motion::Search(pattern, direction) => {
                let pattern = match &self.searched {
                    Some((last, _)) if pattern.text.is_empty() => last.clone(),
                    _ => pattern.clone(),
                };
                self.searched = Some((pattern.clone(), *direction));
                Some((at, Motion::Search(pattern, *direction)))
            }
            Motion::SearchAgain { reverse } => {
                let (pattern, direction) = self.searched.clone()?;
                Some((at, Motion::Search(pattern, direction.reversed(*reverse))))
            }
            Motion::SearchWord(direction) => {
                let (start, word) = search::word_at(text.as_str(), at)?;
                let pattern = Pattern {
                    text: word.to_owned(),
                    whole_word: true,
                };
                self.searched = Some((pattern.clone(), *direction));
                Some((start, Motion::Search(pattern, *direction)))
            }
            motion => Some((at, motion.clone())),
        }
    }

    /// Makes the last change again, `count` times instead of its own count.
    fn repeat(&mut self, count: Option<usize>, text: &mut Text) {
        let Some(mut change) = self.last.clone() else {
            return;
        };
        change.command.count = count.or(change.command.count);
        self.run(change.command, text);
        self.type_again(&change.typed, text);
    }

    /// Begins to select at `anchor`.
    pub(super) fn select(&mut self, shape: Shape, anchor: usize) {
        self.state = State::Visual { shape, anchor };
    }
}
