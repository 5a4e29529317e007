//! Which files of a tree a search looks at, and which names a pattern means.

use std::path::Path;

use globset::{GlobBuilder, GlobMatcher};
use ignore::WalkBuilder;

use crate::Located;

/// Files of the project's own that say what to leave out, in the form of `.gitignore`.
const IGNORE_FILES: [&str; 2] = [".polluxignore", ".geminiignore"];

/// Walks what anybody is shown of `dir`: everything but `.git` and what is ignored.
pub fn walk_shown(dir: &Path) -> WalkBuilder {
    walk(dir, true)
}

/// Walks everything below `dir`, hidden files included, `.git` and what is ignored excluded.
pub(crate) fn walk(dir: &Path, respect_git_ignore: bool) -> WalkBuilder {
    let mut walk = WalkBuilder::new(dir);
    walk.hidden(false)
        // A project without a repository may have ignore files too; those above it, perhaps in
        // somebody's home directory, are then not meant for it.
        .require_git(false)
        .parents(dir.ancestors().any(|above| above.join(".git").exists()))
        .git_ignore(respect_git_ignore)
        .git_exclude(respect_git_ignore)
        .git_global(respect_git_ignore)
        .filter_entry(|entry| entry.file_name() != ".git");
    for name in IGNORE_FILES {
        walk.add_custom_ignore_filename(name);
    }
    walk
}

/// Whether a walk from `start` leaves the file at `path` alone: it may hold secrets. A person is
/// asked about those that a call names, and not about all that lies below.
pub(crate) fn withholds(start: &Located, path: &Path) -> bool {
    pollux_shell::is_secret(path) && !start.is_secret()
}

/// Understands a glob for paths relative to `dir`. Without a slash it is for names in any
/// directory.
pub(crate) fn glob(pattern: &str, dir: &Path, any_case: bool) -> Result<GlobMatcher, String> {
    let relative = relative(pattern, dir)?;
    let anywhere = if relative.contains('/') { "" } else { "**/" };
    GlobBuilder::new(&format!("{anywhere}{relative}"))
        .literal_separator(true)
        .case_insensitive(any_case)
        .build()
        .map(|glob| glob.compile_matcher())
        .map_err(|error| error.kind().to_string())
}

fn relative<'a>(pattern: &'a str, dir: &Path) -> Result<&'a str, String> {
    let pattern = pattern.trim_start_matches("./");
    let below = dir
        .to_str()
        .and_then(|dir| pattern.strip_prefix(dir)?.strip_prefix('/'));
    match below {
        Some(below) => Ok(below),
        None if pattern.starts_with('/') || pattern.split('/').any(|part| part == "..") => {
            Err("leads out of dir_path, to which it is relative".into())
        }
        None if pattern.is_empty() => Err("is empty".into()),
        None => Ok(pattern),
    }
}
