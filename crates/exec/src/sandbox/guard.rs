//! Protected files that the sandbox itself cannot seal: looked at before and after.
//!
//! Landlock cannot protect a part of what is writable, nothing can be mounted over a file that does
//! not exist, and a file with another name can be written by that. What is different there afterwards
//! is put back, and reported.
//!
//! **Invariant:** nothing is deleted. Who made the difference cannot be told: it may have been the
//! user, in an editor. So what is found there is kept aside.

mod aside;
mod modes;
mod snapshot;

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::namespaces::sealable;
use super::report::Report;
use super::{Rung, SandboxPolicy};
use aside::Aside;
use modes::Modes;
use snapshot::{Budget, Snapshot};

/// So many protected files are looked at for other names.
const LOOKED_AT: usize = 2000;

/// What protected files were like.
#[derive(Debug)]
pub(super) struct Guard {
    watched: Vec<Watched>,
    /// Of those that lie where nothing is writable.
    outside: Vec<Modes>,
}

#[derive(Debug)]
struct Watched {
    path: PathBuf,
    /// The writable directory above it.
    root: PathBuf,
    before: Snapshot,
    /// Whether it belongs to a repository that was not there.
    of_new_repository: bool,
}

impl Guard {
    /// Looks at what the sandbox does not seal.
    pub(super) fn before(policy: &SandboxPolicy, rung: Rung) -> Self {
        let mut budget = Budget::default();
        let mut left = LOOKED_AT;
        let unsealed = |path: &&PathBuf| match sealable(path) {
            Some(path) => rung == Rung::Landlock || has_other_names(&path, &mut left),
            None => true,
        };
        let watched = policy.protected.iter().filter(unsealed).filter_map(|path| {
            let path = real(path)?;
            let mut roots = policy.writable.iter();
            let root = roots.find(|root| path.starts_with(root))?;
            let above = path.ancestors().find(|dir| dir.ends_with(".git"));
            Some(Watched {
                before: Snapshot::take(&path, &mut budget),
                of_new_repository: above.is_some_and(|git| !git.exists()),
                root: root.clone(),
                path,
            })
        });
        let watched = watched.collect();
        let outside = policy.protected.iter().filter(|path| {
            let is_below = policy.writable.iter().any(|root| path.starts_with(root));
            rung == Rung::Landlock && !is_below
        });
        Self {
            watched,
            outside: outside.map(|path| Modes::of(path)).collect(),
        }
    }

    /// Looks again, and puts back what is different.
    pub(super) fn after(self) -> Vec<Report> {
        let mut budget = Budget::default();
        let mut aside = Aside::default();
        let mut reports = Vec::new();
        for watched in self.watched {
            let now = Snapshot::take(&watched.path, &mut budget);
            if now == watched.before || (watched.of_new_repository && now.runs_nothing()) {
                continue;
            }
            reports.push(match put_back(&watched, &mut aside) {
                Ok(()) => Report::PutBack(watched.path),
                Err(_) => Report::Changed(watched.path),
            });
        }
        reports.extend(aside.into_places().map(Report::KeptAside));
        let changed = self.outside.into_iter().flat_map(Modes::changed);
        reports.extend(changed.map(Report::Changed));
        reports
    }
}

/// Whether there is a file here that has another name somewhere.
fn has_other_names(path: &Path, left: &mut usize) -> bool {
    *left = left.saturating_sub(1);
    match path.symlink_metadata() {
        Ok(data) if data.is_file() => data.nlink() > 1,
        Ok(data) if data.is_dir() && *left > 0 => {
            let mut entries = fs::read_dir(path).into_iter().flatten().flatten();
            entries.any(|entry| has_other_names(&entry.path(), left))
        }
        _ => false,
    }
}

/// Where `path` is, or would be, with all links but its last part followed.
fn real(path: &Path) -> Option<PathBuf> {
    let there = path.ancestors().skip(1).find(|dir| dir.exists())?;
    let rest = path.strip_prefix(there).ok()?;
    Some(there.canonicalize().ok()?.join(rest))
}

/// Puts one back, if it is remembered as a whole. There was no link above it, so one that is there now
/// was put there by the command, in the hope that it would be followed.
fn put_back(watched: &Watched, aside: &mut Aside) -> io::Result<()> {
    let Watched {
        path, root, before, ..
    } = watched;
    if !before.is_whole() {
        return Err(io::Error::other("it was too much to remember"));
    }
    let above: Vec<_> = path
        .ancestors()
        .skip(1)
        .take_while(|dir| dir != root)
        .collect();
    for dir in above.into_iter().rev() {
        let is_directory = dir.symlink_metadata().is_ok_and(|data| data.is_dir());
        if is_directory {
            continue;
        }
        aside.keep(dir, root)?;
        if !before.exists() {
            return Ok(());
        }
        fs::create_dir(dir)?;
    }
    aside.keep(path, root)?;
    before.write(path)
}

#[cfg(test)]
mod tests;
