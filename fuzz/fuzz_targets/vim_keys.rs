//! Any keys on any text, with vim and without: no panic, and undoing everything gives the start.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pollux_edit::{Action, Code, Key, Press, Text, Vim};

/// Keys that are no characters, and control characters that stand for them.
const NAMED: [(char, Code); 8] = [
    ('\u{1b}', Code::Esc),
    ('\n', Code::Enter),
    ('\t', Code::Tab),
    ('\u{8}', Code::Backspace),
    ('\u{1}', Code::Left),
    ('\u{2}', Code::Right),
    ('\u{3}', Code::Up),
    ('\u{4}', Code::Down),
];

fuzz_target!(|input: (&str, &str, u8)| {
    let (content, keys, width) = input;
    let (mut vim, mut text) = (Vim::new(), Text::new());
    text.paste(content);
    text.expand_at_cursor();
    for c in keys.chars().take(90) {
        let named = NAMED.iter().find(|(control, _)| *control == c);
        let key = match named {
            Some((_, code)) => Key::plain(*code),
            None if c == '\u{12}' => Key::ctrl('r'),
            None => Key::char(c),
        };
        if vim.press(key, &mut text) == Press::Ignored {
            without_vim(&mut text, key);
        }
        vim.settle(&mut text);
        assert!(text.as_str().is_char_boundary(text.cursor()));
        if text.as_str().len() > 100_000 {
            return;
        }
    }
    let rows = text.rows(width.into(), 3).len();
    let (row, column) = text.cursor_position(width.into(), 3);
    assert!(row < rows && column < usize::from(width).max(2));
    while text.undo() {}
    assert_eq!(text.as_str(), "");
});

/// What a front end does with a key that vim gives back.
fn without_vim(text: &mut Text, key: Key) {
    match key.code {
        Code::Char(c) => text.insert(&c.to_string()),
        Code::Enter => text.paste("one\ntwo"),
        Code::Backspace => _ = text.perform(Action::DeleteLeft),
        Code::Tab => _ = text.perform(Action::DeleteWordLeft),
        Code::Up => _ = text.up(20, 3),
        Code::Down => _ = text.down(20, 3),
        _ => {}
    }
}
