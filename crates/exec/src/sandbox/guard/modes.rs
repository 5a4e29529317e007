//! Modes of protected files outside of what is writable.
//!
//! Namespaces make them unchangeable; Landlock does not know about them. They are not put back: it may
//! have been the user who changed them, and who wanted it so.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// So many are looked at in one directory.
const MOST: usize = 200;

/// The modes of a file, or of a directory and what is directly in it, without following links.
#[derive(Debug)]
pub(super) struct Modes(BTreeMap<PathBuf, u32>);

impl Modes {
    pub(super) fn of(path: &Path) -> Self {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        let paths = entries.take(MOST).map(|entry| entry.path());
        let paths = std::iter::once(path.to_owned()).chain(paths);
        let modes = paths.filter_map(|path| {
            let mode = path.symlink_metadata().ok()?.mode();
            Some((path, mode))
        });
        Self(modes.collect())
    }

    /// What has another mode now.
    pub(super) fn changed(self) -> impl Iterator<Item = PathBuf> {
        let changed = self.0.into_iter().filter(|(path, mode)| {
            let now = path.symlink_metadata();
            now.is_ok_and(|data| data.mode() != *mode)
        });
        changed.map(|(path, _)| path)
    }
}
