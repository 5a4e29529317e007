//! Words as a program gets them, as far as that can be known without running anything.

use crate::syntax::{Piece, Word};

/// Stands in a text for letters that are known only when the command runs.
pub(crate) const UNKNOWN: char = '\u{fffc}';

/// One argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Arg {
    /// The text after quotes and backslashes are gone, with `UNKNOWN` for what is not known.
    pub(crate) text: String,
    /// As written.
    pub(crate) source: String,
    /// Whether file names may take its place.
    pub(crate) is_glob: bool,
    /// Whether the output of a command is part of it.
    pub(crate) is_output: bool,
    /// Whether it is a `<(..)`.
    pub(crate) is_process: bool,
}

impl Arg {
    /// An argument that was spelled out somewhere else.
    pub(crate) fn of(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            source: text.to_owned(),
            ..Self::default()
        }
    }

    /// Whether every letter is known.
    pub(crate) fn is_known(&self) -> bool {
        !self.text.contains(UNKNOWN)
    }
}

/// What `~` and `$HOME`, and `$PWD`, stand for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings<'a> {
    pub(crate) home: Option<&'a str>,
    pub(crate) cwd: Option<&'a str>,
}

/// The arguments that `word`, whose braces are gone, becomes. `$IFS` cuts it, as a space would.
pub(crate) fn arguments(word: &Word, around: Surroundings<'_>) -> Vec<Arg> {
    let mut arg = Arg {
        source: word.source.clone(),
        ..Arg::default()
    };
    let mut args = Vec::new();
    for (at, piece) in word.pieces.iter().enumerate() {
        match piece {
            Piece::Bare(text) => {
                arg.is_glob |= has_glob(text);
                if at == 0 && text.starts_with('~') {
                    arg.text.push_str(&tilde(text, word, around));
                } else {
                    arg.text.push_str(text);
                }
            }
            Piece::Quoted(text) => arg.text.push_str(text),
            Piece::Ansi(text) => {
                arg.text.push_str(text);
            }
            Piece::Variable {
                name,
                quoted: false,
                ..
            } if name == "IFS" => {
                let next = Arg {
                    source: word.source.clone(),
                    ..Arg::default()
                };
                args.push(std::mem::replace(&mut arg, next));
            }
            Piece::Variable { name, inner, .. } => {
                let value = match name.as_str() {
                    "HOME" if inner.is_empty() => around.home,
                    "PWD" if inner.is_empty() => around.cwd,
                    _ => None,
                };
                match value {
                    Some(value) => arg.text.push_str(value),
                    None => arg.text.push(UNKNOWN),
                }
            }
            Piece::Substitution(_) | Piece::Process(_) | Piece::Arithmetic(_) => {
                arg.is_output |= matches!(piece, Piece::Substitution(_));
                arg.is_process |= matches!(piece, Piece::Process(_));
                arg.text.push(UNKNOWN);
            }
        }
    }
    args.push(arg);
    args
}

/// Whether bash would look for files that match.
pub(crate) fn has_glob(text: &str) -> bool {
    let bracket = text.find('[');
    text.contains(['*', '?']) || bracket.is_some_and(|open| text[open..].contains(']'))
}

/// `text` with its `~` replaced; somebody else's home is not known.
fn tilde(text: &str, word: &Word, around: Surroundings<'_>) -> String {
    let rest = &text[1..];
    let alone = rest.is_empty() && word.pieces.len() == 1;
    match around.home {
        Some(home) if alone || rest.starts_with('/') => format!("{home}{rest}"),
        // A quote right after the tilde keeps it from being expanded, but not on every shell.
        _ => format!("{UNKNOWN}{rest}"),
    }
}
