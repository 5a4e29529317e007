//! Simple commands: assignments, words and redirections.

use std::cell::OnceCell;
use std::rc::Rc;

use super::{Parser, PendingHereDoc};
use crate::syntax::{Assignment, Command, Piece, Redirection, RedirectionKind, Simple, Word};

impl Parser<'_> {
    pub(super) fn simple(&mut self) -> Option<Command> {
        let start = self.cursor.at();
        let mut simple = Simple::default();
        loop {
            let end = self.cursor.at();
            self.cursor.skip_blanks();
            if let Some(redirection) = self.redirection() {
                simple.redirections.push(redirection);
            } else if let Some(word) = self.word() {
                if simple.words.is_empty()
                    && let Some(name) = assigned_name(&word)
                {
                    let array = self.array(&word);
                    simple.assignments.push(Assignment { name, word, array });
                } else {
                    simple.words.push(word);
                }
            } else {
                let written = self.cursor.since(start);
                written[..end - start].trim().clone_into(&mut simple.source);
                break;
            }
            if self.failed() {
                self.cursor
                    .since(start)
                    .trim()
                    .clone_into(&mut simple.source);
                break;
            }
        }
        if !self.failed() && self.cursor.peek() == Some('(') {
            return self.function_or_nothing(&mut simple);
        }
        let is_empty = simple.words.is_empty()
            && simple.assignments.is_empty()
            && simple.redirections.is_empty();
        (!is_empty).then_some(Command::Simple(simple))
    }

    /// `name ()` begins a function; `(` after anything else is an error.
    fn function_or_nothing(&mut self, simple: &mut Simple) -> Option<Command> {
        let is_name = simple.words.len() == 1
            && simple.assignments.is_empty()
            && simple.redirections.is_empty();
        self.cursor.eat("(");
        self.cursor.skip_blanks();
        if !is_name || !self.cursor.eat(")") {
            self.fail("`(` in the middle of a command");
            return Some(Command::Simple(std::mem::take(simple)));
        }
        let name = simple.words.pop()?;
        Some(self.function_body(name))
    }

    /// The words of `NAME=(..)`, if this is what follows.
    fn array(&mut self, word: &Word) -> Vec<Word> {
        let mut words = Vec::new();
        let opens = word.source.ends_with('=') && self.cursor.peek() == Some('(');
        if !opens {
            return words;
        }
        self.cursor.next();
        loop {
            self.skip_lines();
            match self.word() {
                Some(word) => words.push(word),
                None => break,
            }
        }
        self.require(")", "an array is not closed");
        words
    }

    pub(super) fn redirection(&mut self) -> Option<Redirection> {
        let start = self.cursor.at();
        let before = self.cursor;
        let variable = self.descriptor_variable();
        while variable.is_none() && self.cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.cursor.next();
        }
        if self.sees_process() {
            self.cursor = before;
            return None;
        }
        // Longest first: `>` is the beginning of most.
        let operators = ["<<<", "<<-", "<<", "<>", "<&", "<", ">>", ">|", ">&", ">"];
        let mut operator = operators.into_iter().find(|sign| self.cursor.eat(sign));
        if operator.is_none() && before.at() == self.cursor.at() {
            operator = ["&>>", "&>"].into_iter().find(|sign| self.cursor.eat(sign));
        }
        let Some(operator) = operator else {
            self.cursor = before;
            return None;
        };
        self.cursor.skip_blanks();
        let (kind, target) = if operator.starts_with("<<") && operator != "<<<" {
            self.here_doc(operator == "<<-")
        } else {
            let target = self.word().unwrap_or_else(|| {
                self.fail("a redirection has no target");
                Word::default()
            });
            (kind_of(operator, &target), target)
        };
        let source = self.cursor.since(start).to_owned();
        Some(Redirection {
            kind,
            variable,
            target,
            source,
        })
    }

    /// The variable of `{NAME}` right before a redirection. With a subscript it is evaluated, which
    /// nobody needs here.
    fn descriptor_variable(&mut self) -> Option<String> {
        let mut ahead = self.cursor;
        if ahead.next() != Some('{') {
            return None;
        }
        let mut name = String::new();
        let mut has_subscript = false;
        loop {
            match ahead.next()? {
                '}' if matches!(ahead.peek(), Some('<' | '>')) => break,
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | ',' => return None,
                '[' => has_subscript = true,
                c if has_subscript || c.is_ascii_alphanumeric() || c == '_' => name.push(c),
                _ => return None,
            }
        }
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        if has_subscript {
            self.fail("a redirection evaluates a subscript");
        }
        self.cursor = ahead;
        Some(name)
    }

    fn here_doc(&mut self, strips_tabs: bool) -> (RedirectionKind, Word) {
        let (delimiter, quoted) = self.here_delimiter();
        let body = Rc::new(OnceCell::new());
        self.pending.push(PendingHereDoc {
            delimiter: delimiter.clone(),
            expands: !quoted,
            strips_tabs,
            body: Rc::clone(&body),
        });
        (RedirectionKind::HereDoc { body }, Word::bare(&delimiter))
    }
}

fn kind_of(operator: &str, target: &Word) -> RedirectionKind {
    let names_descriptor = || {
        target.plain().is_some_and(|text| {
            text == "-"
                || text
                    .strip_suffix('-')
                    .unwrap_or(&text)
                    .chars()
                    .all(|c| c.is_ascii_digit())
                    && !text.is_empty()
        })
    };
    match operator {
        "<<<" => RedirectionKind::HereString,
        "<" => RedirectionKind::Read,
        "<&" | ">&" if names_descriptor() => RedirectionKind::Duplicate,
        _ => RedirectionKind::Write,
    }
}

/// The variable that `word` assigns to, if it is an assignment.
fn assigned_name(word: &Word) -> Option<String> {
    let Some(Piece::Bare(text)) = word.pieces.first() else {
        return None;
    };
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let name: String = text.chars().take_while(|c| is_letter(*c)).collect();
    if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let rest = &text[name.len()..];
    let assigns = rest.starts_with('=') || rest.starts_with("+=");
    let subscript = rest.starts_with('[') && word.source.contains("]=")
        || rest.starts_with('[') && word.source.contains("]+=");
    (assigns || subscript).then_some(name)
}
