//! Reading a bash command without running it, and saying what it would do.
//!
//! `read` is a pure function: it looks at the text, never at the machine. Its verdict is a
//! convenience in front of a sandbox, not a boundary. **Invariant:** what is not known to be
//! harmless is not `ReadOnly`: unknown programs, unknown flags, and words that are known only when
//! the command runs are asked about.
//!
//! The way of a command: `parse` makes `syntax` of it, `judge` walks that and asks `programs` about
//! each program, `paths` about each file. Knowledge about programs is data, a file for each family.

mod args;
mod braces;
mod hidden;
mod judge;
mod named;
mod options;
mod parse;
mod paths;
mod programs;
mod remember;
mod syntax;

use std::path::PathBuf;

pub use named::{Named, Search, Use};
pub use remember::Memory;

/// What a command would do, in one word; later ones are worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// It reads the workspace and changes nothing.
    ReadOnly,
    /// It changes something, or nobody can tell.
    Ask,
    /// It destroys, gives something away, or hides what it does.
    Dangerous,
}

impl Class {
    /// The word for it in data.
    pub fn word(self) -> &'static str {
        match self {
            Self::ReadOnly => "read_only",
            Self::Ask => "ask",
            Self::Dangerous => "dangerous",
        }
    }
}

/// Where a command would run.
#[derive(Clone, Debug)]
pub struct Context {
    /// The directory it starts in; absolute.
    pub cwd: PathBuf,
    /// The directories of the workspace; absolute.
    pub roots: Vec<PathBuf>,
    /// What `~` stands for.
    pub home: Option<PathBuf>,
    /// Files and directories that need a second look when written, besides those that are known.
    pub protected: Vec<PathBuf>,
    /// Whether git is kept from running what the repository's settings name. Without that, no use
    /// of git is read-only.
    pub git_hardened: bool,
}

impl Context {
    /// A workspace that is also where the command starts, with a hardened git.
    pub fn new(workspace: impl Into<PathBuf>, home: impl Into<PathBuf>) -> Self {
        let cwd = workspace.into();
        Self {
            roots: vec![cwd.clone()],
            cwd,
            home: Some(home.into()),
            protected: Vec::new(),
            git_hardened: true,
        }
    }
}

/// What was found out about a command.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The worst of all its parts.
    pub class: Class,
    /// Why it is not harmless, the worst first; empty if it is.
    pub reasons: Vec<Reason>,
    /// The programs it would run, in the order in which they are written.
    pub parts: Vec<Part>,
    /// The worst that is known about it besides: how its parts are put together, where they run,
    /// and whether these are all. Unless this is `ReadOnly`, there is more to it than its parts.
    pub beside: Class,
    /// All programs with their arguments, those that others of them run too: each by its name
    /// alone, wherever it is.
    pub programs: Vec<Vec<String>>,
    /// The files that it names.
    pub named: Vec<Named>,
    /// Whether it may be remembered, and how.
    pub memory: Memory,
    /// Whether the programs that it runs can be told from its text: all of it was understood, and
    /// no name is known only when it runs. What a script or a build does is not its text.
    pub is_told: bool,
    /// Files outside of the workspace that it says it opens to write, by absolute paths. There may be
    /// others.
    pub opens: Vec<PathBuf>,
}

/// One thing to know before saying yes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// How bad it is.
    pub class: Class,
    /// What it does, as a short sentence without a full stop.
    pub text: String,
    /// The part of the command that this is about, as written.
    pub about: String,
}

/// A program that would run, with all that is given to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The worst that is known about this part alone.
    pub class: Class,
    /// The program and its arguments, as it would get them. What is known only when the command
    /// runs is left as it was written.
    pub argv: Vec<String>,
    /// Variables that are set for it, as written.
    pub assignments: Vec<String>,
    /// Files that are opened for it, as written.
    pub redirections: Vec<String>,
}

/// Reads `command` as bash would in `context`.
pub fn read(command: &str, context: &Context) -> Reading {
    judge::command(command, context)
}

/// The program in `command` that cannot do without a terminal, if there is one.
pub fn wants_terminal(command: &str) -> Option<String> {
    let parts = read(command, &Context::new("/", "/")).parts;
    let mut wanting = parts.into_iter().map(|part| part.argv);
    let argv = wanting.find(|argv| programs::is_full_screen(argv));
    argv.and_then(|argv| argv.into_iter().next())
}

/// Whether changing the file or directory at the absolute `path` decides which programs run later,
/// or changes the system. Goes by the spelling alone; case does not count.
pub fn is_protected(path: &std::path::Path, context: &Context) -> bool {
    paths::is_protected(path, context)
}

/// Attributes for git that keep it from showing what is in files that [`is_secret`] names.
pub fn secret_attributes() -> String {
    paths::secret_attributes()
}

/// Whether the file or directory at the absolute `path` holds keys, passwords or the like. Goes by
/// the spelling alone; case does not count.
pub fn is_secret(path: &std::path::Path) -> bool {
    paths::is_secret(path)
}
