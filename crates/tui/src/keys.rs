//! Bytes from the terminal become keys.

use pollux_edit::{Code, Key};
use termina::event::{KeyCode, KeyEvent, KeyEventKind, Modifiers};
use termina::{Event, Parser};

/// What somebody did at the keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Typed {
    /// Pressed a key.
    Key(Key),
    /// Pasted text.
    Paste(String),
    /// Came to the window, or left it.
    Focus(bool),
}

/// Reads the bytes of a terminal, cut as they may be.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    parser: Parser,
    undecided: bool,
}

impl Decoder {
    /// What these bytes mean, as far as they are whole.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Vec<Typed> {
        // Escape is a key, and the beginning of most others: only time tells.
        self.undecided = bytes.last() == Some(&0x1b);
        self.parser.parse(bytes, self.undecided);
        self.typed()
    }

    /// Whether the last byte is an escape that may be a key of its own.
    pub(crate) fn is_undecided(&self) -> bool {
        self.undecided
    }

    /// Nothing has come after the escape: so it was that key.
    pub(crate) fn decide(&mut self) -> Vec<Typed> {
        self.undecided = false;
        self.parser.parse(&[], false);
        self.typed()
    }

    fn typed(&mut self) -> Vec<Typed> {
        let events = std::iter::from_fn(|| self.parser.pop());
        events.filter_map(understand).collect()
    }
}

fn understand(event: Event) -> Option<Typed> {
    match event {
        Event::Key(event) if event.kind != KeyEventKind::Release => key(event).map(Typed::Key),
        Event::Paste(text) => Some(Typed::Paste(text)),
        Event::FocusIn => Some(Typed::Focus(true)),
        Event::FocusOut => Some(Typed::Focus(false)),
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
