//! Finding the paths that fit a few letters, among very many and between two keys.
//!
//! A quick look at each name finds what has the letters in their order, and how near it comes at
//! first sight. A directory is read once for all that is in it. Only the nearest are then judged
//! thoroughly.

use std::cmp::Reverse;

use memchr::memchr2;
use nucleo_matcher::chars::{normalize, to_lower_case};
use nucleo_matcher::pattern::Atom;
use nucleo_matcher::{Config, Matcher, Utf32Str};

use super::ranking::letters;

/// How many paths are judged thoroughly.
const JUDGED: usize = 1_000;

/// What a match in the name is worth over one in the directories before it: half a letter, so that
/// letters that stand together in a directory still count more than scattered ones in a name.
const IN_NAME: u16 = 8;

/// What a directory has of the letters that are looked for.
#[derive(Clone, Copy, Default)]
pub(super) struct State {
    /// Which characters its path has.
    characters: Characters,
    /// How many of them its path has in their order.
    read: usize,
    /// How many of them its path begins with, if it has not begun with anything else.
    spelled: Spelled,
    depth: usize,
}

/// How far a path goes along with the letters from its very beginning.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelled {
    So(usize),
    Otherwise,
}

impl Default for Spelled {
    fn default() -> Self {
        Self::So(0)
    }
}

/// A name, and which characters it has.
pub(super) struct Name<'a> {
    pub(super) text: &'a str,
    pub(super) characters: Characters,
}

pub(super) struct Search<'q> {
    query: &'q str,
    letters: Vec<char>,
    characters: Characters,
    /// Where in the letters the name of a file begins.
    name_at: usize,
    name_characters: Characters,
    found: Vec<Sight>,
    /// Whether enough names have the letters, so that paths in which only directories have them
    /// are too far.
    crowded: bool,
}

/// How near a path comes at first sight: the smallest is the nearest.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Sight {
    likeness: Likeness,
    /// What is less to read comes first.
    size: usize,
    index: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Likeness {
    /// The path begins as it was spelled out.
    Spelled,
    /// The name begins with the letters.
    NameBegins,
    /// They stand together in the name.
    NameHolds,
    /// They are scattered over the name.
    NameHasThem,
    /// They are scattered over the path.
    PathHasThem,
}

impl<'q> Search<'q> {
    pub(super) fn new(query: &'q str) -> Self {
        let letters: Vec<char> = query.chars().map(folded).collect();
        let slash = letters.iter().rposition(|&letter| letter == '/');
        Self {
            query,
            name_at: slash.map_or(0, |slash| slash + 1),
            letters,
            characters: Characters::of(query),
            name_characters: Characters::of(query.rsplit('/').next().unwrap_or_default()),
            found: Vec::new(),
            crowded: false,
        }
    }

    /// Looks at a name in a directory of this state, and says in which state it is itself.
    pub(super) fn look(&mut self, above: State, name: &Name<'_>, index: usize) -> State {
        let mut state = State {
            characters: above.characters.and(name.characters),
            depth: above.depth + 1,
            ..above
        };
        let text = name.text;
        let is_dir = text.ends_with('/');
        if !is_dir && !self.may_be_near(state.characters, name.characters) {
            return state;
        }
        state.read = read(&self.letters, above.read, text);
        state.spelled = spelled(&self.letters, above.spelled, text);
        if state.read == self.letters.len() {
            let inner = text.trim_end_matches('/');
            let size = if self.by_depth() {
                above.depth
            } else {
                inner.len()
            };
            self.found.push(Sight {
                likeness: self.likeness(state.spelled, inner, name.characters),
                size,
                index,
            });
            if self.found.len() == 8 * JUDGED {
                self.keep_nearest();
            }
        }
        state
    }

    /// Whether a file is worth a look, by the characters that its path and its name have.
    fn may_be_near(&self, path: Characters, name: Characters) -> bool {
        path.have(self.characters)
            && !(self.crowded && self.name_at == 0 && !name.have(self.characters))
    }

    /// Whether directories were spelled out, or nothing at all: then what is near comes first.
    fn by_depth(&self) -> bool {
        self.name_at > 0 || self.letters.is_empty()
    }

    fn likeness(&self, spelled: Spelled, name: &str, characters: Characters) -> Likeness {
        let wanted = &self.letters[self.name_at..];
        if self.name_at > 0 && spelled == Spelled::So(self.letters.len()) {
            Likeness::Spelled
        } else if begins(wanted, name) {
            Likeness::NameBegins
        } else if !characters.have(self.name_characters) || read(wanted, 0, name) < wanted.len() {
            Likeness::PathHasThem
        } else if name
            .char_indices()
            .any(|(at, _)| begins(wanted, &name[at..]))
        {
            Likeness::NameHolds
        } else {
            Likeness::NameHasThem
        }
    }

