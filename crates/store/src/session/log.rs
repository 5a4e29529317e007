//! Writing a session log.

use std::fs::DirBuilder;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use fs_err::{File, OpenOptions};

use super::entry::{Entry, Header};
use crate::Home;

/// An open session log.
///
/// The file comes into being with the first entry, so that a session in which nothing was said
/// leaves nothing behind.
#[derive(Debug)]
pub struct SessionLog {
    path: PathBuf,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Not written yet.
    New(Header),
    /// `len` bytes of whole lines.
    Open { file: File, len: u64 },
}

/// Why a session could not be written.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file system refused.
    #[error("writing session `{}`: {source}", path.display())]
    Io {
        /// The log.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another pollux has this session open.
    #[error("session `{}` is open in another pollux; close that one first", path.display())]
    Busy {
        /// The log.
        path: PathBuf,
    },
}

impl SessionLog {
    /// A new session of the project in `header.cwd`. Touches no disk.
    pub fn create(home: &Home, header: Header) -> Self {
        let path = home
            .sessions(&header.cwd)
            .join(format!("{}.jsonl", header.id));
        Self {
            path,
            state: State::New(header),
        }
    }

    /// Goes on with an existing session.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let opened = || -> io::Result<(File, u64)> {
            let mut file = OpenOptions::new().read(true).write(true).open(path)?;
            let len = end_last_line(&mut file)?;
            Ok((file, len))
        };
        let (file, len) = opened().map_err(|source| io_error(path, source))?;
        lock(&file, path)?;
        Ok(Self {
            path: path.to_owned(),
            state: State::Open { file, len },
        })
    }

    /// Where it is, or will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes `entries` as one piece and waits until they are on disk. On failure nothing of them
    /// remains in the file.
    pub fn append(&mut self, entries: &[Entry]) -> Result<(), LogError> {
        let mut lines = Vec::new();
        if let State::New(header) = &self.state {
            let file = create(&self.path).map_err(|source| io_error(&self.path, source))?;
            lock(&file, &self.path)?;
            push_line(&mut lines, &Entry::Session(header.clone()));
            self.state = State::Open { file, len: 0 };
        }
        for entry in entries {
            push_line(&mut lines, entry);
        }
        let State::Open { file, len } = &mut self.state else {
            return Ok(());
        };
        match file.write_all(&lines).and_then(|()| file.sync_data()) {
            Ok(()) => {
                *len += lines.len() as u64;
                Ok(())
            }
            Err(source) => {
                // Half a line must not stay; if even that fails, reading copes with it.
                let cut = file
                    .set_len(*len)
                    .and_then(|()| file.seek(SeekFrom::Start(*len)));
                let source = match cut {
                    Ok(_) => source,
                    Err(second) => io::Error::new(source.kind(), format!("{source}; {second}")),
                };
                Err(io_error(&self.path, source))
            }
        }
    }
}

#[cfg(test)]
impl SessionLog {
    /// Replaces the handle, to see what a failing write leaves.
    pub(crate) fn break_with(&mut self, broken: File) {
        if let State::Open { file, .. } = &mut self.state {
            *file = broken;
        }
    }
}

fn io_error(path: &Path, source: io::Error) -> LogError {
    LogError::Io {
        path: path.to_owned(),
        source,
    }
}

/// Only the user may read what was said.
fn create(path: &Path) -> io::Result<File> {
    let parent = path.parent().unwrap_or(Path::new("."));
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(parent)?;
    let mut options = OpenOptions::new();
    options
        .write(true)
        .create_new(true)
        .options_mut()
        .mode(0o600);
    let file = options.open(path)?;
    // A file that was synced can still be lost with its directory entry.
    File::open(parent)?.sync_all()?;
    Ok(file)
}

fn lock(file: &File, path: &Path) -> Result<(), LogError> {
    match file.file().try_lock() {
        Ok(()) => Ok(()),
        Err(std::fs::TryLockError::WouldBlock) => Err(LogError::Busy {
            path: path.to_owned(),
        }),
        Err(std::fs::TryLockError::Error(source)) => Err(io_error(path, source)),
    }
}

/// A crash may have left half a line: what follows must begin on a line of its own. Returns the
/// length of the file, with the position at its end.
fn end_last_line(file: &mut File) -> io::Result<u64> {
    let len = file.seek(SeekFrom::End(0))?;
    if len == 0 {
        return Ok(0);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    if last == *b"\n" {
        return Ok(len);
    }
    file.write_all(b"\n")?;
    Ok(len + 1)
}

fn push_line(lines: &mut Vec<u8>, entry: &Entry) {
    serde_json::to_writer(&mut *lines, entry)
        .expect("messages serialise, and a Vec takes any text");
    lines.push(b'\n');
}
