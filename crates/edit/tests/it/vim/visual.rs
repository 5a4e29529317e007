//! Visual mode.

use super::{check, run};

#[track_caller]
fn selects(before: &str, keys: &str, selected: &str) {
    let (vim, text) = run(before, keys);
    let range = vim.selection(&text).expect("something is selected");
    assert_eq!(&text.as_str()[range], selected, "{before:?} after {keys}");
}

#[test]
fn moving_selects() {
    selects("a|bcd", "v", "b");
    selects("a|bcd", "vl", "bc");
    selects("ab|cd", "vh", "bc");
    selects("|foo bar", "ve", "foo");
    selects("|foo bar", "v$", "foo bar");
    selects("a|b\ncd", "vj", "b\ncd");
    selects("a|b\ncd\ne", "v<down>", "b\ncd");
    selects("a|b\ncd\ne", "V", "ab");
    selects("a|b\ncd\ne", "Vj", "ab\ncd");
    selects("a|bcd", "vlo", "bc");
    selects("a|bcd", "vloh", "abc");
    selects("a|b\nc", "vV", "ab");
    selects("a|b\nc", "Vv", "b");
    selects("|a x", "v/x<enter>", "a x");
    selects("|abcd", "v2l", "abc");
}

#[test]
fn objects_are_selected() {
    selects("foo b|ar baz", "viw", "bar");
    selects("foo b|ar baz", "vaw", "bar ");
    selects("f(a, |b)", "vi(", "a, b");
    selects("f(a, |b)", "va(", "(a, b)");
    selects("a\n|b\n\nc", "vip", "a\nb");
    selects("One. T|wo. Three.", "vis", "Two.");
    selects("One. T|wo. Three.", "vas", "Two. ");
}

#[test]
fn operators_take_what_is_selected() {
    check("a|bcd", "vld", "a|d");
    check("a|bcd", "vlx", "a|d");
    check("a|bcd", "vlcx<esc>", "a|xd");
    check("a|bcd", "vlsx<esc>", "a|xd");
    check("a|bcd", "vly$p", "abcdb|c");
    check("a|bcd", "vlU", "a|BCd");
    check("A|BCD", "vlu", "A|bcD");
    check("a|Bcd", "vl~", "a|bCd");
    check("a|bcd", "vlgU", "a|BCd");
    check("a|bcd", "vlrx", "a|xxd");
    check("a|b\nc", "vjrx", "a|x\nx");
    check("|a\nb\nc", "Vjd", "|c");
    check("|a\nb\nc", "Vjcx<esc>", "|x\nc");
    check("|a\nb\nc", "Vj>", "    |a\n    b\nc");
    check("    |a\n  b", "Vj<<", "|a\nb");
    check("|a\nb\nc", "VjJ", "a| b\nc");
    check("|a\nb\nc", "VyGp", "a\nb\nc\n|a");
    check("a|b\ncd\ne", "vjD", "|e");
    check("a|b\ncd\ne", "vjY", "|ab\ncd\ne");
    check("a|b\ncd\ne", "vjSx<esc>", "|x\ne");
    check("|a b c", "v\"xd\"xp", " |ab c");
}

#[test]
fn putting_over_what_is_selected() {
    check("|foo bar", "ywwviwp", "foo foo| ");
    check("|foo bar", "yiwwviwpp", "foo fooba|r");
    check("|foo bar", "yiwwviwPp", "foo foofo|o");
    check("|a\nb\nc", "yyjVp", "a\n|a\nc");
    check(
        "|a\nbc", "yyjvp", "a

|a
c",
    );
}

#[test]
fn what_was_selected_is_selected_again() {
    selects("a|bcd", "vl<esc>0gv", "bc");
    selects("a|b\nc\nd", "V<esc>Ggv", "ab");
    selects("a|bc def", "viwy$gv", "abc");
    selects("a|bcd", "vl<esc>gvoh", "abc");
    selects("|abcd ef", "vl<esc>wvgv", "ab");
    selects("|abcd ef", "vl<esc>wvgvgv", "e");
    check("a|bcd", "vldgvd", "|a");
    check("a|bcd", "vl<ctrl+e>0gvd", "a|d");
    check("a|bc", "gv", "a|bc");
}

#[test]
fn what_is_selected_again_ends_with_the_text() {
    selects("ab cd|ef", "vl<esc>0Dixy<esc>gv", "y");
    check("ab cd|ef", "vl<esc>ddgvd", "|");
}

#[test]
fn leaving() {
    check("|abc", "vl<esc>x", "a|c");
    check("|abc", "vlvx", "a|c");
    check("|abc", "VlVx", "a|c");
}