    fn keep_nearest(&mut self) {
        if self.found.len() > JUDGED {
            let (_, farthest, _) = self.found.select_nth_unstable(JUDGED);
            self.crowded = farthest.likeness < Likeness::PathHasThem;
            self.found.truncate(JUDGED);
        }
    }

    /// The best paths, best first.
    pub(super) fn best(mut self, path: impl Fn(usize) -> String, limit: usize) -> Vec<String> {
        self.keep_nearest();
        let mut judge = Judge::new(self.query);
        let found = self.found.iter();
        let mut judged: Vec<_> = found
            .filter_map(|sight| {
                let path = path(sight.index);
                let elsewhere = sight.likeness != Likeness::Spelled;
                // Nobody who is in a directory already wants to be led there.
                let score = judge.score(&path).filter(|_| path != self.query)?;
                let size = if self.by_depth() { 0 } else { path.len() };
                Some((
                    elsewhere,
                    Reverse(score),
                    sight.size,
                    size,
                    sight.index,
                    path,
                ))
            })
            .collect();
        judged.sort_unstable();
        let best = judged.into_iter().take(limit);
        best.map(|(.., path)| path).collect()
    }
}

/// Letter case and accents do not matter.
#[inline]
fn folded(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_lowercase()
    } else {
        to_lower_case(normalize(to_lower_case(c)))
    }
}

/// How many letters there are in their order after `text` has been read too.
fn read(letters: &[char], before: usize, text: &str) -> usize {
    // This is where a search spends its time, and most names are plain.
    if text.is_ascii() {
        return read_plain(letters, before, text.as_bytes());
    }
    let mut read = before;
    for c in text.chars().map(folded) {
        read += usize::from(letters.get(read) == Some(&c));
    }
    read
}

fn read_plain(letters: &[char], before: usize, mut text: &[u8]) -> usize {
    let wanted = letters[before..].iter();
    let found = wanted.take_while(|letter| {
        let letter = u8::try_from(**letter).unwrap_or(u8::MAX);
        let at = memchr2(letter, letter.to_ascii_uppercase(), text);
        text = at.map_or(text, |at| &text[at + 1..]);
        at.is_some()
    });
    before + found.count()
}

/// How far a path goes along with the letters after `text` has been read too.
fn spelled(letters: &[char], before: Spelled, text: &str) -> Spelled {
    let Spelled::So(have) = before else {
        return before;
    };
    let wanted = &letters[have..];
    let mut chars = text.chars().map(folded);
    let same = wanted
        .iter()
        .zip(&mut chars)
        .take_while(|(wanted, c)| *wanted == c);
    match same.count() {
        count if count == wanted.len() => Spelled::So(letters.len()),
        count if count == text.chars().count() => Spelled::So(have + count),
        _ => Spelled::Otherwise,
    }
}

fn begins(letters: &[char], text: &str) -> bool {
    let mut chars = text.chars().map(folded);
    letters.iter().all(|letter| chars.next() == Some(*letter))
}

/// The thorough look.
pub(super) struct Judge {
    wanted: Atom,
    in_names: bool,
    matcher: Matcher,
    chars: Vec<char>,
}

impl Judge {
    pub(super) fn new(query: &str) -> Self {
        Self {
            wanted: letters(query),
            in_names: !query.contains('/'),
            matcher: Matcher::new(Config::DEFAULT.match_paths()),
            chars: Vec::new(),
        }
    }

    pub(super) fn score(&mut self, path: &str) -> Option<u16> {
        let inner = path.trim_end_matches('/');
        let name = inner.rsplit('/').next().filter(|_| self.in_names);
        match name.and_then(|name| self.score_of(name)) {
            Some(score) => Some(score.saturating_add(IN_NAME)),
            None => self.score_of(path),
        }
    }

    fn score_of(&mut self, text: &str) -> Option<u16> {
        let text = Utf32Str::new(text, &mut self.chars);
        self.wanted.score(text, &mut self.matcher)
    }
}

/// Which characters a text has, roughly: what lacks one that is wanted needs no closer look.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Characters(u64);

impl Characters {
    pub(super) fn of(text: &str) -> Self {
        let bits = text.bytes().map(|byte| match byte.to_ascii_lowercase() {
            letter @ b'a'..=b'z' => 1 << (letter - b'a'),
            digit @ b'0'..=b'9' => 1 << (26 + digit - b'0'),
            other if other.is_ascii() => 1 << (36 + other % 28),
            // An accented letter counts as a plain one too: any of them may be meant.
            _ => u64::MAX,
        });
        Self(bits.fold(0, |all, bit| all | bit))
    }

    fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    fn have(self, wanted: Self) -> bool {
        self.0 & wanted.0 == wanted.0
    }
}
