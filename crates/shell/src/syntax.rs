//! What a command is made of, as bash sees it: the tree that `parse` builds and `judge` walks.

use std::cell::OnceCell;
use std::rc::Rc;

/// Commands one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    pub(crate) entries: Vec<Entry>,
    /// What could not be read; the entries before it are still there.
    pub(crate) problem: Option<Problem>,
}

/// Why a text is no command that can be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// Bash would refuse it, or read it in a way that is not known here.
    Syntax(&'static str),
    /// Deeper than anybody can follow.
    TooDeep,
}

/// `a && b || c`, and whether it is left running.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) first: Pipeline,
    pub(crate) rest: Vec<(Link, Pipeline)>,
    pub(crate) background: bool,
}

/// When the next pipeline is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    /// After success.
    And,
    /// After failure.
    Or,
}

/// `a | b | c`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pipeline {
    pub(crate) stages: Vec<Command>,
}

/// One stage of a pipeline.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    /// A program with its words.
    Simple(Simple),
    /// Anything with commands inside.
    Compound(Compound),
    /// `name() ..`
    Function { name: Word, body: Box<Self> },
}

/// A program, its arguments, and what is set and opened for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Simple {
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) words: Vec<Word>,
    pub(crate) redirections: Vec<Redirection>,
    /// As written.
    pub(crate) source: String,
}

/// `NAME=value`.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) name: String,
    /// The whole word, name included.
    pub(crate) word: Word,
    /// The words of `NAME=(..)`.
    pub(crate) array: Vec<Word>,
}

/// A command with commands inside.
#[derive(Clone, Debug)]
pub(crate) struct Compound {
    pub(crate) kind: CompoundKind,
    /// Words that are expanded: those of `for` and `case`, of `[[ ]]` and `(( ))`.
    pub(crate) words: Vec<Word>,
    pub(crate) bodies: Vec<Script>,
    pub(crate) redirections: Vec<Redirection>,
}

/// Which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CompoundKind {
    Subshell,
    Group,
    If,
    While,
    For,
    /// `for ((..))`.
    CountingFor,
    Select,
    Case,
    /// `[[ .. ]]`: operators are words of their own.
    Test,
    /// `(( .. ))`.
    Arithmetic,
    Coproc,
}

/// `2>file` and its like.
#[derive(Clone, Debug)]
pub(crate) struct Redirection {
    pub(crate) kind: RedirectionKind,
    /// The variable of `{NAME}>file`, which is set to the number of the opened file.
    pub(crate) variable: Option<String>,
    pub(crate) target: Word,
    /// As written.
    pub(crate) source: String,
}

/// What is done with the target.
#[derive(Clone, Debug)]
pub(crate) enum RedirectionKind {
    /// `<`
    Read,
    /// `>`, `>>`, `>|`, `&>`, `&>>`, `<>`, and `>&` with a file.
    Write,
    /// `2>&1`, `<&-`
    Duplicate,
    /// `<<EOF`; the body comes after the line.
    HereDoc { body: Rc<OnceCell<Word>> },
    /// `<<<`
    HereString,
}

/// A word before any expansion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Word {
    pub(crate) pieces: Vec<Piece>,
    /// As written.
    pub(crate) source: String,
}

/// A stretch of a word.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// Letters without quotes: globs, braces and tildes count.
    Bare(String),
    /// Letters in quotes, or behind a backslash.
    Quoted(String),
    /// `$'..'`, with its escapes resolved.
    Ansi(String),
    /// `$NAME`, `${NAME..}` with what is expanded inside.
    Variable {
        name: String,
        inner: Vec<Self>,
        quoted: bool,
    },
    /// `$(..)`, `` `..` ``
    Substitution(Script),
    /// `<(..)`, `>(..)`
    Process(Script),
    /// `$((..))`, `$[..]` with what is expanded inside.
    Arithmetic(Vec<Self>),
}

impl Piece {
    /// The letters of a piece that stands for itself.
    pub(crate) fn letters(&self) -> Option<&str> {
        match self {
            Self::Bare(text) | Self::Quoted(text) | Self::Ansi(text) => Some(text),
            _ => None,
        }
    }
}

impl Word {
    /// The word's text if nothing in it is expanded and nothing but quotes removed.
    pub(crate) fn plain(&self) -> Option<String> {
        let mut text = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Bare(letters) | Piece::Quoted(letters) => text.push_str(letters),
                _ => return None,
            }
        }
        Some(text)
    }
}
