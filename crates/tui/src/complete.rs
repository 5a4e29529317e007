//! Completion without a screen: what is being written, what it could become, and the menu of that.
//!
//! [`wanted`] looks at the input and says what the word under the cursor is to be. Candidates come
//! from whoever knows them: names from the caller, paths from a [`FileIndex`] (all of the project)
//! or a [`Place`] (one directory), programs from [`programs()`]. [`choices`] and [`paths`] make
//! [`Suggestion`]s of them, and a [`Menu`] lets somebody pick one.
//!
//! The word under the cursor is completed as a whole: what is looked for is what is replaced.
//!
//! Not here: keys, and when a menu opens.

mod index;
mod listing;
mod mention;
mod menu;
mod programs;
mod ranking;
mod search;
mod shell;
mod slash;
mod tree;

use std::ops::Range;

pub use index::{FileIndex, Found, Walk, is_spelled_out};
pub use listing::{Listings, Place};
pub(crate) use mention::meaning;
pub use menu::Menu;
pub use programs::programs;
pub use ranking::rank;
use search::Judge;

/// How many suggestions are worth offering.
pub const MOST_SUGGESTIONS: usize = 60;

/// The word under the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// What it means: without its mark (`/`, `@`), quotes and backslashes.
    pub text: String,
    /// Where it stands in the input, mark included.
    pub replaces: Range<usize>,
}

/// What the word under the cursor is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The name of a command, behind a `/` that begins the input.
    Command(Word),
    /// Something that a command is about.
    Argument {
        /// The name of the command.
        command: String,
        /// The words between it and this one.
        before: Vec<String>,
        /// This one.
        word: Word,
    },
    /// A file, or something else that can be put into a prompt, behind an `@`.
    Path(Word),
    /// A part of a command line, behind a `!` that begins the input.
    ShellWord {
        /// Whether a program is to be named here.
        first: bool,
        /// This one.
        word: Word,
    },
    /// Nothing that could be completed.
    Nothing,
}

/// What is wanted where the cursor is, at this byte of the input?
pub fn wanted(text: &str, cursor: usize) -> Wanted {
    if cursor == 0 || !text.is_char_boundary(cursor) {
        return Wanted::Nothing;
    }
    if text.starts_with('!') {
        return shell::wanted(text, cursor);
    }
    mention::word(text, cursor)
        .map(Wanted::Path)
        .or_else(|| slash::wanted(text, cursor))
        .unwrap_or(Wanted::Nothing)
}

impl Wanted {
    /// The word itself.
    pub fn word(&self) -> Option<&Word> {
        match self {
            Self::Command(word)
            | Self::Argument { word, .. }
            | Self::Path(word)
            | Self::ShellWord { word, .. } => Some(word),
            Self::Nothing => None,
        }
    }

    /// How `meaning` is written in this place, so that it is understood again.
    fn spelled(&self, meaning: &str) -> String {
        match self {
            Self::Command(_) => format!("/{meaning}"),
            Self::Path(_) => format!("@{}", mention::escaped(meaning)),
            Self::Argument { .. } => mention::escaped(meaning),
            Self::ShellWord { .. } => shell::escaped(meaning),
            Self::Nothing => meaning.to_owned(),
        }
    }
}

/// Something with a name that could be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// What it is, in a few words; empty if the name says it all.
    pub description: String,
}

/// What the word under the cursor could become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What is shown.
    pub label: String,
    /// What it is, in a few words.
    pub description: String,
    /// What is put into the input, with its mark, quotes and backslashes.
    pub insert: String,
    /// The bytes of the input that it takes the place of.
    pub replaces: Range<usize>,
    /// Whether the word is complete, so that a space follows. A directory is not.
    pub finished: bool,
}

impl Suggestion {
    /// What takes the place of the bytes that it replaces, and where the cursor is then.
    pub fn put_into(&self, text: &str) -> (String, usize) {
        let spaced = text[self.replaces.end..].starts_with(' ');
        let space = if self.finished && !spaced { " " } else { "" };
        let put = format!("{}{space}", self.insert);
        // The cursor goes past a space that is there already.
        let past = usize::from(self.finished && spaced);
        let cursor = self.replaces.start + put.len() + past;
        (put, cursor)
    }
}

/// The candidates that fit what is wanted, best first.
pub fn choices(wanted: &Wanted, candidates: &[Candidate]) -> Vec<Suggestion> {
    let Some(word) = wanted.word() else {
        return Vec::new();
    };
    let names = candidates.iter().map(|candidate| candidate.name.as_str());
    let best = rank(&word.text, names, MOST_SUGGESTIONS);
    let suggestion = |index: usize| {
        let Candidate { name, description } = &candidates[index];
        let mark = if matches!(wanted, Wanted::Command(_)) {
            "/"
        } else {
            ""
        };
        Suggestion {
            label: format!("{mark}{name}"),
            description: description.clone(),
            insert: wanted.spelled(name),
            replaces: word.replaces.clone(),
            finished: true,
        }
    };
    best.into_iter().map(suggestion).collect()
}

/// These paths, in their order. Those that end with a `/` are directories.
pub fn paths(wanted: &Wanted, found: &[String]) -> Vec<Suggestion> {
    let Some(word) = wanted.word() else {
        return Vec::new();
    };
    let suggestion = |path: &String| Suggestion {
        label: path.clone(),
        description: String::new(),
        insert: wanted.spelled(path),
        replaces: word.replaces.clone(),
        finished: !path.ends_with('/'),
    };
    found.iter().map(suggestion).collect()
}

/// These paths, in their order, and among them the candidates that fit as well, by the same measure.
pub fn paths_and(wanted: &Wanted, found: &[String], others: &[Candidate]) -> Vec<Suggestion> {
    let mut items = paths(wanted, found);
    let Some(word) = wanted.word() else {
        return items;
    };
    let mut judge = Judge::new(&word.text);
    let mut scores: Vec<Option<u16>> = found.iter().map(|path| judge.score(path)).collect();
    for Candidate { name, description } in others {
        let Some(score) = judge.score(name).max(judge.score(description)) else {
            continue;
        };
        let worse = scores.iter().position(|other| *other < Some(score));
        let at = worse.unwrap_or(items.len());
        scores.insert(at, Some(score));
        let suggestion = Suggestion {
            label: name.clone(),
            description: description.clone(),
            insert: wanted.spelled(name),
            replaces: word.replaces.clone(),
            finished: true,
        };
        items.insert(at, suggestion);
    }
    items.truncate(MOST_SUGGESTIONS.max(found.len()));
    items
}

#[cfg(test)]
mod tests;
