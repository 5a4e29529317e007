//! Rows: where they break, what they show, and moving between them.

use pollux_edit::Text;

use super::support::{marked, text};

fn rows(content: &str, width: usize, indent: usize) -> Vec<String> {
    let mut text = Text::new();
    text.set(content);
    let rows = text.rows(width, indent);
    rows.iter().map(|row| text.shown(row)).collect()
}

#[test]
fn rows_break_after_blanks() {
    assert_eq!(rows("one two three", 8, 0), ["one two ", "three"]);
    assert_eq!(rows("one two three", 6, 0), ["one ", "two ", "three"]);
    assert_eq!(rows("one two three", 6, 3), ["one", "two ", "three"]);
    assert_eq!(rows("äne two three", 6, 3), ["äne", "two ", "three"]);
}

#[test]
fn long_words_break_anywhere() {
    assert_eq!(rows("abcdefgh", 3, 0), ["abc", "def", "gh"]);
    assert_eq!(rows("äbcdefgh", 3, 0), ["äbc", "def", "gh"]);
    assert_eq!(rows("a bcdefgh", 4, 0), ["a ", "bcde", "fgh"]);
}

#[test]
fn newlines_begin_rows() {
    assert_eq!(rows("", 5, 0), [""]);
    assert_eq!(rows("a\n\nb\n", 5, 0), ["a", "", "b", ""]);
    assert_eq!(rows("abcde\nf", 5, 0), ["abcde", "f"]);
}

#[test]
fn a_full_last_row_leaves_one_for_the_cursor() {
    assert_eq!(rows("abcde", 5, 0), ["abcde", ""]);
    assert_eq!(rows("abc", 5, 2), ["abc", ""]);
    assert_eq!(rows("漢字é", 5, 0), ["漢字é", ""]);
}

#[test]
fn what_hides_or_turns_text_around_is_marked() {
    assert_eq!(rows("a\u{202e}b\u{200b}", 9, 0), ["a\u{fffd}b\u{fffd}"]);
}

#[test]
fn wide_and_combined_characters_count_as_they_are_shown() {
    assert_eq!(rows("漢字漢字", 5, 0), ["漢字", "漢字"]);
    assert_eq!(rows("漢字ab", 5, 0), ["漢字", "ab"]);
    assert_eq!(rows("ab 漢字 cd", 6, 0), ["ab 漢", "字 cd"]);
    assert_eq!(rows("👩‍💻👩‍💻👩‍💻", 4, 0), ["👩‍💻👩‍💻", "👩‍💻"]);
    assert_eq!(
        rows("e\u{301}e\u{301}e\u{301}", 2, 0),
        ["e\u{301}e\u{301}", "e\u{301}"]
    );
    assert_eq!(rows("\ta\tb", 6, 0), ["    a", "    b"]);
}

#[test]
fn an_indent_without_room_leaves_an_empty_row() {
    assert_eq!(rows("ab", 4, 4), ["", "ab"]);
    assert_eq!(rows("漢", 4, 3), ["", "漢"]);
    assert_eq!(rows("", 4, 9), ["", ""]);
}

#[test]
fn what_is_wider_than_a_row_is_cut() {
    let mut text = Text::new();
    text.insert("ab ");
    text.paste("1\n2");
    text.insert(" cd");
    let shown: Vec<String> = text.rows(10, 0).iter().map(|row| text.shown(row)).collect();
    assert_eq!(shown, ["ab ", "[copy 2 li", "cd"]);
}

#[test]
fn the_cursor_has_a_row_and_a_column() {
    for (marked, width, indent, position) in [
        ("|", 10, 3, (0, 3)),
        ("ab|c", 10, 3, (0, 5)),
        ("one two |three", 8, 0, (1, 0)),
        ("one two| three", 8, 0, (0, 7)),
        ("abcde|", 5, 0, (1, 0)),
        ("abcde|\nf", 5, 0, (0, 4)),
        ("abcde\n|f", 5, 0, (1, 0)),
        ("漢字|", 10, 0, (0, 4)),
        ("a\tb|", 10, 0, (0, 6)),
        ("a\n\nb|", 10, 2, (2, 1)),
    ] {
        assert_eq!(
            text(marked).cursor_position(width, indent),
            position,
            "{marked:?} in {width}"
        );
    }
}

#[test]
fn moving_between_rows_keeps_the_column() {
    let mut text = text("abcdef\nx\nabc|def");
    assert!(text.up(20, 0));
    assert_eq!(marked(&text), "abcdef\nx|\nabcdef");
    assert!(text.up(20, 0));
    assert_eq!(marked(&text), "abc|def\nx\nabcdef");
    assert!(!text.up(20, 0));
    assert!(text.down(20, 0) && text.down(20, 0));
    assert_eq!(marked(&text), "abcdef\nx\nabc|def");
    assert!(!text.down(20, 0));
    text.move_to(8);
    assert!(text.up(20, 0));
    assert_eq!(
        marked(&text),
        "a|bcdef\nx\nabcdef",
        "moving sets the column"
    );
}

#[test]
fn moving_between_rows_of_one_line() {
    let mut text = text("one two three fou|r");
    assert!(text.up(8, 0));
    assert_eq!(marked(&text), "one two thr|ee four");
    assert!(text.up(8, 0));
    assert_eq!(marked(&text), "one| two three four");
}

#[test]
fn moving_to_a_full_row_stays_on_it() {
    let mut text = text("abcd\nabcdefgh|");
    // `abcd`, `abcd`, `efgh`, and a row for the cursor.
    assert_eq!(text.cursor_position(4, 0), (3, 0));
    assert!(text.up(4, 0));
    assert_eq!(marked(&text), "abcd\nabcd|efgh");
    text.move_to(8);
    assert!(text.down(4, 0));
    assert!(text.up(4, 0));
    assert_eq!(marked(&text), "abcd\nabc|defgh");
}

#[test]
fn the_indent_counts_when_moving() {
    let mut text = text("abcdef\nabc|");
    assert!(text.up(20, 2));
    assert_eq!(marked(&text), "a|bcdef\nabc");
    assert!(text.down(20, 2));
    assert_eq!(marked(&text), "abcdef\nabc|");
}
