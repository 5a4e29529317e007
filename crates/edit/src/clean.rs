//! What text from outside loses before it gets in: what a terminal would obey.
//!
//! Escape sequences go as a whole, other control characters one by one; newline and tab stay, and
//! all ways to end a line become a newline.

use std::borrow::Cow;

use crate::atom::is_atom;

/// `text` as it may be kept beside the buffer.
pub(crate) fn clean(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(is_unwanted) else {
        return Cow::Borrowed(text);
    };
    let mut kept = String::with_capacity(text.len());
    kept.push_str(&text[..first]);
    let mut rest = &text[first..];
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        rest = match c {
            '\r' => {
                kept.push('\n');
                after.strip_prefix('\n').unwrap_or(after)
            }
            '\u{1b}' => after_escape(after),
            '\u{9b}' => after_parameters(after),
            c if is_unwanted(c) => after,
            _ => {
                let end = rest.find(is_unwanted).unwrap_or(rest.len());
                kept.push_str(&rest[..end]);
                &rest[end..]
            }
        };
    }
    Cow::Owned(kept)
}

/// `text` as it may get into the buffer: as above, and without characters that would be taken for
/// pasted blocks.
pub(crate) fn clean_for_buffer(text: &str) -> Cow<'_, str> {
    match clean(text) {
        text if text.contains(is_atom) => Cow::Owned(text.replace(is_atom, "\u{fffd}")),
        text => text,
    }
}

fn is_unwanted(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t'
}

/// What follows the sequence that an escape character opened.
fn after_escape(text: &str) -> &str {
    let mut chars = text.chars();
    match chars.next() {
        Some('[') => after_parameters(chars.as_str()),
        // Strings: they end with a bell or `ESC \`; one that does not end is none.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            let body = chars.as_str();
            let bell = body.find('\u{7}').map(|at| at + 1);
            let terminator = body.find("\u{1b}\\").map(|at| at + 2);
            match bell.into_iter().chain(terminator).min() {
                Some(end) => &body[end..],
                None => text,
            }
        }
        Some(' '..='~') => {
            let rest = text.trim_start_matches(|c| matches!(c, ' '..='/'));
            rest.strip_prefix(|c| matches!(c, '0'..='~'))
                .unwrap_or(rest)
        }
        _ => text,
    }
}

/// What follows parameters and the letter that ends them.
fn after_parameters(text: &str) -> &str {
    let rest = text.trim_start_matches(|c| matches!(c, ' '..='?'));
    rest.strip_prefix(|c| matches!(c, '@'..='~'))
        .unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_goes() {
        for (text, kept) in [
            ("plain é 漢 👩‍💻\n\tx", "plain é 漢 👩‍💻\n\tx"),
            ("a\r\nb\rc\n", "a\nb\nc\n"),
            ("\u{1b}[31mred\u{1b}[0m", "red"),
            ("\u{1b}]0;title\u{7}x\u{1b}]8;;u\u{1b}\\y", "xy"),
            ("\u{1b}]never ended", "]never ended"),
            ("\u{1b}(Bx\u{1b}(0x\u{1b}Mx", "xxx"),
            ("a\u{9b}2Jb\u{85}c\u{7f}d\u{0}e\u{b}f", "abcdef"),
            ("\u{1b}", ""),
            ("\u{1b}[", ""),
            ("\u{1b}\u{1b}[Ax", "x"),
        ] {
            assert_eq!(clean(text), kept, "{text:?}");
        }
    }

    #[test]
    fn clean_text_is_not_copied() {
        assert!(matches!(clean("a\n\tb"), Cow::Borrowed(_)));
        assert!(matches!(clean_for_buffer("a\n\tb"), Cow::Borrowed(_)));
    }

    #[test]
    fn nothing_from_outside_looks_like_a_block() {
        assert_eq!(clean_for_buffer("a\u{10f000}b"), "a\u{fffd}b");
        assert_eq!(clean("a\u{10f000}b"), "a\u{10f000}b");
    }
}
