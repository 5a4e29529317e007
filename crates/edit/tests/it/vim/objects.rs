//! Text objects.

use super::check;

#[test]
fn words() {
    check("foo b|ar baz", "diw", "foo | baz");
    check("foo b|ar baz", "daw", "foo |baz");
    check("foo b|ar", "daw", "fo|o");
    check("foo |  bar baz", "daw", "foo| baz");
    check("foo |  bar", "diw", "foo|bar");
    check("foo.b|ar", "diw", "foo|.");
    check("x foo.b|ar y", "diW", "x | y");
    check("x foo.b|ar y", "daW", "x |y");
    check("|a b c d", "d2aw", "|c d");
    check("|a b c d", "d3iw", "| c d");
    check("foo b|ar", "ciwx<esc>", "foo |x");
    check("foo b|ar", "gUiw", "foo |BAR");
    check("a\n|\nb", "diw", "a\n|\nb");
    check("|漢字 x", "daw", "|x");
}

#[test]
fn quotes() {
    check("say \"he|llo\" now", "di\"", "say \"|\" now");
    check("say \"he|llo\" now", "da\"", "say |now");
    check("say \"he|llo\"", "da\"", "sa|y");
    check("s|ay \"hello\"", "di\"", "say \"|\"");
    check("a 'b|' c", "di'", "a '|' c");
    check("`a` b `c|`", "di`", "`a` b `|`");
    check("\"a\" |b \"c\"", "di\"", "\"a\" b \"|\"");
    check("\"a\\\"b|c\"", "di\"", "\"|\"");
    check("|no quotes", "di\"", "|no quotes");
    check("\"|a\"", "ci\"x<esc>", "\"|x\"");
}

#[test]
fn brackets() {
    check("f(a, |b)", "di(", "f(|)");
    check("f(a, |b)", "dib", "f(|)");
    check("f(a, |b)", "di)", "f(|)");
    check("f(a, |b)x", "da(", "f|x");
    check("f|(a)", "di(", "f(|)");
    check("f(a|)", "di(", "f(|)");
    check("f(a(|b)c)", "di(", "f(a(|)c)");
    check("f(a(|b)c)", "d2i(", "f(|)");
    check("f(a(b)|c)", "di(", "f(|)");
    check("a[|1]", "di[", "a[|]");
    check("a[|1]", "da]", "|a");
    check("a{|1}", "diB", "a{|}");
    check("a{|1}", "di}", "a{|}");
    check("<|b>x", "di<", "<|>x");
    check("<|b>x", "da>", "|x");
    check("|a(b)", "di(", "|a(b)");
    check("|(", "di(", "|(");
}

#[test]
fn brackets_on_lines_of_their_own_stay_there() {
    check("f {\n  |a\n  b\n}", "di{", "f {\n|}");
    check("f {\n  |a\n  b\n}", "ci{x<esc>", "f {\n|x\n}");
    check("f {|a\n  b\n}", "di{", "f {|}");
}

#[test]
fn sentences() {
    check("One. T|wo. Three.", "dis", "One. | Three.");
    check("One. T|wo. Three.", "das", "One. |Three.");
    check("One. T|wo.", "das", "One|.");
    check("One.| Two. Three.", "dis", "One.|Two. Three.");
    check("One.| Two. Three.", "das", "One.| Three.");
    check("|One. Two. Three. Four.", "d3is", "| Three. Four.");
    check("|One. Two. Three. Four.", "d2as", "|Three. Four.");
    check("One. T|wo. Three.", "cisx<esc>", "One. |x Three.");
    check("(One!) \"T|wo?\" Three.", "das", "(One!) |Three.");
    check("Version 1.2 i|s out. Yes.", "das", "|Yes.");
    check("N|o end", "dis", "|");
    check("|", "dis", "|");
}

#[test]
fn sentences_go_over_lines_and_not_over_empty_ones() {
    check("One\nt|wo. Three.", "das", "|Three.");
    check("O|ne.\nTwo.", "das", "|Two.");
    check("One.\n  T|wo.", "das", "One.\n|");
    check("Title\n\nO|ne. Two.", "das", "Title\n\n|Two.");
    check("One. T|wo\n\nThree.", "das", "One|.\n\nThree.");
    check("O|ne.\n\nTwo.", "d3is", "|\n\nTwo.");
    check("One.\n|\nTwo.", "dis", "One.\n|\nTwo.");
}

#[test]
fn paragraphs() {
    check("a\n\nb\n|c\n\nd", "dip", "a\n\n|\nd");
    check("a\n\nb\n|c\n\nd", "dap", "a\n\n|d");
    check("a\n\nb\n|c", "dap", "|a");
    check("a\n|\n\nb", "dip", "a\n|b");
    check("a\n|\n\nb\n\nc", "dap", "a\n|\nc");
    check("|a\n\nb\n\nc", "d2ap", "|c");
    check("a\n|b\n\nc", "yipGp", "a\nb\n\nc\n|a\nb");
    check("a\n|b\n\nc", ">ip", "    |a\n    b\n\nc");
}
