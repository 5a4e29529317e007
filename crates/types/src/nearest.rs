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

/// How many characters have to be put in, taken out, changed or swapped with their neighbour to get
/// from `a` to `b`.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let changed = row[j] + usize::from(from != to);
            let mut least = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *to && b[j - 1] == *from {
                least = least.min(before[j - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
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
        assert_eq!(distance("hlep", "help"), 1);
        assert_eq!(distance("ab", "ba"), 1);
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
