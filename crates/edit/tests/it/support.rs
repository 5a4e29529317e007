//! Texts with `|` for the cursor, and keys as words.

use pollux_edit::{Context, Key, Keymap, Press, Text, Vim};

/// `fo|o` as a text with its cursor before the last `o`.
#[track_caller]
pub(crate) fn text(marked: &str) -> Text {
    let (before, after) = marked.split_once('|').expect("`|` marks the cursor");
    let mut text = Text::new();
    text.set(&format!("{before}{after}"));
    text.move_to(before.len());
    text
}

/// The text with `|` where its cursor is.
pub(crate) fn marked(text: &Text) -> String {
    let (before, after) = text.as_str().split_at(text.cursor());
    format!("{before}|{after}")
}

/// Presses a key as a front end would that has no vim.
pub(crate) fn press(text: &mut Text, key: Key) {
    match Keymap::default().action(key, &[Context::Input]) {
        Some(action) => _ = text.perform(action),
        None => key.typed().into_iter().for_each(|c| {
            let mut bytes = [0; 4];
            text.insert(c.encode_utf8(&mut bytes));
        }),
    }
}

/// Presses a key as a front end would that has vim.
pub(crate) fn press_with_vim(vim: &mut Vim, text: &mut Text, key: Key) {
    if vim.press(key, text) == Press::Ignored {
        press(text, key);
    }
}

/// Presses the keys that `keys` names, with spaces between them.
#[track_caller]
pub(crate) fn press_all(text: &mut Text, keys: &str) {
    for key in keys.split_whitespace() {
        press(text, key.parse().unwrap());
    }
}

/// Presses keys in a text, and looks at what becomes of it.
#[track_caller]
pub(crate) fn check(before: &str, keys: &str, after: &str) {
    let mut text = text(before);
    press_all(&mut text, keys);
    assert_eq!(marked(&text), after, "after {keys}");
}
