//! Searching.

use super::{check, run};

#[test]
fn forward_and_back() {
    check("|foo bar foo", "/bar<enter>", "foo |bar foo");
    check("|foo bar foo", "/foo<enter>", "foo bar |foo");
    check("foo bar |foo", "/foo<enter>", "|foo bar foo");
    check("foo |bar foo", "?foo<enter>", "|foo bar foo");
    check("|foo bar foo", "?foo<enter>", "foo bar |foo");
    check("|foo", "/nothing<enter>", "|foo");
    check("|a\nb x\nx", "/x<enter>", "a\nb |x\nx");
    check("|a x x x", "2/x<enter>", "a x |x x");
}

#[test]
fn again() {
    check("|x x x x", "/x<enter>n", "x x |x x");
    check("|x x x x", "/x<enter>2n", "x x x |x");
    check("|x x x x", "/x<enter>nN", "x |x x x");
    check("|x x x x", "?x<enter>n", "x x |x x");
    check("|x x x x", "/x<enter>/<enter>", "x x |x x");
    check("|abc", "n", "|abc");
}

#[test]
fn the_word_under_the_cursor() {
    check("f|oo food foo", "*", "foo food |foo");
    check("foo food f|oo", "#", "|foo food foo");
    check("|  foo bar foo", "*", "  foo bar |foo");
    check("f|oo x foo x foo", "*n", "foo x foo x |foo");
    check("f|oo x foo x foo", "*nn", "|foo x foo x foo");
    check("f|oo x foo x foo", "2*", "foo x foo x |foo");
    check("f|oo x foo x foo", "*N", "|foo x foo x foo");
    check("f|oo x foo", "d*", "f|foo");
    check("f|oo food foo", "*/<enter>", "|foo food foo");
    check("|...", "*", "|...");
}

#[test]
fn with_operators() {
    check("|foo bar baz", "d/baz<enter>", "|baz");
    check("foo bar |baz", "d?bar<enter>", "foo |baz");
    check("|a x b x", "c/x<enter>y<esc>", "|yx b x");
    check("|a x b x c", "d/x<enter>.", "|x c");
}

#[test]
fn a_pattern_can_be_taken_back() {
    check("|foo bar", "/bax<backspace>r<enter>", "foo |bar");
    check("|foo bar", "/b<backspace><backspace>x", "|oo bar");
    check("|foo bar", "/b<esc>x", "|oo bar");
    let (vim, _) = run("|foo", "d/ba");
    assert_eq!(vim.status(), "NORMAL d/ba");
}
