//! Making text from outside safe to show.
//!
//! Model answers, file contents and command output may hold escape sequences that move the
//! cursor, set the clipboard or hide what is there. Nothing is removed: what a terminal would
//! obey, or would not show, is spelled out instead.

use std::borrow::Cow;
use std::fmt::Write as _;

/// `text` with every control and invisible character spelled out; tab and newline stay, and so does
/// what emoji and some scripts are made with.
pub fn visible(text: &str) -> Cow<'_, str> {
    spelled_out(text, is_unsafe)
}

/// The same for a command that somebody has to decide about: whatever is not seen as what it is, is
/// spelled out, also where it has a use in other text. Newlines stay.
pub fn visible_command(text: &str) -> Cow<'_, str> {
    spelled_out(text, |c| match c {
        ' ' | '\n' => false,
        c => c.is_control() || c.is_whitespace() || is_invisible(c),
    })
}

/// A JSON document that means the same, without characters that a terminal would obey or hide.
pub fn visible_json(document: &str) -> Cow<'_, str> {
    let is_spelled = |c: char| !c.is_ascii() && (c.is_control() || is_invisible(c));
    replaced(document, is_spelled, |c, json| {
        for unit in c.encode_utf16(&mut [0; 2]) {
            write!(json, "\\u{unit:04x}").expect("a String takes any text");
        }
    })
}

/// A word on characters in `text` that nobody sees and a model reads: which, and where. Escape
/// sequences and carriage returns are what programs print, and no secret.
pub fn hidden(text: &str) -> Option<String> {
    const TOLD: usize = 5;
    let found = hidden_in(text);
    let (mut line, mut looked) = (1, 0);
    let mut found = found.peekable();
    found.peek()?;
    let told = found.by_ref().take(TOLD).map(|(at, c)| {
        line += text[looked..at].matches('\n').count();
        looked = at;
        format!("U+{:04X} in line {line}", u32::from(c))
    });
    let told: Vec<String> = told.collect();
    let more = match found.count() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    Some(format!("hidden characters: {}{more}", told.join(", ")))
}

/// Whether `c` is not seen, or only by what it does to its neighbours: all that Unicode lets
/// programs ignore, what breaks lines besides newlines, annotations, and letters without a picture.
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d159}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether a terminal would act on `c`, or hide it, or let it reorder its neighbours.
fn is_unsafe(c: char) -> bool {
    match c {
        '\t' | '\n' | ZWNJ | ZWJ | AS_TEXT | AS_PICTURE => false,
        c => c.is_control() || is_invisible(c),
    }
}

/// What nobody sees, and where: also what emoji and scripts are made with, where there are none.
fn hidden_in(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut before = Before {
        c: '\n',
        is_selected: false,
    };
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while let Some((at, c)) = rest.next() {
            let after = rest.peek().map_or('\n', |(_, c)| *c);
            let is_hidden = before.hides(c, after);
            before = before.then(c);
            if is_hidden {
                return Some((at, c));
            }
        }
        None
    })
}

/// What stands before a character.
#[derive(Clone, Copy)]
struct Before {
    c: char,
    /// Whether it has been said how `c` is to look.
    is_selected: bool,
}

impl Before {
    fn hides(self, c: char, after: char) -> bool {
        let joins = |kind: fn(char) -> bool| kind(self.c) && kind(after);
        match c {
            ZWNJ => !joins(joins_letters),
            ZWJ => !joins(is_picture) && !joins(joins_letters),
            AS_TEXT | AS_PICTURE => self.is_selected || !can_be_picture(self.c),
            c => !c.is_ascii() && is_unsafe(c),
        }
    }

    fn then(self, c: char) -> Self {
        match c {
            AS_TEXT | AS_PICTURE if !self.is_selected => Self {
                is_selected: true,
                ..self
            },
            c => Self {
                c,
                is_selected: false,
            },
        }
    }
}

const ZWNJ: char = '\u{200c}';
const ZWJ: char = '\u{200d}';
const AS_TEXT: char = '\u{fe0e}';
const AS_PICTURE: char = '\u{fe0f}';

