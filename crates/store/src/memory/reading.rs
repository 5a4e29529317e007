//! Reading memory files, and sharing out the room for them.
//!
//! A stranger's files may name any number of others: how many are looked at, read and complained of is
//! bounded.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read as _};
use std::mem;
use std::path::{Path, PathBuf};

use pollux_types::untrusted::hidden;

use super::{Forbids, MOST_BYTES, MOST_FILES, Memory, MemoryFile, imports};
use crate::private::open_to_read;

/// How deep imports go.
pub(super) const DEEPEST: usize = 5;
/// How many names of a file are looked for. An `@` may stand for much else.
const MOST_NAMES: usize = 256;
/// How much is said about what is wrong.
const MOST_PROBLEMS: usize = 10;

/// What has been read so far, and what there is still room for.
pub(super) struct Reader {
    forbids: Forbids,
    room: usize,
    /// Whether imports were left out.
    is_full: bool,
    imported: usize,
    /// Where the files are that were looked at, links followed.
    seen: HashSet<PathBuf>,
    texts: HashSet<String>,
    problems: Vec<String>,
    more_problems: usize,
}

/// A file that was read.
pub(super) struct Found {
    path: PathBuf,
    /// Where it is, links followed.
    real: PathBuf,
    /// Where it and its imports must lie.
    folder: PathBuf,
    text: String,
    size: u64,
}

/// The same once it has got its room.
struct Kept {
    file: MemoryFile,
    real: PathBuf,
    folder: PathBuf,
    /// What it names with `@`.
    names: Vec<String>,
}

impl Reader {
    pub(super) fn new(forbids: Forbids) -> Self {
        Self {
            forbids,
            room: MOST_BYTES,
            is_full: false,
            imported: 0,
            seen: HashSet::new(),
            texts: HashSet::new(),
            problems: Vec::new(),
            more_problems: 0,
        }
    }

    /// Reads a file that need not be there. It must lie in `folder`.
    pub(super) fn look(&mut self, path: &Path, folder: &Path) -> Option<Found> {
        let Ok(real) = path.canonicalize() else {
            if path.is_symlink() {
                self.tell(path, "a link that leads nowhere");
            }
            return None;
        };
        if self.seen.contains(&real) {
            return None;
        }
        if !real.starts_with(folder) {
            let why = format!("it leads out of {}, and is not read", folder.display());
            self.tell(path, &why);
            return None;
        }
        self.seen.insert(real.clone());
        if let Some(why) = (self.forbids)(&real, folder) {
            self.tell(path, &format!("{why}, and is not read"));
            return None;
        }
        let (text, size) = text_of(&real)
            .inspect_err(|error| self.tell(path, &error.to_string()))
            .ok()?;
        let is_new = !text.is_empty() && self.texts.insert(text.clone());
        is_new.then(|| Found {
            path: path.to_owned(),
            real,
            folder: folder.to_owned(),
            text,
            size,
        })
    }

    /// Gives room to the user's file, which no project drives out; then to those of the project, the
    /// nearest first, since it counts for most; then to what they import. Their order stays.
    pub(super) fn share_out(&mut self, own: Option<Found>, project: Vec<Found>) -> Memory {
        let own = own.and_then(|found| self.keep(found));
        let project = project.into_iter().rev();
        let project: Vec<Kept> = project.filter_map(|found| self.keep(found)).collect();
        let mut parts: Vec<Vec<MemoryFile>> = Vec::new();
        for kept in project.into_iter().chain(own) {
            let mut files = Vec::new();
            self.take(kept, 0, &mut files);
            parts.push(files);
        }
        let files = parts.into_iter().rev().flatten().collect();
        Memory { files }
    }

