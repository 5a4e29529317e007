//! What was sent from this prompt, for Up, Down and Ctrl+R.
//!
//! The history lives as long as the process. No draft is kept: Down past the newest entry is an
//! empty line.

use std::collections::VecDeque;

/// How many entries are kept.
const MOST_ENTRIES: usize = 1_000;

/// How many bytes of them are kept: a pasted book is an entry too.
const MOST_BYTES: usize = 4 << 20;

/// The entries, and where somebody who walks through them stands.
#[derive(Debug, Default)]
pub struct History {
    /// Oldest first.
    entries: VecDeque<String>,
    bytes: usize,
    at: Option<usize>,
}

impl History {
    /// Keeps what was sent, unless it says the same as the entry before it. The next walk begins
    /// here.
    pub fn add(&mut self, entry: &str) {
        self.at = None;
        if entry.trim().is_empty() || self.entries.back().is_some_and(|last| last == entry) {
            return;
        }
        self.bytes += entry.len();
        self.entries.push_back(entry.to_owned());
        while self.entries.len() > MOST_ENTRIES
            || (self.bytes > MOST_BYTES && self.entries.len() > 1)
        {
            let oldest = self.entries.pop_front();
            self.bytes -= oldest.map_or(0, |entry| entry.len());
        }
    }

    /// One entry back; at the oldest it stays there. If `current`, what stands at the prompt, has
    /// been emptied, the walk begins at the newest again.
    pub fn older(&mut self, current: &str) -> Option<&str> {
        let from = match self.at {
            Some(at) if !current.is_empty() => at,
            _ => self.entries.len(),
        };
        if self.entries.is_empty() {
            return None;
        }
        let at = from.saturating_sub(1);
        self.at = Some(at);
        Some(&self.entries[at])
    }

    /// One entry forward, and past the newest an empty line. Nothing if nobody walks.
    pub fn newer(&mut self) -> Option<&str> {
        let at = self.at? + 1;
        self.at = (at < self.entries.len()).then_some(at);
        Some(self.at.map_or("", |at| &self.entries[at]))
    }

    /// The newest entry before the one numbered `before` that `wanted` takes.
    fn newest(&self, before: usize, wanted: impl Fn(&str) -> bool) -> Option<usize> {
        (0..before.min(self.entries.len()))
            .rev()
            .find(|&at| wanted(&self.entries[at]))
    }
}

/// An incremental search from the newest entry back, letter case aside.
///
/// It belongs to the history as it was when the search began: nothing is sent meanwhile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    query: String,
    hit: Option<usize>,
}

impl Search {
    /// What is looked for.
    pub fn query(&self) -> &str {
        &self.query
    }

    /// The entry found, if there is one.
    pub fn hit<'h>(&self, history: &'h History) -> Option<&'h str> {
        Some(history.entries.get(self.hit?)?)
    }

    /// Looks for one more character: the hit stays if it has that too.
    pub fn push(&mut self, c: char, history: &History) {
        let before = match self.hit {
            Some(hit) => hit + 1,
            None if self.query.is_empty() => history.entries.len(),
            // What is not there does not appear by asking for more of it.
            None => 0,
        };
        self.query.push(c);
        self.hit = history.newest(before, holds(&self.query));
    }

    /// Takes the last character back, and looks from the newest entry again.
    pub fn pop(&mut self, history: &History) {
        self.query.pop();
        self.hit = if self.query.is_empty() {
            None
        } else {
            history.newest(history.entries.len(), holds(&self.query))
        };
    }

    /// Goes on to the next older entry that says something else. Without one the hit stays, and
    /// the answer is no.
    pub fn again(&mut self, history: &History) -> bool {
        let Some(hit) = self.hit else {
            return false;
        };
        let shown = &history.entries[hit];
        let holds = holds(&self.query);
        let older = history.newest(hit, |entry| entry != shown && holds(entry));
        self.hit = older.or(self.hit);
        older.is_some()
    }
}

impl Search {
    /// Goes back to the next newer entry that says something else. Without one the hit stays, and
    /// the answer is no.
    pub fn back(&mut self, history: &History) -> bool {
        let Some(hit) = self.hit else {
            return false;
        };
        let shown = &history.entries[hit];
        let holds = holds(&self.query);
        let mut newer = hit + 1..history.entries.len();
        let newer = newer.find(|&at| history.entries[at] != *shown && holds(&history.entries[at]));
        self.hit = newer.or(self.hit);
        newer.is_some()
    }
}

