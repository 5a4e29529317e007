//! The paths of a project, packed, and finding those that fit a few letters.

use std::cmp::Reverse;

use nucleo_matcher::pattern::Atom;
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::ranking::{begins_with, letters};

/// What a match in the name is worth over one in the directories before it: half a letter, so that
/// letters that stand together in a directory still count more than scattered ones in a name.
const IN_NAME: u16 = 8;

/// Paths in the order in which they were found; directories end with a `/`.
#[derive(Default)]
pub(super) struct Tree {
    /// All of them, one behind the other.
    text: String,
    /// Where each one ends.
    ends: Vec<u32>,
    /// Which letters each one has.
    letters: Vec<Letters>,
    /// What the last search found, for the next one that asks for more letters.
    last: Option<Narrowed>,
}

struct Narrowed {
    query: String,
    fitting: Vec<u32>,
}

impl Tree {
    pub(super) fn push(&mut self, path: &str) {
        // Beyond 4 GB of names nothing more is indexed.
        let Ok(end) = u32::try_from(self.text.len() + path.len()) else {
            return;
        };
        self.text.push_str(path);
        self.ends.push(end);
        self.letters.push(Letters::of(path));
        self.last = None;
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn append(&mut self, more: &mut Self) {
        for number in 0..more.len() {
            self.push(more.path(number));
        }
        *more = Self::default();
    }

    /// Gives back memory that was taken in advance.
    pub(super) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.letters.shrink_to_fit();
    }

    pub(super) fn same_paths(&self, other: &Self) -> bool {
        self.ends == other.ends && self.text == other.text
    }

    fn path(&self, number: usize) -> &str {
        let start = match number {
            0 => 0,
            number => self.ends[number - 1] as usize,
        };
        &self.text[start..self.ends[number] as usize]
    }

    /// The paths that fit best, best first. Letters with a `/` are looked for in whole paths, and
    /// those that begin with them come first; others rather in names. Without any letters, what is nearest to the root comes first.
    pub(super) fn search(&mut self, query: &str, limit: usize) -> Vec<String> {
        let mut scored = if query.is_empty() {
            self.nearest()
        } else {
            self.fitting(query)
        };
        if limit < scored.len() {
            scored.select_nth_unstable(limit);
            scored.truncate(limit);
        }
        scored.sort_unstable();
        let best = scored.into_iter();
        best.map(|fit| self.path(fit.number as usize).to_owned())
            .collect()
    }

    fn nearest(&self) -> Vec<Fit> {
        let numbers = (0_u32..).zip(0..self.len());
        let fits = numbers.map(|(number, index)| Fit {
            elsewhere: false,
            score: Reverse(0),
            size: (depth(self.path(index)), 0),
            number,
        });
        fits.collect()
    }

    fn fitting(&mut self, query: &str) -> Vec<Fit> {
        let wanted = Letters::of(query);
        let last = self.last.take();
        let narrower = last.filter(|last| query.starts_with(&last.query));
        let mut scorer = Scorer::new(query);
        let mut fits = Vec::new();
        let mut look = |number: u32| {
            let index = number as usize;
            if self.letters[index].has(wanted)
                && let Some(fit) = scorer.fit(self.path(index), number)
            {
                fits.push(fit);
            }
        };
        match narrower {
            Some(last) => last.fitting.into_iter().for_each(&mut look),
            None => (0_u32..)
                .zip(&self.ends)
                .for_each(|(number, _)| look(number)),
        }
        self.last = Some(Narrowed {
            query: query.to_owned(),
            fitting: fits.iter().map(|fit| fit.number).collect(),
        });
        fits
    }
}

/// How well a path fits: the smallest is the best.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// Whether the beginning of a path was spelled out, and this one begins with something else.
    elsewhere: bool,
    score: Reverse<u16>,
    /// What is less to read comes first.
    size: (usize, usize),
    number: u32,
}

fn depth(path: &str) -> usize {
    path.trim_end_matches('/').matches('/').count()
}

struct Scorer<'q> {
    query: &'q str,
    wanted: Atom,
    matcher: Matcher,
    chars: Vec<char>,
}

