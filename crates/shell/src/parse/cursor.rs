//! A place in the text that steps over continued lines, as bash does before it reads anything.

/// Where reading has come to.
#[derive(Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn at(self) -> usize {
        self.at
    }

    /// What was passed since `start`.
    pub(super) fn since(self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    /// What is still to come, continued lines and all.
    pub(super) fn rest(self) -> &'a str {
        &self.text[self.at..]
    }

    /// The next character outside of single quotes, where a backslash before a newline is nothing.
    pub(super) fn peek(&mut self) -> Option<char> {
        while self.rest().starts_with("\\\n") {
            self.at += 2;
        }
        self.peek_raw()
    }

    /// The next character as it stands there.
    pub(super) fn peek_raw(self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        self.peek()?;
        self.next_raw()
    }

    pub(super) fn next_raw(&mut self) -> Option<char> {
        let c = self.peek_raw()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Steps over `expected` if it comes next.
    pub(super) fn eat(&mut self, expected: &str) -> bool {
        let mut ahead = *self;
        for c in expected.chars() {
            if ahead.next() != Some(c) {
                return false;
            }
        }
        *self = ahead;
        true
    }

    /// Whether `expected` comes next.
    pub(super) fn sees(mut self, expected: &str) -> bool {
        self.eat(expected)
    }

    /// Blanks and comments within a line. A `#` begins a comment only where a word could begin.
    pub(super) fn skip_blanks(&mut self) {
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' => self.at += 1,
                '#' => {
                    let line = self.rest();
                    self.at += line.find('\n').unwrap_or(line.len());
                }
                _ => break,
            }
        }
    }

    /// Steps to the end of the line, past its newline, and gives it without that.
    pub(super) fn take_line(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let end = rest.find('\n');
        self.at += end.map_or(rest.len(), |end| end + 1);
        Some(&rest[..end.unwrap_or(rest.len())])
    }

    /// The word that comes next if it is all letters that a reserved word can have.
    pub(super) fn reserved(mut self) -> Option<String> {
        let mut word = String::new();
        while let Some(c) = self.peek() {
            match c {
                'a'..='z' | '!' | '{' | '}' | '[' | ']' if word.len() < 9 => word.push(c),
                c if ends_word(c) => break,
                _ => return None,
            }
            self.at += 1;
        }
        (!word.is_empty()).then_some(word)
    }
}

/// Characters that end a word unless quoted.
pub(super) fn ends_word(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>'
    )
}
