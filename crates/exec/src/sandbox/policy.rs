//! What commands may touch.

mod repository;

use std::path::{Path, PathBuf};

use pollux_types::protected::{GIT, NAMES};

use repository::Repository;

/// What commands may touch. All paths are absolute, with links resolved where they exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxPolicy {
    /// Directories, and all below them, that commands may change.
    pub writable: Vec<PathBuf>,
    /// Files and directories below these that they may not change or create.
    pub protected: Vec<PathBuf>,
    /// What they may reach over the network.
    pub network: Network,
    /// Their own directory for temporary files.
    pub tmp: PathBuf,
    /// Directories that they may change as they like, without anybody else seeing it.
    pub caches: Vec<PathBuf>,
    /// Where changes to [`caches`](Self::caches) are kept.
    pub cache_changes: PathBuf,
}

/// What commands may reach over the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// Nothing.
    Off,
    /// Themselves: a loopback device of their own, on which nobody else listens. The same as
    /// `Off` where there are no namespaces.
    #[default]
    Loopback,
    /// Everything.
    On,
}

impl Network {
    /// All of them, by name.
    pub const NAMES: [(&str, Self); 3] = [
        ("off", Self::Off),
        ("loopback", Self::Loopback),
        ("on", Self::On),
    ];

    /// The one of this name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::NAMES.iter().find(|(own, _)| *own == name);
        found.map(|(_, network)| *network)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        let found = Self::NAMES.iter().find(|(_, network)| *network == self);
        found.map_or("", |(name, _)| name)
    }
}

/// What build tools keep in the home directory, and fill as they go. Not simply writable: other
/// projects are built from it, without a sandbox.
const CACHES: &[&str] = &[
    ".bun/install/cache",
    ".cache",
    ".cargo/git",
    ".cargo/registry",
    ".gradle",
    ".local/share/pnpm",
    ".m2",
    ".npm",
    ".yarn",
    "go/pkg",
];

/// Where commands are at home.
#[derive(Clone, Debug)]
pub struct Places<'a> {
    /// The directories of the project.
    pub workspace: &'a [PathBuf],
    /// The user's home directory.
    pub home: Option<&'a Path>,
    /// What belongs to pollux itself.
    pub own: &'a [PathBuf],
    /// A directory that belongs to the session alone.
    pub session: &'a Path,
}

impl SandboxPolicy {
    /// The usual policy: the project is writable but for what decides which programs run later.
    pub fn usual(places: &Places<'_>, network: Network) -> Self {
        let tmp = places.session.join("tmp");
        let mut writable = places.workspace.to_vec();
        let mut protected = places.own.to_vec();
        let roots = places.workspace.iter().map(PathBuf::as_path);
        for root in roots.chain(places.home) {
            let names = NAMES.iter().filter(|name| **name != GIT);
            protected.extend(names.map(|name| root.join(name)));
        }
        for root in places.workspace {
            let repository = Repository::of(root);
            protected.extend(repository.protected());
            writable.extend(repository.elsewhere);
        }
        let targets = targets_of_links(&protected, places.workspace);
        protected.extend(targets);
        writable.push(tmp.clone());
        let caches = places.home.into_iter().flat_map(|home| {
            let caches = CACHES.iter().map(|name| home.join(name));
            caches.filter(|cache| cache.is_dir())
        });
        Self {
            writable: tidy(writable),
            protected: tidy(protected),
            network,
            tmp,
            caches: tidy(caches.collect()),
            cache_changes: places.session.join("caches"),
        }
    }

    /// Whether commands may change `path` as far as the policy goes.
    pub fn may_change(&self, path: &Path) -> bool {
        let below = |dirs: &[PathBuf]| dirs.iter().any(|dir| path.starts_with(dir));
        (below(&self.writable) || below(&self.caches)) && !below(&self.protected)
    }
}

/// Where protected links lead: what is written there is read through them. A link to all of the
/// project protects nothing, or nothing could be done.
fn targets_of_links(protected: &[PathBuf], workspace: &[PathBuf]) -> Vec<PathBuf> {
    let targets = protected.iter().filter_map(|path| {
        let target = path.canonicalize().ok()?;
        let is_all = workspace.iter().any(|root| root.starts_with(&target));
        (target != *path && !is_all).then_some(target)
    });
    targets.collect()
}

/// Parents before children, each once.
fn tidy(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort();
    paths.dedup();
    paths
}

#[cfg(test)]
mod tests;
