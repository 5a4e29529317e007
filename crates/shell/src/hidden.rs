//! Characters that make a command look like another one.

use pollux_types::untrusted::is_invisible;

/// What a character does to somebody who reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trick {
    /// A terminal obeys it, or it is not seen, or it reorders its neighbours.
    Hides,
    /// It looks like a space, or like nothing, and bash takes it for a letter.
    Blank,
}

/// The trick that `c` plays, if it plays one.
pub(crate) fn trick(c: char) -> Option<Trick> {
    match c {
        '\t' | '\n' | ' '..='~' => None,
        c if c.is_control() || is_format(c) => Some(Trick::Hides),
        // How an emoji is to look.
        '\u{fe0e}' | '\u{fe0f}' => None,
        c if c.is_whitespace() || is_invisible(c) => Some(Trick::Blank),
        _ => None,
    }
}

/// Unicode's category Cf: soft hyphen, joiners, bidi marks, tags.
pub(crate) fn is_format(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{890}'..='\u{891}'
            | '\u{8e2}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{110bd}'
            | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_any_script_are_fine() {
        assert_eq!("a\tb\ncé漢字👩".chars().find_map(trick), None);
    }

    #[test]
    fn what_hides_is_told_from_what_looks_blank() {
        for c in [
            '\0',
            '\x1b',
            '\r',
            '\u{9b}',
            '\u{200d}',
            '\u{202e}',
            '\u{e0041}',
        ] {
            assert_eq!(trick(c), Some(Trick::Hides), "{c:?}");
        }
        for c in ['\u{a0}', '\u{2003}', '\u{3000}', '\u{3164}'] {
            assert_eq!(trick(c), Some(Trick::Blank), "{c:?}");
        }
    }
}
