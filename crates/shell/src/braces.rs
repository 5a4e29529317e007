//! Brace expansion: `a{b,c}` is two words, and may be a program with its arguments.

use crate::syntax::{Piece, Word};

/// More words than this are not worked out.
const MOST: usize = 64;

/// Longer words than this are not looked into.
const LONGEST: usize = 512;

/// The words that `word` stands for; none if it has no braces, or too many.
pub(crate) fn expand(word: &Word) -> Option<Vec<Word>> {
    if !opens(word) {
        return None;
    }
    let atoms = atoms(word);
    if atoms.len() > LONGEST {
        return None;
    }
    let mut budget = MOST;
    let expanded = alternatives(&atoms, &mut budget)?;
    let is_one = expanded.len() == 1;
    (!is_one).then(|| {
        expanded
            .into_iter()
            .map(|atoms| joined(&atoms, word))
            .collect()
    })
}

/// Whether unquoted braces could still stand for something that was not worked out.
pub(crate) fn has_any(word: &Word) -> bool {
    if !opens(word) {
        return false;
    }
    let signs: String = atoms(word)
        .iter()
        .map(|atom| match atom {
            Atom::Sign(c) => *c,
            Atom::Other(_) => 'x',
        })
        .collect();
    let open = signs.find('{');
    open.is_some_and(|open| {
        let rest = &signs[open..];
        rest.find('}')
            .is_some_and(|end| rest[..end].contains(',') || rest[..end].contains(".."))
    })
}

/// Whether there is an unquoted brace at all: most words have none.
fn opens(word: &Word) -> bool {
    let mut pieces = word.pieces.iter();
    pieces.any(|piece| matches!(piece, Piece::Bare(text) if text.contains('{')))
}

/// One unquoted letter, or anything else.
#[derive(Clone, Debug)]
enum Atom {
    Sign(char),
    Other(Piece),
}

fn atoms(word: &Word) -> Vec<Atom> {
    let mut atoms = Vec::new();
    for piece in &word.pieces {
        match piece {
            Piece::Bare(text) => atoms.extend(text.chars().map(Atom::Sign)),
            piece => atoms.push(Atom::Other(piece.clone())),
        }
    }
    atoms
}

fn joined(atoms: &[Atom], word: &Word) -> Word {
    let mut pieces: Vec<Piece> = Vec::new();
    for atom in atoms {
        match (pieces.last_mut(), atom) {
            (Some(Piece::Bare(text)), Atom::Sign(c)) => text.push(*c),
            (_, Atom::Sign(c)) => pieces.push(Piece::Bare(c.to_string())),
            (_, Atom::Other(piece)) => pieces.push(piece.clone()),
        }
    }
    Word {
        pieces,
        source: word.source.clone(),
    }
}

/// Every way to take one alternative of each brace; none if there are too many.
fn alternatives(atoms: &[Atom], budget: &mut usize) -> Option<Vec<Vec<Atom>>> {
    let Some((open, close, cuts)) = first_list(atoms) else {
        return Some(vec![atoms.to_vec()]);
    };
    let mut starts = vec![open + 1];
    starts.extend(cuts.iter().map(|cut| cut + 1));
    let ends = cuts.iter().copied().chain([close]);
    let mut all = Vec::new();
    for (start, end) in starts.into_iter().zip(ends) {
        let choice = [&atoms[..open], &atoms[start..end], &atoms[close + 1..]].concat();
        *budget = budget.checked_sub(1)?;
        all.extend(alternatives(&choice, budget)?);
    }
    Some(all)
}

/// The first `{a,b}`: where it opens and closes, and its commas.
fn first_list(atoms: &[Atom]) -> Option<(usize, usize, Vec<usize>)> {
    for (open, atom) in atoms.iter().enumerate() {
        if !matches!(atom, Atom::Sign('{')) {
            continue;
        }
        let mut depth = 0_usize;
        let mut cuts = Vec::new();
        for (at, atom) in atoms.iter().enumerate().skip(open) {
            match atom {
                Atom::Sign('{') => depth += 1,
                Atom::Sign(',') if depth == 1 => cuts.push(at),
                Atom::Sign('}') => {
                    depth -= 1;
                    if depth == 0 {
                        if !cuts.is_empty() {
                            return Some((open, at, cuts));
                        }
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(text: &str) -> Vec<String> {
        let words = expand(&Word::bare(text)).unwrap_or_default();
        words.iter().filter_map(Word::plain).collect()
    }

    #[test]
    fn each_alternative_is_a_word() {
        assert_eq!(expanded("{rm,-rf,x}"), ["rm", "-rf", "x"]);
        assert_eq!(expanded("a{b,c{d,e}}f"), ["abf", "acdf", "acef"]);
        assert_eq!(expanded("{a,b}{c,d}"), ["ac", "ad", "bc", "bd"]);
        assert!(expanded("{}").is_empty() && expanded("{a}").is_empty());
    }

    #[test]
    fn what_grows_without_end_is_left_alone() {
        assert!(expanded(&"{a,b}".repeat(20)).is_empty());
        assert!(has_any(&Word::bare(&"{a,b}".repeat(20))));
        assert!(has_any(&Word::bare("{1..9}")));
        assert!(!has_any(&Word::bare("{}")));
    }
}
