//! Giving a command a permission that it was missing.

use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use super::{Cell, Denied, Network};

/// A permission beyond what a sandbox allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Grant {
    /// Changing this, and all below it.
    Write(PathBuf),
    /// Changing this, and all below it, which decides what other programs run.
    Protected(PathBuf),
    /// Reaching the network, all of it.
    Network,
}

impl Cell {
    /// The least with which something would not have been refused. Nothing where the sandbox is not
    /// what stands in the way, or where it would be left with nothing to hold: system calls,
    /// pollux's own files, and the whole file system are not given away.
    pub fn grant_for(&self, denied: &Denied) -> Option<Grant> {
        match denied {
            Denied::Network => Some(Grant::Network),
            Denied::Write(path) => {
                // What does not exist yet is made in the directory above it.
                let there = path.ancestors().find(|path| path.exists())?;
                let there = there.canonicalize().ok()?;
                let could = access(&there, Access::WRITE_OK).is_ok() && there != Path::new("/");
                could.then_some(Grant::Write(there))
            }
            Denied::Protected(path) => {
                let above = |protected: &&PathBuf| path.starts_with(protected);
                let kept = self.policy.protected.iter().find(above)?;
                (!self.own.iter().any(|own| path.starts_with(own)))
                    .then(|| Grant::Protected(kept.clone()))
            }
            Denied::Call => None,
        }
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
            Grant::Protected(path) => self.policy.protected.retain(|kept| kept != path),
        }
        self
    }
}
