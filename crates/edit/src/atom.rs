//! Pasted blocks: long texts that stand in the buffer as one character.
//!
//! In the buffer a block is a character of the private use area that fonts do not use (the end of
//! plane 16); its text and its label are here. So a block travels with the text around it, through
//! deletion, undo, kill ring and registers, and no key ever costs what the block costs.
//!
//! **Invariant:** a character of that area in the buffer is a block: text from outside loses such
//! characters when it is put in (see `clean`).

use std::ops::RangeInclusive;

const RESERVED: RangeInclusive<char> = '\u{10f000}'..='\u{10fffd}';

/// All blocks that the buffer, or what was cut from it, may hold. None is ever dropped: what was
/// killed may be put in again at any time.
#[derive(Clone, Debug, Default)]
pub(crate) struct Atoms(Vec<Atom>);

/// A block.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    text: Box<str>,
    /// What is shown for it.
    pub(crate) label: String,
}

impl Atoms {
    /// The character that stands for `text`; none if there are too many blocks. The same text is
    /// kept once, so walking up and down the history costs nothing.
    pub(crate) fn keep(&mut self, text: &str) -> Option<char> {
        let known = self.0.iter().position(|atom| *atom.text == *text);
        let index = known.unwrap_or(self.0.len());
        let stand_in = RESERVED.clone().nth(index)?;
        if known.is_none() {
            self.0.push(Atom {
                text: text.into(),
                label: label(text),
            });
        }
        Some(stand_in)
    }

    /// The block that `c` stands for.
    pub(crate) fn get(&self, c: char) -> Option<&Atom> {
        if !is_atom(c) {
            return None;
        }
        let index = u32::from(c) - u32::from(*RESERVED.start());
        self.0.get(usize::try_from(index).ok()?)
    }

    /// `text` with the blocks themselves in place of their characters.
    pub(crate) fn expand(&self, text: &str) -> String {
        self.with(text, |atom| &atom.text)
    }

    /// `text` with the labels of blocks in place of their characters.
    pub(crate) fn label(&self, text: &str) -> String {
        self.with(text, |atom| &atom.label)
    }

    fn with(&self, text: &str, instead: impl Fn(&Atom) -> &str) -> String {
        let mut expanded = String::with_capacity(text.len());
        for piece in text.split_inclusive(is_atom) {
            let last = piece.chars().next_back();
            match last.and_then(|c| Some((c, self.get(c)?))) {
                Some((c, atom)) => {
                    expanded.push_str(&piece[..piece.len() - c.len_utf8()]);
                    expanded.push_str(instead(atom));
                }
                None => expanded.push_str(piece),
            }
        }
        expanded
    }
}

/// Whether `c` stands for a block.
pub(crate) fn is_atom(c: char) -> bool {
    RESERVED.contains(&c)
}

/// The lines of `text`; newlines at its end begin no line.
fn lines(text: &str) -> usize {
    text.trim_end_matches('\n').split('\n').count()
}

fn label(text: &str) -> String {
    match lines(text) {
        1 => format!("[copy {} characters]", text.chars().count()),
        count => format!("[copy {count} lines]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_is_kept_once() {
        let mut atoms = Atoms::default();
        let first = atoms.keep("a\nb").unwrap();
        let second = atoms.keep("c\nd").unwrap();
        assert_ne!(first, second);
        assert_eq!(atoms.keep("a\nb"), Some(first));
        assert_eq!(atoms.expand(&format!("<{first}{second}>")), "<a\nbc\nd>");
        assert_eq!(atoms.label(&format!("<{first}>")), "<[copy 2 lines]>");
    }

    #[test]
    fn labels_count_lines_but_not_the_end() {
        assert_eq!(label("a\nb"), "[copy 2 lines]");
        assert_eq!(label("a\n\nb\n\n"), "[copy 3 lines]");
        assert_eq!(label("äb"), "[copy 2 characters]");
    }

    #[test]
    fn blocks_run_out_and_say_so() {
        let mut atoms = Atoms::default();
        let room = RESERVED.count();
        assert!((0..room).all(|number| atoms.keep(&number.to_string()).is_some()));
        assert_eq!(atoms.keep("one more"), None);
        assert_eq!(atoms.keep("7"), RESERVED.clone().nth(7));
    }
}
