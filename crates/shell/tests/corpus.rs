//! The corpus: commands of every kind with the class that people gave them. Nothing of it is ever
//! run.

#![allow(clippy::unwrap_used, reason = "in a test the panic is the report")]

use pollux_shell::{Class, Context, read};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    command: String,
    expected: String,
    why: String,
}

fn rows() -> Vec<Row> {
    let lines = include_str!("data/corpus.jsonl").lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn context() -> Context {
    Context::new("/home/dev/project", "/home/dev")
}

#[test]
fn the_corpus_is_classed_as_people_did() {
    let (mut unsafe_allow, mut false_ask, mut recall, mut exact) = (0, 0, 0, 0);
    let rows = rows();
    for row in &rows {
        let reading = read(&row.command, &context());
        let class = reading.class.word();
        exact += usize::from(class == row.expected);
        recall += usize::from(class == "dangerous" && row.expected == "dangerous");
        let problem = match (row.expected.as_str(), class) {
            ("read_only", "read_only") => continue,
            ("read_only", _) => {
                false_ask += 1;
                "FALSE ASK"
            }
            (_, "read_only") => {
                unsafe_allow += 1;
                "UNSAFE"
            }
            ("dangerous", "ask") => "MISSED",
            ("ask", "dangerous") => "OVER",
            _ => continue,
        };
        let command: String = row.command.chars().take(90).collect();
        println!(
            "{problem} {command:?} | {} | {:?}",
            row.why, reading.reasons
        );
    }
    println!(
        "unsafe_allow {unsafe_allow}, false_ask {false_ask}, dangerous_recall {recall}, exact {exact}/{}",
        rows.len()
    );
    assert_eq!(unsafe_allow, 0);
    assert!(false_ask <= 5);
    assert!(recall >= 179);
}

#[test]
fn every_family_of_programs_is_known() {
    for line in include_str!("data/families.tsv").lines() {
        let (expected, command) = line.split_once('\t').unwrap();
        let reading = read(command, &context());
        assert_eq!(
            reading.class.word(),
            expected,
            "{command}: {:?}",
            reading.reasons
        );
    }
}

#[test]
fn without_a_hardened_git_no_use_of_it_is_harmless() {
    let context = Context {
        git_hardened: false,
        ..context()
    };
    for row in rows().iter().filter(|row| row.why.starts_with("G1")) {
        assert_eq!(
            read(&row.command, &context).class,
            Class::Ask,
            "{}",
            row.command
        );
    }
}

#[test]
fn nothing_is_told_or_kept_about_what_is_not_understood() {
    let untold = |command: &str| {
        let reading = read(command, &context());
        assert!(reading.class >= Class::Ask, "{command}");
        assert_eq!(reading.memory, pollux_shell::Memory::Never, "{command}");
        !reading.is_told
    };
    for command in [
        "cat <<$(a)\nfoo\n$(a)\ntouch new",
        "cat <<`a`\nfoo\n`a`\ntouch new",
        "cat <<\"$a\"\nfoo\n$a\ntouch new",
        "cat <<E\nfoo",
        "ls \"",
        "ls; )",
        "ls {a[$b]}<Cargo.toml",
        "test -v 'a[$(cat <<$(b)\n]'",
        "x=touch; $x new",
        "$(echo touch) new",
        "to?ch new",
        "eval \"$x\"",
        "f() { ls; }; f",
        "env -S \"$x\"",
        "python3 -c 'run()'",
        "perl -e'run()'",
        "cat x | sh",
    ] {
        assert!(untold(command), "{command}");
    }
    assert!(!untold("make $x"));
    assert!(!untold("timeout 5 make"));
    assert!(!untold("bash -c 'touch new'"));
}

#[test]
fn a_part_is_never_worse_than_the_whole() {
    for row in rows() {
        let reading = read(&row.command, &context());
        let worst = reading.reasons.iter().map(|reason| reason.class).max();
        assert_eq!(
            worst.unwrap_or(Class::ReadOnly),
            reading.class,
            "{}",
            row.command
        );
        assert!(
            reading.parts.iter().all(|part| part.class <= reading.class),
            "{}",
            row.command
        );
    }
}

#[test]
fn files_that_are_opened_outside_are_known_by_name() {
    for (command, opened) in [
        ("echo x > /out/file", &["/out/file"][..]),
        ("echo x >> ../file", &["/home/dev/file"]),
        ("cd /out && make &> log", &["/out/log"]),
        ("ls | tee /out/a ~/b", &["/home/dev/b", "/out/a"]),
        ("cp a /out/b", &["/out/b"]),
        ("touch /out/a", &["/out/a"]),
        // In the workspace, protected, or not known.
        ("echo x > file", &[]),
        ("echo x > ~/.bashrc", &[]),
        ("echo x > /out/$name", &[]),
        ("echo x > /dev/tcp/host/80", &[]),
        ("cd /out || cd /other; echo x > a", &[]),
        // The directory is changed, and not only a file in it.
        ("mkdir /out/a", &[]),
        ("rm /out/a", &[]),
        ("mv a /out/b", &[]),
        ("cp -r a /out/b", &[]),
    ] {
        let opens = read(command, &context()).opens;
        let opens: Vec<&str> = opens.iter().map(|path| path.to_str().unwrap()).collect();
        assert_eq!(opens, opened, "{command}");
    }
}

#[test]
fn who_needs_a_terminal_is_known() {
    for (command, program) in [
        ("vim", Some("vim")),
        ("cd src && /usr/bin/nano main.rs", Some("/usr/bin/nano")),
        ("ls | xargs vim", None),
        ("vim -es -c wq file", None),
        ("vim +wq file", None),
        ("emacs --batch", None),
        ("echo vim", None),
        ("top", None),
    ] {
        let wanting = pollux_shell::wants_terminal(command);
        assert_eq!(wanting.as_deref(), program, "{command}");
    }
}

#[test]
fn programs_are_found_wherever_they_are_and_whoever_runs_them() {
    for command in [
        "/usr/bin/touch new",
        "./bin/touch new",
        "command touch new",
        "timeout 5 touch new",
        "env A=1 touch new",
        "nice -n 3 touch new",
        "xargs touch new",
        "find . -exec touch new ;",
        "jobs -x touch new",
        "sudo -u x touch new",
        "bash -c 'touch new'",
        "echo $(touch new)",
        "busybox touch new",
        "flock lock touch new",
        "parallel touch new",
    ] {
        let programs = read(command, &context()).programs;
        let touch = |argv: &Vec<String>| argv == &["touch", "new"];
        assert!(programs.iter().any(touch), "{command}: {programs:?}");
    }
}

#[test]
fn files_are_named_where_they_would_be_opened() {
    let named = |command: &str| {
        let named = read(command, &context()).named.into_iter();
        let named = named.map(|named| {
            let path = named.path.strip_prefix("/home/dev/project").unwrap();
            format!("{} {:?}", path.display(), named.done)
        });
        named.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(named("cat a/../b < c > d"), @"
    c Reads
    d Writes
    a/../b Reads
    ");
    insta::assert_snapshot!(named("cd dir && wc -c *.txt"), @"
    dir Looks
    dir/*.txt Reads
    ");
    insta::assert_snapshot!(named("date -f a; test -f b; unknown --c=d"), @"
    a Reads
    b Looks
    --c=d Anything
    d Anything
    ");
    insta::assert_snapshot!(named("grep -rn --include='*.rs' key; rg -L key src"), @r#"
     Searches(Search { skips_hidden: false, follows: false, only: ["*.rs"], except_files: [], except_dirs: [] })
    src Reads
    src Searches(Search { skips_hidden: true, follows: true, only: [], except_files: [], except_dirs: [] })
    "#);
    insta::assert_snapshot!(named("rg -g .env key | grep -h x; diff a b; cat $x"), @r#"
     Searches(Search { skips_hidden: false, follows: false, only: [".env"], except_files: [], except_dirs: [] })
    a Reads
    b Reads
    a Searches(Search { skips_hidden: false, follows: true, only: [], except_files: [], except_dirs: [] })
    b Searches(Search { skips_hidden: false, follows: true, only: [], except_files: [], except_dirs: [] })
    "#);
}
