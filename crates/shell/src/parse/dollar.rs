//! Expansions: `$x`, `${x}`, `$(..)`, `` `..` ``, `$((..))` and `$'..'`.

use super::Parser;
use super::compound::closes_twice;
use super::word::push_quoted;
use crate::syntax::{Piece, Script};

impl Parser<'_> {
    /// What follows a `$` that has just been passed.
    pub(super) fn dollar(&mut self, pieces: &mut Vec<Piece>, quoted: bool) {
        let Some(c) = self.cursor.peek() else {
            return push_quoted(pieces, '$');
        };
        match c {
            '(' => {
                let arithmetic = self.cursor.sees("((") && closes_twice(self.cursor);
                self.cursor.next();
                if arithmetic {
                    self.cursor.next();
                    let inner = self.deeper(|parser| parser.arithmetic("))"));
                    pieces.push(Piece::Arithmetic(inner));
                } else {
                    let script = self.nested_script();
                    pieces.push(Piece::Substitution(script));
                }
            }
            '[' => {
                self.cursor.next();
                let inner = self.deeper(|parser| parser.arithmetic("]"));
                pieces.push(Piece::Arithmetic(inner));
            }
            '{' => {
                self.cursor.next();
                let piece = self.deeper(|parser| Some(parser.braced(quoted)));
                pieces.extend(piece);
            }
            '\'' if !quoted => {
                self.cursor.next();
                let text = self.ansi();
                pieces.push(Piece::Ansi(text));
            }
            '"' if !quoted => {
                self.cursor.next();
                self.double_quotes(pieces);
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                let name = self.name();
                pieces.push(variable(name, quoted));
            }
            '0'..='9' | '@' | '*' | '#' | '?' | '$' | '!' | '-' => {
                self.cursor.next();
                pieces.push(variable(c.to_string(), quoted));
            }
            _ => push_quoted(pieces, '$'),
        }
    }

    /// Commands up to the `)` that closes them; the opening sign has been passed.
    pub(super) fn nested_script(&mut self) -> Script {
        self.deeper(|parser| {
            let script = parser.script();
            parser.skip_lines();
            parser.require(")", "a substitution is not closed");
            script
        })
    }

    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(c) = self.cursor.peek()
            && (c.is_ascii_alphanumeric() || c == '_')
        {
            self.cursor.next();
            name.push(c);
        }
        name
    }

    /// `${..}` after its brace.
    fn braced(&mut self, quoted: bool) -> Piece {
        let mut name = String::new();
        if let Some(c @ ('!' | '#')) = self.cursor.peek() {
            self.cursor.next();
            name.push(c);
        }
        let rest = self.name();
        name.push_str(&rest);
        let inner = self.until("}", quoted);
        Piece::Variable {
            name,
            inner,
            quoted,
        }
    }

    /// An arithmetic expression up to `end`. Quotes mean nothing in it.
    pub(super) fn arithmetic(&mut self, end: &str) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut open = 0_usize;
        let (opening, closing) = if end == "]" { ('[', ']') } else { ('(', ')') };
        while !self.failed() {
            if open == 0 && self.cursor.eat(end) {
                return pieces;
            }
            let Some(c) = self.cursor.next() else {
                self.fail("an arithmetic expression is not closed");
                break;
            };
            match c {
                '$' => self.dollar(&mut pieces, true),
                '`' => self.backticks(&mut pieces, false),
                '\\' => _ = self.cursor.next_raw(),
                c => {
                    if c == opening {
                        open += 1;
                    } else if c == closing {
                        open = open.saturating_sub(1);
                    }
                    push_quoted(&mut pieces, c);
                }
            }
        }
        pieces
    }

    /// What stands in braces, up to `end`.
    fn until(&mut self, end: &str, quoted: bool) -> Vec<Piece> {
        let mut pieces = Vec::new();
        while !self.failed() {
            if self.cursor.eat(end) {
                return pieces;
            }
            let Some(c) = self.cursor.next() else {
                self.fail("`${` is not closed");
                break;
            };
            match c {
                '$' => self.dollar(&mut pieces, quoted),
                '`' => self.backticks(&mut pieces, quoted),
                '"' => self.double_quotes(&mut pieces),
                '\\' => pieces.extend(self.cursor.next_raw().map(|c| Piece::Quoted(c.into()))),
                '\'' if !quoted => {
                    let mut text = String::new();
                    loop {
                        match self.cursor.next_raw() {
                            Some('\'') => break,
                            Some(c) => text.push(c),
                            None => return self.give_up(pieces),
                        }
                    }
                    pieces.push(Piece::Quoted(text));
                }
                _ if matches!(c, '<' | '>') && self.cursor.peek() == Some('(') => {
                    self.cursor.next();
                    let script = self.nested_script();
                    pieces.push(Piece::Process(script));
                }
                c => push_quoted(&mut pieces, c),
            }
        }
        pieces
    }

    fn give_up(&mut self, pieces: Vec<Piece>) -> Vec<Piece> {
        self.fail("a single quote is not closed");
        pieces
    }

    /// `` `..` `` after the first backtick: unescaped first, then read as commands.
    pub(super) fn backticks(&mut self, pieces: &mut Vec<Piece>, in_quotes: bool) {
        let mut text = String::new();
        loop {
            match self.cursor.next_raw() {
                Some('`') => break,
                Some('\\') => match self.cursor.next_raw() {
                    Some(c) if matches!(c, '`' | '\\' | '$') || in_quotes && c == '"' => {
                        text.push(c);
                    }
                    Some(c) => text.extend(['\\', c]),
                    None => self.fail("a backtick is not closed"),
                },
                Some(c) => text.push(c),
                None => {
                    self.fail("a backtick is not closed");
                    break;
                }
            }
        }
        let (script, deepest) = self.deeper(|parser| super::script(&text, parser.depth));
        self.deepest = self.deepest.max(deepest);
        if let Some(problem) = script.problem {
            self.problem.get_or_insert(problem);
        }
        pieces.push(Piece::Substitution(script));
    }

    /// `$'..'` after its quote, with its escapes resolved.
    fn ansi(&mut self) -> String {
        let mut text = String::new();
        loop {
            match self.cursor.next_raw() {
                Some('\'') => break,
                Some('\\') => self.ansi_escape(&mut text),
                Some(c) => text.push(c),
                None => {
                    self.fail("a single quote is not closed");
                    break;
                }
            }
        }
        text
    }

    fn ansi_escape(&mut self, text: &mut String) {
        let Some(c) = self.cursor.next_raw() else {
            return self.fail("a single quote is not closed");
        };
        let code = match c {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            'x' => self.digits(16, 2),
            'u' => self.digits(16, 4),
            'U' => self.digits(16, 8),
            'c' => self.cursor.next_raw().map_or(0, |c| u32::from(c) & 0x1f),
            '0'..='7' => {
                let first = u32::from(c) - u32::from('0');
                let rest = self.cursor;
                let more = self.digits(8, 2);
                let count = self.cursor.at() - rest.at();
                (first << (3 * count)) + more
            }
            '\\' | '\'' | '"' | '?' => u32::from(c),
            c => return text.extend(['\\', c]),
        };
        text.push(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
    }

    fn digits(&mut self, radix: u32, most: usize) -> u32 {
        let mut value = 0_u32;
        for _ in 0..most {
            let Some(digit) = self.cursor.peek_raw().and_then(|c| c.to_digit(radix)) else {
                break;
            };
            self.cursor.next_raw();
            value = value.wrapping_mul(radix).wrapping_add(digit);
        }
        value
    }
}

fn variable(name: String, quoted: bool) -> Piece {
    Piece::Variable {
        name,
        inner: Vec::new(),
        quoted,
    }
}
