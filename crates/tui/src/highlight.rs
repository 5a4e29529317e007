//! The colours of code: few, from the terminal's own palette.
//!
//! Colours only help reading; nothing is said by them alone. So code is not parsed here: one pass
//! over each line finds comments, texts, numbers and words, by a table of what each language calls
//! them (`languages.rs`). Grammars made of regular expressions see more, but compiling those of
//! one language takes up to half a second, and that when its first line is to be shown.

mod code;
mod languages;
mod markup;

use crate::line::{Line, Span, untabbed};
use crate::style::{Color, Style};
use code::{Code, Open};

/// What a piece of code is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Plain,
    Comment,
    Text,
    Constant,
    Keyword,
    Name,
    Heading,
    Added,
    Removed,
}

impl Look {
    fn style(self) -> Style {
        match self {
            Self::Plain => Style::PLAIN,
            Self::Comment => Style::DIM,
            Self::Text | Self::Added => Style::color(Color::GREEN),
            Self::Constant => Style::color(Color::CYAN),
            Self::Keyword => Style::color(Color::MAGENTA),
            Self::Name => Style::color(Color::BLUE),
            Self::Heading => Style::BOLD,
            Self::Removed => Style::color(Color::RED),
        }
    }
}

/// A piece of a line, and what it is.
type Piece<'a> = (&'a str, Look);

/// How something is written.
#[derive(Clone, Copy, Debug)]
enum Notation {
    /// Words, comments and texts.
    Code(&'static Code),
    /// Commands after a prompt, and what they printed.
    Console,
    /// What was added and what was taken away.
    Diff,
    /// Markdown.
    Prose,
    /// Tags.
    Tags,
}

/// Colours code line by line.
#[derive(Clone, Debug)]
pub struct Highlighter {
    notation: Notation,
    open: Open,
}

impl Highlighter {
    /// For code in a language, by one of its names or the extension of its files.
    pub fn new(language: &str) -> Option<Self> {
        Some(Self {
            notation: languages::find(&language.to_ascii_lowercase())?,
            open: Open::Nothing,
        })
    }

    /// The next line, without its line break.
    pub fn line(&mut self, text: &str) -> Line {
        let pieces = match self.notation {
            Notation::Code(code) => code::pieces(code, &mut self.open, text),
            Notation::Console => markup::console(text),
            Notation::Diff => markup::diff(text),
            Notation::Prose => markup::prose(&mut self.open, text),
            Notation::Tags => markup::tags(&mut self.open, text),
        };
        let mut line = Line::default();
        for (piece, look) in pieces {
            line.append(&untabbed(piece), &Span::new("", look.style()));
        }
        line
    }
}

/// Code without colours.
pub(crate) fn plain(text: &str) -> Line {
    Line::plain(untabbed(text))
}

#[cfg(test)]
mod tests;
