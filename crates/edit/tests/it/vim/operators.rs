//! Operators with motions and lines.

use super::check;

#[test]
fn deleting_by_motions() {
    check("fo|o bar", "dw", "fo|bar");
    check("|one two three", "d2w", "|three");
    check("|one two three", "2dw", "|three");
    check("|a b c d e f g", "2d3w", "|g");
    check("|foo bar", "de", "| bar");
    check("foo ba|r", "db", "foo |r");
    check("foo b|ar", "dB", "foo |ar");
    check("a.b| c", "dW", "a.b|c");
    check("foo b|ar", "dge", "fo|r");
    check("foo |bar", "d$", "foo| ");
    check("foo |bar", "d0", "|bar");
    check("  foo b|ar", "d^", "  |ar");
    check("a|bc", "dl", "a|c");
    check("ab|c", "dh", "a|c");
    check("|abcabc", "dfc", "|abc");
    check("|abcabc", "dtc", "|cabc");
    check("abcab|c", "dFa", "abc|c");
    check("abcab|c", "dTa", "abca|c");
    check("|f(a)b", "d%", "|b");
    check("a|bc", "d<right>", "a|c");
    check("a|bc", "dfx", "a|bc");
}

#[test]
fn a_word_at_the_end_of_a_line_ends_there() {
    check("a |b\nc", "dw", "a| \nc");
    check("a |b\n  c d", "dw", "a| \n  c d");
    check("a |b\n  c d", "d2w", "a |d");
    check("a |b", "dw", "a| ");
    check("a\n|b", "db", "|b");
    check("x a\n|b", "db", "x| \nb");
}

#[test]
fn deleting_lines() {
    check("a\n|b\nc", "dd", "a\n|c");
    check("a\nb\n|c", "dd", "a\n|b");
    check("|a", "dd", "|");
    check("a\n|b\nc\nd", "2dd", "a\n|d");
    check("a\n|b\nc\nd", "d2d", "a\n|d");
    check("a\n|b\nc", "9dd", "|a");
    check("|a\n  b", "dd", "  |b");
    check("a|b\nc\nd", "dj", "|d");
    check("a\nb|b\nc", "dk", "|c");
    check("a|b\nc", "d<down>", "|");
    check("a\nb\n|c\nd", "dgg", "|d");
    check("a\n|b\nc", "dG", "|a");
    check("|a\nb\n\nc", "d}", "|\nc");
    check("x|a\nb\n\nc", "d}", "|x\n\nc");
    check("|ab", "dj", "|ab");
}

#[test]
fn shorthands() {
    check("a|bc", "x", "a|c");
    check("a|bcd", "2x", "a|d");
    check("a|b", "9x", "|a");
    check("|", "x", "|");
    check("ab|c", "X", "a|c");
    check("ab|c", "9X", "|c");
    check("|ab", "X", "|ab");
    check("a|bc", "<delete>", "a|c");
    check("a|bc d\ne", "D", "|a\ne");
    check("a|bc\nd\ne", "2D", "|a\ne");
    check("a|bc d", "Cx<esc>", "a|x");
    check("a|bcd", "sx<esc>", "a|xcd");
    check("a|bcd", "2sx<esc>", "a|xd");
    check("a\n b|c\nd", "Sx<esc>", "a\n|x\nd");
}

#[test]
fn changing() {
    check("|foo bar", "cwx<esc>", "|x bar");
    check("fo|o bar", "cwx<esc>", "fo|x bar");
    check("|foo bar baz", "c2wx<esc>", "|x baz");
    check("foo|  bar", "cwx<esc>", "foo|xbar");
    check("|foo.bar baz", "cWx<esc>", "|x baz");
    check("foo ba|r", "cbx<esc>", "foo |xr");
    check("|foo bar", "cex<esc>", "|x bar");
    check("a\n|bc\nd", "ccx<esc>", "a\n|x\nd");
    check("|a\nb\nc", "2ccx<esc>", "|x\nc");
    check("|a\nb\nc", "cjx<esc>", "|x\nc");
    check("a|bc", "c$x<esc>", "a|x");
    check("|abc)", "ct)x<esc>", "|x)");
    check("|", "cwx<esc>", "|x");
    check("|\na", "cwx<esc>", "|x\na");
    check("a\n|\nb", "Cx<esc>", "a\n|x\nb");
    check("a\n|\nb", "sx<esc>", "a\n|x\nb");
}

#[test]
fn yanking_leaves_the_text_alone() {
    check("|foo bar", "yw$p", "foo barfoo| ");
    check("foo ba|r", "yb", "foo |bar");
    check("foo |bar", "y0", "|foo bar");
    check("a|b\nc", "yyjp", "ab\nc\n|ab");
    check("a|b\nc", "Yp", "ab\n|ab\nc");
    check("a\nb|b", "yk", "|a\nbb");
    check("a|b\ncd", "yj", "a|b\ncd");
}

#[test]
fn shifting_lines() {
    check("a|b", ">>", "    |ab");
    check("|a\nb\n\nc", "4>>", "    |a\n    b\n\n    c");
    check("|a\nb\nc", ">j", "    |a\n    b\nc");
    check("      a|b", "<<", "  |ab");
    check("  a|b", "<<", "|ab");
    check("\ta|b", "<<", "|ab");
    check("|a\n\nb", ">}", "    |a\n\nb");
    check("a\n  b|b\n c", "<G", "a\n|bb\nc");
}

#[test]
fn changing_case() {
    check("|foo bar", "gUw", "|FOO bar");
    check("|FOO bar", "guw", "|foo bar");
    check("|FoO bar", "g~w", "|fOo bar");
    check("fo|o\nbar", "gUU", "FO|O\nbar");
    check("fo|o\nbar", "gUgU", "FO|O\nbar");
    check("FO|O", "guu", "fo|o");
    check("Fo|o", "g~~", "fO|O");
    check("|foo\nbar\nx", "gUj", "|FOO\nBAR\nx");
    check("|straße", "gU$", "|STRASSE");
    check("a|bC d", "~", "aB|C d");
    check("a|bC d", "3~", "aBc |d");
    check("a|b", "9~", "a|B");
    check("|é", "~", "|É");
    check("|", "~", "|");
}
