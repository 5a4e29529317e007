//! What commands may touch.

use std::path::{Path, PathBuf};

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

/// What decides which programs run later: below the project and below the home directory.
const PROTECTED: &[&str] = &[
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".claude",
    ".config/fish",
    ".config/git",
    ".cursor",
    ".envrc",
    ".gemini",
    ".gitconfig",
    ".idea",
    ".mcp.json",
    ".pollux",
    ".profile",
    ".ssh",
    ".vscode",
    ".zlogin",
    ".zprofile",
    ".zshenv",
    ".zshrc",
];

/// The same below a repository's directory.
const PROTECTED_IN_GIT: &[&str] = &["config", "config.worktree", "hooks", "info/attributes"];

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
        for root in places
            .workspace
            .iter()
            .map(PathBuf::as_path)
            .chain(places.home)
        {
            protected.extend(PROTECTED.iter().map(|name| root.join(name)));
        }
        for root in places.workspace {
            for git in git_directories(root) {
                protected.extend(PROTECTED_IN_GIT.iter().map(|name| git.join(name)));
                if !git.starts_with(root) {
                    writable.push(git);
                }
            }
        }
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

/// The directories where git keeps the repository of `root`: also the one that a work tree or a
/// submodule points at, and the one that all work trees share.
///
/// The pointer is a file of the project, so it is believed only if what it points at points back:
/// otherwise any project could make any repository writable.
fn git_directories(root: &Path) -> Vec<PathBuf> {
    let dot_git = root.join(".git");
    let Some(target) = pointer(&dot_git, "gitdir:") else {
        return vec![dot_git];
    };
    let Ok(own) = root.join(target).canonicalize() else {
        return Vec::new();
    };
    let shared = own.parent().filter(|dir| dir.ends_with("worktrees"));
    if let Some(shared) = shared.and_then(Path::parent) {
        let back = pointer(&own.join("gitdir"), "").map(|back| own.join(back));
        let believed = shared.join("HEAD").is_file() && back.is_some_and(|back| back == dot_git);
        return believed.then(|| shared.to_owned()).into_iter().collect();
    }
    let config = std::fs::read_to_string(own.join("config")).unwrap_or_default();
    let mut lines = config.lines().filter_map(|line| line.split_once('='));
    let back = lines.find(|(key, _)| key.trim() == "worktree");
    let back = back.and_then(|(_, dir)| own.join(dir.trim()).canonicalize().ok());
    let believed = own.join("HEAD").is_file() && back.is_some_and(|back| back == root);
    believed.then_some(own).into_iter().collect()
}

/// The path in a file that says `prefix` and a path.
fn pointer(file: &Path, prefix: &str) -> Option<PathBuf> {
    let text = std::fs::read_to_string(file).ok()?;
    Some(text.trim().strip_prefix(prefix)?.trim().into())
}

/// Parents before children, each once.
fn tidy(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort();
    paths.dedup();
    paths
}

#[cfg(test)]
mod tests;
