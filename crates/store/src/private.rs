//! Opening files: those that are nobody else's business, and those that are somebody else's.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::OFlags;

/// Names of files that have no lasting one yet, so that no two of this process are alike.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// Creates a directory, and those above it, for the user alone.
pub(crate) fn create_dir(dir: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(dir)
}

/// Opens a file to write at its end.
pub(crate) fn append_to(file: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.create(true).append(true).mode(0o600).open(file)
}

/// Opens what may be anybody's to read it. Never follows a link, nor waits for whoever is at the other
/// end of a pipe.
pub(crate) fn open_to_read(path: &Path) -> io::Result<File> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    let flags = i32::try_from(flags).map_err(io::Error::other)?;
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Gives a file of the user's alone new content, or leaves it as it was.
pub(crate) fn replace(file: &Path, content: &[u8]) -> io::Result<()> {
    Beside::of(file, content, 0o600)?.take_place()
}

/// New content for a file, in one beside it that goes if it does not take its place. Whoever else writes
/// at the same time has another.
pub(crate) struct Beside<'a> {
    file: &'a Path,
    new: PathBuf,
    pub(crate) open: File,
}

impl<'a> Beside<'a> {
    pub(crate) fn of(file: &'a Path, content: &[u8], mode: u32) -> io::Result<Self> {
        let process = std::process::id();
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let new = file.with_file_name(format!(".pollux-{process}-{count}"));
            let mut options = OpenOptions::new();
            let open = options.write(true).create_new(true).mode(mode).open(&new);
            match open {
                // Left there by a process of the same number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
                Ok(open) => {
                    let mut beside = Self { file, new, open };
                    beside.open.write_all(content)?;
                    return Ok(beside);
                }
            }
        }
    }

    /// Takes the place of the file, for good: also after a power cut.
    pub(crate) fn take_place(self) -> io::Result<()> {
        self.open.sync_all()?;
        std::fs::rename(&self.new, self.file)?;
        let dir = self.file.parent().unwrap_or(Path::new("/"));
        File::open(dir)?.sync_all()
    }
}

impl Drop for Beside<'_> {
    fn drop(&mut self) {
        // If it has taken the place, nothing has this name any more.
        std::fs::remove_file(&self.new).ok();
    }
}
