//! Where motions lead.

use super::check;

#[test]
fn by_characters() {
    check("ab|c", "h", "a|bc");
    check("ab|cd", "2h", "|abcd");
    check("ab|cd", "9h", "|abcd");
    check("a\n|b", "h", "a\n|b");
    check("|abc", "l", "a|bc");
    check("|abc", "9l", "ab|c");
    check("a|b\nc", "l", "a|b\nc");
    check("|a👩‍💻e\u{301}b", "3l", "a👩‍💻e\u{301}|b");
    check("ab|c", "<backspace>", "a|bc");
    check("|abc", "<space>", "a|bc");
    check("|abc", "<right><right><left>", "a|bc");
    check("a|bc", "<end>", "ab|c");
    check("ab|c", "<home>", "|abc");
}

#[test]
fn by_lines() {
    check("ab|c\nabc", "j", "abc\nab|c");
    check("abc\nab|c", "k", "ab|c\nabc");
    check("abc|d\na\nabcd", "jj", "abcd\na\nabc|d");
    check("abc|d\na\nabcd", "j", "abcd\n|a\nabcd");
    check("a|b\n\nab", "2j", "ab\n\na|b");
    check("|ab\ncde", "$j", "ab\ncd|e");
    check("|ab\ncde\nf", "$jj", "ab\ncde\n|f");
    check("|a\nb\nc", "9j", "a\nb\n|c");
    check("a|b", "j", "a|b");
    check("a|b", "k", "a|b");
    check("漢|字\nabcd", "j", "漢字\nab|cd");
    check("a\nb\n|c", "gg", "|a\nb\nc");
    check("|a\nb\n  c", "G", "a\nb\n  |c");
    check("|a\nb\nc", "2G", "a\n|b\nc");
    check("a\nb\n|c", "2gg", "a\n|b\nc");
}

#[test]
fn inside_the_line() {
    check("  ab|c", "0", "|  abc");
    check("  ab|c", "^", "  |abc");
    check("  |abc", "$", "  ab|c");
    check("|abc\nde", "2$", "abc\nd|e");
    check("|", "$", "|");
    check("   |  ", "^", "    | ");
}

#[test]
fn to_a_column() {
    check("|abcdef", "3|", "ab|cdef");
    check("abc|def", "|", "|abcdef");
    check("|abc\nd", "9|", "ab|c\nd");
    check("|漢字x", "3|", "漢|字x");
    check("|漢字x", "4|", "漢|字x");
    check("|abc\nabcdefg", "5|j", "abc\nabcd|efg");
    check("abc|def", "d2|", "a|def");
    check("a|bcdef", "d4|", "a|def");
    check("|", "3|", "|");
}

#[test]
fn by_words() {
    check("|foo bar", "w", "foo |bar");
    check("|foo.bar", "w", "foo|.bar");
    check("|foo.bar baz", "W", "foo.bar |baz");
    check("|a b c d", "3w", "a b c |d");
    check("|foo", "w", "fo|o");
    check("|a\n\nb", "w", "a\n|\nb");
    check("|a\n\nb", "ww", "a\n\n|b");
    check("|a\n  b", "w", "a\n  |b");
    check("foo ba|r", "b", "foo |bar");
    check("foo |bar", "b", "|foo bar");
    check("foo.ba|r", "bb", "foo|.bar");
    check("foo.ba|r", "B", "|foo.bar");
    check("a\n\n|b", "b", "a\n|\nb");
    check("a b c |d", "2b", "a |b c d");
    check("|foo bar", "e", "fo|o bar");
    check("fo|o bar", "e", "foo ba|r");
    check("|foo.bar", "E", "foo.ba|r");
    check("|a b c", "2e", "a b |c");
    check("|a\n\nb", "e", "a\n\n|b");
    check("foo ba|r", "ge", "fo|o bar");
    check("foo |bar", "ge", "fo|o bar");
    check("a.b c|d", "gE", "a.|b cd");
    check("fo|o", "ge", "|foo");
    check("|привет мир", "w", "привет |мир");
}

#[test]
fn to_a_character() {
    check("|abcabc", "fc", "ab|cabc");
    check("|abcabc", "2fc", "abcab|c");
    check("|abcabc", "3fc", "|abcabc");
    check("|abcabc", "tc", "a|bcabc");
    check("abcab|c", "Fa", "abc|abc");
    check("abcab|c", "2Fa", "|abcabc");
    check("abcab|c", "Ta", "abca|bc");
    check("|ab\nc", "fc", "|ab\nc");
    check("|a漢b", "f漢", "a|漢b");
    check("|axbxcx", "fx;", "axb|xcx");
    check("|axbxcx", "fx2;", "axbxc|x");
    check("|axbxcx", "fx;;,", "axb|xcx");
    check("|axbxcx", "tx;", "ax|bxcx");
    check("axbxc|x", "Tx;", "ax|bxcx");
    check("|abc", ";", "|abc");
    check("|a b", "f<space>", "a| b");
}

#[test]
fn between_brackets() {
    check("|f(a(b)c)", "%", "f(a(b)c|)");
    check("f(a(b)c|)", "%", "f|(a(b)c)");
    check("f(|a[1]{})", "%", "f(a[1|]{})");
    check("|{\n[\n}", "%", "{\n[\n|}");
    check("|(a", "%", "|(a");
    check("|abc", "%", "|abc");
}

#[test]
fn by_paragraphs() {
    check("|a\nb\n\nc\n\nd", "}", "a\nb\n|\nc\n\nd");
    check("|a\nb\n\nc\n\nd", "2}", "a\nb\n\nc\n|\nd");
    check("a\n\n|b", "}", "a\n\n|b");
    check("a\n\nb\n|c", "{", "a\n|\nb\nc");
    check("a\n|b", "{", "|a\nb");
    check("|a\n\n\n\nb", "}}", "a\n\n\n\n|b");
}
