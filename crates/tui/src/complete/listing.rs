//! What is in one directory, for paths that are spelled out from their beginning.

use std::fs;
use std::path::{Path, PathBuf};

use pollux_types::untrusted::visible;

use super::ranking::rank;

/// How many entries of a directory are looked at.
const MOST_ENTRIES: usize = 10_000;

/// Where paths begin.
#[derive(Clone, Debug)]
pub struct Place {
    /// The directory that relative ones are in.
    pub root: PathBuf,
    /// What `~/` stands for, if it is known.
    pub home: Option<PathBuf>,
}

impl Place {
    /// The entries of a directory that fit the beginning of a path, best first. Directories end
    /// with a `/`. Hidden ones are there only for who asks for them by a dot.
    pub fn list(&self, beginning: &str, limit: usize) -> Vec<String> {
        if beginning == "~" || beginning == ".." {
            return vec![format!("{beginning}/")];
        }
        let (above, name) = beginning.split_at(beginning.rfind('/').map_or(0, |slash| slash + 1));
        let Some(dir) = self.resolved(above) else {
            return Vec::new();
        };
        let names = names(&dir, name.starts_with('.'));
        let best = rank(name, names.iter().map(String::as_str), limit);
        let path = |number: usize| {
            let name = &names[number];
            // Alone they would mean something else.
            let here = if above.is_empty() && name.starts_with(['-', '~']) {
                "./"
            } else {
                above
            };
            let end = if dir.join(name).is_dir() { "/" } else { "" };
            format!("{here}{name}{end}")
        };
        best.into_iter().map(path).collect()
    }

    fn resolved(&self, dir: &str) -> Option<PathBuf> {
        match dir.strip_prefix("~/") {
            Some(below) => Some(self.home.as_ref()?.join(below)),
            None => Some(self.root.join(dir)),
        }
    }
}

/// Whether a name can be shown and typed as it is. Those with control characters or invisible
/// ones cannot, and are not offered.
pub(super) fn is_presentable(name: &str) -> bool {
    !name.contains(['\n', '\t']) && visible(name) == name
}

/// Sorted names of what is in `dir`; those that begin with a dot only if they are wanted.
fn names(dir: &Path, hidden: bool) -> Vec<String> {
    let Ok(entries) = fs::read_dir(dir) else {
        return Vec::new();
    };
    let names = entries.take(MOST_ENTRIES).flatten();
    let mut names: Vec<String> = names
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_presentable(name) && (hidden || !name.starts_with('.')))
        .collect();
    names.sort_unstable();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> (tempfile::TempDir, Place) {
        let dir = tempfile::tempdir().unwrap();
        for file in [
            "project/src/main.rs",
            "project/src/make.rs",
            "project/.env",
            "project/-flag",
            "project/evil\u{202e}name",
            "home/notes.md",
        ] {
            let file = dir.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let place = Place {
            root: dir.path().join("project"),
            home: Some(dir.path().join("home")),
        };
        (dir, place)
    }

    #[test]
    fn a_directory_is_listed_by_the_beginning_of_a_path() {
        let (dir, place) = place();
        std::os::unix::fs::symlink("src", place.root.join("link")).unwrap();
        let cases: [(&str, &[&str]); 10] = [
            ("", &["./-flag", "link/", "src/"]),
            ("s", &["src/"]),
            (".", &[".env"]),
            ("src/ma", &["src/main.rs", "src/make.rs"]),
            ("src/none", &[]),
            ("none/", &[]),
            ("../h", &["../home/"]),
            ("~/", &["~/notes.md"]),
            ("~", &["~/"]),
            ("..", &["../"]),
        ];
        for (beginning, expected) in cases {
            assert_eq!(place.list(beginning, 9), expected, "{beginning:?}");
        }
        let absolute = dir.path().join("project/src/mak");
        let found = place.list(absolute.to_str().unwrap(), 9);
        assert_eq!(found, [format!("{}e.rs", absolute.display())]);
        assert_eq!(place.list("src/m", 1).len(), 1);
    }

    #[test]
    fn without_a_home_there_is_nothing_in_it() {
        let (_dir, mut place) = place();
        place.home = None;
        assert!(place.list("~/", 9).is_empty());
    }
}
