//! Visual mode: what is selected, and what is done to it.

use std::ops::Range;

use super::command::{Command, Object, Shape, Side, Target, Verb};
use super::operator::Region;
use super::{Selection, State, Vim, object};
use crate::edit::Edit;
use crate::grapheme;
use crate::text::Text;

impl Vim {
    /// What is selected, if something is.
    pub fn selection(&self, text: &Text) -> Option<Range<usize>> {
        Some(self.selected(text)?.range)
    }

    fn selected(&self, text: &Text) -> Option<Region> {
        let State::Visual { shape, anchor } = self.state else {
            return None;
        };
        let content = text.as_str();
        // The text may have changed by another hand since.
        let anchor = grapheme::floor(content, anchor);
        let (start, last) = (anchor.min(text.cursor()), anchor.max(text.cursor()));
        Some(match shape {
            Shape::Lines => Region::lines(content, &(start..last)),
            Shape::Chars => Region {
                range: start..grapheme::next(content, last),
                shape,
            },
        })
    }

    /// Leaves visual mode, and keeps what was selected for `gv`.
    pub(super) fn unselect(&mut self, text: &Text) {
        if let State::Visual { shape, anchor } = self.state {
            let cursor = text.cursor();
            self.left = Some(Selection {
                shape,
                anchor,
                cursor,
            });
        }
        self.state = State::Normal;
    }

    /// Selects what was selected before; what is selected now can be had back the same way.
    pub(super) fn select_again(&mut self, text: &mut Text) {
        if let Some(before) = self.left.clone() {
            self.unselect(text);
            text.move_to(before.cursor);
            self.select(before.shape, before.anchor);
        }
    }

    /// Runs a command of visual mode.
    pub(super) fn run_on_selection(&mut self, command: Command, text: &mut Text) {
        let State::Visual { shape, anchor } = self.state else {
            return;
        };
        let Some(mut region) = self.selected(text) else {
            return;
        };
        match command.verb {
            Verb::Move(motion) => return self.go(&motion, command.count, text),
            Verb::Select(object) => return self.select_object(object, command.count, text),
            Verb::SwapEnds => {
                let cursor = text.cursor();
                text.move_to(anchor);
                return self.select(shape, cursor);
            }
            Verb::Visual(other) if other != shape => return self.select(other, anchor),
            Verb::SelectAgain => return self.select_again(text),
            _ => self.unselect(text),
        }
        let content = text.as_str();
        match command.verb {
            Verb::Operate(operator, target) => {
                if target == Target::SelectedLines {
                    region = Region::lines(content, &region.range);
                }
                let selected = &content[region.range.clone()];
                let size = match region.shape {
                    Shape::Chars => grapheme::all(selected).count(),
                    Shape::Lines => selected.split('\n').count(),
                };
                let target = Target::Span(region.shape, size);
                let verb = Verb::Operate(operator, target);
                text.move_to(region.range.start);
                self.run(Command { verb, ..command }, text);
            }
            Verb::Join => {
                let lines = content[region.range.clone()].split('\n').count();
                let count = Some(lines);
                text.move_to(region.range.start);
                self.run(Command { count, ..command }, text);
            }
            Verb::Replace(c) => {
                let selected = grapheme::all(&content[region.range.clone()]);
                let keep_newlines = |(_, unit)| if unit == "\n" { '\n' } else { c };
                let replaced: String = selected.map(keep_newlines).collect();
                let start = region.range.start;
                text.apply(&Edit::replace(region.range, replaced));
                text.move_to(start);
            }
            Verb::Put(side) => self.put_over(&region, command.register, side, text),
            _ => {}
        }
    }

    /// Puts a register in place of what is selected; `p` keeps that instead.
    fn put_over(&mut self, region: &Region, register: Option<char>, side: Side, text: &mut Text) {
        let Some(put) = self.registers.get(register).cloned() else {
            return;
        };
        if side == Side::After {
            let replaced = region.register(text.as_str());
            self.registers.deleted(None, replaced);
        }
        let put = match (region.shape, put.shape) {
            (Shape::Chars, Shape::Lines) => format!("\n{}\n", put.text),
            _ => put.text,
        };
        let start = region.range.start;
        let end = start + put.len();
        text.apply(&Edit::replace(region.range.clone(), put));
        let last = grapheme::previous(text.as_str(), grapheme::floor(text.as_str(), end));
        text.move_to(if region.shape == Shape::Chars {
            last.max(start)
        } else {
            start
        });
    }

    fn select_object(&mut self, object: Object, count: Option<usize>, text: &mut Text) {
        let (content, at) = (text.as_str(), text.cursor());
        let Some((range, shape)) = object::range(content, at, object, count.unwrap_or(1)) else {
            return;
        };
        if range.is_empty() {
            return;
        }
        let last = grapheme::previous(content, range.end);
        text.move_to(last);
        self.select(shape, range.start);
    }
}
