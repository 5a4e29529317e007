//! What is a mention, and what is text.

use super::*;

/// What there is.
const THERE: &[&str] = &[
    "a.txt",
    "src",
    "src/",
    "src/main.rs",
    "with space.md",
    "[id].tsx",
    "git",
    ".",
    "..",
];

#[track_caller]
fn check(text: &str, found: &[&str], missing: &[&str]) {
    let mentions = Mentions::of(text, |path| THERE.contains(&path));
    assert_eq!(mentions.found, found, "{text}");
    assert_eq!(mentions.missing, missing, "{text}");
}

#[test]
fn what_is_there_is_found() {
    check("explain @src/main.rs", &["src/main.rs"], &[]);
    check("@a.txt and @src/", &["a.txt", "src/"], &[]);
    check("see (@a.txt), or [@src].", &["a.txt", "src"], &[]);
    check("what is in @src/main.rs?", &["src/main.rs"], &[]);
    check("look at @a.txt.", &["a.txt"], &[]);
    check("@[id].tsx twice: @[id].tsx", &["[id].tsx"], &[]);
    check(
        "@\"with space.md\" and @a.txt",
        &["with space.md", "a.txt"],
        &[],
    );
    check("@with\\ space.md", &["with space.md"], &[]);
    check("all of @. please", &["."], &[]);
    check("line\n@a.txt\n", &["a.txt"], &[]);
    check("review @git", &["git"], &[]);
}

#[test]
fn everything_else_is_text() {
    check("mail bob@a.txt and me@example.com", &[], &[]);
    check("a lone @ and @@ -1,3 +1,3 @@", &[], &[]);
    check("escaped \\@a.txt", &[], &[]);
    check("`@a.txt` in code", &[], &[]);
    check("@alice, what does @app.route(\"/\") do?", &[], &[]);
    check("@memory @server:resource://x", &[], &[]);
    check("wait @... what", &[], &[]);
    check("@\"no end", &[], &[]);
}

#[test]
fn what_looks_like_a_path_and_is_none_is_told() {
    check("read @src/mian.rs!", &[], &["src/mian.rs"]);
    check("read @notes.md and @a.txt", &["a.txt"], &["notes.md"]);
    check("@types/node", &[], &["types/node"]);
}

proptest::proptest! {
    #[test]
    fn any_text_can_be_looked_through(text in "[@\\\\a-c./\" \n(é…]{0,40}") {
        let mentions = Mentions::of(&text, |path| path.contains('a'));
        for found in mentions.found {
            assert!(found.contains('a'));
        }
    }
}
