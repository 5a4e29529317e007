//! Operators, and the part of the text that they work on.

use std::ops::Range;

use super::Vim;
use super::command::{Command, Motion, Operator, Shape, Size, Target};
use super::motion::{self, Reach};
use super::object;
use super::register::Register;
use super::word::{self, Class};
use crate::edit::Edit;
use crate::grapheme;
use crate::line;
use crate::text::Text;

/// What `>` puts before a line.
const INDENT: &str = "    ";

/// A part of the text. Whole lines are without the newline at their end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) range: Range<usize>,
    pub(super) shape: Shape,
}

impl Region {
    fn chars(range: Range<usize>) -> Self {
        let shape = Shape::Chars;
        Self { range, shape }
    }

    /// All lines that `range` touches.
    pub(super) fn lines(text: &str, range: &Range<usize>) -> Self {
        let start = line::around(text, range.start).start;
        let end = line::around(text, range.end).end;
        Self {
            range: start..end,
            shape: Shape::Lines,
        }
    }

    /// Whole lines together with a newline, so that no empty line stays behind.
    fn with_newline(&self, text: &str) -> Range<usize> {
        match self.range.clone() {
            range if self.shape == Shape::Chars => range,
            range if range.end < text.len() => range.start..range.end + 1,
            range => range.start.saturating_sub(1)..range.end,
        }
    }

    pub(super) fn register(&self, text: &str) -> Register {
        Register {
            text: text[self.range.clone()].to_owned(),
            shape: self.shape,
        }
    }
}

impl Vim {
    /// Applies an operator; `None` if there is nothing that `.` should do again.
    pub(super) fn operate(
        &mut self,
        command: &Command,
        operator: Operator,
        target: &Target,
        text: &mut Text,
    ) -> Option<()> {
        let at = text.cursor();
        let region = self.region(operator, target, command.count, text)?;
        let start = region.range.start;
        let register = region.register(text.as_str());
        match operator {
            Operator::Yank => {
                self.registers.yanked(command.register, register);
                text.move_to(match region.shape {
                    Shape::Chars => start,
                    Shape::Lines => yanked_lines_cursor(text, at, &region),
                });
                return None;
            }
            Operator::Delete => {
                self.registers.deleted(command.register, register);
                text.apply(&Edit::delete(region.with_newline(text.as_str())));
                let start = start.min(text.as_str().len());
                text.move_to(match region.shape {
                    Shape::Chars => start,
                    Shape::Lines => line::first_text(text.as_str(), start),
                });
            }
            Operator::Change => {
                self.registers.deleted(command.register, register);
                text.begin_group();
                text.apply(&Edit::delete(region.range));
                self.begin_insert(command.clone(), text);
                return None;
            }
            Operator::Indent | Operator::Outdent => {
                let region = Region::lines(text.as_str(), &region.range);
                let lines = text.as_str()[region.range.clone()].split('\n');
                let lines: Vec<String> = lines.map(|line| shift(line, operator)).collect();
                let start = region.range.start;
                text.apply(&Edit::replace(region.range, lines.join("\n")));
                text.move_to(line::first_text(text.as_str(), start));
            }
            Operator::Lower | Operator::Upper | Operator::SwapCase => {
                let changed = with_case(&register.text, operator);
                text.apply(&Edit::replace(region.range, changed));
                text.move_to(match region.shape {
                    Shape::Chars => start,
                    Shape::Lines => at,
                });
            }
        }
        Some(())
    }

