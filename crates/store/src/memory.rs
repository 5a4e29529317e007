//! Memory: what the user, and whoever works on a project, has written down for the model.
//!
//! It is text for the model alone and permits nothing, so it is read in folders that are not trusted
//! too. What a stranger's file could do is make pollux read others: its links and imports stay in the
//! directory that it is in, and lead to no secrets and to nothing that is protected. Whatever is left
//! out is said.

mod adding;
mod imports;
mod reading;

use std::fmt;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::Home;
use reading::{Found, Reader};

pub use adding::{add_to_project, add_to_user, write};

/// What the files are called. All that are there count.
const NAMES: [&str; 4] = ["POLLUX.md", "AGENTS.md", "GEMINI.md", "CLAUDE.md"];

/// Bytes of all files together.
pub const MOST_BYTES: usize = 32 << 10;
/// Files of the project, and files that are imported.
const MOST_FILES: usize = 64;

/// All that is remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// The files, those that count for more behind the others.
    pub files: Vec<MemoryFile>,
}

/// A file of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it says, as far as there is room for it.
    pub text: String,
}

/// Where to look.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// Pollux's home, with the user's own file.
    pub home: &'a Home,
    /// The working directory.
    pub cwd: &'a Path,
    /// What must not be touched because a file leads there.
    pub forbids: Forbids,
}

/// Why a file below a directory is nothing for memory, if it is not.
pub type Forbids = fn(file: &Path, below: &Path) -> Option<&'static str>;

/// Reads it: the user's file, then those of the project from its root down to the working directory.
/// What is wrong with some of it is told, and the rest counts.
pub fn read(places: Places<'_>) -> (Memory, Vec<String>) {
    let mut reader = Reader::new(places.forbids);
    let user = places.home.memory();
    // Where it is a link, what it imports is beside the file that it leads to.
    let real = user.canonicalize().unwrap_or_else(|_| user.clone());
    let beside = real.parent().unwrap_or(&real);
    let own = reader.look(&user, beside);
    let mut files = files_of_project(places.cwd);
    // The nearest are the last.
    files.drain(..files.len().saturating_sub(MOST_FILES));
    let project = files.iter().filter_map(|(path, dir)| {
        // A directory above may be all that somebody has: a file leads to what is beside it at most.
        reader.look(path, &dir.canonicalize().ok()?)
    });
    let project: Vec<Found> = project.collect();
    (reader.share_out(own, project), reader.problems())
}

/// The memory files of a project that are there, each with its directory.
fn files_of_project(cwd: &Path) -> Vec<(PathBuf, &Path)> {
    let dirs = project_dirs(cwd).into_iter();
    let files = dirs.flat_map(|dir| NAMES.map(|name| (dir.join(name), dir)));
    files
        .filter(|(path, _)| path.symlink_metadata().is_ok())
        .collect()
}

/// Where the project's own notes go: in its root.
pub fn project_file(cwd: &Path) -> PathBuf {
    let dirs = project_dirs(cwd);
    let root = dirs.first().map_or(cwd, |root| root);
    root.join(NAMES[0])
}

/// The directories of a project, from the root of its repository down to this one.
fn project_dirs(cwd: &Path) -> Vec<&Path> {
    let owner = |dir: &Path| dir.metadata().map(|metadata| metadata.uid()).ok();
    let own = owner(cwd);
    let mut dirs = Vec::new();
    // What somebody else has put above, as in `/tmp`, is no part of the project.
    for dir in cwd.ancestors().take_while(|dir| owner(dir) == own) {
        dirs.push(dir);
        if dir.join(".git").exists() {
            dirs.reverse();
            return dirs;
        }
    }
    vec![cwd]
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.files.iter().try_for_each(|MemoryFile { path, text }| {
            let path = path.display();
            writeln!(f, "--- From {path} ---\n{text}\n--- End of {path} ---")
        })
    }
}

#[cfg(test)]
mod tests;
