//! Code: comments, texts, numbers and words.

use super::{Look, Piece};

/// How a language writes what all languages have.
#[derive(Debug)]
pub(super) struct Code {
    /// Its names, and the extensions of its files.
    pub(super) names: &'static str,
    /// What begins a comment that ends with the line.
    pub(super) remarks: &'static [&'static str],
    /// What begins and ends a comment that may be longer.
    pub(super) comment: Option<(&'static str, &'static str)>,
    /// Texts, those with longer quotes first.
    pub(super) quotes: &'static [Quote],
    /// Words that belong to the language.
    pub(super) keywords: &'static str,
    /// Words that are values.
    pub(super) constants: &'static str,
    /// What words may hold and begin with besides letters, digits and `_`.
    pub(super) letters: &'static str,
    /// What sets it apart.
    pub(super) habits: &'static [Habit],
}

/// What only some languages do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Habit {
    /// Keywords may be written in capitals.
    Caseless,
    /// Lines are commands: the first word is a program, `<<` begins a text, quotes stand anywhere.
    Commands,
    /// A line may begin with `#word`, which is a keyword.
    Directives,
    /// What stands before this mark is a key.
    Keys(char),
    /// `[..]` at the beginning of a line is a heading.
    Sections,
    /// Comments may hold comments.
    Nests,
    /// `r#".."#` is a text.
    RawTexts,
}

/// A kind of text.
#[derive(Debug)]
pub(super) enum Quote {
    /// Ends with the line at the latest.
    Short(&'static str),
    /// May go over lines; begins and ends so.
    Long(&'static str, &'static str),
    /// The same, and a backslash is nothing special in it.
    Verbatim(&'static str, &'static str),
    /// A single character between `'`. Alone, the mark is part of a name.
    Character,
}

impl Quote {
    fn begins(&self) -> &'static str {
        match self {
            Self::Short(mark) | Self::Long(mark, _) | Self::Verbatim(mark, _) => mark,
            Self::Character => "'",
        }
    }
}

/// What a line left open for the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Open {
    Nothing,
    /// So many comments in one another.
    Comment(usize),
    /// A text that ends so; whether a backslash hides what follows it.
    Text(&'static str, bool),
    /// A raw text with so many `#`.
    Raw(usize),
    /// A text that ends with a line that is this word, maybe behind tabs.
    Until(String),
    /// A tag.
    Tag,
}

/// Words after which something gets its name.
const DEFINE: &str = "fn def defp defn defun defmacro func function fun sub proc macro_rules";

/// The pieces of a line.
pub(super) fn pieces<'t>(code: &Code, open: &mut Open, line: &'t str) -> Vec<Piece<'t>> {
    let mut scan = Scan {
        code,
        line,
        at: 0,
        pieces: Vec::new(),
        before: "",
        command: code.has(Habit::Commands),
        awaits: None,
    };
    scan.go_on(open);
    while scan.at < line.len() {
        scan.token(open);
    }
    if let (Some(word), Open::Nothing) = (scan.awaits, &open) {
        *open = Open::Until(word);
    }
    scan.pieces
}

impl Code {
    fn has(&self, habit: Habit) -> bool {
        self.habits.contains(&habit)
    }

    fn key_mark(&self) -> Option<char> {
        self.habits.iter().find_map(|habit| match habit {
            Habit::Keys(mark) => Some(*mark),
            _ => None,
        })
    }

    fn is_letter(&self, letter: char) -> bool {
        letter.is_alphanumeric() || letter == '_' || self.letters.contains(letter)
    }

    fn word_look(&self, word: &str) -> Look {
        let lower;
        let word = if self.has(Habit::Caseless) {
            lower = word.to_ascii_lowercase();
            &lower
        } else {
            word
        };
        if is_among(word, self.keywords) {
            Look::Keyword
        } else if is_among(word, self.constants) {
            Look::Constant
        } else {
            Look::Plain
        }
    }
}

/// Whether a word is in a list of words.
pub(super) fn is_among(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|listed| listed == word)
}

/// A line that is being looked through.
struct Scan<'c, 't> {
    code: &'c Code,
    line: &'t str,
    at: usize,
    pieces: Vec<Piece<'t>>,
    /// The last word.
    before: &'t str,
    /// Whether a program is to be named next.
    command: bool,
    /// What ends the text that begins with the next line.
    awaits: Option<String>,
}

