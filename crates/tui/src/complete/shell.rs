//! Words of a command line behind a `!`.
//!
//! This is enough of a shell to find the word under the cursor. Nothing is expanded or run, and
//! what a command would do is for `pollux-shell` to say.

use std::ops::Range;

use super::{Wanted, Word};

/// What is wanted in the command line that begins with its `!`.
pub(super) fn wanted(text: &str, cursor: usize) -> Wanted {
    let mut first = true;
    let tokens = Tokens { text, at: 1 };
    for token in tokens {
        if cursor < token.range.start {
            break;
        }
        match token.kind {
            Kind::Word(_) if cursor > token.range.end => {
                first = first && is_assignment(&text[token.range]);
            }
            Kind::Word(meaning) => {
                let word = Word {
                    text: meaning,
                    replaces: token.range,
                };
                return Wanted::ShellWord { first, word };
            }
            Kind::Operator if cursor >= token.range.end => first = true,
            Kind::Redirection if cursor >= token.range.end => first = false,
            Kind::Operator | Kind::Redirection => {}
        }
    }
    let word = Word {
        text: String::new(),
        replaces: cursor..cursor,
    };
    Wanted::ShellWord { first, word }
}

/// `NAME=value` before a program.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// A word that a shell takes to be this. A `~` at its beginning stays: it leads home.
pub(super) fn escaped(meaning: &str) -> String {
    let mut word = String::with_capacity(meaning.len());
    for (at, c) in meaning.char_indices() {
        let harmless = c.is_alphanumeric() || "_-./+:,@%=^".contains(c) || (c == '~' && at == 0);
        if !harmless {
            word.push('\\');
        }
        word.push(c);
    }
    word
}

struct Token {
    range: Range<usize>,
    kind: Kind,
}

enum Kind {
    /// A word that means this.
    Word(String),
    /// Another command follows.
    Operator,
    /// The name of a file follows.
    Redirection,
}

struct Tokens<'a> {
    text: &'a str,
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = &self.text[self.at..];
        let begin = rest.find(|c: char| c == '\n' || !c.is_whitespace())?;
        let start = self.at + begin;
        let rest = &self.text[start..];
        let (kind, length) = match rest.chars().next()? {
            c if is_operator(c) => (Kind::Operator, 1),
            '<' | '>' => (Kind::Redirection, 1),
            _ => {
                let (meaning, length) = read(rest);
                (Kind::Word(meaning), length)
            }
        };
        self.at = start + length;
        Some(Token {
            range: start..self.at,
            kind,
        })
    }
}

fn is_operator(c: char) -> bool {
    matches!(c, '|' | '&' | ';' | '(' | ')' | '`' | '\n')
}

/// What the word at the beginning of `text` means, and how many bytes it has.
fn read(text: &str) -> (String, usize) {
    let mut meaning = String::new();
    let mut quote = None;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None | Some('"'), '\\') => {
                meaning.push(chars.next().map_or('\\', |(_, next)| next));
            }
            (None, '\'' | '"') => quote = Some(c),
            (None, c) if c.is_whitespace() || is_operator(c) || matches!(c, '<' | '>') => {
                return (meaning, at);
            }
            (_, c) => meaning.push(c),
        }
    }
    (meaning, text.len())
}
