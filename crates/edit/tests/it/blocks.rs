//! Pasted blocks: shown as a label, handled as one character, submitted in full.

use pollux_edit::Text;

use super::support::press_all;

fn pasted(before: &str, block: &str, after: &str) -> Text {
    let mut text = Text::new();
    text.insert(before);
    text.paste(block);
    text.insert(after);
    text
}

/// What is shown on one long row.
fn shown(text: &Text) -> String {
    let rows = text.rows(200, 0);
    let rows: Vec<String> = rows.iter().map(|row| text.shown(row)).collect();
    rows.join("\n")
}

#[test]
fn several_lines_are_a_block() {
    let mut text = pasted("see ", "one\r\ntwo\r\n\r\nfour\n", " there");
    assert_eq!(shown(&text), "see [copy 4 lines] there");
    assert_eq!(text.expanded(), "see one\ntwo\n\nfour\n there");
    assert_eq!(text.take(), "see one\ntwo\n\nfour\n there");
    assert!(text.is_empty());
}

#[test]
fn a_single_line_is_typed() {
    let text = pasted("<", "one\ttwo\r\n", ">");
    assert_eq!(text.as_str(), "<one\ttwo>");
    assert_eq!(pasted("<", "\n", ">").as_str(), "<>");
}

#[test]
fn a_line_that_is_too_long_is_a_block() {
    let text = pasted("", &"é".repeat(6000), "");
    assert_eq!(shown(&text), "[copy 6000 characters]");
    assert_eq!(text.expanded().len(), 12_000);
}

#[test]
fn a_block_is_one_character() {
    let mut text = pasted("ab", "1\n2", "cd");
    press_all(&mut text, "left left left backspace");
    assert_eq!(shown(&text), "a[copy 2 lines]cd");
    press_all(&mut text, "delete");
    assert_eq!(shown(&text), "acd");
    press_all(&mut text, "alt+z");
    assert_eq!(text.expanded(), "ab1\n2cd");
}

#[test]
fn a_block_is_a_word() {
    let mut text = pasted("see ", "1\n2", " ");
    press_all(&mut text, "ctrl+w");
    assert_eq!(shown(&text), "see ");
    press_all(&mut text, "home ctrl+y");
    assert_eq!(text.expanded(), "1\n2 see ");
}

#[test]
fn what_was_cut_with_a_block_survives_the_submit() {
    let mut text = pasted("see ", "1\n2", "");
    press_all(&mut text, "ctrl+u x");
    assert_eq!(text.take(), "x");
    press_all(&mut text, "ctrl+y");
    assert_eq!(text.take(), "see 1\n2");
}

#[test]
fn there_may_be_several_blocks() {
    let mut text = pasted("", "1\n2", "-");
    text.paste("3\n4\n5");
    text.paste("1\n2");
    assert_eq!(shown(&text), "[copy 2 lines]-[copy 3 lines][copy 2 lines]");
    assert_eq!(text.expanded(), "1\n2-3\n4\n51\n2");
}

#[test]
fn a_block_can_be_expanded_where_it_stands() {
    let mut text = pasted("a", "1\n2", "b");
    press_all(&mut text, "left ctrl+o");
    assert_eq!(text.as_str(), "a1\n2b");
    assert_eq!(text.cursor(), 4);
    press_all(&mut text, "alt+z");
    assert_eq!(shown(&text), "a[copy 2 lines]b");
    text.move_to(1);
    assert!(text.expand_nearest());
    assert_eq!(text.as_str(), "a1\n2b");
    assert!(!text.expand_nearest());
}

#[test]
fn a_block_need_not_be_at_the_cursor_to_be_expanded() {
    let mut text = pasted("a", "1\n2", "b ");
    text.paste("3\n4\n5");
    press_all(&mut text, "c d e ctrl+o");
    assert_eq!(shown(&text), "a[copy 2 lines]b 3\n4\n5cde", "the nearest");
    press_all(&mut text, "end ctrl+o");
    assert_eq!(text.as_str(), "a1\n2b 3\n4\n5cde");
    press_all(&mut text, "alt+z");
    text.move_to(0);
    assert!(text.expand_nearest(), "also behind the cursor");
    assert_eq!(text.as_str(), "a1\n2b 3\n4\n5cde");
}

#[test]
fn recalled_lines_are_a_block_and_set_ones_are_not() {
    let mut text = Text::new();
    text.recall("1\n2");
    assert_eq!(shown(&text), "[copy 2 lines]");
    text.recall("one");
    assert_eq!(shown(&text), "one");
    text.set("1\n2");
    assert_eq!(text.as_str(), "1\n2");
}

#[test]
fn control_characters_in_a_block_are_gone() {
    let text = pasted("", "\u{1b}[1mbold\u{1b}[0m\r\nx\u{7}\u{10f001}", "");
    assert_eq!(text.expanded(), "bold\nx\u{10f001}");
}

#[test]
fn a_huge_block_costs_nothing_afterwards() {
    let block = "0123456789\n".repeat(1_000_000);
    let text = pasted("a", &block, "b");
    assert!(text.as_str().len() < 10);
    assert_eq!(shown(&text), "a[copy 1000000 lines]b");
    assert_eq!(text.expanded().len(), block.len() + 2);
}
