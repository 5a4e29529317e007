//! Words: quotes, backslashes and what is expanded between them.

use super::Parser;
use super::cursor::ends_word;
use crate::syntax::{Piece, Word};

impl Parser<'_> {
    /// The word at the cursor, if one begins here.
    pub(super) fn word(&mut self) -> Option<Word> {
        self.word_with(false)
    }

    /// A pattern of `[[ ]]`, where parentheses and bars belong to the word.
    pub(super) fn pattern_word(&mut self) -> Option<Word> {
        self.word_with(true)
    }

    fn word_with(&mut self, pattern: bool) -> Option<Word> {
        self.cursor.peek();
        let start = self.cursor.at();
        let mut pieces = Vec::new();
        let mut open = 0_usize;
        while let Some(c) = self.cursor.peek() {
            if self.failed() {
                break;
            }
            match c {
                '(' if pattern => open += 1,
                ')' if pattern && open > 0 => open -= 1,
                '|' if pattern && open > 0 => {}
                _ if self.sees_process() => {
                    self.process(&mut pieces);
                    continue;
                }
                c if ends_word(c) => break,
                _ => {}
            }
            self.cursor.next();
            match c {
                '\'' => self.single_quotes(&mut pieces),
                '"' => self.double_quotes(&mut pieces),
                '\\' => match self.cursor.next_raw() {
                    Some(c) => pieces.push(Piece::Quoted(c.to_string())),
                    // Bash keeps a backslash that nothing follows.
                    None => pieces.push(Piece::Quoted("\\".into())),
                },
                '$' => self.dollar(&mut pieces, false),
                '`' => self.backticks(&mut pieces, false),
                c => push_bare(&mut pieces, c),
            }
        }
        let source = self.cursor.since(start).to_owned();
        (!source.is_empty() && !pieces.is_empty()).then_some(Word { pieces, source })
    }

    /// Whether `<(` or `>(` is next.
    pub(super) fn sees_process(&self) -> bool {
        self.cursor.sees("<(") || self.cursor.sees(">(")
    }

    fn process(&mut self, pieces: &mut Vec<Piece>) {
        self.cursor.next();
        self.cursor.next();
        let script = self.nested_script();
        pieces.push(Piece::Process(script));
    }

    fn single_quotes(&mut self, pieces: &mut Vec<Piece>) {
        let mut text = String::new();
        loop {
            match self.cursor.next_raw() {
                Some('\'') => break,
                Some(c) => text.push(c),
                None => {
                    self.fail("a single quote is not closed");
                    break;
                }
            }
        }
        pieces.push(Piece::Quoted(text));
    }

    pub(super) fn double_quotes(&mut self, pieces: &mut Vec<Piece>) {
        // An empty pair of quotes is an empty word, not no word.
        pieces.push(Piece::Quoted(String::new()));
        loop {
            if self.failed() {
                break;
            }
            match self.cursor.next() {
                Some('"') => break,
                Some(c) => self.double_quoted(c, pieces, true),
                None => self.fail("a double quote is not closed"),
            }
        }
    }

    /// One character of a text in which only `$`, backticks and backslashes count.
    fn double_quoted(&mut self, c: char, pieces: &mut Vec<Piece>, in_quotes: bool) {
        match c {
            '\\' => match self.cursor.peek_raw() {
                Some(next) if matches!(next, '$' | '`' | '\\') || in_quotes && next == '"' => {
                    self.cursor.next_raw();
                    push_quoted(pieces, next);
                }
                _ => push_quoted(pieces, '\\'),
            },
            '$' => self.dollar(pieces, true),
            '`' => self.backticks(pieces, in_quotes),
            c => push_quoted(pieces, c),
        }
    }

    /// All that is left, as the text of a here-document.
    pub(super) fn here_text(&mut self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        while !self.failed()
            && let Some(c) = self.cursor.next()
        {
            self.double_quoted(c, &mut pieces, false);
        }
        pieces
    }
}

fn push_bare(pieces: &mut Vec<Piece>, c: char) {
    match pieces.last_mut() {
        Some(Piece::Bare(text)) => text.push(c),
        _ => pieces.push(Piece::Bare(c.to_string())),
    }
}

pub(super) fn push_quoted(pieces: &mut Vec<Piece>, c: char) {
    match pieces.last_mut() {
        Some(Piece::Quoted(text)) => text.push(c),
        _ => pieces.push(Piece::Quoted(c.to_string())),
    }
}
