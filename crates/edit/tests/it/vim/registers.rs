//! Registers.

use super::{check, run};

#[test]
fn by_name() {
    check("|a b c", "\"xdwdw\"xp", "ca| ");
    check("|a b", "\"qyw$\"qp", "a ba| ");
    check("|a b c", "\"xdw\"Xdw\"xp", "ca b| ");
    check("|a\nb\nc", "\"xyyj\"Xyyj\"xp", "a\nb\nc\n|a\nb");
    check("|a b c", "2\"xdw\"xP", "a b| c");
    check("|a b c", "\"x2dw\"xP", "a b| c");
    check("|a b\nc", "\"xyw\"Xyyj\"xp", "a b\nc\n|a \na b");
    check("|ab", "\"zp", "|ab");
}

#[test]
fn a_yank_is_kept_for_itself() {
    check("|a b c", "ywdw\"0P", "a| b c");
    check("|a b c", "dwdw\"\"P", "b| c");
    check("|a b c", "yww\"xyw0\"0P", "a| a b c");
}

#[test]
fn the_black_hole_keeps_nothing() {
    check("|a b c", "dw\"_dwP", "a| c");
    check("|ab", "\"_p", "|ab");
}

#[test]
fn a_register_can_be_read() {
    let (vim, _) = run("|foo bar", "\"+yw");
    assert_eq!(vim.register('+'), Some("foo "));
    assert_eq!(vim.register('"'), Some("foo "));
    assert_eq!(vim.register('a'), None);
}

#[test]
fn what_is_no_register_is_no_command() {
    check("|ab", "\"!x", "|b");
}
