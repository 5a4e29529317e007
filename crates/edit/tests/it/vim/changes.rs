//! Replacing, joining, putting, and taking it all back.

use super::check;

#[test]
fn replacing_characters() {
    check("a|bc", "rx", "a|xc");
    check("a|bcd", "2rx", "ax|xd");
    check("a|b", "3rx", "a|b");
    check("a|👩‍💻b", "r漢", "a|漢b");
    check("a|b", "r<space>", "a| ");
    check("a|b", "r<esc>x", "|a");
    check("|", "rx", "|");
}

#[test]
fn joining_lines() {
    check("|a\nb", "J", "a| b");
    check("|a\n   b\nc", "3J", "a b| c");
    check("|a\n)", "J", "a|)");
    check("|a \nb", "J", "a |b");
    check("|a\n\nb", "J", "|a\nb");
    check("|\nb", "J", "|b");
    check("|a", "J", "|a");
    check("|a\nb\nc", "3Ju", "|a\nb\nc");
}

#[test]
fn putting_characters() {
    check("|ab", "xp", "b|a");
    check("|ab", "xP", "|ab");
    check("|ab", "x3p", "baa|a");
    check("|abc d", "dwp", "dabc| ");
    check("|a", "p", "|a");
    check("ab|c\nd", "vjy$p", "abc|c\nd\nd");
}

#[test]
fn putting_lines() {
    check("|a\nb", "ddp", "b\n|a");
    check("a\n|b", "ddP", "|b\na");
    check("|a\nb", "yy2p", "a\n|a\na\nb");
    check("|a\nb\nc", "2ddp", "c\n|a\nb");
    check("  |a", "yyP", "  |a\n  a");
}

#[test]
fn undo_and_redo() {
    check("|foo bar", "dwu", "|foo bar");
    check("|foo bar", "dwu<ctrl+r>", "|bar");
    check("|a b c", "dwdw2u", "|a b c");
    check("|a b c", "dwdw2u2<ctrl+r>", "|c");
    check("|a", "ifoo bar<esc>u", "|a");
    check("|a", "ofoo<ctrl+j>bar<esc>u", "|a");
    check("|foo bar", "cwone two<esc>u", "|foo bar");
    check("|foo", "3rxu", "|foo");
    check("|a\nb", ">ju", "|a\nb");
}
