//! Where a cursor may stand: between the characters that a person sees.
//!
//! A pasted block is always a character of its own, whatever stands beside it.

use unicode_segmentation::GraphemeCursor;

use crate::atom::is_atom;

/// The next place after `at`, or the end.
pub(crate) fn next(text: &str, at: usize) -> usize {
    // Most text is this, and everything that is shown comes by here.
    if let [b' '..=b'~', b' '..=b'~', ..] = text.as_bytes()[at..] {
        return at + 1;
    }
    next_of_any(text, at)
}

fn next_of_any(text: &str, at: usize) -> usize {
    let mut chars = text[at..].chars();
    let Some(first) = chars.next() else {
        return text.len();
    };
    let after = at + first.len_utf8();
    match chars.next() {
        None => return after,
        Some(second) if stands_alone(first, second) => return after,
        Some(_) => {}
    }
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    let end = cursor.next_boundary(text, 0).ok().flatten();
    let end = end.unwrap_or(text.len());
    text[after..end]
        .find(is_atom)
        .map_or(end, |found| after + found)
}

/// The place before `at`, or the start.
pub(crate) fn previous(text: &str, at: usize) -> usize {
    let mut chars = text[..at].chars().rev();
    let Some(last) = chars.next() else { return 0 };
    let before = at - last.len_utf8();
    match chars.next() {
        None => return before,
        Some(second) if stands_alone(second, last) => return before,
        Some(_) => {}
    }
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    let start = cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0);
    match text[start..at]
        .char_indices()
        .rev()
        .find(|(_, c)| is_atom(*c))
    {
        // The block ends here, so it is what stands before `at`.
        Some((found, c)) if start + found + c.len_utf8() == at => start + found,
        Some((found, c)) => start + found + c.len_utf8(),
        None => start,
    }
}

/// Whether a cursor may stand at `at`.
pub(crate) fn is_boundary(text: &str, at: usize) -> bool {
    if !text.is_char_boundary(at) {
        return false;
    }
    let before = text[..at].chars().next_back();
    let after = text[at..].chars().next();
    let (Some(before), Some(after)) = (before, after) else {
        return true;
    };
    stands_alone(before, after)
        || GraphemeCursor::new(at, text.len(), true)
            .is_boundary(text, 0)
            .unwrap_or(true)
}

/// The nearest place at or before `at`.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at);
    if is_boundary(text, at) {
        at
    } else {
        previous(text, at)
    }
}

/// The nearest place at or after `at`.
pub(crate) fn ceil(text: &str, at: usize) -> usize {
    let floor = floor(text, at);
    if floor < at { next(text, floor) } else { floor }
}

/// The characters that a person sees in `text`, each with where it begins.
pub(crate) fn all(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        at = next(text, at);
        (start < at).then(|| (start, &text[start..at]))
    })
}

/// Whether a boundary between these two is certain without looking any further. It is for nearly all
/// text, and looking further is slow.
fn stands_alone(first: char, second: char) -> bool {
    is_atom(first) || is_atom(second) || (never_joins(first) && never_joins(second))
}

/// Characters of which two in a row are always two.
fn never_joins(c: char) -> bool {
    matches!(c,
        '\n' | '\t'
        | ' '..='~'
        | '\u{a1}'..='\u{ac}'
        | '\u{ae}'..='\u{2ff}'
        // Greek and Cyrillic letters.
        | '\u{370}'..='\u{481}'
        | '\u{48a}'..='\u{52f}'
        // Kana and their punctuation, the Chinese characters, Korean syllables, wide Latin.
        | '\u{3000}'..='\u{3029}'
        | '\u{3041}'..='\u{3096}'
        | '\u{30a0}'..='\u{30ff}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{ff01}'..='\u{ff60}')
}

#[cfg(test)]
mod tests {
    use unicode_segmentation::UnicodeSegmentation as _;

    use super::*;

    const SOUP: &str = "añ\u{301}e\u{301}漢字カ\u{3099}👩‍💻🇩🇪🇫👍🏽한\u{1100}\u{1161}\u{600}x\n\u{301}\tשלום क्षि\u{200d}©\u{fe0f}";

    #[test]
    fn places_are_those_of_unicode() {
        let expected: Vec<usize> = SOUP.grapheme_indices(true).map(|(at, _)| at).collect();
        let found: Vec<usize> = all(SOUP).map(|(at, _)| at).collect();
        assert_eq!(found, expected);
        let mut back = vec![SOUP.len()];
        while let Some(at) = back.last().copied().filter(|at| *at > 0) {
            back.push(previous(SOUP, at));
        }
        back.reverse();
        assert_eq!(back[..back.len() - 1], expected);
        for at in 0..=SOUP.len() {
            let place = expected.contains(&at) || at == SOUP.len();
            assert_eq!(is_boundary(SOUP, at), place, "{at}");
            assert!(floor(SOUP, at) <= at && at <= ceil(SOUP, at));
            assert!(is_boundary(SOUP, floor(SOUP, at)));
            assert!(is_boundary(SOUP, ceil(SOUP, at)));
        }
    }

    #[test]
    fn characters_that_never_join_never_do() {
        let sample =
            |c: &char| never_joins(*c) && (u32::from(*c) < 0x3100 || u32::from(*c) % 97 == 0);
        let chars: Vec<char> = ('\0'..'\u{fffd}').filter(sample).collect();
        for first in &chars {
            for second in chars.iter().step_by(7) {
                let both: String = [*first, *second].iter().collect();
                assert_eq!(both.graphemes(true).count(), 2, "{both:?}");
            }
        }
    }

    #[test]
    fn a_block_stands_alone() {
        // U+0600 joins whatever follows it, U+0301 whatever stands before it.
        let text = "\u{600}\u{10f000}\u{301}x\u{301}";
        let found: Vec<&str> = all(text).map(|(_, piece)| piece).collect();
        assert_eq!(found, ["\u{600}", "\u{10f000}", "\u{301}", "x\u{301}"]);
        assert_eq!(previous(text, 6), 2);
        assert_eq!(previous(text, 2), 0);
        assert_eq!(floor(text, 4), 2);
        assert_eq!(ceil(text, 4), 6);
    }
}
