//! Lists and pipelines: what joins commands.

use super::Parser;
use super::cursor::ends_word;
use crate::syntax::{Command, Entry, Link, Pipeline, Script};

/// Words that end a list where a command could begin.
const CLOSING: [&str; 9] = [
    "then", "else", "elif", "fi", "do", "done", "esac", "}", "]]",
];

impl Parser<'_> {
    /// Commands up to the end, or to a word or sign that closes something.
    pub(super) fn script(&mut self) -> Script {
        let mut script = Script::default();
        loop {
            self.skip_lines();
            if self.failed() || self.list_ends() {
                break;
            }
            let before = self.cursor.at();
            let entry = self.entry();
            let has_any = !entry.first.stages.is_empty();
            if has_any {
                script.entries.push(entry);
            }
            if self.failed() || !has_any || self.cursor.at() == before {
                break;
            }
            if !self.separator(&mut script) {
                break;
            }
        }
        script
    }

    /// Steps over what may stand between two commands; false at the end of the list.
    fn separator(&mut self, script: &mut Script) -> bool {
        self.cursor.skip_blanks();
        match self.cursor.peek() {
            Some('\n') => true,
            Some(';') if !self.cursor.sees(";;") && !self.cursor.sees(";&") => {
                self.cursor.next();
                true
            }
            Some('&') if !self.cursor.sees("&&") => {
                self.cursor.next();
                if let Some(entry) = script.entries.last_mut() {
                    entry.background = true;
                }
                true
            }
            _ => false,
        }
    }

    fn list_ends(&mut self) -> bool {
        match self.cursor.peek() {
            None | Some(')' | ';' | '&' | '|') => true,
            _ => self
                .cursor
                .reserved()
                .is_some_and(|word| CLOSING.contains(&word.as_str())),
        }
    }

    /// Blanks, comments and newlines; the bodies of here-documents follow their line.
    pub(super) fn skip_lines(&mut self) {
        loop {
            self.cursor.skip_blanks();
            if self.cursor.peek() != Some('\n') {
                break;
            }
            self.cursor.next();
            self.take_here_docs();
        }
    }

    fn entry(&mut self) -> Entry {
        let first = self.pipeline();
        let mut entry = Entry {
            first,
            rest: Vec::new(),
            background: false,
        };
        while !self.failed() {
            self.cursor.skip_blanks();
            let link = if self.cursor.eat("&&") {
                Link::And
            } else if self.cursor.eat("||") {
                Link::Or
            } else {
                break;
            };
            self.skip_lines();
            let next = self.pipeline();
            if next.stages.is_empty() {
                self.fail("a command is missing after `&&` or `||`");
                break;
            }
            entry.rest.push((link, next));
        }
        entry
    }

    fn pipeline(&mut self) -> Pipeline {
        let mut pipeline = Pipeline::default();
        self.prefixes();
        loop {
            if let Some(command) = self.command() {
                pipeline.stages.push(command);
            } else {
                self.fail("a command is missing");
                break;
            }
            self.cursor.skip_blanks();
            if self.failed() || self.cursor.sees("||") || !self.cursor.eat("|") {
                break;
            }
            // `|&` pipes standard error too.
            self.cursor.eat("&");
            self.skip_lines();
        }
        pipeline
    }

    /// `!` and `time`, which change what is reported and nothing else.
    fn prefixes(&mut self) {
        loop {
            self.cursor.skip_blanks();
            match self.cursor.reserved().as_deref() {
                Some("!") => _ = self.cursor.eat("!"),
                Some("time") => {
                    self.cursor.eat("time");
                    self.cursor.skip_blanks();
                    let ahead = self.cursor;
                    let bare = self.cursor.eat("-p") && self.cursor.peek().is_none_or(ends_word);
                    if !bare {
                        self.cursor = ahead;
                    }
                }
                _ => break,
            }
        }
    }

    fn command(&mut self) -> Option<Command> {
        self.cursor.skip_blanks();
        if self.cursor.peek() == Some('(') {
            return Some(self.parenthesised());
        }
        match self.cursor.reserved() {
            Some(word) if CLOSING.contains(&word.as_str()) => None,
            Some(word) => match self.compound(&word) {
                Some(command) => Some(command),
                None => self.simple(),
            },
            None => self.simple(),
        }
    }
}
