//! Making text from outside safe to show.
//!
//! Model answers, file contents and command output may hold escape sequences that move the
//! cursor, set the clipboard or hide what is there. Nothing is removed: what a terminal would
//! obey, or would not show, is spelled out instead.

use std::borrow::Cow;
use std::fmt::Write as _;

/// `text` with every control and invisible character spelled out; tab and newline stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    spelled_out(text, is_unsafe)
}

/// The same for a command that somebody has to decide about: whatever is not seen as what it is, is
/// spelled out, also where it has a use in other text. Newlines stay.
pub fn visible_command(text: &str) -> Cow<'_, str> {
    spelled_out(text, |c| is_unsafe(c) || is_blank(c))
}

/// Whether `c` shows as nothing, or as a space without being one.
fn is_blank(c: char) -> bool {
    match c {
        ' ' | '\n' => false,
        // Joiners, and selectors of variants.
        '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' => true,
        c => is_filler(c) || c.is_whitespace(),
    }
}

/// Whether `c` is a letter without a picture.
pub fn is_filler(c: char) -> bool {
    matches!(
        c,
        '\u{34f}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{ffa0}'
            | '\u{180b}'..='\u{180f}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

fn spelled_out(text: &str, is_spelled: impl Fn(char) -> bool) -> Cow<'_, str> {
    let Some(first) = text.find(&is_spelled) else {
        return Cow::Borrowed(text);
    };
    let mut shown = String::with_capacity(text.len() + 16);
    shown.push_str(&text[..first]);
    for c in text[first..].chars() {
        match c {
            '\x1b' => shown.push_str("\\e"),
            '\r' => shown.push_str("\\r"),
            '\t' if is_spelled(c) => shown.push_str("\\t"),
            c if is_spelled(c) => {
                // Writing to a String cannot fail.
                write!(shown, "\\u{{{:x}}}", u32::from(c)).expect("a String takes any text");
            }
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// A word on characters in `text` that nobody sees and a model reads: which, and where. Escape
/// sequences and carriage returns are what programs print, and no secret.
pub fn hidden(text: &str) -> Option<String> {
    const TOLD: usize = 5;
    let is_hidden = |c: char| is_unsafe(c) && !c.is_control();
    let found = text.lines().enumerate().flat_map(|(line, text)| {
        let hidden = text.chars().filter(move |c| is_hidden(*c));
        hidden.map(move |c| format!("U+{:04X} in line {}", u32::from(c), line + 1))
    });
    let mut found = found.peekable();
    found.peek()?;
    let told: Vec<String> = found.by_ref().take(TOLD).collect();
    let more = match found.count() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    Some(format!("hidden characters: {}{more}", told.join(", ")))
}

/// Whether a terminal would act on `c`, or hide it, or let it reorder its neighbours.
fn is_unsafe(c: char) -> bool {
    match c {
        '\t' | '\n' => false,
        c if c.is_control() => true,
        // Soft hyphen, zero-width space, bidi marks, overrides and isolates, invisible operators,
        // byte-order mark, tag characters. The joiners U+200C and U+200D stay: scripts and emoji
        // need them.
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_text_is_not_copied() {
        assert!(matches!(visible("a\tb\nc é 漢字 👩‍💻"), Cow::Borrowed(_)));
    }

    #[test]
    fn what_a_terminal_would_obey_is_spelled_out() {
        insta::assert_snapshot!(visible("a\x1b[31mred\x07\u{9b}2J\r\u{202e}x\0"),
            @r"a\e[31mred\u{7}\u{9b}2J\r\u{202e}x\u{0}");
    }

    #[test]
    fn hidden_characters_are_told_with_their_place() {
        assert_eq!(hidden("plain\r\n\x1b[31mtext é 👩‍💻"), None);
        let text = "a\nb\u{202e}c\u{200b}\n\u{e0041}";
        insta::assert_snapshot!(hidden(text).unwrap(), @"hidden characters: U+202E in line 2, U+200B in line 2, U+E0041 in line 3");
        assert!(
            hidden(&"\u{200b}".repeat(9))
                .unwrap()
                .ends_with("and 4 more")
        );
    }

    proptest::proptest! {
        #[test]
        fn nothing_unsafe_is_left(text in ".*") {
            assert!(!visible(&text).contains(is_unsafe));
        }
    }
}