/// Whether `c` may be part of an emoji.
fn is_picture(c: char) -> bool {
    matches!(
        c,
        '\u{a9}'
            | '\u{ae}'
            | '\u{203c}'
            | '\u{2049}'
            | '\u{2122}'
            | '\u{2139}'
            | '\u{2190}'..='\u{21ff}'
            | '\u{2300}'..='\u{23ff}'
            | '\u{2460}'..='\u{24ff}'
            | '\u{25a0}'..='\u{27bf}'
            | '\u{2900}'..='\u{297f}'
            | '\u{2b00}'..='\u{2bff}'
            | '\u{3030}'
            | '\u{303d}'
            | '\u{3297}'
            | '\u{3299}'
            | '\u{1f000}'..='\u{1faff}'
    )
}

/// The same with digits, which can be the keys of a telephone.
fn can_be_picture(c: char) -> bool {
    is_picture(c) || matches!(c, '0'..='9' | '#' | '*')
}

/// Whether `c` is of a script in which joiners decide how letters look: Arabic, Syriac, those of
/// India and around it, Mongolian.
fn joins_letters(c: char) -> bool {
    matches!(
        c,
        '\u{600}'..='\u{8ff}'
            | '\u{900}'..='\u{dff}'
            | '\u{f00}'..='\u{109f}'
            | '\u{1780}'..='\u{17ff}'
            | '\u{1800}'..='\u{18af}'
            | '\u{a8e0}'..='\u{a8ff}'
            | '\u{fb50}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefc}'
    ) && !is_invisible(c)
}

fn spelled_out(text: &str, is_spelled: impl Fn(char) -> bool) -> Cow<'_, str> {
    replaced(text, is_spelled, |c, shown| match c {
        '\x1b' => shown.push_str("\\e"),
        '\r' => shown.push_str("\\r"),
        '\t' => shown.push_str("\\t"),
        c => write!(shown, "\\u{{{:x}}}", u32::from(c)).expect("a String takes any text"),
    })
}

/// `text` with something else for some characters.
fn replaced(
    text: &str,
    is_replaced: impl Fn(char) -> bool,
    spell: impl Fn(char, &mut String),
) -> Cow<'_, str> {
    let Some(first) = text.find(&is_replaced) else {
        return Cow::Borrowed(text);
    };
    let mut shown = String::with_capacity(text.len() + 16);
    shown.push_str(&text[..first]);
    for c in text[first..].chars() {
        if is_replaced(c) {
            spell(c, &mut shown);
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
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

    #[test]
    fn whatever_is_invisible_is_told() {
        let anywhere = "\u{e0101}\u{3164}\u{115f}\u{fe01}\u{34f}\u{17b4}\u{1d173}\u{9b}\u{2800}\u{180e}\u{ffa0}\u{fff5}";
        // These have a use, but not between letters of ours.
        let here = "\u{200c}\u{200d}\u{fe0e}\u{fe0f}";
        for c in anywhere.chars().chain(here.chars()) {
            let text = format!("a{c}b");
            let shown = format!("a\\u{{{:x}}}b", u32::from(c));
            assert_eq!(visible_command(&text), shown);
            assert_eq!(visible(&text) == shown, anywhere.contains(c), "{shown}");
            let told = format!("hidden characters: U+{:04X} in line 1", u32::from(c));
            assert_eq!(hidden(&text), Some(told));
        }
        assert!(hidden("\u{200d}").is_some());
        assert!(hidden("\u{2705}\u{fe0f}\u{fe0f}").is_some());
        assert_eq!(visible_command("rm\u{a0}-r\tx"), r"rm\u{a0}-r\tx");
    }

    #[test]
    fn what_writing_needs_stays() {
        let text = "👩🏽\u{200d}💻 🏳\u{fe0f}\u{200d}🌈 ✔\u{fe0f} 1\u{fe0f}\u{20e3} می\u{200c}خواهم क्\u{200d}ष";
        assert_eq!(visible(text), text);
        assert_eq!(hidden(text), None);
    }

    #[test]
    fn a_document_means_the_same() {
        let value = serde_json::json!({"a": "\u{9b}2J \u{202e}\u{e0041}é\n"});
        let document = value.to_string();
        let shown = visible_json(&document);
        insta::assert_snapshot!(shown, @r#"{"a":"\u009b2J \u202e\udb40\udc41é\n"}"#);
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&shown).unwrap(),
            value
        );
    }

    proptest::proptest! {
        #[test]
        fn nothing_unsafe_is_left(text in ".*") {
            assert!(!visible(&text).contains(is_unsafe));
        }
    }
}
