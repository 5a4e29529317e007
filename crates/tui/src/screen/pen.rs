//! Bytes for a terminal: text, its looks, and the shortest way from one place to another.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::Write as _;

use super::looks::Ink;
use crate::style::{Color, Style};

/// Writes text in its looks, and no more than changes between two pieces.
pub(super) struct Pen<'a> {
    out: &'a mut Vec<u8>,
    ink: Ink,
}

impl<'a> Pen<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>) -> Self {
        Self {
            out,
            ink: Ink::default(),
        }
    }

    /// Text in this look.
    pub(super) fn write(&mut self, text: &str, ink: &Ink) {
        self.dip(ink);
        self.out.extend_from_slice(text.as_bytes());
    }

    /// A sequence. What it may erase is blank, and not in the look of the text before it.
    pub(super) fn put(&mut self, sequence: impl Display) {
        self.dip(&Ink::default());
        put(self.out, sequence);
    }

    /// Back to the terminal's default look.
    pub(super) fn finish(mut self) {
        self.dip(&Ink::default());
    }

    fn dip(&mut self, ink: &Ink) {
        if self.ink.link != ink.link {
            let address = ink.link.as_deref().unwrap_or_default();
            put(self.out, format_args!("\x1b]8;;{address}\x1b\\"));
        }
        if self.ink.style != ink.style {
            put(self.out, sgr(self.ink.style, ink.style));
        }
        if self.ink != *ink {
            self.ink = ink.clone();
        }
    }
}

/// Puts a sequence into `out`.
pub(super) fn put(out: &mut Vec<u8>, sequence: impl Display) {
    write!(out, "{sequence}").expect("a Vec takes any bytes");
}

/// `text` without anything that a terminal would obey. Lines promise to hold nothing of the kind,
/// so there is mostly nothing to do; a promise is no reason to be had, though.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    if text.contains(char::is_control) {
        Cow::Owned(text.replace(char::is_control, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The shortest sequence that leads from one style to another.
fn sgr(from: Style, to: Style) -> String {
    if to == Style::PLAIN {
        return "\x1b[m".to_owned();
    }
    let change = codes(from, to);
    let anew = format!("0;{}", codes(Style::PLAIN, to));
    let shorter = if change.len() <= anew.len() {
        change
    } else {
        anew
    };
    format!("\x1b[{shorter}m")
}

fn codes(from: Style, to: Style) -> String {
    let mut codes = Vec::new();
    // Bold and dim have one code for their end, which ends both.
    let fainter = (from.bold && !to.bold) || (from.dim && !to.dim);
    if fainter {
        codes.push(22);
    }
    if to.bold && (fainter || !from.bold) {
        codes.push(1);
    }
    if to.dim && (fainter || !from.dim) {
        codes.push(2);
    }
    for (was, is, on, off) in [
        (from.italic, to.italic, 3, 23),
        (from.underline, to.underline, 4, 24),
        (from.strike, to.strike, 9, 29),
        (from.reverse, to.reverse, 7, 27),
    ] {
        match (was, is) {
            (false, true) => codes.push(on),
            (true, false) => codes.push(off),
            _ => {}
        }
    }
    if from.color != to.color {
        match to.color {
            None => codes.push(39),
            Some(Color::Ansi(n @ 0..8)) => codes.push(30 + u16::from(n)),
            Some(Color::Ansi(n)) => codes.push(90 + u16::from(n % 8)),
            Some(Color::Indexed(n)) => codes.extend([38, 5, u16::from(n)]),
        }
    }
    let codes: Vec<String> = codes.iter().map(ToString::to_string).collect();
    codes.join(";")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        assert!(matches!(clean("harmless é 漢"), Cow::Borrowed(_)));
        let hostile = "a\x1b[2J\r\n\t\u{7f}\u{9b}3J\u{90}b";
        assert_eq!(
            clean(hostile),
            "a\u{fffd}[2J\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}3J\u{fffd}b"
        );
    }

    #[test]
    fn the_shorter_way_from_one_style_to_another_is_taken() {
        let bold = Style::BOLD;
        let red = Style::color(Color::RED);
        for (from, to, expected) in [
            (Style::PLAIN, red.bold(), "\x1b[1;31m"),
            (red, red.bold(), "\x1b[1m"),
            (red.bold(), red, "\x1b[22m"),
            (red.bold(), bold, "\x1b[39m"),
            (red.bold(), Style::DIM, "\x1b[0;2m"),
            (red.bold(), Style::PLAIN, "\x1b[m"),
            (bold, Style { dim: true, ..bold }, "\x1b[2m"),
            (Style { dim: true, ..bold }, bold, "\x1b[0;1m"),
            (red, Style::color(Color::Ansi(9)), "\x1b[91m"),
            (red, Style::color(Color::Indexed(200)), "\x1b[38;5;200m"),
        ] {
            assert_eq!(sgr(from, to), expected, "{from:?} to {to:?}");
        }
    }
}
