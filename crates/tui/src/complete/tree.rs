//! The paths of a project, packed: each directory's name is kept once, and not with every file.

use super::search::{Characters, Name, Search, State};

/// Names in the order of a walk: a directory, and then what is in it.
#[derive(Default, PartialEq, Eq)]
pub(super) struct Tree {
    /// All names, one behind the other; those of directories end with a `/`.
    names: String,
    entries: Vec<Entry>,
    /// Which characters each name has.
    characters: Vec<Characters>,
    /// The entries that are directories.
    dirs: Vec<u32>,
    /// The directories that lead to where the walk is.
    above: Vec<u32>,
}

#[derive(PartialEq, Eq)]
struct Entry {
    /// Where its name ends.
    end: u32,
    /// The number of the directory it is in, counted from 1; at the top it is 0.
    dir: u32,
}

impl Tree {
    /// Adds what the walk has come to, so many directories below its beginning. What is in a
    /// directory that was not added is not added either.
    pub(super) fn push(&mut self, depth: usize, name: &str, is_dir: bool) {
        if depth > self.above.len() {
            return;
        }
        let dir = self.above[..depth].last().copied().unwrap_or(0);
        let start = self.names.len();
        self.names.push_str(name);
        if is_dir {
            self.names.push('/');
            self.dirs.push(number(self.entries.len()));
            self.above.truncate(depth);
            self.above.push(number(self.dirs.len()));
        }
        let characters = Characters::of(&self.names[start..]);
        self.characters.push(characters);
        self.entries.push(Entry {
            end: number(self.names.len()),
            dir,
        });
    }

