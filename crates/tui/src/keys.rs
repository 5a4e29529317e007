//! Bytes from the terminal become keys.

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
    forms: Forms,
    parser: Parser,
    /// The last byte is an escape, which is a key of its own if nothing follows it until then.
    undecided: Option<Instant>,
}

impl Decoder {
    /// What these bytes, which have come `now`, mean, as far as they are whole.
    pub(crate) fn read(&mut self, bytes: &[u8], now: Instant) -> Vec<Typed> {
        let read = self.forms.read(bytes);
        self.parser.parse(&read, false);
        // Escape is a key, and the beginning of most others: only time tells. In a paste it is text.
        let undecided = self.forms.begun == [ESCAPE] && !self.forms.pasting;
        self.undecided = undecided.then(|| now + UNDECIDED);
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
        self.parser
            .parse(&std::mem::take(&mut self.forms.begun), false);
        self.typed()
    }

    fn typed(&mut self) -> Vec<Typed> {
        let events = std::iter::from_fn(|| self.parser.pop());
        events.filter_map(understand).collect()
    }
}

/// Gives the parser keys in the one form that it knows, and a paste as it is.
#[derive(Debug, Default)]
struct Forms {
    /// A sequence that has begun: what it is shows at its end, which may come later.
    begun: Vec<u8>,
    pasting: bool,
}

const ESCAPE: u8 = 0x1b;
/// What is around pasted text.
const PASTE: &[u8] = b"\x1b[200~";
const PASTED: &[u8] = b"\x1b[201~";
/// The key by itself, in a form that cannot be taken for the beginning of another.
const PRESSED_ESCAPE: &[u8] = b"\x1b[27;1u";
/// How keys begin that have modifiers as xterm and tmux write them.
const XTERM: &[u8] = b"\x1b[27;";
/// No such key is longer.
const LONGEST: usize = 24;

impl Forms {
    /// These bytes as the parser wants them, but for a sequence at their end that is not whole.
    fn read(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut read = Vec::with_capacity(bytes.len());
        for byte in bytes {
            if *byte == ESCAPE {
                read.append(&mut self.begun);
            }
            if *byte != ESCAPE && self.begun.is_empty() {
                read.push(*byte);
                continue;
            }
            self.begun.push(*byte);
            if !self.goes_on() {
                self.end(&mut read);
            }
        }
        read
    }

    /// Whether more bytes may make a sequence of it that matters here.
    fn goes_on(&self) -> bool {
        let begins =
            |whole: &[u8]| whole.len() > self.begun.len() && whole.starts_with(&self.begun);
        if self.pasting {
            return begins(PASTED);
        }
        let mut key = self.begun.strip_prefix(XTERM).unwrap_or(b"~").iter();
        let is_key = key.all(|byte| byte.is_ascii_digit() || *byte == b';');
        begins(PASTE) || begins(XTERM) || (is_key && self.begun.len() < LONGEST)
    }

    fn end(&mut self, read: &mut Vec<u8>) {
        match self.begun.as_slice() {
            PASTE => {
                self.pasting = true;
                // Esc was pressed just before: together they would be no paste any more.
                if read.last() == Some(&ESCAPE) {
                    read.pop();
                    read.extend_from_slice(PRESSED_ESCAPE);
                }
            }
            PASTED => self.pasting = false,
            _ => {}
        }
        match in_kittys_form(&self.begun).filter(|_| !self.pasting) {
            Some(key) => read.extend(key),
            None => read.extend_from_slice(&self.begun),
        }
        self.begun.clear();
    }
}

