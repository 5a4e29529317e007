//! Giving a command a permission that it was missing.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use pollux_types::protected::NAMES;
use rustix::fs::{Access, access};

use super::{Cell, Denied, Network, Rung};

/// Directories that everybody writes to. In namespaces commands see their own instead.
pub(super) const TEMPORARY: [&str; 2] = ["/tmp", "/var/tmp"];

/// A permission beyond what a sandbox allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grant {
    /// Changing this, and all below it.
    Write(PathBuf),
    /// Opening this file to write it, and nothing beside it.
    Open(PathBuf),
    /// Changing this, and all below it, which decides what other programs run.
    Protected(PathBuf),
    /// Reaching the network, all of it.
    Network,
}

impl Cell {
    /// The least with which something would not have been refused. Nothing where the sandbox is not
    /// what stands in the way, or where it would be left with nothing to hold: system calls,
    /// pollux's own files, and whatever has something protected in it are not given away.
    pub fn grant_for(&self, denied: &Denied) -> Option<Grant> {
        match denied {
            Denied::Network => Some(Grant::Network),
            Denied::Write(path) => {
                // What does not exist yet is made in the directory above it.
                let mut least = path.ancestors().take(2);
                let there = least.find(|path| path.exists())?;
                let there = there.canonicalize().ok()?;
                let could = access(&there, Access::WRITE_OK).is_ok() && !self.is_kept(&there);
                could.then_some(Grant::Write(there))
            }
            Denied::Protected(path) => {
                let above = |protected: &&PathBuf| path.starts_with(protected);
                let kept = self.policy.protected.iter().find(above)?;
                // Those of the user, outside, are nobody's business.
                let mut places = self.policy.writable.iter();
                let is_inside = places.any(|place| kept.starts_with(place));
                let is_own = self.own.iter().any(|own| path.starts_with(own));
                (is_inside && !is_own).then(|| Grant::Protected(kept.clone()))
            }
            Denied::Call => None,
        }
    }

    /// Whether `path` is protected, or has something in it that is, or is where the project is.
    fn is_kept(&self, path: &Path) -> bool {
        let mut kept = self.policy.protected.iter().chain(&self.own);
        let mut places = self.policy.writable.iter();
        kept.any(|kept| kept.starts_with(path) || path.starts_with(kept))
            // A file by itself was granted, and is no project.
            || places.any(|place| place.starts_with(path) && place.is_dir())
            || path.ancestors().any(is_protected_name)
    }

    /// The same, but for a permission.
    #[must_use]
    pub fn granting(mut self, grant: &Grant) -> Self {
        match grant {
            Grant::Network => self.policy.network = Network::On,
            Grant::Write(path) => {
                self.policy.writable.push(path.clone());
                self.policy.writable.sort();
            }
            Grant::Open(path) if self.can_open(path) => {
                self.policy.writable.push(path.clone());
                self.policy.writable.sort();
            }
            // Then it is asked about when it has been refused.
            Grant::Open(_) => {}
            Grant::Protected(path) => self.policy.protected.retain(|kept| kept != path),
        }
        self
    }

    /// Makes the files that may be opened and are not there, since only what exists can be let
    /// through. Those are empty, and not all commands get to write them.
    pub fn make(&self, granted: &[Grant]) -> Made {
        let made = granted.iter().filter_map(|grant| match grant {
            Grant::Open(path) if self.is_straight(path.parent()?) && !self.hides(path) => {
                let new = OpenOptions::new().write(true).create_new(true).open(path);
                new.ok().map(|_| path.clone())
            }
            _ => None,
        });
        Made(made.collect())
    }

    /// Whether what is written at `path` is seen by other commands of the session, and by nobody else.
    pub fn hides(&self, path: &Path) -> bool {
        let mut writable = self.policy.writable.iter();
        self.rung == Rung::Namespaces
            && TEMPORARY.iter().any(|dir| path.starts_with(dir))
            && !writable.any(|dir| path.starts_with(dir))
    }

    /// Whether opening `path` means this file and no other: no link leads there, and it has no other
    /// name.
    fn can_open(&self, path: &Path) -> bool {
        let found = path.symlink_metadata();
        let alone = found.is_ok_and(|found| found.is_file() && found.nlink() == 1);
        alone && self.is_straight(path) && !self.hides(path)
    }

    /// Whether `path` leads where it says, and to nothing that is protected.
    fn is_straight(&self, path: &Path) -> bool {
        let mut protected = self.policy.protected.iter();
        path.canonicalize().is_ok_and(|real| real == path)
            && !protected.any(|kept| path.starts_with(kept))
    }
}

/// Files that were made so that a command can open them. When this is dropped, those that are still
/// empty are gone.
#[derive(Debug)]
pub struct Made(Vec<PathBuf>);

impl Made {
    /// The command has done what it was to do, and may have wanted them empty.
    pub fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for path in &self.0 {
            if path.symlink_metadata().is_ok_and(|file| file.len() == 0) {
                // Somebody else may have been faster.
                fs::remove_file(path).ok();
            }
        }
    }
}

/// Whether `path` is called like what decides which programs run, or who may come in.
fn is_protected_name(path: &Path) -> bool {
    let lower = path.to_string_lossy().to_lowercase();
    NAMES.iter().any(|name| Path::new(&lower).ends_with(name))
}
