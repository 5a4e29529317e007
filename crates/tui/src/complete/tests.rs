//! What is wanted where, and what becomes of the input.

use super::*;

/// What is wanted at the `|`: its sort, what it means, and `[` `]` around what it replaces.
fn at(marked: &str) -> String {
    let cursor = marked.find('|').unwrap();
    let text = marked.replacen('|', "", 1);
    let wanted = wanted(&text, cursor);
    let sort = match &wanted {
        Wanted::Command(_) => "command".to_owned(),
        Wanted::Argument {
            command, before, ..
        } => format!("argument of {command} {before:?}"),
        Wanted::Path(_) => "path".to_owned(),
        Wanted::ShellWord { first: true, .. } => "program".to_owned(),
        Wanted::ShellWord { first: false, .. } => "shell word".to_owned(),
        Wanted::Nothing => "nothing".to_owned(),
    };
    let Some(word) = wanted.word() else {
        return sort;
    };
    let Range { start, end } = word.replaces.clone();
    let (before, inner, after) = (&text[..start], &text[start..end], &text[end..]);
    format!("{sort} {:?} in {before}[{inner}]{after}", word.text)
}

#[track_caller]
fn assert_wanted(cases: &[(&str, &str)]) {
    for (marked, expected) in cases {
        assert_eq!(at(marked), *expected, "at {marked:?}");
    }
}

/// The input with the suggestion in it, and where the cursor is then.
fn applied(suggestion: &Suggestion, text: &str) -> (String, usize) {
    let (put, cursor) = suggestion.put_into(text);
    let mut changed = text.to_owned();
    changed.replace_range(suggestion.replaces.clone(), &put);
    (changed, cursor)
}