/// A key as xterm and tmux write it, `ESC [ 27 ; modifiers ; key ~`, in the form
/// `ESC [ key ; modifiers u`.
fn in_kittys_form(sequence: &[u8]) -> Option<Vec<u8>> {
    let numbers = sequence.strip_prefix(XTERM)?.strip_suffix(b"~")?;
    let mut numbers = numbers.split(|byte| *byte == b';');
    let (modifiers, key) = (numbers.next()?, numbers.next()?);
    let is_key = !modifiers.is_empty() && !key.is_empty() && numbers.next().is_none();
    is_key.then(|| [b"\x1b[", key, b";", modifiers, b"u"].concat())
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
        // They send one byte for Ctrl+I and Tab too, and for Ctrl+M and Enter: hands know either.
        let named = match c {
            'i' => Some(Code::Tab),
            'm' => Some(Code::Enter),
            _ => None,
        };
        if let Some(code) = named.filter(|_| key.ctrl && !(key.shift || key.alt || key.cmd)) {
            (key.code, key.ctrl) = (code, false);
        }
        // The character itself tells, but for letters that are held with something else.
        key.shift &= (key.ctrl || key.alt || key.cmd) && (c.is_alphabetic() || c == ' ');
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
    fn a_paste_right_after_an_escape_is_a_paste() {
        let expected = [
            Typed::Key("esc".parse().unwrap()),
            Typed::Paste("one\ntwo".into()),
        ];
        let bytes = b"\x1b\x1b[200~one\ntwo\x1b[201~";
        for cut in 0..bytes.len() {
            let (first, second) = bytes.split_at(cut);
            let mut decoder = Decoder::default();
            let mut typed = decoder.read(first, Instant::now());
            typed.extend(decoder.read(second, Instant::now()));
            assert_eq!(typed, expected, "{cut}");
        }
    }

    #[test]
    fn keys_are_the_same_in_the_form_of_xterm() {
        assert_eq!(
            keys(b"a\x1b[27;2;13~\x1b[27;5;99~\x1b[Ab"),
            keys(b"a\x1b[13;2u\x1b[99;5u\x1b[Ab")
        );
        assert_eq!(keys(b"\x1b[13;2u").len(), 1);
        let key = |name: &str| [Typed::Key(name.parse().unwrap())];
        assert_eq!(keys(b"\x1b[27;2;13~"), key("shift+enter"));
        // Some are written with the shift that makes them.
        assert_eq!(keys(b"\x1b[27;6;95~"), key("ctrl+_"));
        assert_eq!(keys(b"\x1b[27;4;60~"), key("alt+<"));
        assert_eq!(keys(b"\x1b[27;2;65~"), key("A"));
        // These are one key elsewhere.
        assert_eq!(keys(b"\x1b[27;5;109~"), keys(b"\r"));
        assert_eq!(keys(b"\x1b[27;5;105~"), keys(b"\t"));
        assert_eq!(keys(b"\x1b[27;7;105~"), key("ctrl+alt+i"));
    }

    #[test]
    fn what_only_begins_like_that_is_left_alone() {
        for bytes in [
            &b"\x1b[27u"[..],
            b"\x1b[27;5u",
            b"\x1b[27;;~",
            b"\x1b[27;1;2;3~",
        ] {
            assert_eq!(Forms::default().read(bytes), bytes);
        }
    }

    #[test]
    fn it_does_not_matter_how_bytes_are_cut() {
        let now = Instant::now();
        let bytes = b"a\x1b[27;2;13~\x1b[200~\x1b[27;5;99~\x1b\x1b[20\x1b[201~\x1b[27;5;99~b\x1b[A";
        let pasted = Typed::Paste("\x1b[27;5;99~\x1b\x1b[20".into());
        let whole = keys(bytes);
        assert_eq!(whole.len(), 6, "{whole:?}");
        assert_eq!(whole[2], pasted, "a paste is nobody's keys");
        for cut in 0..bytes.len() {
            let mut decoder = Decoder::default();
            let (before, after) = bytes.split_at(cut);
            let mut read = decoder.read(before, now);
            read.extend(decoder.read(after, now));
            assert_eq!(read, whole, "cut at {cut}");
        }
    }

    #[test]
    fn many_keys_in_one_read_are_many_keys() {
        assert_eq!(keys(&b"\x1b[27;5;99~".repeat(50_000)).len(), 50_000);
    }
}
