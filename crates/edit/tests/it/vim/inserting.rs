//! Insert and replace mode.

use super::{check, run};

#[test]
fn where_an_insert_begins() {
    check("a|bc", "ix<esc>", "a|xbc");
    check("a|bc", "ax<esc>", "ab|xc");
    check("  a|bc", "Ix<esc>", "  |xabc");
    check("a|bc\nd", "Ax<esc>", "abc|x\nd");
    check("a|b\nc", "ox<esc>", "ab\n|x\nc");
    check("a\n|b", "Ox<esc>", "a\n|x\nb");
    check("|", "ax<esc>", "|x");
    check("|", "ox<esc>", "\n|x");
    check("a|b", "i<esc>", "|ab");
    check("|ab", "i<esc>", "|ab");
}

#[test]
fn a_count_types_it_again() {
    check("|", "3iab<esc>", "ababa|b");
    check("|x", "2ab<esc>", "xb|b");
    check("|x", "3oa<esc>", "x\na\na\n|a");
    check("|x", "2Oa<esc>", "a\n|a\nx");
    check("|x", "2A!<esc>", "x!|!");
}

#[test]
fn other_keys_work_as_ever() {
    check("|", "iab<backspace>c<esc>", "a|c");
    check("|", "ione two<ctrl+w>x<esc>", "one |x");
    check("a|b", "i<ctrl+j><esc>", "a\n|b");
    check("ab|c", "i<ctrl+a>x<esc>", "|xabc");
}

#[test]
fn typing_over() {
    check("a|bcd", "Rxy<esc>", "ax|yd");
    check("a|b\nc", "Rxyz<esc>", "axy|z\nc");
    check("a|bcd", "Rxy<backspace>z<esc>", "ax|zd");
    check("a|bcd", "Rxy<backspace><backspace><esc>", "|abcd");
    check("ab|c", "R<backspace><backspace>x<esc>", "|xbc");
    check("|abcdef", "2Rxy<esc>", "xyx|yef");
    check("|abc", "Rxy<esc>u", "|abc");
    check("|a👩‍💻b", "Rxy<esc>", "x|yb");
}

#[test]
fn a_pasted_block_is_a_character() {
    let (mut vim, mut text) = run("a|b", "i");
    text.paste("1\n2");
    for key in super::keys("<esc>xp") {
        vim.press(key, &mut text);
    }
    assert_eq!(text.expanded(), "ab1\n2");
    assert_eq!(text.expand(vim.register('"').unwrap()), "1\n2");
}
