//! Files and directories that a command names.
//!
//! A name says where a file would be, not what is there: whoever can look follows the links.

use std::path::PathBuf;

/// A file or directory that a command names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Absolute, as the program would open it: `..` and patterns are left as they are.
    pub path: PathBuf,
    /// What is done with it.
    pub done: Use,
}

/// What a command does with a file that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// Its content is read.
    Reads,
    /// Its name, its size and the like are read.
    Looks,
    /// It is made, changed or deleted.
    Writes,
    /// Any of these: the program is not known.
    Anything,
    /// All below it is read.
    Searches(Search),
}

/// What a search looks at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// Whether it leaves out names that begin with a dot, and what is ignored.
    pub skips_hidden: bool,
    /// Whether it follows links.
    pub follows: bool,
    /// Patterns of the only names that it looks at; all if there are none.
    pub only: Vec<String>,
    /// Patterns of names of files that it leaves out.
    pub except_files: Vec<String>,
    /// Patterns of names of directories that it leaves out.
    pub except_dirs: Vec<String>,
}