fn holds(query: &str) -> impl Fn(&str) -> bool {
    let query = query.to_lowercase();
    move |entry| entry.to_lowercase().contains(&query)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(entries: &[&str]) -> History {
        let mut history = History::default();
        for entry in entries {
            history.add(entry);
        }
        history
    }

    #[test]
    fn up_goes_back_to_the_oldest_and_stays() {
        let mut history = history(&["one", "two", "three"]);
        assert_eq!(history.older("a draft"), Some("three"));
        assert_eq!(history.older("three"), Some("two"));
        assert_eq!(history.older("two, changed"), Some("one"));
        assert_eq!(history.older("one"), Some("one"));
    }

    #[test]
    fn down_goes_forward_to_an_empty_line() {
        let mut history = history(&["one", "two"]);
        assert_eq!(history.newer(), None);
        history.older("draft");
        history.older("two");
        assert_eq!(history.newer(), Some("two"));
        assert_eq!(history.newer(), Some(""));
        assert_eq!(history.newer(), None);
        assert_eq!(history.older(""), Some("two"));
    }

    #[test]
    fn an_empty_history_recalls_nothing() {
        let mut history = History::default();
        assert_eq!(history.older(""), None);
        assert_eq!(history.newer(), None);
    }

    #[test]
    fn a_walk_begins_at_the_newest_after_sending_or_emptying() {
        let mut history = history(&["one", "two", "three"]);
        history.older("");
        history.older("three");
        assert_eq!(history.older(""), Some("three"));
        history.older("three");
        history.add("four");
        assert_eq!(history.older("typed"), Some("four"));
    }

    #[test]
    fn neighbours_that_say_the_same_are_one_and_blanks_are_none() {
        let history = history(&["one", "one", " \n", "two", "one"]);
        assert_eq!(history.entries, ["one", "two", "one"]);
    }

    #[test]
    fn the_oldest_are_dropped() {
        let mut history = History::default();
        for number in 0..=MOST_ENTRIES {
            history.add(&number.to_string());
        }
        assert_eq!(history.entries.len(), MOST_ENTRIES);
        assert_eq!(history.entries[0], "1");

        let book = "x".repeat(MOST_BYTES + 1);
        history.add(&book);
        assert_eq!(history.entries, [book.as_str()]);
        history.add("short");
        assert_eq!(history.entries, ["short"]);
        assert_eq!(history.bytes, "short".len());
    }

    /// The query and the hit after each key; `^` is Ctrl+R, `<` is Backspace.
    fn searched(history: &History, keys: &str) -> Vec<String> {
        let mut search = Search::default();
        keys.chars()
            .map(|key| {
                match key {
                    '^' => drop(search.again(history)),
                    '<' => search.pop(history),
                    c => search.push(c, history),
                }
                format!("{}: {}", search.query(), search.hit(history).unwrap_or("-"))
            })
            .collect()
    }

    #[test]
    fn a_search_narrows_and_goes_on() {
        let history = history(&["cargo Test", "git log", "cargo build", "git diff", "ls"]);
        assert_eq!(
            searched(&history, "ca^^t<<g^^"),
            [
                "c: cargo build",
                "ca: cargo build",
                "ca: cargo Test",
                "ca: cargo Test",
                "cat: -",
                "ca: cargo build",
                "c: cargo build",
                "cg: -",
                "cg: -",
                "cg: -",
            ]
        );
        assert_eq!(
            searched(&history, "gi^t^"),
            [
                "g: git diff",
                "gi: git diff",
                "gi: git log",
                "git: git log",
                "git: git log",
            ]
        );
    }

    #[test]
    fn letter_case_does_not_matter() {
        let history = history(&["Fix the ÄRGER"]);
        assert_eq!(searched(&history, "ä")[0], "ä: Fix the ÄRGER");
        assert_eq!(searched(&history, "FIX")[2], "FIX: Fix the ÄRGER");
    }

    #[test]
    fn going_on_skips_what_says_the_same() {
        let history = history(&["make all", "make", "ls", "make"]);
        assert_eq!(searched(&history, "m^"), ["m: make", "m: make all"]);
        assert!(!Search::default().again(&history));
    }

    #[test]
    fn nothing_asked_for_is_nothing_found() {
        let history = history(&["ls"]);
        assert_eq!(searched(&history, "l<"), ["l: ls", ": -"]);
    }
}
