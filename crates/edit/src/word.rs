//! Words as Unicode sees them, for moving and deleting by words.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::atom::is_atom;

/// The end of the word at or after `at`, or the end of the text.
pub(crate) fn end(text: &str, at: usize) -> usize {
    let mut pieces = text[at..].split_word_bound_indices();
    pieces
        .find(|(_, piece)| is_word(piece))
        .map_or(text.len(), |(start, piece)| at + start + piece.len())
}

/// The start of the word before `at`, or the start of the text.
pub(crate) fn start(text: &str, at: usize) -> usize {
    let mut pieces = text[..at].split_word_bound_indices().rev();
    pieces
        .find(|(_, piece)| is_word(piece))
        .map_or(0, |(start, _)| start)
}

fn is_word(piece: &str) -> bool {
    piece.contains(|c: char| c.is_alphanumeric() || is_atom(c))
}
