//! Vim, from a text and keys to a text.

mod changes;
mod inserting;
mod modes;
mod motions;
mod objects;
mod operators;
mod registers;
mod repeating;
mod searching;
mod visual;

use pollux_edit::{Code, Key, Text, Vim};

use super::support::{marked, press_with_vim, text};

/// Presses keys in normal mode: `dw`, `ihello<Esc>`, `<ctrl+r>`.
#[track_caller]
fn check(before: &str, keys: &str, after: &str) {
    let (_, text) = run(before, keys);
    assert_eq!(marked(&text), after, "{before:?} after {keys}");
}

/// The same, and gives vim and text for a closer look.
#[track_caller]
fn run(before: &str, keys: &str) -> (Vim, Text) {
    let (mut vim, mut text) = (Vim::new(), Text::new());
    vim.press(Key::plain(Code::Esc), &mut text);
    text.clone_from(&self::text(before));
    for key in self::keys(keys) {
        press_with_vim(&mut vim, &mut text, key);
    }
    (vim, text)
}

/// The keys that `text` names: characters, and names in `<>`.
fn keys(text: &str) -> Vec<Key> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let name = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
        let named = name.and_then(|(name, after)| Some((name.parse().ok()?, after)));
        let (key, after) = named.unwrap_or((Key::char(c), &rest[c.len_utf8()..]));
        keys.push(key);
        rest = after;
    }
    keys
}
