//! Where git keeps what belongs to a project, and what of it decides which programs git runs.

use std::fs;
use std::path::{Path, PathBuf};

use pollux_types::protected::{GIT, IN_GIT};

/// So many directories are looked at for submodules.
const MOST: usize = 2000;

/// What git has to do with a directory.
#[derive(Debug, Default)]
pub(super) struct Repository {
    /// Its directories: that of the project, and those of submodules and work trees.
    directories: Vec<PathBuf>,
    /// Files that say where those are.
    pointers: Vec<PathBuf>,
    /// A directory outside the project that git works with.
    pub(super) elsewhere: Option<PathBuf>,
}

impl Repository {
    /// The one of `root`: also one that a work tree or a submodule points at, and the one that all
    /// work trees share.
    ///
    /// The pointer is a file of the project, so it is believed only if what it points at points
    /// back: otherwise any project could make any repository writable.
    pub(super) fn of(root: &Path) -> Self {
        let dot_git = root.join(GIT);
        let Some(target) = pointer(&dot_git, "gitdir:") else {
            return Self::at(&dot_git, root);
        };
        let own = root.join(target).canonicalize().ok();
        let believed = own.and_then(|own| believed(&own, root, &dot_git));
        let mut found = match &believed {
            Some(git) => Self::at(git, root),
            None => Self::default(),
        };
        found.pointers.push(dot_git);
        found.elsewhere = believed.filter(|git| !git.starts_with(root));
        found
    }

    fn at(git: &Path, root: &Path) -> Self {
        let mut found = Self::default();
        found.directories.push(git.to_owned());
        found.directories.extend(below(&git.join("worktrees")));
        let mut open = below(&git.join("modules"));
        let mut looked_at = 0;
        // A submodule's name may have slashes in it, and it may have submodules itself.
        while let Some(dir) = open.pop().filter(|_| looked_at < MOST) {
            looked_at += 1;
            if !dir.join("HEAD").is_file() {
                open.extend(below(&dir));
                continue;
            }
            open.extend(below(&dir.join("modules")));
            let tree = work_tree(&dir).filter(|tree| tree.starts_with(root));
            found.pointers.extend(tree.map(|tree| tree.join(GIT)));
            found.directories.push(dir);
        }
        found
    }

    /// What no command may change.
    pub(super) fn protected(&self) -> impl Iterator<Item = PathBuf> {
        let within = self.directories.iter().flat_map(|dir| {
            let names = IN_GIT.iter();
            names.map(|name| dir.join(name))
        });
        within.chain(self.pointers.iter().cloned())
    }
}

/// The repository that `root` belongs to, if `own`, which it points at, says so too.
fn believed(own: &Path, root: &Path, dot_git: &Path) -> Option<PathBuf> {
    let shared = own.parent().filter(|dir| dir.ends_with("worktrees"));
    let (git, is_known) = match shared.and_then(Path::parent) {
        Some(shared) => {
            let back = pointer(&own.join("gitdir"), "").map(|back| own.join(back));
            (shared, back.is_some_and(|back| back == dot_git))
        }
        None => (own, work_tree(own).is_some_and(|tree| tree == root)),
    };
    (is_known && git.join("HEAD").is_file()).then(|| git.to_owned())
}

/// Where a submodule's files are, as its repository says.
fn work_tree(git: &Path) -> Option<PathBuf> {
    let config = fs::read_to_string(git.join("config")).ok()?;
    let mut lines = config.lines().filter_map(|line| line.split_once('='));
    let (_, dir) = lines.find(|(key, _)| key.trim() == "worktree")?;
    git.join(dir.trim()).canonicalize().ok()
}

/// The path in a file that says `prefix` and a path.
fn pointer(file: &Path, prefix: &str) -> Option<PathBuf> {
    let text = fs::read_to_string(file).ok()?;
    Some(text.trim().strip_prefix(prefix)?.trim().into())
}

/// The directories in `dir`.
fn below(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let directories = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    directories.map(|entry| entry.path()).collect()
}