    /// Passes over a directory, and with it over what it holds.
    pub(super) fn skip(&mut self, depth: usize) {
        self.above.truncate(depth);
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Gives back memory that was taken in advance.
    pub(super) fn shrink(&mut self) {
        self.names.shrink_to_fit();
        self.entries.shrink_to_fit();
        self.characters.shrink_to_fit();
        self.dirs.shrink_to_fit();
    }

    /// The paths that fit best, best first.
    pub(super) fn search(&self, query: &str, limit: usize) -> Vec<String> {
        let mut search = Search::new(query);
        let mut dirs = vec![State::default()];
        let mut start = 0;
        let entries = self.entries.iter().zip(&self.characters);
        for (index, (entry, characters)) in entries.enumerate() {
            let end = entry.end as usize;
            let name = Name {
                text: &self.names[start..end],
                characters: *characters,
            };
            start = end;
            let state = search.look(dirs[entry.dir as usize], &name, index);
            if name.text.ends_with('/') {
                dirs.push(state);
            }
        }
        search.best(|index| self.path(index), limit)
    }

    fn path(&self, index: usize) -> String {
        let mut names = vec![self.name(index)];
        let mut dir = self.entries[index].dir;
        while dir > 0 {
            let index = self.dirs[dir as usize - 1] as usize;
            names.push(self.name(index));
            dir = self.entries[index].dir;
        }
        names.reverse();
        names.concat()
    }

    fn name(&self, index: usize) -> &str {
        let start = match index {
            0 => 0,
            index => self.entries[index - 1].end,
        };
        &self.names[start as usize..self.entries[index].end as usize]
    }
}

/// An index holds so few paths, and their names are so short, that 32 bits do.
fn number(number: usize) -> u32 {
    u32::try_from(number).expect("an index of less than 4 GB")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of these, in the order of a walk.
    fn tree(paths: &[&str]) -> Tree {
        let mut tree = Tree::default();
        for path in paths {
            let inner = path.trim_end_matches('/');
            let name = inner.rsplit('/').next().unwrap();
            tree.push(inner.matches('/').count(), name, path.ends_with('/'));
        }
        tree
    }

    #[test]
    fn paths_are_put_together_again() {
        let paths = ["a/", "a/b/", "a/b/c", "a/d", "e/", "e/f", "g"];
        let tree = tree(&paths);
        let again: Vec<String> = (0..tree.len()).map(|index| tree.path(index)).collect();
        assert_eq!(again, paths);
    }

    #[test]
    fn what_is_in_a_skipped_directory_is_not_there() {
        let mut tree = tree(&["a/", "a/b/", "a/b/c"]);
        tree.skip(1);
        tree.push(2, "below the skipped one", false);
        tree.push(1, "d", false);
        assert_eq!(tree.search("", 9), ["a/", "a/b/", "a/d", "a/b/c"]);
    }

    #[test]
    fn names_count_more_than_directories() {
        let tree = tree(&[
            "crates/",
            "crates/tui/",
            "crates/tui/src/",
            "crates/tui/src/line.rs",
            "crates/tui/src/line_wrap.rs",
            "docs/",
            "docs/outline/",
            "docs/outline/a.md",
            "test_utility.rs",
            "tui/",
            "tui/other",
        ]);
        let cases: [(&str, &[&str]); 9] = [
            (
                "line",
                &[
                    "crates/tui/src/line.rs",
                    "crates/tui/src/line_wrap.rs",
                    "docs/outline/",
                    "docs/outline/a.md",
                ],
            ),
            (
                "lrs",
                &["crates/tui/src/line.rs", "crates/tui/src/line_wrap.rs"],
            ),
            (
                "tui",
                &["tui/", "crates/tui/", "crates/tui/src/", "tui/other"],
            ),
            (
                "tui/l",
                &["crates/tui/src/line.rs", "crates/tui/src/line_wrap.rs"],
            ),
            ("OUTLINE/", &["docs/outline/", "docs/outline/a.md"]),
            ("docs/", &["docs/outline/", "docs/outline/a.md"]),
            ("docs/outline/", &["docs/outline/a.md"]),
            ("tui/", &["tui/other", "crates/tui/", "crates/tui/src/"]),
            ("zzz", &[]),
        ];
        for (query, expected) in cases {
            let found = tree.search(query, 4);
            assert_eq!(found[..expected.len()], *expected, "{query:?}: {found:?}");
        }
    }

    #[test]
    fn nothing_typed_shows_what_is_nearest() {
        let tree = tree(&["a/", "a/b/", "a/b/c", "a/d", "e"]);
        assert_eq!(tree.search("", 3), ["a/", "e", "a/b/"]);
    }

    #[test]
    fn accents_are_found_without_them() {
        let tree = tree(&["notes/", "notes/résumé.md", "notes/other.md"]);
        assert_eq!(tree.search("resume", 9), ["notes/résumé.md"]);
        assert_eq!(tree.search("É", 9), ["notes/résumé.md"]);
    }

    #[test]
    fn the_best_is_found_among_very_many() {
        let mut paths = vec!["deep/".to_owned(), "deep/er/".to_owned()];
        let others = (0..12_000).map(|number| format!("deep/er/a_long_menu_name_{number}.rs"));
        paths.extend(others);
        paths.extend(["deep/er/src/", "deep/er/src/menu.rs", "men_u"].map(String::from));
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let tree = tree(&paths);
        assert_eq!(tree.search("menu", 1), ["deep/er/src/menu.rs"]);
        assert_eq!(tree.search("er/src/me", 1), ["deep/er/src/menu.rs"]);
        assert_eq!(
            tree.search("deep/er/", 2)[0],
            "deep/er/a_long_menu_name_0.rs"
        );
    }

    proptest::proptest! {
        /// The quick look finds all that the thorough one would find.
        #[test]
        fn all_that_fits_is_found(
            names in proptest::collection::vec("[abAéÉ. ]{1,4}", 1..9),
            query in "[abAéÉ/. ]{1,4}",
        ) {
            let mut paths: Vec<String> = Vec::new();
            for name in &names {
                let above = paths.last().cloned().unwrap_or_default();
                paths.push(format!("{above}{name}/"));
            }
            // The last one is a file.
            paths.last_mut().unwrap().pop();
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            let mut found = tree(&paths).search(&query, 99);
            found.sort();
            let mut expected: Vec<&str> = super::super::rank(&query, paths.iter().copied(), 99)
                .into_iter()
                .map(|number| paths[number])
                .filter(|path| **path != query)
                .collect();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
    }
}
