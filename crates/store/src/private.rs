//! Opening files: those that are nobody else's business, and those that are somebody else's.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

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

/// Gives a file new content, or leaves it as it was.
pub(crate) fn replace(file: &Path, content: &[u8]) -> io::Result<()> {
    let new = file.with_extension("new");
    let mut options = OpenOptions::new();
    let mut open = options
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(&new)?;
    open.write_all(content)?;
    open.sync_all()?;
    std::fs::rename(&new, file)
}
