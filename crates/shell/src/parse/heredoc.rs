//! Here-documents: text that follows the line of its command.

use super::{Parser, cursor::ends_word};
use crate::syntax::{Piece, Word};

impl Parser<'_> {
    /// The word that will end the text, and whether any of it is quoted.
    pub(super) fn here_delimiter(&mut self) -> (String, bool) {
        let mut delimiter = String::new();
        let mut quoted = false;
        while let Some(c) = self.cursor.peek() {
            if ends_word(c) {
                break;
            }
            self.cursor.next();
            match c {
                '\\' => {
                    quoted = true;
                    delimiter.extend(self.cursor.next_raw());
                }
                '\'' | '"' => {
                    quoted = true;
                    loop {
                        match self.cursor.next_raw() {
                            Some(inner) if inner == c => break,
                            Some('\\' | '$' | '`' | '\n') | None => {
                                self.fail("the end of a here-document is not plain");
                                break;
                            }
                            Some(inner) => delimiter.push(inner),
                        }
                    }
                }
                '$' | '`' => self.fail("the end of a here-document is not plain"),
                c => delimiter.push(c),
            }
        }
        if delimiter.is_empty() {
            self.fail("a here-document has no end");
        }
        (delimiter, quoted)
    }

    /// Reads the texts that were announced on the line that has just ended.
    pub(super) fn take_here_docs(&mut self) {
        for pending in std::mem::take(&mut self.pending) {
            let mut text = String::new();
            let mut closed = false;
            while let Some(line) = self.here_line(pending.expands) {
                let line = if pending.strips_tabs {
                    line.trim_start_matches('\t')
                } else {
                    &line
                };
                if line == pending.delimiter {
                    closed = true;
                    break;
                }
                text.push_str(line);
                text.push('\n');
            }
            let word = if pending.expands {
                let (word, deepest) = self.expanded(&text);
                self.deepest = self.deepest.max(deepest);
                word
            } else {
                Word {
                    pieces: vec![Piece::Quoted(text.clone())],
                    source: text,
                }
            };
            // The cell is fresh: each is announced once.
            pending.body.set(word).ok();
            if !closed {
                self.fail("a here-document is not closed");
            }
        }
    }

    fn expanded(&mut self, text: &str) -> (Word, usize) {
        let mut inner = Parser::new(text, self.depth);
        let pieces = inner.here_text();
        if let Some(problem) = inner.problem {
            self.problem.get_or_insert(problem);
        }
        let source = text.to_owned();
        (Word { pieces, source }, inner.deepest)
    }

    /// The next line; where the text is expanded, bash joins continued lines before it looks for
    /// the end.
    fn here_line(&mut self, expands: bool) -> Option<String> {
        let mut line = self.cursor.take_line()?.to_owned();
        while expands && (line.len() - line.trim_end_matches('\\').len()) % 2 == 1 {
            line.pop();
            match self.cursor.take_line() {
                Some(next) => line.push_str(next),
                None => break,
            }
        }
        Some(line)
    }
}
