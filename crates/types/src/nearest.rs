//! Which name may have been meant.

/// The candidate most like `name`, if any is like it at all. Case does not count; of equally
/// near ones the first in alphabetical order is taken.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = name.to_lowercase();
    candidates
        .map(|candidate| (distance(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| distance * 3 <= name.len().max(candidate.len()) + 1)
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many characters have to be put in, taken out or changed to get from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("read_file", "readfile"), 1);
        assert_eq!(distance("é漢", "é"), 1);
    }

    #[test]
    fn only_what_is_alike_is_near() {
        let names = ["main.rs", "lib.rs", "Makefile"];
        let near = |name| nearest(name, names.into_iter());
        assert_eq!(near("mian.rs"), Some("main.rs"));
        assert_eq!(near("makefile"), Some("Makefile"));
        assert_eq!(near("config.toml"), None);
    }
}
