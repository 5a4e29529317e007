//! Which names fit a few letters best.

use std::cmp::Reverse;

use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// The numbers of the candidates that have the letters of `query` in this order, best first.
/// Those that begin with it come before all others, and equals stay in their order.
pub fn rank<'a>(
    query: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    limit: usize,
) -> Vec<usize> {
    let letters = letters(query);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut chars = Vec::new();
    let mut scored: Vec<_> = candidates
        .into_iter()
        .enumerate()
        .filter_map(|(number, name)| {
            let score = letters.score(Utf32Str::new(name, &mut chars), &mut matcher)?;
            Some((Reverse(begins_with(name, query)), Reverse(score), number))
        })
        .collect();
    scored.sort_unstable();
    let best = scored.into_iter().take(limit);
    best.map(|(_, _, number)| number).collect()
}

/// What is looked for, letter case and accents aside.
pub(super) fn letters(query: &str) -> Atom {
    Atom::new(
        query,
        CaseMatching::Ignore,
        Normalization::Smart,
        AtomKind::Fuzzy,
        false,
    )
}

fn begins_with(name: &str, query: &str) -> bool {
    let beginning = name.get(..query.len());
    beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(query))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked<'a>(query: &str, names: &[&'a str]) -> Vec<&'a str> {
        let best = rank(query, names.iter().copied(), 9);
        best.into_iter().map(|number| names[number]).collect()
    }

    #[test]
    fn the_beginning_counts_most_then_the_beginnings_of_words() {
        let cases: [(&str, &[&str], &[&str]); 6] = [
            ("", &["b", "a"], &["b", "a"]),
            (
                "mo",
                &["memory", "model", "mode"],
                &["model", "mode", "memory"],
            ),
            ("st", &["list", "stats"], &["stats", "list"]),
            (
                "gpm",
                &["gpt-5-mini", "gpm", "egpm"],
                &["gpm", "gpt-5-mini", "egpm"],
            ),
            ("MODEL", &["model", "x"], &["model"]),
            ("zz", &["zebra"], &[]),
        ];
        for (query, names, expected) in cases {
            assert_eq!(ranked(query, names), expected, "{query:?}");
        }
    }

    #[test]
    fn no_more_are_given_than_asked_for() {
        assert_eq!(rank("a", ["ba", "a", "ab"], 2), [1, 2]);
        assert_eq!(rank("", ["c", "b", "a"], 2), [0, 1]);
    }

    #[test]
    fn accents_are_found_without_them() {
        assert_eq!(ranked("resume", &["résumé"]), ["résumé"]);
        assert_eq!(ranked("é", &["e", "é"]), ["é"]);
    }
}
