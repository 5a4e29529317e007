//! For tests: files on a disk of their own.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;

use crate::Home;

/// Pollux's home, and a repository with a directory `app` in it. They go when the test does.
pub(crate) struct Disk(TempDir);

impl Disk {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let disk = Self(tempfile::tempdir().unwrap());
        for dir in ["home", "repo/.git", "repo/app"] {
            fs::create_dir_all(disk.at(dir)).unwrap();
        }
        for (path, text) in files {
            fs::create_dir_all(disk.at(path).parent().unwrap()).unwrap();
            fs::write(disk.at(path), text).unwrap();
        }
        disk
    }

    /// Where something is.
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(path)
    }

    pub(crate) fn home(&self) -> Home {
        Home::new(self.at("home"))
    }

    /// A text in which this disk is the only one.
    pub(crate) fn shown(&self, text: &str) -> String {
        text.replace(&self.at("").display().to_string(), "/")
    }
}
