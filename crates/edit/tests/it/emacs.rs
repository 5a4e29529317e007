//! The keys of the table, from a text to a text.

use super::support::{check, marked, text};

#[test]
fn typing_goes_in_at_the_cursor() {
    check("a|b", "x y", "axy|b");
    check("a|b", "X space é", "aX é|b");
    check("a|b", "ctrl+j x", "a\nx|b");
    check("a|", "alt+enter", "a\n|");
    check("a|", "shift+enter", "a\n|");
    check("|", "f5", "|");
}

#[test]
fn moving_by_characters() {
    check("ab|c", "left", "a|bc");
    check("ab|c", "ctrl+b ctrl+b ctrl+b", "|abc");
    check("a|bc", "right", "ab|c");
    check("ab|c", "ctrl+f ctrl+f", "abc|");
    check("a|👩‍💻b", "right", "a👩‍💻|b");
    check("e\u{301}|x", "left", "|e\u{301}x");
    check("a\n|b", "left", "a|\nb");
}

#[test]
fn moving_in_lines_and_the_text() {
    check("ab\ncd|e\nf", "ctrl+a", "ab\n|cde\nf");
    check("ab\ncd|e\nf", "home", "ab\n|cde\nf");
    check("ab\n|cde\nf", "ctrl+e", "ab\ncde|\nf");
    check("ab\n|cde\nf", "end", "ab\ncde|\nf");
    check("ab\ncd|e\nf", "alt+<", "|ab\ncde\nf");
    check("ab\ncd|e\nf", "ctrl+end", "ab\ncde\nf|");
}

#[test]
fn moving_by_words() {
    check("|one, two", "alt+f", "one|, two");
    check("one|, two", "ctrl+right", "one, two|");
    check("one two|", "alt+b", "one |two");
    check("one |two", "ctrl+left alt+left", "|one two");
    check("|can't stop", "alt+f", "can't| stop");
    check("|  --  ", "alt+f", "  --  |");
    check("  --  |", "alt+b", "|  --  ");
    check("один два|", "alt+b", "один |два");
    check("漢字|", "alt+b", "漢|字");
}

#[test]
fn deleting_characters() {
    check("ab|c", "backspace", "a|c");
    check("ab|c", "ctrl+h ctrl+h ctrl+h", "|c");
    check("a|bc", "delete", "a|c");
    check("a|bc", "ctrl+d ctrl+d ctrl+d", "a|");
    check("a👩‍💻|b", "backspace", "a|b");
    check("a|🇩🇪b", "delete", "a|b");
    check("a\n|b", "backspace", "a|b");
}

#[test]
fn cutting_and_putting_in_again() {
    check("one two|", "ctrl+w", "one |");
    check("one two|", "alt+backspace ctrl+a ctrl+y", "two|one ");
    check("|one two", "alt+d", "| two");
    check("one| two\nx", "ctrl+k", "one|\nx");
    check("one|\ntwo", "ctrl+k", "one|two");
    check("x\none| two", "ctrl+u", "x\n| two");
    check("x\n|two", "ctrl+u", "x|two");
    check("|", "ctrl+k ctrl+u ctrl+w alt+d ctrl+y", "|");
}

#[test]
fn cuts_in_a_row_are_one() {
    check("a b| c d", "ctrl+w ctrl+w ctrl+y", "a b| c d");
    check("a b| c d", "alt+d alt+d ctrl+y", "a b c d|");
    check("a b| c d", "ctrl+u ctrl+k ctrl+y", "a b c d|");
    check("a b| c d", "ctrl+k ctrl+u ctrl+y", "a b c d|");
    check("a b|", "ctrl+w left right ctrl+w ctrl+y", "a |");
}

#[test]
fn older_cuts_come_by_turns() {
    check("one two|", "ctrl+w ctrl+e ctrl+w ctrl+y", "one |");
    check("one two|", "ctrl+w ctrl+e ctrl+w ctrl+y alt+y", "two|");
    check(
        "one two|",
        "ctrl+w ctrl+e ctrl+w ctrl+y alt+y alt+y",
        "one |",
    );
    check("a|", "ctrl+w ctrl+y x alt+y", "ax|");
    check("a|", "alt+y", "a|");
}

#[test]
fn swapping_characters() {
    check("ab|c", "ctrl+t", "acb|");
    check("abc|", "ctrl+t", "acb|");
    check("a|bc\nd", "ctrl+t ctrl+t", "bca|\nd");
    check("é|漢", "ctrl+t", "漢é|");
    check("|ab", "ctrl+t", "|ab");
    check("a|", "ctrl+t", "a|");
    check("a\n|b", "ctrl+t", "a\n|b");
    check("a\nb|", "ctrl+t", "a\nb|");
    check("|", "ctrl+t", "|");
}

#[test]
fn control_characters_do_not_get_in() {
    let mut text = text("a|b");
    text.insert("\u{1b}[31mx\r\n\u{7}y\u{10f000}");
    assert_eq!(marked(&text), "ax\ny\u{fffd}|b");
    text.set("1\r2");
    assert_eq!(marked(&text), "1\n2|");
}

#[test]
fn taking_the_text_leaves_an_empty_one() {
    let mut text = text("on|e");
    assert_eq!(text.take(), "one");
    assert_eq!(marked(&text), "|");
    assert!(text.is_empty());
    assert!(!text.undo());
}