    /// What `target` is at the cursor.
    fn region(
        &mut self,
        operator: Operator,
        target: &Target,
        count: Option<usize>,
        text: &Text,
    ) -> Option<Region> {
        let (content, at) = (text.as_str(), text.cursor());
        let times = count.unwrap_or(1);
        let lines = |count: usize| {
            let last = line::below(content, at, count - 1);
            Region::lines(content, &(at..last.end))
        };
        match target {
            Target::Lines => Some(lines(times)),
            Target::Span(Shape::Lines, count) => Some(lines(*count)),
            Target::Span(Shape::Chars, count) => {
                let end = (0..*count).fold(at, |at, _| grapheme::next(content, at));
                Some(Region::chars(at..end))
            }
            Target::Object(object) => match object::range(content, at, *object, times)? {
                (range, Shape::Lines) => Some(Region::lines(content, &range)),
                (range, Shape::Chars) => Some(Region::chars(range)),
            },
            Target::Motion(Motion::Word(size)) if changes_word(operator, content, at, *size) => {
                let end = motion::word_to_change(content, at, *size, times);
                Some(Region::chars(at..end))
            }
            Target::Motion(motion) => {
                let region = self.region_of_motion(motion, count, text);
                // In an empty line there is nothing to change, and something to write.
                let writes = operator == Operator::Change && line::is_empty(content, at);
                region.or_else(|| writes.then(|| Region::chars(at..at)))
            }
            Target::Selection | Target::SelectedLines => None,
        }
    }

    fn region_of_motion(
        &mut self,
        motion: &Motion,
        count: Option<usize>,
        text: &Text,
    ) -> Option<Region> {
        let (content, at) = (text.as_str(), text.cursor());
        let landing = self.landing(motion, count, text)?;
        let range = at.min(landing.at)..at.max(landing.at);
        let region = match landing.reach {
            Reach::Lines => Region::lines(content, &range),
            Reach::Inclusive => Region::chars(range.start..grapheme::next(content, range.end)),
            Reach::Exclusive if matches!(motion, Motion::Word(_)) => {
                Region::chars(range.start..end_of_word(content, &range))
            }
            Reach::Exclusive => exclusive(content, range),
        };
        (region.shape == Shape::Lines || !region.range.is_empty()).then_some(region)
    }
}

/// `cw` on a word leaves the blanks behind it alone.
fn changes_word(operator: Operator, text: &str, at: usize, size: Size) -> bool {
    let class = word::class(text, at, size);
    operator == Operator::Change && !matches!(class, None | Some(Class::Blank | Class::Newline))
}

/// A word at the end of a line ends there, also where the next one is lines away.
fn end_of_word(text: &str, range: &Range<usize>) -> usize {
    match text[range.clone()].rfind('\n') {
        Some(newline) if text[range.start + newline..range.end].trim().is_empty() => {
            range.start + newline
        }
        _ => range.end,
    }
}

/// What ends at the start of a line ends before its newline instead, and is whole lines if there is
/// nothing before it in its first one.
fn exclusive(text: &str, range: Range<usize>) -> Region {
    let ends_at_start = range.end > range.start && text[..range.end].ends_with('\n');
    if !ends_at_start {
        return Region::chars(range);
    }
    let range = range.start..range.end - 1;
    if range.start <= line::first_text(text, range.start) {
        Region::lines(text, &range)
    } else {
        Region::chars(range)
    }
}

/// After lines were yanked the cursor stays in its column if it can.
fn yanked_lines_cursor(text: &Text, at: usize, region: &Region) -> usize {
    if line::around(text.as_str(), at).start <= region.range.start {
        at
    } else {
        region.range.start
    }
}

fn shift(line: &str, operator: Operator) -> String {
    match operator {
        Operator::Indent if line.is_empty() => String::new(),
        Operator::Indent => format!("{INDENT}{line}"),
        _ => {
            let most = INDENT.len();
            let blanks = line.bytes().take(most).take_while(|byte| *byte == b' ');
            let less = line.strip_prefix('\t').unwrap_or(&line[blanks.count()..]);
            less.to_owned()
        }
    }
}

/// `text` in another case.
pub(super) fn with_case(text: &str, operator: Operator) -> String {
    match operator {
        Operator::Lower => text.to_lowercase(),
        Operator::Upper => text.to_uppercase(),
        _ => {
            let mut swapped = String::with_capacity(text.len());
            for c in text.chars() {
                if c.is_uppercase() {
                    swapped.extend(c.to_lowercase());
                } else {
                    swapped.extend(c.to_uppercase());
                }
            }
            swapped
        }
    }
}
