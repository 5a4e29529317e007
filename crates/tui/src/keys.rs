//! Bytes from the terminal become keys.

use std::borrow::Cow;

use pollux_edit::{Code, Key};
use termina::event::{KeyCode, KeyEvent, KeyEventKind, Modifiers};
use termina::{Event, Parser};
use tokio::time::{Duration, Instant};

/// How long an escape may be the beginning of a longer key.
const UNDECIDED: Duration = Duration::from_millis(30);

/// What somebody did at the keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// Pressed a key.
    Key(Key),
    /// Pasted text.
    Paste(String),
}

/// Reads the bytes of a terminal, cut as they may be.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    parser: Parser,
    /// The last byte is an escape, which is a key of its own if nothing follows it until then.
    undecided: Option<Instant>,
}

impl Decoder {
    /// What these bytes, which have come `now`, mean, as far as they are whole.
    pub(crate) fn read(&mut self, bytes: &[u8], now: Instant) -> Vec<Typed> {
        // Escape is a key, and the beginning of most others: only time tells.
        let undecided = bytes.last() == Some(&0x1b);
        self.undecided = undecided.then(|| now + UNDECIDED);
        self.parser.parse(&in_kittys_form(bytes), undecided);
        self.typed()
    }

    /// When to [decide](Self::decide) that an escape was a key of its own. Whatever else happens
    /// meanwhile does not put that off: an answer may stream in faster than that.
    pub(crate) fn undecided_until(&self) -> Option<Instant> {
        self.undecided
    }

    /// Nothing has come after the escape: so it was that key.
    pub(crate) fn decide(&mut self) -> Vec<Typed> {
        self.undecided = None;
        self.parser.parse(&[], false);
        self.typed()
    }

    fn typed(&mut self) -> Vec<Typed> {
        let events = std::iter::from_fn(|| self.parser.pop());
        events.filter_map(understand).collect()
    }
}

/// Keys with modifiers as xterm and tmux write them, `ESC [ 27 ; modifiers ; key ~`, become what the
/// parser knows: `ESC [ key ; modifiers u`.
fn in_kittys_form(bytes: &[u8]) -> Cow<'_, [u8]> {
    const OPENING: &[u8] = b"\x1b[27;";
    let Some(at) = bytes
        .windows(OPENING.len())
        .position(|part| part == OPENING)
    else {
        return Cow::Borrowed(bytes);
    };
    let (before, rest) = bytes.split_at(at);
    let after = &rest[OPENING.len()..];
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let (modifiers, after_modifiers) = after.split_at(number(after));
    let key = after_modifiers.strip_prefix(b";").unwrap_or_default();
    let (key, end) = key.split_at(number(key));
    let (sequence, after) = match end.strip_prefix(b"~") {
        Some(after) if !modifiers.is_empty() && !key.is_empty() => {
            ([b"\x1b[", key, b";", modifiers, b"u"].concat(), after)
        }
        _ => (OPENING.to_vec(), after),
    };
    Cow::Owned([before, &sequence, &in_kittys_form(after)].concat())
}

fn understand(event: Event) -> Option<Typed> {
    match event {
        Event::Key(event) if event.kind != KeyEventKind::Release => key(event).map(Typed::Key),
        Event::Paste(text) => Some(Typed::Paste(text)),
        _ => None,
    }
}

fn key(event: KeyEvent) -> Option<Key> {
    let code = match event.code {
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::Enter => Code::Enter,
        KeyCode::Escape => Code::Esc,
        KeyCode::Tab | KeyCode::BackTab => Code::Tab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Insert => Code::Insert,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::Function(number) => Code::F(number),
        _ => return None,
    };
    let held = |modifier| event.modifiers.contains(modifier);
    let key = Key {
        code,
        ctrl: held(Modifiers::CONTROL),
        alt: held(Modifiers::ALT),
        shift: held(Modifiers::SHIFT) || event.code == KeyCode::BackTab,
        cmd: held(Modifiers::SUPER) || held(Modifiers::META),
    };
    Some(plain(key))
}

/// The same key however the terminal spells it.
fn plain(mut key: Key) -> Key {
    if let Code::Char(c) = key.code {
        // Old terminals send one byte for Ctrl with these, and the digits stand for them.
        let sign = match c {
            '4' => '\\',
            '5' => ']',
            '6' => '^',
            '7' => '_',
            other => other,
        };
        if key.ctrl && !key.shift {
            key.code = Code::Char(sign);
        }
        // The character itself tells.
        key.shift &= key.ctrl || key.alt || key.cmd;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(bytes: &[u8]) -> Vec<Typed> {
        Decoder::default().read(bytes, Instant::now())
    }

    #[test]
    fn an_escape_is_a_key_if_nothing_follows_it_in_time() {
        let now = Instant::now();
        let escape = Typed::Key("esc".parse().unwrap());
        let mut decoder = Decoder::default();
        assert_eq!(decoder.read(b"\x1b", now), []);
        assert_eq!(decoder.undecided_until(), Some(now + UNDECIDED));
        assert_eq!(decoder.decide(), [escape]);
        assert_eq!(decoder.undecided_until(), None);
        // The same byte may begin another key.
        assert_eq!(decoder.read(b"\x1b", now), []);
        let up = Typed::Key("up".parse().unwrap());
        assert_eq!(decoder.read(b"[A", now + UNDECIDED / 2), [up]);
        assert_eq!(decoder.undecided_until(), None);
    }

    #[test]
    fn keys_are_the_same_in_the_form_of_xterm() {
        assert_eq!(
            keys(b"a\x1b[27;2;13~\x1b[27;5;99~\x1b[Ab"),
            keys(b"a\x1b[13;2u\x1b[99;5u\x1b[Ab")
        );
        assert_eq!(keys(b"\x1b[13;2u").len(), 1);
    }

    #[test]
    fn what_only_begins_like_that_is_left_alone() {
        for bytes in [
            &b"x\x1b[27;2;13"[..],
            b"\x1b[27u",
            b"\x1b[27;5u",
            b"\x1b[27;;~",
        ] {
            assert_eq!(in_kittys_form(bytes), bytes);
        }
    }
}
