//! Writing a session log.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use fs_err::{File, OpenOptions};

use super::entry::{Entry, Header};
use crate::{Home, private};

/// An open session log.
///
/// The file comes into being with the first entry, so that a session in which nothing was said
/// leaves nothing behind. Writing has two steps: what [`append`](Self::append) has returned from
/// survives the end of the process, what a [`Sync`] has returned from survives a power cut. The
/// second takes the disk its time, so it can be done elsewhere while work goes on.
#[derive(Debug)]
pub struct SessionLog {
    path: PathBuf,
    /// The first line, until it is written.
    header: Option<Header>,
    open: Option<Open>,
}

#[derive(Debug)]
struct Open {
    file: Arc<File>,
    /// Bytes of whole lines.
    len: u64,
    /// How much of that is on disk for certain. Only a sync that worked says so.
    synced: Arc<AtomicU64>,
    /// Directories whose new entries are not on disk for certain.
    dirs: Arc<Mutex<Vec<PathBuf>>>,
}

/// What is left to do before the entries so far survive a power cut.
#[derive(Debug)]
pub struct Sync {
    file: Arc<File>,
    path: PathBuf,
    /// How far this goes.
    upto: u64,
    synced: Arc<AtomicU64>,
    /// Directories that got a new entry.
    dirs: Arc<Mutex<Vec<PathBuf>>>,
}

impl Sync {
    /// Waits for the disk. Blocks.
    pub fn wait(self) -> Result<(), LogError> {
        let sync = || -> io::Result<()> {
            self.file.sync_data()?;
            // A file that was synced can still be lost with its directory entry.
            let mut dirs = self.dirs.lock().unwrap_or_else(PoisonError::into_inner);
            for dir in dirs.iter() {
                File::open(dir)?.sync_all()?;
            }
            dirs.clear();
            self.synced.fetch_max(self.upto, Ordering::Release);
            Ok(())
        };
        sync().map_err(|source| io_error(&self.path, source))
    }
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
    /// A new session of the project in `cwd`. Touches no disk.
    pub fn create(home: &Home, cwd: &Path, header: Header) -> Self {
        let dir = home.sessions(cwd);
        Self {
            path: dir.join(format!("{}.jsonl", header.id)),
            header: Some(header),
            open: None,
        }
    }

    /// Goes on with an existing session.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let error = |source| io_error(path, source);
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).open(path).map_err(error)?;
        lock(&file, path)?;
        let len = end_last_line(&mut file).map_err(error)?;
        Ok(Self {
            path: path.to_owned(),
            header: None,
            open: Some(Open {
                file: Arc::new(file),
                len,
                synced: Arc::new(AtomicU64::new(0)),
                dirs: Arc::default(),
            }),
        })
    }

    /// Deletes a session that nobody has open.
    pub fn delete(path: &Path) -> Result<(), LogError> {
        let error = |source| io_error(path, source);
        let file = File::open(path).map_err(error)?;
        lock(&file, path)?;
        fs_err::remove_file(path).map_err(error)
    }

    /// Whether nothing is in it yet.
    pub fn is_empty(&self) -> bool {
        self.header.is_some()
    }

    /// Where it is, or will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes `entries` as one piece. On failure nothing of them remains in the file.
    pub fn append(&mut self, entries: &[Entry<'_>]) -> Result<(), LogError> {
        let mut lines = Vec::new();
        if let Some(header) = &self.header {
            push_line(&mut lines, &Entry::Session(header.clone()));
        }
        for entry in entries {
            push_line(&mut lines, entry);
        }
        let open = match &mut self.open {
            Some(open) => open,
            none => none.insert(Open::create(&self.path)?),
        };
        open.append(&lines)
            .map_err(|source| io_error(&self.path, source))?;
        self.header = None;
        Ok(())
    }

    /// What is left to do before all entries so far survive a power cut; `None` if they do.
    pub fn unsynced(&self) -> Option<Sync> {
        let open = self.open.as_ref()?;
        (open.synced.load(Ordering::Acquire) < open.len).then(|| Sync {
            file: Arc::clone(&open.file),
            path: self.path.clone(),
            upto: open.len,
            synced: Arc::clone(&open.synced),
            dirs: Arc::clone(&open.dirs),
        })
    }
}

impl Open {
    fn create(path: &Path) -> Result<Self, LogError> {
        let (file, dirs) = create(path).map_err(|source| io_error(path, source))?;
        lock(&file, path)?;
        Ok(Self {
            file: Arc::new(file),
            len: 0,
            synced: Arc::new(AtomicU64::new(0)),
            dirs: Arc::new(Mutex::new(dirs)),
        })
    }

    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        let mut file = &*self.file;
        match file.write_all(lines) {
            Ok(()) => {
                self.len += lines.len() as u64;
                Ok(())
            }
            Err(source) => {
                // Half a line must not stay; if even that fails, reading copes with it.
                let cut = file.set_len(self.len);
                let back = cut.and_then(|()| file.seek(SeekFrom::Start(self.len)));
                Err(match back {
                    Ok(_) => source,
                    Err(second) => io::Error::new(source.kind(), format!("{source}; {second}")),
                })
            }
        }
    }
}

fn io_error(path: &Path, source: io::Error) -> LogError {
    LogError::Io {
        path: path.to_owned(),
        source,
    }
}

/// Only the user may read what was said. Also gives the directories that have a new entry now.
fn create(path: &Path) -> io::Result<(File, Vec<PathBuf>)> {
    let parent = path.parent().unwrap_or(Path::new("."));
    let is_new = |dir: &&Path| !dir.exists();
    let new: Vec<&Path> = parent.ancestors().take_while(is_new).collect();
    let mut dirs = vec![parent.to_owned()];
    dirs.extend(
        new.iter()
            .filter_map(|dir| dir.parent())
            .map(Path::to_owned),
    );
    private::create_dir(parent)?;
    let mut options = OpenOptions::new();
    options
        .write(true)
        .create_new(true)
        .options_mut()
        .mode(0o600);
    Ok((options.open(path)?, dirs))
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

fn push_line(lines: &mut Vec<u8>, entry: &Entry<'_>) {
    serde_json::to_writer(&mut *lines, entry)
        .expect("messages serialise, and a Vec takes any text");
    lines.push(b'\n');
}
