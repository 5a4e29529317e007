//! The directories that belong to one session's commands.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;

/// A directory that nobody else uses, removed with everything in it at the end.
#[derive(Debug)]
pub(super) struct Session(TempDir);

impl Session {
    pub(super) fn new(temp: &Path) -> io::Result<Self> {
        // Links resolved, so that what commands are shown is what the system says.
        let temp = temp.canonicalize()?;
        let dir = tempfile::Builder::new()
            .prefix("pollux-")
            .tempdir_in(temp)?;
        fs::create_dir(dir.path().join("tmp"))?;
        fs::create_dir(dir.path().join("caches"))?;
        Ok(Self(dir))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Layers over caches leave directories that not even their owner may read.
        let layers = fs::read_dir(self.path().join("caches"))
            .into_iter()
            .flatten();
        for layer in layers.flatten() {
            let work = layer.path().join("work/work");
            fs::set_permissions(work, fs::Permissions::from_mode(0o700)).ok();
        }
    }
}