impl<'t> Scan<'_, 't> {
    fn rest(&self) -> &'t str {
        &self.line[self.at..]
    }

    fn take(&mut self, length: usize, look: Look) -> &'t str {
        let piece = &self.rest()[..length];
        self.at += length;
        if !piece.is_empty() {
            self.pieces.push((piece, look));
        }
        piece
    }

    fn previous(&self) -> Option<char> {
        self.line[..self.at].chars().next_back()
    }

    /// Ends what an earlier line began, if this line does.
    fn go_on(&mut self, open: &mut Open) {
        match open.clone() {
            Open::Nothing | Open::Tag => {}
            Open::Comment(depth) => self.comment(open, 0, depth),
            Open::Text(end, escapes) => self.text(open, 0, end, escapes),
            Open::Raw(marks) => self.raw_text(open, 0, marks),
            Open::Until(word) => {
                if self.line.trim_start_matches('\t') == word {
                    *open = Open::Nothing;
                }
                self.take(self.line.len(), Look::Text);
            }
        }
    }

    fn token(&mut self, open: &mut Open) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return;
        };
        if first.is_whitespace() {
            self.take(first.len_utf8(), Look::Plain);
        } else if self.is_remark() {
            self.take(rest.len(), Look::Comment);
        } else if let Some((begins, _)) = self.code.comment.filter(|c| rest.starts_with(c.0)) {
            self.comment(open, begins.len(), 1);
        } else if let Some(quote) = self.quote() {
            self.quoted(open, quote);
        } else if self.is_section() || self.is_directive() {
            let end = rest.find([' ', '\t', '<', '"']);
            match first {
                '[' => self.take(rest.len(), Look::Heading),
                _ => self.take(end.unwrap_or(rest.len()), Look::Keyword),
            };
        } else if first.is_ascii_digit() {
            self.take(number(rest), Look::Constant);
            self.command = false;
        } else if self.code.is_letter(first) {
            self.word(open);
        } else {
            self.mark(first);
        }
    }

    fn is_remark(&self) -> bool {
        let rest = self.rest();
        let begins = |mark: &&&str| rest.starts_with(**mark);
        self.code.remarks.iter().find(begins).is_some_and(|mark| {
            // In `$#`, `a#b` and `#{`, it is none.
            let apart = |c: char| c.is_whitespace() || ";,)]}".contains(c);
            !mark.starts_with('#') || self.previous().is_none_or(apart)
        })
    }

    fn is_section(&self) -> bool {
        self.code.has(Habit::Sections) && self.at == 0 && self.line.starts_with('[')
    }

    fn is_directive(&self) -> bool {
        self.code.has(Habit::Directives)
            && self.rest().starts_with('#')
            && self.line[..self.at].trim_start().is_empty()
    }

    /// A comment, from the place behind what began it.
    fn comment(&mut self, open: &mut Open, from: usize, mut depth: usize) {
        let Some((begins, ends)) = self.code.comment else {
            *open = Open::Nothing;
            return;
        };
        let rest = self.rest();
        let nests = self.code.has(Habit::Nests);
        let mut at = from;
        while depth > 0 && at < rest.len() {
            let here = &rest[at..];
            if here.starts_with(ends) {
                depth -= 1;
                at += ends.len();
            } else if nests && here.starts_with(begins) {
                depth += 1;
                at += begins.len();
            } else {
                at += here.chars().next().map_or(1, char::len_utf8);
            }
        }
        *open = match depth {
            0 => Open::Nothing,
            _ => Open::Comment(depth),
        };
        self.take(at, Look::Comment);
    }

    /// What begins here, if it is a text.
    fn quote(&self) -> Option<&'static Quote> {
        let rest = self.rest();
        let quote = (self.code.quotes.iter()).find(|quote| rest.starts_with(quote.begins()))?;
        // `don't`
        let in_word = !self.code.has(Habit::Commands)
            && rest.starts_with('\'')
            && self.previous().is_some_and(char::is_alphanumeric);
        (!in_word).then_some(quote)
    }

    fn quoted(&mut self, open: &mut Open, quote: &Quote) {
        match *quote {
            Quote::Short(mark) => {
                self.text(open, mark.len(), mark, true);
                *open = Open::Nothing;
            }
            Quote::Long(begins, ends) => self.text(open, begins.len(), ends, true),
            Quote::Verbatim(begins, ends) => self.text(open, begins.len(), ends, false),
            Quote::Character => self.character(),
        }
        self.command = false;
    }

    /// A text, from the place behind what began it.
    fn text(&mut self, open: &mut Open, from: usize, ends: &'static str, escapes: bool) {
        let (length, closed) = text_length(self.rest(), from, ends, escapes);
        *open = if closed {
            Open::Nothing
        } else {
            Open::Text(ends, escapes)
        };
        let look = if closed && self.is_key(length) {
            Look::Name
        } else {
            Look::Text
        };
        self.take(length, look);
    }

    /// The rest of `r#".."#`.
    fn raw_text(&mut self, open: &mut Open, from: usize, marks: usize) {
        let rest = self.rest();
        let ends = format!("\"{}", "#".repeat(marks));
        let found = rest[from..].find(&ends);
        *open = match found {
            Some(_) => Open::Nothing,
            None => Open::Raw(marks),
        };
        self.take(
            found.map_or(rest.len(), |at| from + at + ends.len()),
            Look::Text,
        );
    }

    fn character(&mut self) {
        let rest = self.rest();
        let mut inside = rest[1..].chars();
        let length = match (inside.next(), inside.next()) {
            (Some('\\'), Some(hidden)) => {
                let from = 2 + hidden.len_utf8();
                rest[from..].find('\'').map(|at| from + at + 1)
            }
            (Some(only), Some('\'')) => Some(only.len_utf8() + 2),
            _ => None,
        };
        if let Some(length) = length {
            self.take(length, Look::Text);
        } else {
            let word = rest[1..].find(|c| !self.code.is_letter(c));
            self.take(word.map_or(rest.len(), |at| at + 1), Look::Keyword);
        }
    }

    /// Whether what takes so many bytes from here is a key.
    fn is_key(&self, length: usize) -> bool {
        let Some(mark) = self.code.key_mark() else {
            return false;
        };
        let mut after = self.rest()[length..].trim_start().chars();
        // `std::io` and `https://` hold none.
        after.next() == Some(mark) && !matches!(after.next(), Some(':' | '/'))
    }

    fn word(&mut self, open: &mut Open) {
        let rest = self.rest();
        let length = rest.find(|c| !self.code.is_letter(c));
        let length = length.unwrap_or(rest.len());
        let (word, after) = rest.split_at(length);
        if self.prefixed_text(word, after, open) {
            return;
        }
        let look = match self.code.word_look(word) {
            _ if self.is_key(length) => Look::Name,
            Look::Plain if self.is_name(word, after) => Look::Name,
            look => look,
        };
        self.take(length, look);
        self.before = word;
        // `A=1 program`, `do program`
        self.command &= word.contains('=') || look == Look::Keyword;
        if look == Look::Keyword && self.code.has(Habit::Commands) {
            self.command = !is_among(word, "for in case select function");
        }
    }

    /// Takes a text like `b".."`, `f'..'` or `r#".."#`, whose first letters are not a word, if
    /// there is one.
    fn prefixed_text(&mut self, word: &str, after: &str, open: &mut Open) -> bool {
        let marks = after.len() - after.trim_start_matches('#').len();
        let is_raw = self.code.has(Habit::RawTexts) && is_among(word, "r br cr");
        if is_raw && after[marks..].starts_with('"') {
            self.raw_text(open, word.len() + marks + 1, marks);
            return true;
        }
        let is_prefix = word.len() <= 2 && word.chars().all(|c| "bBcCfFLrRuU8".contains(c));
        let mut quotes = self.code.quotes.iter();
        let quote = quotes.find(|quote| after.starts_with(quote.begins()));
        let Some(quote) = quote.filter(|_| is_prefix && !self.code.has(Habit::Commands)) else {
            return false;
        };
        self.take(word.len(), Look::Text);
        self.quoted(open, quote);
        true
    }

    /// Whether a word is called, or gets a meaning here.
    fn is_name(&self, word: &str, after: &str) -> bool {
        if self.code.has(Habit::Commands) {
            return (self.command && !word.contains('=')) || after.starts_with("()");
        }
        let called = ["(", "!(", "![", "!{"];
        let is_decorator = self.line[..self.at].trim_start() == "@";
        called.iter().any(|mark| after.starts_with(mark))
            || is_decorator
            || is_among(self.before, DEFINE)
    }

    /// A character that is none of all that.
    fn mark(&mut self, mark: char) {
        if self.code.has(Habit::Commands) {
            self.here_document();
            let of_variable = self.previous() == Some('$') && mark != '(';
            self.command |= "|&;(`{!".contains(mark) && !of_variable;
        }
        if !mark.is_whitespace() {
            self.before = "";
        }
        self.take(mark.len_utf8(), Look::Plain);
    }

    /// Notes what ends the text that `<<` begins.
    fn here_document(&mut self) {
        let is_start = self.previous() != Some('<') && !self.rest().starts_with("<<<");
        let Some(after) = self.rest().strip_prefix("<<").filter(|_| is_start) else {
            return;
        };
        let after = after.strip_prefix('-').unwrap_or(after).trim_start();
        let quoted = after.trim_start_matches(['\'', '"', '\\']);
        let end = quoted.find(|c: char| !c.is_alphanumeric() && c != '_');
        let word = &quoted[..end.unwrap_or(quoted.len())];
        let is_word = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        self.awaits = is_word.then(|| word.to_owned());
    }
}

/// How long a text is, and whether it ends in this line.
fn text_length(rest: &str, from: usize, ends: &str, escapes: bool) -> (usize, bool) {
    let mut at = from;
    while let Some(next) = rest[at..].chars().next() {
        if rest[at..].starts_with(ends) {
            return (at + ends.len(), true);
        }
        at += next.len_utf8();
        if escapes && next == '\\' {
            at += rest[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    (rest.len(), false)
}

/// How long a number is.
fn number(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let is_part = |at: usize| {
        let sign = matches!(bytes[at], b'+' | b'-') && matches!(bytes[at - 1], b'e' | b'E');
        let part = bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_';
        part || ((bytes[at] == b'.' || sign && !rest.starts_with("0x")) && is_digit(at + 1))
    };
    let rest = 1..bytes.len();
    let end = rest.into_iter().find(|at| !is_part(*at));
    end.unwrap_or(bytes.len())
}
