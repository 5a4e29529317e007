//! Where in a text a call may stand.
//!
//! Not where a reader of Markdown sees an example: in code spans and indented code, in block
//! quotes, and between quotation marks.

/// What is known about the place in the text.
#[derive(Clone, Debug, Default)]
pub(super) struct Prose {
    line: Line,
    /// How many backticks opened the code span.
    code: Option<usize>,
    /// Inside a quotation that was opened on this line.
    quoted: Option<Quote>,
    /// The last character closes the quotation, unless it is an apostrophe: a letter follows then.
    may_close: bool,
    /// The last character opened a quotation, or escaped what follows.
    after_quote: bool,
    last: Option<char>,
}

/// How a quotation was opened, and so how it is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Quote {
    open: char,
    /// There was a backslash before it.
    escaped: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Line {
    /// Only spaces so far: how many.
    Start(usize),
    /// A number, which may be the mark of a list item.
    Number,
    /// The mark of a list item, and spaces.
    Item,
    /// In its words.
    Words,
    /// It is indented code, or a quotation.
    Inert,
}

impl Default for Line {
    fn default() -> Self {
        Self::Start(0)
    }
}

impl Prose {
    /// The place right after a call: in a line, after nothing in particular.
    pub(super) fn after_call() -> Self {
        Self {
            line: Line::Words,
            ..Self::default()
        }
    }

    /// Goes on by one character, which is no backtick; or by a run of letters, to its last.
    pub(super) fn see(&mut self, c: char) {
        match (c, &self.line) {
            ('\n', line) => {
                // A blank line ends the paragraph, and with it a code span nobody closed.
                if matches!(line, Line::Start(_)) {
                    self.code = None;
                }
                self.line = Line::default();
                self.quoted = None;
                self.may_close = false;
            }
            (' ', Line::Start(indent)) if *indent < 3 => self.line = Line::Start(indent + 1),
            ('\r', Line::Start(_)) | (' ', Line::Item) => {}
            (' ' | '\t', Line::Start(_)) | ('>', Line::Start(_) | Line::Item) => {
                self.line = Line::Inert;
            }
            ('-' | '*' | '+', Line::Start(_) | Line::Item) | ('.' | ')', Line::Number) => {
                self.line = Line::Item;
            }
            (c, Line::Start(_) | Line::Item) if c.is_ascii_digit() => self.line = Line::Number,
            (_, Line::Start(_) | Line::Item | Line::Number) => self.line = Line::Words,
            _ => {}
        }
        self.after_quote = match c {
            '‘' | '“' | '«' | '„' | '\\' => true,
            // After a word it is an apostrophe, or closes what another one opened.
            '\'' => !self
                .last
                .is_some_and(|c| c.is_alphanumeric() || ".,!?)]}".contains(c)),
            _ => false,
        };
        self.see_quote(c);
        self.last = Some(c);
    }

    fn see_quote(&mut self, c: char) {
        if self.may_close && !c.is_alphanumeric() {
            self.quoted = None;
        }
        self.may_close = false;
        let escaped = self.last == Some('\\');
        match self.quoted {
            Some(quote) => match (quote.open, c) {
                ('"', '"') if quote.escaped == escaped => self.quoted = None,
                ('“', '”') | ('«', '»') | ('„', '“' | '”') => self.quoted = None,
                ('‘', '’') => self.may_close = true,
                ('\'', '\'') => self.may_close = quote.escaped == escaped,
                _ => {}
            },
            None if matches!(c, '"' | '“' | '‘' | '«' | '„') || (c == '\'' && self.after_gap()) =>
            {
                self.quoted = Some(Quote { open: c, escaped });
            }
            None => {}
        }
    }

    /// Whether the last character is none of a word's: a word may begin here.
    fn after_gap(&self) -> bool {
        self.last
            .is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | '{' | '<'))
    }

    /// Goes on by a run of backticks that is no fence.
    pub(super) fn see_ticks(&mut self, count: usize) {
        let escaped = self.code.is_none() && self.last == Some('\\');
        self.see('`');
        match self.code {
            _ if self.is_inert() || (escaped && count == 1) => {}
            None => self.code = Some(count),
            Some(open) if open == count => self.code = None,
            Some(_) => {}
        }
    }

    /// How far the line is indented, if there is nothing else on it yet.
    pub(super) fn indent(&self) -> Option<usize> {
        match self.line {
            Line::Start(indent) => Some(indent),
            _ => None,
        }
    }

    /// Whether a run of `count` backticks would close the code span that is open.
    pub(super) fn closes_code(&self, count: usize) -> bool {
        self.code == Some(count)
    }

    pub(super) fn is_code(&self) -> bool {
        self.code.is_some()
    }

    pub(super) fn is_inert(&self) -> bool {
        self.line == Line::Inert
    }

    /// Whether a call may begin here.
    pub(super) fn takes_calls(&self) -> bool {
        let is_quoted = self.quoted.is_some() && !self.may_close;
        !(self.is_inert() || self.code.is_some() || is_quoted || self.after_quote)
    }

    /// Whether the character before this place belongs to a word.
    pub(super) fn is_in_word(&self) -> bool {
        self.last.is_some_and(|c| c.is_alphanumeric() || c == '_')
    }
}
