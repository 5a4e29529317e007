//! Memory: what the user, and whoever works on a project, has written down for the model.
//!
//! It is text for the model alone and permits nothing, so it is read in folders that are not trusted
//! too. What a stranger's file could do is make pollux read others: its links and imports stay in the
//! directory that it is in, and lead to no secrets and to nothing that is protected. Whatever is left
//! out is said.

mod adding;
mod imports;

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use pollux_types::untrusted::hidden;

use crate::Home;
use crate::private::open_to_read;

pub use adding::{add_to_project, add_to_user, write};

/// What the files are called. All that are there count.
const NAMES: [&str; 4] = ["POLLUX.md", "AGENTS.md", "GEMINI.md", "CLAUDE.md"];

/// Bytes of all files together.
pub const MOST_BYTES: usize = 32 << 10;
/// How deep imports go.
const DEEPEST: usize = 5;
/// How much is said about what is wrong.
const MOST_PROBLEMS: usize = 10;

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
    let mut reader = Reader {
        forbids: places.forbids,
        room: MOST_BYTES,
        seen: Vec::new(),
        files: Vec::new(),
        problems: Vec::new(),
    };
    let user = places.home.memory();
    // Where it is a link, what it imports is beside the file that it leads to.
    let real = user.canonicalize().unwrap_or_else(|_| user.clone());
    reader.take(&user, real.parent().unwrap_or(&real), 0);
    for dir in project_dirs(places.cwd) {
        // A directory above may be all that somebody has: a file leads to what is beside it at most.
        let folder = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
        for name in NAMES {
            reader.take(&dir.join(name), &folder, 0);
        }
    }
    let files = reader.files;
    (Memory { files }, few(reader.problems))
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

struct Reader {
    forbids: Forbids,
    room: usize,
    /// Where the files are that were looked at, links followed.
    seen: Vec<PathBuf>,
    files: Vec<MemoryFile>,
    problems: Vec<String>,
}

impl Reader {
    /// Takes up a file that need not be there, and what it imports. All must lie in `folder`.
    fn take(&mut self, path: &Path, folder: &Path, depth: usize) {
        let Ok(real) = path.canonicalize() else {
            if path.is_symlink() {
                self.tell(path, "a link that leads nowhere");
            }
            return;
        };
        if self.seen.contains(&real) {
            return;
        }
        if !real.starts_with(folder) {
            let why = format!("it leads out of {}, and is not read", folder.display());
            return self.tell(path, &why);
        }
        self.seen.push(real.clone());
        if let Some(why) = (self.forbids)(&real, folder) {
            return self.tell(path, &format!("{why}, and is not read"));
        }
        let (text, size) = match text_of(&real) {
            Ok(found) => found,
            Err(error) => return self.tell(path, &error.to_string()),
        };
        if text.is_empty() || self.files.iter().any(|file| file.text == text) {
            return;
        }
        let imports: Vec<PathBuf> = self.imported(&text, &real);
        self.keep(path, text, size);
        for import in imports {
            if depth == DEEPEST {
                return self.tell(path, "its imports are too deep inside each other");
            }
            self.take(&import, folder, depth + 1);
        }
    }

    /// Keeps as much of it as there is room for.
    fn keep(&mut self, path: &Path, mut text: String, size: u64) {
        let shown = text.floor_char_boundary(self.room);
        let hidden = hidden(&text[..shown]);
        if (shown as u64) < size {
            let most = MOST_BYTES >> 10;
            let why = format!("of memory {most} KiB are read, so {shown} of {size} bytes of this");
            self.tell(path, &why);
            text.truncate(shown);
            text.push_str("\n[the rest is left out]");
        }
        if let Some(hidden) = hidden {
            self.tell(path, &format!("{hidden}, which the model reads"));
            let note = format!("\n[pollux: {hidden}; nobody may have seen them]");
            text.push_str(&note);
        }
        self.room -= shown;
        if shown > 0 {
            let path = path.to_owned();
            self.files.push(MemoryFile { path, text });
        }
    }

    /// The files that a text names with `@`, if they are there.
    fn imported(&mut self, text: &str, file: &Path) -> Vec<PathBuf> {
        let Some(dir) = file.parent() else {
            return Vec::new();
        };
        let (there, missing): (Vec<&str>, Vec<&str>) = imports::named(text)
            .into_iter()
            .partition(|name| dir.join(name).is_file());
        // An `@` may stand for much else.
        let is_markdown = |name: &str| Path::new(name).extension().is_some_and(|end| end == "md");
        let is_meant = |name: &&str| name.starts_with("./") || is_markdown(name);
        for name in missing.into_iter().filter(is_meant) {
            self.tell(file, &format!("`@{name}` names no file"));
        }
        there.into_iter().map(|name| dir.join(name)).collect()
    }

    fn tell(&mut self, path: &Path, what: &str) {
        self.problems.push(format!("{}: {what}", path.display()));
    }
}

/// The text of a file without space around it, up to the most that is read; and how much there is.
fn text_of(path: &Path) -> io::Result<(String, u64)> {
    let file = open_to_read(path)?;
    let size = size_of(&file)?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES as u64).read_to_end(&mut bytes)?;
    let is_whole = bytes.len() as u64 >= size;
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        // A character that was cut in two.
        Err(error) if !is_whole && error.utf8_error().error_len().is_none() => {
            let whole = error.utf8_error().valid_up_to();
            String::from_utf8_lossy(&error.as_bytes()[..whole]).into_owned()
        }
        Err(_) => return Err(io::Error::other("it is no text (UTF-8), and is not read")),
    };
    let trimmed = text.trim().to_owned();
    let size = if is_whole { trimmed.len() as u64 } else { size };
    Ok((trimmed, size))
}

fn size_of(file: &File) -> io::Result<u64> {
    let metadata = file.metadata()?;
    let is_file = metadata.is_file().then_some(metadata.len());
    is_file.ok_or_else(|| io::Error::other("it is no file"))
}

fn few(mut problems: Vec<String>) -> Vec<String> {
    let more = problems.len().saturating_sub(MOST_PROBLEMS);
    problems.truncate(MOST_PROBLEMS);
    problems.extend((more > 0).then(|| format!("and {more} more of the kind in memory files")));
    problems
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