    /// Takes up a file and what it imports.
    fn take(&mut self, kept: Kept, depth: usize, files: &mut Vec<MemoryFile>) {
        let path = kept.file.path.clone();
        files.push(kept.file);
        for name in kept.names {
            let import = kept.real.with_file_name(&name);
            if !import.is_file() {
                self.miss(&kept.real, &name);
            } else if self.is_known(&import) {
                // It takes no more room.
            } else if depth == DEEPEST {
                return self.tell(&path, "its imports are too deep inside each other");
            } else if self.is_full(&import) {
                return;
            } else if let Some(found) = self.look(&import, &kept.folder)
                && let Some(kept) = self.keep(found)
            {
                self.take(kept, depth + 1, files);
            }
        }
    }

    fn is_known(&self, import: &Path) -> bool {
        let real = import.canonicalize();
        real.is_ok_and(|real| self.seen.contains(&real))
    }

    /// Whether nothing more is imported, which is told once.
    fn is_full(&mut self, import: &Path) -> bool {
        let why = if self.room == 0 {
            format!("of memory {} KiB are read", MOST_BYTES >> 10)
        } else if self.imported == MOST_FILES {
            format!("{MOST_FILES} files are imported at most")
        } else {
            self.imported += 1;
            return false;
        };
        if !mem::replace(&mut self.is_full, true) {
            self.tell(import, &format!("{why}, and not this, nor other imports"));
        }
        true
    }

    /// Keeps as much of it as there is room for.
    fn keep(&mut self, found: Found) -> Option<Kept> {
        let Found {
            path,
            real,
            folder,
            mut text,
            size,
        } = found;
        let shown = text.floor_char_boundary(self.room);
        let hidden = hidden(&text[..shown]);
        let names = self.names(&text[..shown], &path);
        if (shown as u64) < size {
            let most = MOST_BYTES >> 10;
            let why = format!("of memory {most} KiB are read, so {shown} of {size} bytes of this");
            self.tell(&path, &why);
            text.truncate(shown);
            text.push_str("\n[the rest is left out]");
            // A character that did not fit leaves room for no other.
            self.room = shown;
        }
        if let Some(hidden) = hidden {
            self.tell(&path, &format!("{hidden}, which the model reads"));
            let note = format!("\n[pollux: {hidden}; nobody may have seen them]");
            text.push_str(&note);
        }
        self.room -= shown;
        (shown > 0).then_some(Kept {
            file: MemoryFile { path, text },
            real,
            folder,
            names,
        })
    }

    /// What a text names with `@`, each name once.
    fn names(&mut self, text: &str, path: &Path) -> Vec<String> {
        let mut known = HashSet::new();
        let names = imports::named(text).into_iter();
        let mut names: Vec<&str> = names.filter(|name| known.insert(*name)).collect();
        if names.len() > MOST_NAMES {
            names.truncate(MOST_NAMES);
            let why = format!("it has more than {MOST_NAMES} names with `@`, and those count");
            self.tell(path, &why);
        }
        names.into_iter().map(str::to_owned).collect()
    }

    /// Tells of a name that looks like a file and is none.
    fn miss(&mut self, file: &Path, name: &str) {
        let is_markdown = Path::new(name).extension().is_some_and(|end| end == "md");
        if is_markdown || name.starts_with("./") {
            self.tell(file, &format!("`@{name}` names no file"));
        }
    }

    fn tell(&mut self, path: &Path, what: &str) {
        if self.problems.len() < MOST_PROBLEMS {
            self.problems.push(format!("{}: {what}", path.display()));
        } else {
            self.more_problems += 1;
        }
    }

    /// What is wrong.
    pub(super) fn problems(self) -> Vec<String> {
        let (mut problems, more) = (self.problems, self.more_problems);
        problems.extend((more > 0).then(|| format!("and {more} more of the kind in memory files")));
        problems
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

/// How long a file is, if it is one.
pub(super) fn size_of(file: &File) -> io::Result<u64> {
    let metadata = file.metadata()?;
    let is_file = metadata.is_file().then_some(metadata.len());
    is_file.ok_or_else(|| io::Error::other("it is no file"))
}
