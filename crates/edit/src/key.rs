//! Keys, and how they are written: `ctrl+alt+f`, `shift+tab`, `A`.
//!
//! A character carries its own shift: what is typed with shift and `a` is `A` without `shift`.

use std::fmt;
use std::str::FromStr;

/// A key that was pressed, with the modifiers that were held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "any of the four may be held with any other"
)]
pub struct Key {
    /// The key itself.
    pub code: Code,
    /// Control was held.
    pub ctrl: bool,
    /// Alt (or option) was held.
    pub alt: bool,
    /// Shift was held; never set beside a character that has a capital, see [`Key::normal`].
    pub shift: bool,
    /// Command (or super) was held.
    pub cmd: bool,
}

/// A key without modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// A key that types a character.
    Char(char),
    /// Enter or return.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Backspace: delete to the left.
    Backspace,
    /// Delete to the right.
    Delete,
    /// Insert.
    Insert,
    /// Arrow to the left.
    Left,
    /// Arrow to the right.
    Right,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key, counted from 1.
    F(u8),
}

impl Key {
    /// `code` without modifiers.
    pub const fn plain(code: Code) -> Self {
        Self {
            code,
            ctrl: false,
            alt: false,
            shift: false,
            cmd: false,
        }
    }

    /// The key that types `c`.
    pub const fn char(c: char) -> Self {
        Self::plain(Code::Char(c))
    }

    /// Control and the key that types `c`.
    pub const fn ctrl(c: char) -> Self {
        Self {
            ctrl: true,
            ..Self::char(c)
        }
    }

    /// The same key in its one spelling: shift and a small letter is the capital.
    #[must_use]
    pub fn normal(self) -> Self {
        match self.code {
            Code::Char(c) if self.shift => Self {
                code: Code::Char(capital(c)),
                shift: false,
                ..self
            },
            _ => self,
        }
    }

    /// The character that this key types, if it types one.
    pub fn typed(self) -> Option<char> {
        match self.normal().code {
            Code::Char(c) if !self.ctrl && !self.alt && !self.cmd && !c.is_control() => Some(c),
            _ => None,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // With something else held, a capital is hard to tell from its small letter.
        let held = self.ctrl || self.alt || self.cmd;
        let small = match self.code {
            Code::Char(c) if held && c.is_ascii_uppercase() => Some(c.to_ascii_lowercase()),
            _ => None,
        };
        let modifiers = [
            (self.ctrl, "ctrl+"),
            (self.alt, "alt+"),
            (self.shift || small.is_some(), "shift+"),
            (self.cmd, "cmd+"),
        ];
        for (_, name) in modifiers.iter().filter(|(held, _)| *held) {
            f.write_str(name)?;
        }
        match self.code {
            Code::F(number) => write!(f, "f{number}"),
            code => match NAMES.iter().find(|(_, named)| *named == code) {
                Some((name, _)) => f.write_str(name),
                None => match code {
                    Code::Char(c) => write!(f, "{}", small.unwrap_or(c)),
                    _ => Ok(()),
                },
            },
        }
    }
}

impl FromStr for Key {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        let bad = || BadKey(text.to_owned());
        let mut key = Self::char(' ');
        let mut rest = text;
        while let Some((modifier, after)) = rest.split_once('+') {
            if modifier.is_empty() || after.is_empty() {
                break;
            }
            match modifier.to_ascii_lowercase().as_str() {
                "ctrl" | "control" => key.ctrl = true,
                "alt" | "opt" | "option" => key.alt = true,
                "shift" => key.shift = true,
                "cmd" | "meta" | "super" => key.cmd = true,
                _ => return Err(bad()),
            }
            rest = after;
        }
        key.code = code(rest).ok_or_else(bad)?;
        Ok(key.normal())
    }
}

/// A text that names no key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadKey(String);

impl fmt::Display for BadKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = &self.0;
        write!(
            f,
            "`{text}` is no key; write it like `ctrl+w`, `alt+enter` or `f5`"
        )
    }
}

impl std::error::Error for BadKey {}

/// Names of keys; the first name of a key is the one that is written.
const NAMES: [(&str, Code); 22] = [
    ("enter", Code::Enter),
    ("return", Code::Enter),
    ("esc", Code::Esc),
    ("escape", Code::Esc),
    ("tab", Code::Tab),
    ("backspace", Code::Backspace),
    ("delete", Code::Delete),
    ("del", Code::Delete),
    ("insert", Code::Insert),
    ("left", Code::Left),
    ("right", Code::Right),
    ("up", Code::Up),
    ("down", Code::Down),
    ("home", Code::Home),
    ("end", Code::End),
    ("pageup", Code::PageUp),
    ("pgup", Code::PageUp),
    ("pagedown", Code::PageDown),
    ("pgdown", Code::PageDown),
    ("space", Code::Char(' ')),
    ("plus", Code::Char('+')),
    ("minus", Code::Char('-')),
];

/// The key that `name` names, without modifiers.
fn code(name: &str) -> Option<Code> {
    let mut chars = name.chars();
    if let (Some(only), None) = (chars.next(), chars.next()) {
        return (!only.is_control()).then_some(Code::Char(only));
    }
    let name = name.to_ascii_lowercase();
    if let Some((_, code)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(*code);
    }
    let number = name.strip_prefix('f')?.parse().ok()?;
    (1..=35).contains(&number).then_some(Code::F(number))
}

/// The capital of `c` if it has one of a single character.
fn capital(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(upper), None) => upper,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_as_they_are_written() {
        let texts = [
            "a",
            "A",
            "ctrl+c",
            "ctrl+alt+f",
            "shift+tab",
            "enter",
            "f12",
            "alt+shift+z",
            "cmd+left",
            "ctrl+_",
            "ctrl+/",
            "space",
            "ctrl+plus",
            "minus",
            "é",
            "ctrl+shift+pageup",
        ];
        for text in texts {
            let key: Key = text.parse().unwrap();
            assert_eq!(key.to_string(), text);
        }
    }

    #[test]
    fn other_spellings_mean_the_same_key() {
        for (written, same) in [
            ("shift+a", "A"),
            ("alt+shift+z", "alt+Z"),
            ("Ctrl+Option+F", "ctrl+alt+F"),
            ("ctrl++", "ctrl+plus"),
            ("+", "plus"),
            ("-", "minus"),
            ("meta+Return", "cmd+enter"),
            ("escape", "esc"),
        ] {
            let key: Key = written.parse().unwrap();
            assert_eq!(key, same.parse().unwrap(), "{written}");
        }
    }

    #[test]
    fn what_is_no_key_is_named() {
        for text in [
            "", "ctrl+", "hyper+a", "f0", "f36", "foo", "ctrl+foo", "\u{1b}",
        ] {
            let error = text.parse::<Key>().unwrap_err();
            assert!(error.to_string().contains(&format!("`{text}`")), "{error}");
        }
    }

    #[test]
    fn only_plain_characters_are_typed() {
        let typed = |text: &str| text.parse::<Key>().unwrap().typed();
        assert_eq!(typed("a"), Some('a'));
        assert_eq!(typed("shift+ä"), Some('Ä'));
        assert_eq!(typed("ctrl+a"), None);
        assert_eq!(typed("alt+a"), None);
        assert_eq!(typed("cmd+a"), None);
        assert_eq!(typed("enter"), None);
    }
}