#[test]
fn commands_stand_at_the_beginning() {
    assert_wanted(&[
        ("/|", r#"command "" in [/]"#),
        ("/mo|", r#"command "mo" in [/mo]"#),
        ("/mo|del x", r#"command "model" in [/model] x"#),
        ("|/mo", "nothing"),
        (" /mo|", "nothing"),
        ("say /mo|", "nothing"),
        ("/usr/bin|", "nothing"),
        ("/usr| /bin", r#"command "usr" in [/usr] /bin"#),
        ("//|", "nothing"),
        ("/usr/bin/cat x|", "nothing"),
        ("|", "nothing"),
        ("hello|", "nothing"),
    ]);
}

#[test]
fn arguments_are_words_behind_a_command() {
    assert_wanted(&[
        ("/model |", r#"argument of model [] "" in /model []"#),
        ("/model g|", r#"argument of model [] "g" in /model [g]"#),
        ("/model  | g", r#"argument of model [] "" in /model  [] g"#),
        ("/model |g x", r#"argument of model [] "g" in /model [g] x"#),
        (
            "/mcp auth lab|",
            r#"argument of mcp ["auth"] "lab" in /mcp auth [lab]"#,
        ),
        (
            "/mcp auth |",
            r#"argument of mcp ["auth"] "" in /mcp auth []"#,
        ),
        (
            "/chat save a\\ b| c",
            r#"argument of chat ["save"] "a b" in /chat save [a\ b] c"#,
        ),
        (
            "/chat \"a b\" c|",
            r#"argument of chat ["a b"] "c" in /chat "a b" [c]"#,
        ),
        ("/review @src|", r#"path "src" in /review [@src]"#),
    ]);
}

#[test]
fn paths_stand_behind_an_at_sign() {
    assert_wanted(&[
        ("@|", r#"path "" in [@]"#),
        ("|@", "nothing"),
        (
            "read @src/ma| now",
            r#"path "src/ma" in read [@src/ma] now"#,
        ),
        (
            "read @s|rc/ma now",
            r#"path "src/ma" in read [@src/ma] now"#,
        ),
        ("read @src |now", "nothing"),
        ("@a @b| @c", r#"path "b" in @a [@b] @c"#),
        ("me@example.org|", "nothing"),
        ("\\@src|", "nothing"),
        ("(@src|)", r#"path "src" in ([@src])"#),
        (
            "see @s|rc/a.rs, and",
            r#"path "src/a.rs" in see [@src/a.rs], and"#,
        ),
        ("see @src/a.|", r#"path "src/a." in see [@src/a.]"#),
        ("@a\\ b|", r#"path "a b" in [@a\ b]"#),
        ("@a\\ b c|", "nothing"),
        ("@\"a b| c\" d", r#"path "a b c" in [@"a b c"] d"#),
        ("@\"a b| c", r#"path "a b c" in [@"a b c]"#),
        ("@\"a b\nc|", "nothing"),
        (
            "it's\n@日本|語",
            r#"path "日本語" in it's\n[@日本語]"#.replace("\\n", "\n").as_str(),
        ),
        (
            "@server:uri://x|",
            r#"path "server:uri://x" in [@server:uri://x]"#,
        ),
        ("/usr/bin/cat @x|", r#"path "x" in /usr/bin/cat [@x]"#),
    ]);
}

#[test]
fn shell_words_stand_behind_an_exclamation_mark() {
    assert_wanted(&[
        ("!|", r#"program "" in ![]"#),
        ("|!", "nothing"),
        ("!ca|t x", r#"program "cat" in ![cat] x"#),
        ("! ca|", r#"program "ca" in ! [ca]"#),
        ("!cat |", r#"shell word "" in !cat []"#),
        ("!cat a b|", r#"shell word "b" in !cat a [b]"#),
        ("!cat a | b", r#"shell word "" in !cat a [] b"#),
        (
            "!cat a\\ 'b c'\" d\"|",
            r#"shell word "a b c d" in !cat [a\ 'b c'" d"]"#,
        ),
        ("!cat 'a b|", r#"shell word "a b" in !cat ['a b]"#),
        ("!cat a;l|s", r#"program "ls" in !cat a;[ls]"#),
        ("!cat a && |", r#"program "" in !cat a && []"#),
        ("!echo $(da|)", r#"program "da" in !echo $([da])"#),
        ("!cat a\nl|", "program \"l\" in !cat a\n[l]"),
        ("!A=1 ma|", r#"program "ma" in !A=1 [ma]"#),
        ("!make A=1 ma|", r#"shell word "ma" in !make A=1 [ma]"#),
        ("!ls >o|", r#"shell word "o" in !ls >[o]"#),
        ("!ls @x|", r#"shell word "@x" in !ls [@x]"#),
        ("say !ls|", "nothing"),
    ]);
}

#[test]
fn a_place_inside_a_character_wants_nothing() {
    assert_eq!(wanted("@ä", 2), Wanted::Nothing);
    assert_eq!(wanted("@a", 9), Wanted::Nothing);
}

fn candidates() -> Vec<Candidate> {
    let candidate = |(name, description): (&str, &str)| Candidate {
        name: name.into(),
        description: description.into(),
    };
    [
        ("memory", "what is remembered"),
        ("mode", "build or plan"),
        ("model", "who answers"),
    ]
    .map(candidate)
    .into()
}

/// The input after the first suggestion is taken, with the cursor as `|`.
fn taken(marked: &str, suggestions: fn(&Wanted) -> Vec<Suggestion>) -> String {
    let cursor = marked.find('|').unwrap();
    let text = marked.replacen('|', "", 1);
    let suggestions = suggestions(&wanted(&text, cursor));
    let (mut changed, cursor) = applied(&suggestions[0], &text);
    changed.insert(cursor, '|');
    changed
}

#[test]
fn a_suggestion_takes_the_place_of_its_word() {
    let named = |wanted: &Wanted| choices(wanted, &candidates());
    let cases = [
        ("/mod|", "/mode |"),
        ("/mod|e x", "/mode |x"),
        ("/mod|\nx", "/mode |\nx"),
        ("/go to mod| now", "/go to mode |now"),
        ("ask @mem|", "ask @memory |"),
        ("!mod|;ls", "!mode |;ls"),
    ];
    for (before, after) in cases {
        assert_eq!(taken(before, named), after);
    }
    let found = |wanted: &Wanted| paths(wanted, &["a b/".to_owned()]);
    assert_eq!(taken("@a| x", found), "@a\\ b/| x");
    assert_eq!(taken("!ls 'a |", found), "!ls a\\ b/|");
}

#[test]
fn commands_come_with_their_descriptions_best_first() {
    let suggestions = choices(&wanted("/mo", 3), &candidates());
    let shown: Vec<String> = suggestions
        .iter()
        .map(|suggestion| format!("{}: {}", suggestion.label, suggestion.description))
        .collect();
    assert_eq!(
        shown,
        [
            "/mode: build or plan",
            "/model: who answers",
            "/memory: what is remembered"
        ]
    );
    assert!(choices(&Wanted::Nothing, &candidates()).is_empty());
}

proptest::proptest! {
    /// What was put in is found again as what was meant, whatever stands around it.
    #[test]
    fn what_is_inserted_is_understood(
        before in "(|.* |/x |/x y |!|!ls )",
        path in "[a-z .,:;?!'\"\\\\()\\[\\]$&*<>|~é漢/-]{1,12}",
        after in "(|[ \n].*)",
    ) {
        let mark = if before.starts_with(['/', '!']) { "" } else { "@" };
        let text = format!("{before}{mark}{after}");
        let wanted_before = wanted(&text, before.len() + mark.len());
        for suggestion in paths(&wanted_before, std::slice::from_ref(&path)) {
            let (changed, cursor) = applied(&suggestion, &text);
            assert!(changed.is_char_boundary(cursor));
            let end = suggestion.replaces.start + suggestion.insert.len();
            assert!((end..=end + 1).contains(&cursor));
            let wanted_after = wanted(&changed, end);
            let word = wanted_after.word().unwrap();
            assert_eq!(word.text, path);
            assert_eq!(word.replaces, suggestion.replaces.start..end);
            assert_eq!(
                std::mem::discriminant(&wanted_after),
                std::mem::discriminant(&wanted_before)
            );
        }
    }

    /// Whatever is typed, the word is a part of the input.
    #[test]
    fn nothing_typed_is_too_strange(text in "[/@!\\\\\"' a;|é\n]{0,12}", cursor in 0_usize..14) {
        if let Some(word) = wanted(&text, cursor).word() {
            assert!(text.get(word.replaces.clone()).is_some());
            assert!(word.replaces.start <= cursor && cursor <= word.replaces.end);
        }
    }
}

#[test]
fn candidates_stand_among_paths_by_how_well_they_fit() {
    let candidate = |name: &str, description: &str| Candidate {
        name: name.into(),
        description: description.into(),
    };
    let others = [
        candidate("docs:note://guide", "How to begin"),
        candidate("docs:note://main", ""),
    ];
    let mixed = |text: &str, found: &[&str]| -> Vec<String> {
        let found: Vec<String> = found.iter().map(|path| (*path).to_owned()).collect();
        let items = paths_and(&wanted(text, text.len()), &found, &others);
        items.into_iter().map(|item| item.insert).collect()
    };
    // Better than scattered letters, worse than or as good as the same ones in a file's name.
    assert_eq!(
        mixed("@main", &["src/main.rs", "mobile/arcs/inner.rs"]),
        ["@src/main.rs", "@docs:note://main", "@mobile/arcs/inner.rs"]
    );
    // By what is said of it, and with nothing typed behind the files.
    assert_eq!(mixed("@begin", &[]), ["@docs:note://guide"]);
    assert_eq!(
        mixed("@", &["a.rs"]),
        ["@a.rs", "@docs:note://guide", "@docs:note://main"]
    );
    assert_eq!(mixed("@zzz", &[]), Vec::<String>::new());
}
