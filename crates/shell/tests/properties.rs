//! Rules that hold for any command: dressing it up never makes it look better, words are what bash
//! makes of them, and nothing panics or takes long.

#![allow(clippy::unwrap_used, reason = "in a test the panic is the report")]

mod support {
    pub(crate) mod dress;
    pub(crate) mod quotes;
}

use std::process::Command;

use pollux_shell::{Class, Context, Memory, read};
use proptest::prelude::*;
use support::dress::{self, Random};
use support::quotes;

fn context() -> Context {
    Context::new("/home/dev/project", "/home/dev")
}

fn class(command: &str) -> Class {
    read(command, &context()).class
}

#[test]
fn dressing_a_command_up_never_makes_it_look_better() {
    let mut random = Random::new(7);
    for _ in 0..3_000 {
        let plain = dress::command(&mut random);
        let dressed = dress::dressed(&plain, &mut random);
        assert!(
            class(&dressed) >= class(&plain),
            "{plain:?} became {dressed:?}"
        );
    }
}

#[test]
#[expect(
    clippy::disallowed_methods,
    reason = "the test asks bash itself about harmless words"
)]
fn words_are_what_bash_makes_of_them() {
    let mut random = Random::new(11);
    let words: Vec<String> = (0..5_000)
        .map(|_| quotes::quoted_word(&mut random))
        .collect();
    for words in words.chunks(40) {
        let line = words.join(" ");
        let script = format!("printf '%s\\0' {line}");
        let output = Command::new("bash")
            .args(["--norc", "-c", &script])
            .output()
            .unwrap();
        assert!(output.status.success(), "{line}");
        let expected = String::from_utf8(output.stdout).unwrap();
        let expected: Vec<&str> = expected.split_terminator('\0').collect();
        let reading = read(&format!("printf {line}"), &context());
        assert_eq!(reading.parts[0].argv[1..], expected, "{line}");
    }
}

#[test]
fn ten_thousand_levels_are_refused_at_once() {
    for (open, close) in [
        ("(", ")"),
        ("$(", ")"),
        ("{ ", "; }"),
        ("${x:-", "}"),
        ("$((", "))"),
        ("\"$(", ")\""),
        ("`", "`"),
        ("[[ ( ", " ) ]]"),
    ] {
        let command = format!("echo {}ls{}", open.repeat(10_000), close.repeat(10_000));
        assert!(class(&command) >= Class::Ask, "{open}");
        let bare = format!("{}ls{}", open.repeat(10_000), close.repeat(10_000));
        assert!(class(&bare) >= Class::Ask, "{open}");
    }
    let mut nested = String::from("rm -rf x");
    for _ in 0..12 {
        nested = format!("bash -c '{}'", nested.replace('\'', r"'\''"));
        if nested.len() > 100_000 {
            break;
        }
        assert_eq!(class(&nested), Class::Dangerous, "{nested}");
    }
}

#[test]
fn limits_ask_and_never_hide_what_is_worse() {
    let many = "true; ".repeat(100);
    assert_eq!(class(&many), Class::Ask);
    assert_eq!(class(&format!("{many} rm -rf x")), Class::Dangerous);
    let long = format!("echo {}", "a".repeat(20_000));
    assert_eq!(class(&long), Class::Ask);
    assert_eq!(class(&format!("{long}; rm -rf x")), Class::Dangerous);
    let deep = format!("{}ls{}", "(".repeat(10), ")".repeat(10));
    assert_eq!(class(&deep), Class::Ask);
    let deep = format!("{}rm -rf x{}", "( ".repeat(10), " )".repeat(10));
    assert_eq!(class(&deep), Class::Dangerous);
    assert_eq!(class("rm -rf x\nif"), Class::Dangerous);
    assert_eq!(class("ls\0"), Class::Dangerous);
}

#[test]
fn nothing_is_harmless_outside_of_the_workspace() {
    for (place, class) in [
        ("sub", Class::ReadOnly),
        ("..", Class::Ask),
        ("/etc", Class::Ask),
        ("/home/dev/.ssh", Class::Dangerous),
    ] {
        let mut context = context();
        context.cwd.push(place);
        assert_eq!(read("grep -r x", &context).class, class, "{place}");
        assert_eq!(read("pwd", &context).class, class, "{place}");
    }
}

#[test]
fn only_what_does_the_same_again_is_remembered() {
    let memory = |command: &str| read(command, &context()).memory;
    assert_eq!(
        memory("cargo test -p x"),
        Memory::Prefix(vec!["cargo".into(), "test".into()])
    );
    assert_eq!(memory("touch a > b"), Memory::Exact);
    assert_eq!(memory("make test"), Memory::Exact);
    assert_eq!(memory("cargo build && touch a"), Memory::Exact);
    for command in [
        "cargo build && ./run",
        "cp f*.txt sub/",
        "uv run x",
        "make CC=evil",
        "go run .",
        "rm -rf x",
        "cat $x",
        "bash -c ls",
        "env ls",
        "timeout 5 cargo test",
        "python3 x.py",
        "sh x.sh",
        "eval ls",
        "ls | xargs cat",
        "awk 1 x",
        "touch *",
        "echo $(ls)",
        "find . -exec cat {} +",
        "source x",
        "f() { ls; }",
        "ls {a,b}",
        "ssh host ls",
        "",
    ] {
        assert_eq!(memory(command), Memory::Never, "{command}");
    }
}

#[test]
fn a_prefix_covers_no_option_that_runs_or_leads_elsewhere() {
    let has_prefix = |command: &str| matches!(read(command, &context()).memory, Memory::Prefix(_));
    for plain in [
        "cargo test",
        "cargo 'test' -p y --test=it some::name -- --nocapture",
        "cargo clippy --all-targets -- -D warnings",
        "npm test",
        "go test -run=X ./...",
        "git commit -am 'mend it'",
        "pytest -x -k 'a and b' tests/test_a.py::test_b",
        "eslint src --max-warnings 0",
        "mypy --strict src",
        "tsc --noEmit",
    ] {
        assert!(has_prefix(plain), "{plain}");
    }
    for other in [
        "cargo testing",
        "cargo test > log",
        "X=1 cargo test",
        "cargo test --manifest-path ../x/Cargo.toml",
        "cargo test --manifest-path=x/Cargo.toml",
        "cargo test --target-dir x",
        "cargo clippy -- -Clinker=./x",
        "cargo doc --open",
        "npm test --prefix ../x",
        "npm test --prefix=x",
        "yarn test --cwd x",
        "pnpm test -C x",
        "pnpm test --dir x",
        "go test -C x",
        "go build -o x",
        "go build -overlay=x",
        "go vet /srv/x",
        "git commit --amend",
        "git commit -F x",
        "git commit --no-verify",
        "pytest -p x",
        "pytest -c x",
        "pytest -px",
        "pytest --rootdir=x",
        "pytest ../x",
        "pytest a/../../x",
        "pytest @args",
        "tsc -p x",
        "tsc --outDir x",
        "tsc @args",
        "eslint -c x",
        "eslint --format ./x",
        "eslint --rulesdir x",
        "eslint --fix",
        "mypy --python-executable ./x",
        "mypy --config-file x",
        "mypy ~/x",
    ] {
        assert!(!has_prefix(other), "{other}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(text in any::<String>()) {
        read(&text, &context());
    }

    #[test]
    fn any_soup_of_signs_is_read_without_a_panic(text in "[ \\n'\"\\\\$(){}\\[\\]<>|&;`#~*?!=,a-c0-2-]{0,60}") {
        read(&text, &context());
    }
}
