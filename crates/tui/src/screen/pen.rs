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

    /// Anything else, as it is.
    pub(super) fn put(&mut self, sequence: impl Display) {
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
