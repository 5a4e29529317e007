//! Where a name leads.
//!
//! A link can be put in the way of a name at any time, so names are followed once, when a call is
//! understood. What is judged, shown and approved is where it led then, and what is opened later is
//! that and nothing else (`place`).

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// Longer chains of links are taken for a circle, as the system does.
const LINKS: usize = 40;

/// A file or a directory, which need not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// As it was named; absolute.
    pub named: PathBuf,
    /// Where that leads once all links are followed.
    pub real: PathBuf,
    /// Whether it is a file with other names (hard links), which nobody knows.
    pub has_other_names: bool,
}

impl Located {
    /// Follows `named`, which has to be absolute.
    pub fn of(named: PathBuf) -> Self {
        let real = followed(&named);
        let metadata = fs::symlink_metadata(&real);
        let has_other_names = metadata.is_ok_and(|data| data.is_file() && data.nlink() > 1);
        Self {
            named,
            real,
            has_other_names,
        }
    }

    /// Whether it holds keys, passwords or the like, by its name or by where that leads.
    pub fn is_secret(&self) -> bool {
        [&self.named, &self.real]
            .into_iter()
            .any(|path| pollux_shell::is_secret(path))
    }
}

/// `path` without links and dots. What is a circle stays as it is, for whoever opens it to fail.
fn followed(path: &Path) -> PathBuf {
    let mut real = PathBuf::new();
    let mut rest = pieces(path);
    let mut links = 0;
    while let Some(piece) = rest.pop_front() {
        if piece == ".." {
            real.pop();
            continue;
        }
        real.push(piece);
        match fs::read_link(&real) {
            Ok(target) if links < LINKS => {
                links += 1;
                real.pop();
                for piece in pieces(&target).into_iter().rev() {
                    rest.push_front(piece);
                }
            }
            _ => {}
        }
    }
    real
}

/// The parts of a path, with a root that starts anew when it is pushed.
fn pieces(path: &Path) -> VecDeque<OsString> {
    let parts = path.components();
    let parts = parts.filter(|part| !matches!(part, Component::CurDir));
    parts.map(|part| part.as_os_str().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_to_their_end() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().canonicalize().unwrap();
        fs::create_dir(root.join("dir")).unwrap();
        fs::write(root.join("dir/a"), "").unwrap();
        fs::hard_link(root.join("dir/a"), root.join("hard")).unwrap();
        for (target, link) in [
            ("dir/b", "one"),
            ("a", "dir/b"),
            ("../dir", "dir/up"),
            ("nowhere/at/all", "dangling"),
            ("circle", "circle"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        symlink(&root, root.join("all")).unwrap();
        for (named, real) in [
            ("new/file", "new/file"),
            ("one", "dir/a"),
            ("dir/up/up/new", "dir/new"),
            ("all/all/one", "dir/a"),
            ("dangling", "nowhere/at/all"),
            ("dangling/new", "nowhere/at/all/new"),
            ("circle", "circle"),
        ] {
            let located = Located::of(root.join(named));
            assert_eq!(located.real, root.join(real), "{named}");
            assert_eq!(located.has_other_names, real == "dir/a", "{named}");
        }
        assert!(Located::of(root.join("hard")).has_other_names);
    }
}
