//! What pollux says about commands, over pipes.

use pollux_testkit::Project;
use serde_json::{Value, json};

use super::support::pollux;

#[test]
fn a_command_is_told_with_its_reasons_and_parts() {
    let project = Project::new();
    let check = |command: &str| {
        let ran = pollux(&project).args(["policy", "check", command]).run();
        ran.exited(0).stdout
    };
    insta::assert_snapshot!(check("ls -la | head -n 3"), @"
    read_only

    parts:
      read_only  `ls` `-la`
      read_only  `head` `-n` `3`
    ");
    insta::assert_snapshot!(check("ls && FOO=1 r\\m -rf 'a b' > log"), @"
    dangerous
    - deletes whole directories, or without asking back: FOO=1 r\\m -rf 'a b' > log
    - sets a variable: FOO=1
    - writes to a file: > log
    - deletes files: FOO=1 r\\m -rf 'a b' > log

    parts:
      read_only  `ls`
      dangerous  FOO=1 `rm` `-rf` `a b` > log
    ");
    insta::assert_snapshot!(check("ls \x1b[2K"), @"
    dangerous
    - has control or invisible characters that hide what it does

    parts:
      read_only  `ls` `\\e[2K`
    ");
}

#[test]
fn lines_are_answered_in_their_order() {
    let project = Project::new();
    let lines = "{\"command\":\"ls\"}\n\n{\"command\":\"sudo ls\",\"more\":1}\n";
    let ran = pollux(&project)
        .args(["policy", "check", "--json"])
        .stdin(lines);
    let stdout = ran.run().exited(0).stdout;
    let answers: Vec<Value> = stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        answers[0],
        json!({"command": "ls", "class": "read_only", "reasons": []})
    );
    assert_eq!(answers[1]["command"], "sudo ls");
    assert_eq!(answers[1]["class"], "dangerous");
    assert_eq!(answers.len(), 2);
    let one = pollux(&project)
        .args(["policy", "check", "--json", "touch x"])
        .run();
    insta::assert_snapshot!(one.exited(0).stdout, @r#"{"command":"touch x","class":"ask","reasons":["creates files: touch x"]}"#);
}

#[test]
fn a_bad_line_is_named() {
    let project = Project::new();
    let fails = |lines: &str| {
        let ran = pollux(&project)
            .args(["policy", "check", "--json"])
            .stdin(lines)
            .run();
        format!("{}\n{}{}", ran.code, ran.stdout, ran.stderr)
    };
    insta::assert_snapshot!(fails("{\"command\":\"ls\"}\nls\n"), @r#"
    42
    {"command":"ls","class":"read_only","reasons":[]}
    error: line 2 of standard input: expected value at line 1 column 1
    hint: each line is an object like {"command": "ls -la"}
    "#);
    insta::assert_snapshot!(fails("{}"), @r#"
    42
    error: line 1 of standard input: missing field `command` at line 1 column 2
    hint: each line is an object like {"command": "ls -la"}
    "#);
    let ran = pollux(&project).args(["policy", "check"]).run();
    insta::assert_snapshot!(format!("{}\n{}", ran.code, ran.stderr), @"
    42
    error: there is no command to check
    hint: give one as one word, or `--json` and lines on standard input
    ");
}
