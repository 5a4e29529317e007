//! What is taken back together.

use pollux_edit::{Edit, Text};

use super::support::{check, marked, text};

#[test]
fn the_characters_of_a_word_are_taken_back_together() {
    check("|", "a b space c d alt+z", "ab |");
    check("|", "a b space c d alt+z alt+z", "|");
    check("|", "a b space c d alt+z alt+z alt+Z", "ab |");
    check("|", "a b space c d alt+z alt+z alt+Z alt+Z alt+Z", "ab cd|");
    check("|", "a left b alt+z", "|a");
}

#[test]
fn deleting_is_taken_back_at_once() {
    check("abc|", "backspace backspace x ctrl+_", "a|");
    check("abc|", "backspace backspace x ctrl+/ ctrl+7", "abc|");
    check("|abc", "delete delete cmd+z", "|abc");
    check("one two|", "ctrl+w ctrl+w alt+z", "one |");
}

#[test]
fn what_was_taken_back_is_gone_after_a_change() {
    check("|", "a alt+z b alt+Z", "b|");
}

#[test]
fn other_changes_are_taken_back_too() {
    check("a|b", "ctrl+t alt+z", "a|b");
    check("a|", "ctrl+w ctrl+y alt+z", "|");
    check("one two|", "ctrl+w ctrl+e ctrl+w ctrl+y alt+y alt+z", "|");
    let mut text = text("a|b");
    text.set("other");
    text.apply(&Edit::insert(0, "an"));
    assert_eq!(marked(&text), "an|other");
    assert!(text.undo());
    assert_eq!(marked(&text), "other|");
    assert!(text.undo());
    assert_eq!(marked(&text), "a|b");
}

#[test]
fn groups_are_taken_back_whole() {
    let mut text = text("ab|");
    text.begin_group();
    text.insert("x y");
    text.move_to(0);
    text.insert("z");
    text.end_group();
    text.insert("w");
    assert_eq!(marked(&text), "zw|abx y");
    text.undo();
    assert_eq!(marked(&text), "z|abx y");
    text.undo();
    assert_eq!(marked(&text), "ab|");
    text.redo();
    assert_eq!(marked(&text), "z|abx y");
}

#[test]
fn a_hundred_groups_are_kept() {
    let mut text = Text::new();
    for _ in 0..150 {
        text.apply(&Edit::insert(0, "x"));
    }
    let mut undone = 0;
    while text.undo() {
        undone += 1;
    }
    assert_eq!(undone, 100);
    assert_eq!(text.as_str().len(), 50);
}
