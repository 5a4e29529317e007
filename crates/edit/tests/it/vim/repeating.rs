//! The dot.

use super::check;

#[test]
fn operators() {
    check("|a b c d", "dw.", "|c d");
    check("|a b c d e f", "2dw.", "|e f");
    check("|a b c d e f", "dw3.", "|e f");
    check("|a b c d e f g h", "dw2..", "|f g h");
    check("|a\nb\nc", "dd.", "|c");
    check("|abcdef", "x.", "|cdef");
    check("|a,b,c", "df,.", "|c");
    check("|a\nb", ">>.", "        |a\nb");
    check("(a) (|b)", "di(0.", "(|) ()");
    check("|a b", "gUww.", "A |B");
    check("|ab cd", "yw.", "|ab cd");
}

#[test]
fn what_was_typed() {
    check("|foo foo", "cwbar<esc>w.", "bar ba|r");
    check("|a\nb", "A;<esc>j.", "a;\nb|;");
    check("|x", "ia<esc>.", "|aax");
    check("|", "iab<left>c<esc>.", "a|ccb");
    check("|x", "3ia<esc>.", "aaaa|aax");
    check("|x", "ia<esc>2.", "a|aax");
    check("|x", "oa<esc>.", "x\na\n|a");
    check("|x", "oa<esc>2.", "x\na\na\n|a");
    check("|abcdef", "sx<esc>l.", "x|xcdef");
    check("|abcdef", "Rxy<esc>l.", "xyx|yef");
    check("|a b", "ione<ctrl+w>two<esc>.", "twtw|ooa b");
}

#[test]
fn other_changes() {
    check("|abc", "rxl.", "x|xc");
    check("|abc", "~.", "AB|c");
    check("|a\nb\nc", "J.", "a b| c");
    check("|ab", "xp.", "ba|a");
    check("|abc", ".", "|abc");
    check("|a b c", "dwu.", "|b c");
    check("|a b c", "dww.", "b| ");
}

#[test]
fn what_was_selected() {
    check("|abcdef", "vld.", "|ef");
    check("|a\nb\nc\nd\ne", "Vjd.", "|e");
    check("|abcd", "vlcx<esc>l.", "x|x");
    check("|abcd", "vlUll.", "AB|CD");
}