impl<'q> Scorer<'q> {
    fn new(query: &'q str) -> Self {
        Self {
            query,
            wanted: letters(query),
            matcher: Matcher::new(Config::DEFAULT.match_paths()),
            chars: Vec::new(),
        }
    }

    fn fit(&mut self, path: &str, number: u32) -> Option<Fit> {
        if self.query.contains('/') {
            self.fit_path(path, number)
        } else {
            self.fit_name(path, number)
        }
    }

    fn fit_path(&mut self, path: &str, number: u32) -> Option<Fit> {
        // Nobody who is in a directory already wants to be led there.
        if path == self.query && path.ends_with('/') {
            return None;
        }
        Some(Fit {
            score: Reverse(self.score(path)?),
            elsewhere: !begins_with(path, self.query),
            size: (depth(path), 0),
            number,
        })
    }

    fn fit_name(&mut self, path: &str, number: u32) -> Option<Fit> {
        let inner = path.trim_end_matches('/');
        let name = inner.rsplit('/').next().unwrap_or(inner);
        let score = match self.score(name) {
            Some(score) => score.saturating_add(IN_NAME),
            None => self.score(path)?,
        };
        Some(Fit {
            elsewhere: false,
            score: Reverse(score),
            size: (name.len(), path.len()),
            number,
        })
    }

    fn score(&mut self, text: &str) -> Option<u16> {
        let text = Utf32Str::new(text, &mut self.chars);
        self.wanted.score(text, &mut self.matcher)
    }
}

/// Which characters a text has, roughly: what lacks one that is wanted needs no closer look.
#[derive(Clone, Copy)]
struct Letters(u64);

impl Letters {
    fn of(text: &str) -> Self {
        let bits = text.bytes().map(|byte| match byte.to_ascii_lowercase() {
            letter @ b'a'..=b'z' => 1 << (letter - b'a'),
            digit @ b'0'..=b'9' => 1 << (26 + digit - b'0'),
            b'.' => 1 << 36,
            b'/' => 1 << 37,
            b'_' => 1 << 38,
            b'-' => 1 << 39,
            other if other.is_ascii() => 1 << (40 + other % 23),
            // An accented letter counts as a plain one too: any of them may be meant.
            _ => u64::MAX,
        });
        Self(bits.fold(0, |all, bit| all | bit))
    }

    fn has(self, wanted: Self) -> bool {
        self.0 & wanted.0 == wanted.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(paths: &[&str]) -> Tree {
        let mut tree = Tree::default();
        for path in paths {
            tree.push(path);
        }
        tree
    }

    #[test]
    fn names_count_more_than_directories() {
        let mut tree = tree(&[
            "crates/",
            "crates/tui/",
            "crates/tui/src/",
            "crates/tui/src/line.rs",
            "crates/tui/src/line_wrap.rs",
            "docs/outline/",
            "docs/outline/a.md",
            "test_utility.rs",
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
            ("tui", &["crates/tui/", "crates/tui/src/", "tui/other"]),
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
        let mut tree = tree(&["a/", "a/b/", "a/b/c", "a/d", "e"]);
        assert_eq!(tree.search("", 3), ["a/", "e", "a/b/"]);
    }

    #[test]
    fn accents_are_found_without_them() {
        let mut tree = tree(&["notes/résumé.md", "notes/other.md"]);
        assert_eq!(tree.search("resume", 9), ["notes/résumé.md"]);
        assert_eq!(tree.search("é", 9), ["notes/résumé.md"]);
    }

    #[test]
    fn a_path_that_comes_later_is_found_by_a_longer_query() {
        let mut tree = tree(&["one"]);
        assert_eq!(tree.search("o", 9), ["one"]);
        tree.push("two");
        assert_eq!(tree.search("two", 9), ["two"]);
    }

    proptest::proptest! {
        #[test]
        fn narrowing_finds_what_a_new_search_finds(
            paths in proptest::collection::vec("[abAé/. ]{1,8}", 0..20),
            query in "[abAé/. ]{1,5}",
        ) {
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            let mut typed = tree(&paths);
            let mut found = Vec::new();
            for (end, c) in query.char_indices() {
                found = typed.search(&query[..end + c.len_utf8()], 9);
            }
            assert_eq!(found, tree(&paths).search(&query, 9));
        }
    }
}
