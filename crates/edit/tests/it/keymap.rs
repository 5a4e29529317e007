//! The table of keys, and what settings make of it.

use std::collections::HashMap;

use pollux_edit::{Action, Context, Key, Keymap};

const INPUT: &[Context] = &[Context::Input];

fn key(text: &str) -> Key {
    text.parse().unwrap()
}

#[test]
fn no_key_does_two_things_at_once() {
    let mut seen = HashMap::new();
    for action in Action::ALL {
        for text in action.default_keys() {
            let place = (action.context(), key(text));
            assert_eq!(seen.insert(place, action), None, "{text} of {action}");
        }
    }
}

#[test]
fn every_action_has_a_name_of_its_own_and_says_what_it_does() {
    for action in Action::ALL {
        assert_eq!(Action::named(action.name()), Some(*action));
        assert!(!action.description().is_empty());
    }
    assert_eq!(Action::named("nonsense"), None);
}

#[test]
fn contexts_are_asked_in_order() {
    let keymap = Keymap::default();
    let does = |text: &str, contexts: &[Context]| keymap.action(key(text), contexts);
    let empty = &[Context::Empty, Context::Input];
    let menu = &[Context::Menu, Context::Input];
    assert_eq!(does("ctrl+d", INPUT), Some(Action::DeleteRight));
    assert_eq!(does("ctrl+d", empty), Some(Action::Exit));
    assert_eq!(does("tab", INPUT), Some(Action::Complete));
    assert_eq!(does("tab", empty), Some(Action::TogglePlan));
    assert_eq!(does("tab", menu), Some(Action::CompleteAccept));
    assert_eq!(does("ctrl+k", menu), Some(Action::DeleteRightAll));
    assert_eq!(does("x", menu), None);
}

#[test]
fn the_keys_that_were_argued_about() {
    let keymap = Keymap::default();
    for (text, action) in [
        ("ctrl+c", Action::Quit),
        ("ctrl+z", Action::Suspend),
        ("ctrl+_", Action::Undo),
        ("ctrl+y", Action::Yank),
        ("ctrl+l", Action::ClearScreen),
        ("esc", Action::Cancel),
    ] {
        assert_eq!(keymap.action(key(text), INPUT), Some(action), "{text}");
    }
    assert!(keymap.keys(Action::ToggleYolo).is_empty());
}

#[test]
fn shift_and_a_letter_is_the_capital() {
    let shifted = Key {
        shift: true,
        alt: true,
        ..Key::char('z')
    };
    assert_eq!(Keymap::default().action(shifted, INPUT), Some(Action::Redo));
}

#[test]
fn settings_add_and_remove_keys() {
    let (keymap, bad) = Keymap::with([
        ("undo", vec!["ctrl+z", "-alt+z"]),
        ("suspend", vec!["-ctrl+z", "f3"]),
        ("clear", vec!["-", "f2"]),
        ("quit", vec!["-"]),
    ]);
    assert_eq!(bad, []);
    let does = |text: &str| keymap.action(key(text), INPUT);
    assert_eq!(does("ctrl+z"), Some(Action::Undo));
    assert_eq!(does("alt+z"), None);
    assert_eq!(does("ctrl+_"), Some(Action::Undo));
    assert_eq!(does("f3"), Some(Action::Suspend));
    assert_eq!(does("f2"), Some(Action::Clear));
    assert_eq!(does("ctrl+c"), None);
    let keys: Vec<String> = keymap
        .keys(Action::Undo)
        .iter()
        .map(Key::to_string)
        .collect();
    assert_eq!(keys, ["ctrl+_", "ctrl+/", "ctrl+7", "cmd+z", "ctrl+z"]);
}

#[test]
fn a_key_that_is_added_is_taken_from_the_other() {
    let (keymap, _) = Keymap::with([("yank", vec!["ctrl+t"])]);
    assert_eq!(keymap.action(key("ctrl+t"), INPUT), Some(Action::Yank));
    assert!(keymap.keys(Action::Transpose).is_empty());
    let (menu, _) = Keymap::with([("yank", vec!["down"])]);
    let does = menu.action(key("down"), &[Context::Menu]);
    assert_eq!(does, Some(Action::CompleteNext), "another context");
}

#[test]
fn each_bad_entry_is_named_and_the_others_count() {
    let (keymap, bad) = Keymap::with([
        ("fly", vec!["a"]),
        ("cleArscreen", vec!["f4"]),
        ("undo", vec!["f2", "strg+z", "f3"]),
        ("redo", vec!["f2", "f5"]),
    ]);
    let bad: Vec<String> = bad.iter().map(ToString::to_string).collect();
    let expected = [
        "keys of `fly`: there is no such action; `/help keys` lists them",
        "keys of `cleArscreen`: there is no such action; did you mean `clearScreen`?",
        "keys of `undo`: `strg+z` is no key; write it like `ctrl+w`, `alt+enter` or `f5`",
        "keys of `redo`: `f2` is already a key of `undo`",
    ];
    assert_eq!(bad, expected);
    let does = |text: &str| keymap.action(key(text), INPUT);
    assert_eq!(does("f2"), Some(Action::Undo));
    assert_eq!(does("f3"), Some(Action::Undo));
    assert_eq!(does("f5"), Some(Action::Redo));
}
