//! Where things go that are found in the place of protected files.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How such a directory is called, with something random behind it.
const PREFIX: &str = ".pollux-was-";

/// A new directory in each writable directory that needs one: there, moving is one step whatever is
/// moved, and since it is new no link leads elsewhere.
#[derive(Debug, Default)]
pub(super) struct Aside {
    places: BTreeMap<PathBuf, PathBuf>,
}

impl Aside {
    /// Moves what is at `path`, below `root`, away; links are not followed. Fine if nothing is there.
    pub(super) fn keep(&mut self, path: &Path, root: &Path) -> io::Result<()> {
        match path.symlink_metadata() {
            Ok(_) => {}
            // Also where something above it is gone, or no directory any more.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
                ) =>
            {
                return Ok(());
            }
            Err(error) => return Err(error),
        }
        if !self.places.contains_key(root) {
            let place = tempfile::Builder::new().prefix(PREFIX).tempdir_in(root)?;
            self.places.insert(root.to_owned(), place.keep());
        }
        // Flat, so that nobody takes it for the project itself.
        let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy();
        let mut kept = self.places[root].join(name.replace('/', "-"));
        while kept.symlink_metadata().is_ok() {
            kept.as_mut_os_string().push("+");
        }
        fs::rename(path, kept)
    }

    /// The directories in which something is kept.
    pub(super) fn into_places(self) -> impl Iterator<Item = PathBuf> {
        self.places.into_values()
    }
}
