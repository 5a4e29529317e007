//! From text to syntax, the way bash reads it.
//!
//! A parser of its own, because a checker must never see less than bash does: it knows where bash
//! removes a continued line, where a quote counts and where it does not, and it stops at whatever
//! it does not know. What came before the stop is kept, since bash runs line by line and would
//! have run it too.
//!
//! Takes time in proportion to the text: nothing is read twice, but for `((`, which bash too has
//! to look through to its end, and which can be nested only so deep.

mod compound;
mod cursor;
mod dollar;
mod heredoc;
mod list;
mod simple;
mod word;

use std::cell::OnceCell;
use std::rc::Rc;

use cursor::Cursor;

use crate::syntax::{Problem, Script, Word};

/// Deeper nesting than this is not read at all.
pub(crate) const DEEPEST: usize = 48;

/// Reads `text` as bash would, `depth` levels inside something else.
pub(crate) fn script(text: &str, depth: usize) -> (Script, usize) {
    let mut parser = Parser::new(text, depth);
    let mut script = parser.script();
    if parser.problem.is_none() && parser.cursor.peek().is_some() {
        parser.fail("something is left over that belongs to no command");
    }
    if parser.problem.is_none() && !parser.pending.is_empty() {
        parser.fail("a here-document has no text");
    }
    script.problem = parser.problem;
    (script, parser.deepest)
}

/// Reads `text` as what stands between double quotes: only expansions count.
pub(crate) fn expansions(text: &str, depth: usize) -> (Word, Option<Problem>) {
    let mut parser = Parser::new(text, depth);
    let pieces = parser.here_text();
    let source = text.to_owned();
    (Word { pieces, source }, parser.problem)
}

/// The state of reading one text.
struct Parser<'a> {
    cursor: Cursor<'a>,
    depth: usize,
    deepest: usize,
    /// Set once; from then on everything returns with what it has.
    problem: Option<Problem>,
    pending: Vec<PendingHereDoc>,
}

/// A here-document whose body begins with the next line.
struct PendingHereDoc {
    delimiter: String,
    expands: bool,
    strips_tabs: bool,
    body: Rc<OnceCell<Word>>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, depth: usize) -> Self {
        Self {
            cursor: Cursor::new(text),
            depth,
            deepest: depth,
            problem: None,
            pending: Vec::new(),
        }
    }

    fn fail(&mut self, why: &'static str) {
        self.problem.get_or_insert(Problem::Syntax(why));
    }

    fn failed(&self) -> bool {
        self.problem.is_some()
    }

    /// Runs `inside` one level deeper, or gives up.
    fn deeper<T: Default>(&mut self, inside: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= DEEPEST {
            self.problem.get_or_insert(Problem::TooDeep);
            return T::default();
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// Consumes `expected` or fails.
    fn require(&mut self, expected: &str, why: &'static str) {
        if !self.failed() && !self.cursor.eat(expected) {
            self.fail(why);
        }
    }
}

#[cfg(test)]
mod tests;
