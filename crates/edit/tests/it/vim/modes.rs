//! Modes, the status, and which keys are given back.

use pollux_edit::{Key, Mode, Press, Text, Vim};

use super::{check, keys, run};

#[track_caller]
fn status(keys: &str, expected: &str) {
    assert_eq!(run("|abc", keys).0.status(), expected, "after {keys}");
}

#[test]
fn the_status_tells_mode_and_keys() {
    assert_eq!(Vim::new().status(), "INSERT");
    status("", "NORMAL");
    status("i", "INSERT");
    status("i<esc>", "NORMAL");
    status("R", "REPLACE");
    status("v", "VISUAL");
    status("V", "VISUAL LINE");
    status("\"a2d3", "NORMAL \"a2d3");
    status("/x<backspace>y", "NORMAL /x<backspace>y");
    status("vi", "VISUAL i");
    status("dw", "NORMAL");
    status("cw", "INSERT");
}

#[test]
fn keys_that_are_no_command_are_given_back() {
    let mut vim = Vim::new();
    let mut text = Text::new();
    let mut press = |text: &mut Text, key: &str| {
        let key: Key = key.parse().unwrap();
        vim.press(key, text)
    };
    for key in ["a", "enter", "ctrl+c", "up", "backspace", "ctrl+["] {
        let expected = if key == "ctrl+[" {
            Press::Done
        } else {
            Press::Ignored
        };
        assert_eq!(press(&mut text, key), expected, "{key} in insert mode");
    }
    for key in [
        "enter", "esc", "ctrl+c", "ctrl+d", "tab", "up", "down", "f1", "alt+x",
    ] {
        assert_eq!(
            press(&mut text, key),
            Press::Ignored,
            "{key} in normal mode"
        );
    }
    for key in ["q", "Q", "g", "é", "x", "ctrl+r"] {
        assert_ne!(
            press(&mut text, key),
            Press::Ignored,
            "{key} in normal mode"
        );
    }
    assert_eq!(press(&mut text, "d"), Press::Pending);
    assert_eq!(press(&mut text, "esc"), Press::Done);
    assert_eq!(press(&mut text, "2"), Press::Pending);
    assert_eq!(press(&mut text, "ctrl+c"), Press::Ignored);
    assert_eq!(
        press(&mut text, "x"),
        Press::Done,
        "nothing is left of the 2"
    );
}

#[test]
fn what_is_no_command_does_nothing() {
    check("a|bc", "dqx", "a|c");
    check("a|bc", "gqx", "a|c");
    check("a|bc", "diqx", "a|c");
    check("a|bc", "d<esc>x", "a|c");
    check("a|bc", "zx", "a|c");
}

#[test]
fn the_cursor_stays_on_a_character() {
    check("abc|", "", "abc|");
    check("abc|", "x", "a|b");
    let (vim, mut text) = run("a|bc", "");
    text.move_to(3);
    vim.settle(&mut text);
    assert_eq!(text.cursor(), 2);
    let (vim, mut text) = run("a|bc", "i");
    text.move_to(3);
    vim.settle(&mut text);
    assert_eq!(text.cursor(), 3);
}

#[test]
fn submitting_in_insert_mode_goes_on_there() {
    let (mut vim, mut text) = run("|", "ione two");
    assert_eq!(text.take(), "one two");
    for key in keys("three four<esc>") {
        super::press_with_vim(&mut vim, &mut text, key);
    }
    assert_eq!(text.as_str(), "three four");
    assert_eq!(vim.mode(), Mode::Normal);
    vim.press(Key::char('u'), &mut text);
    assert_eq!(text.as_str(), "", "an insert is taken back as a whole");
}

#[test]
fn another_text_in_the_middle_of_an_insert_is_not_what_was_typed() {
    let (mut vim, mut text) = run("abc|", "Ax");
    text.recall("é漢字");
    for key in keys("<esc>.") {
        vim.press(key, &mut text);
    }
    assert_eq!(text.as_str(), "é漢字");
}

#[test]
fn submitting_selects_nothing_any_more() {
    let (mut vim, mut text) = run("a|bc", "vl");
    assert_eq!(
        vim.press("enter".parse().unwrap(), &mut text),
        Press::Ignored
    );
    assert_eq!(vim.mode(), Mode::Normal);
}

#[test]
fn large_counts_are_harmless() {
    let (_, text) = run("|abc", "yy999999999999999999999999p");
    assert!(text.as_str().len() < 1_100_000);
    check("|abc", "99999999999999999999x", "|");
}
