//! Finding text in real files.

use pollux_types::ToolErrorKind;
use serde_json::json;

use super::*;
use crate::testing::Project;

const POEM: &str = "Roses are red\nviolets are blue\nsugar is sweet\nand so are you\n";

fn poems() -> Project {
    let project = Project::with(&[("b/poem.txt", POEM), ("a.md", "red (or blue)\r\n")]);
    project.file("binary", b"red\n\0\n");
    project.file(".gitignore", "skipped\n");
    project.file("skipped", "red");
    project
}

#[tokio::test]
async fn matches_are_grouped_by_file() {
    let project = poems();
    insta::assert_snapshot!(project.text("grep_search", json!({"pattern": r"\bre|blue$"})).await, @r"
    a.md
    1: red (or blue)

    b/poem.txt
    1: Roses are red
    2: violets are blue
    ");
}

#[tokio::test]
async fn context_is_told_from_matches() {
    let project = poems();
    let args = json!({"query": "sugar", "context": 1, "include_pattern": "*.txt"});
    insta::assert_snapshot!(project.text("grep_search", args).await, @r"
    b/poem.txt
    2- violets are blue
    3: sugar is sweet
    4- and so are you
    ");
    project.file("far", "x\n1\n2\n3\nx\n");
    let args = json!({"pattern": "x", "context": 1, "dir_path": "far"});
    insta::assert_snapshot!(project.text("grep_search", args).await, @r"
    far
    1: x
    2- 1
    --
    4- 3
    5: x
    ");
}

#[tokio::test]
async fn case_counts_if_the_pattern_has_a_capital() {
    let project = poems();
    let count = async |args| {
        let text = project.text("grep_search", args).await;
        text.lines().filter(|line| line.contains(": ")).count()
    };
    assert_eq!(count(json!({"pattern": "roses"})).await, 1);
    assert_eq!(count(json!({"pattern": "RED"})).await, 0);
    assert_eq!(
        count(json!({"pattern": "roses", "case_sensitive": true})).await,
        0
    );
    assert_eq!(
        count(json!({"pattern": "RED", "case_sensitive": false})).await,
        2
    );
}

#[tokio::test]
async fn plain_text_is_not_a_pattern() {
    let project = poems();
    let args = json!({"pattern": "(or", "fixed_strings": true});
    insta::assert_snapshot!(project.text("grep_search", args).await, @r"
    a.md
    1: red (or blue)
    ");
    let plan = project.plan("grep_search", json!({"pattern": "(or"}));
    insta::assert_snapshot!(plan.err().unwrap(), @"
    `pattern`: regex parse error:
        (?:(or)
        ^
    error: unclosed group; grep_search takes pattern (string, required), dir_path (string), include_pattern (string), context (integer), case_sensitive (boolean), fixed_strings (boolean), max_matches (integer)
    ");
    assert!(
        project
            .plan("grep_search", json!({"pattern": "a\nb"}))
            .is_err()
    );
    assert!(project.plan("grep_search", json!({"pattern": ""})).is_err());
}

#[tokio::test]
async fn no_match_is_an_answer() {
    let project = poems();
    let text = project
        .text("grep_search", json!({"pattern": "green"}))
        .await;
    insta::assert_snapshot!(text, @"No line matches `green` in `.`.");
    let error = project
        .error("grep_search", json!({"pattern": "x", "dir_path": "c"}))
        .await;
    assert_eq!(error.kind, ToolErrorKind::FileNotFound);
}

#[tokio::test]
async fn a_file_that_turns_out_to_be_binary_has_no_lines() {
    let project = Project::new();
    project.file("a", "red\n".to_owned() + &"filler\n".repeat(50_000) + "\0");
    let text = project.text("grep_search", json!({"pattern": "red"})).await;
    insta::assert_snapshot!(text, @"No line matches `red` in `.`.");
}

#[tokio::test]
async fn secrets_are_searched_only_by_name() {
    let project = Project::with(&[
        ("a.txt", "KEY is in .env\n"),
        (".env", "KEY=1234\n"),
        (".aws/config", "KEY=5678\n"),
        (".env.example", "KEY=yours\n"),
    ]);
    let text = project.text("grep_search", json!({"pattern": "KEY"})).await;
    insta::assert_snapshot!(text, @"
    .env.example
    1: KEY=yours

    a.txt
    1: KEY is in .env

    [not searched, since it may hold secrets: .aws/config and 1 more]
    ");
    let args = json!({"pattern": "1234", "include_pattern": ".env"});
    let text = project.text("grep_search", args).await;
    insta::assert_snapshot!(text, @"
    No line matches `1234` in `.`.
    [not searched, since it may hold secrets: .env]
    ");
    std::os::unix::fs::symlink(".aws", project.path("link")).unwrap();
    for (named, found) in [(".env", "1234"), (".aws", "5678"), ("link", "5678")] {
        let args = json!({"pattern": "KEY", "dir_path": named});
        let text = project.text("grep_search", args).await;
        assert!(text.contains(found) && !text.contains("secret"), "{text}");
    }
}

#[tokio::test]
async fn a_limit_is_said_only_when_it_cuts() {
    let project = Project::with(&[("a", "x\nx\ny\n"), ("b", "x\n")]);
    let args = json!({"pattern": "x", "max_matches": 2, "context": 1});
    insta::assert_snapshot!(project.text("grep_search", args).await, @r"
    a
    1: x
    2: x
    3- y

    [stopped after 2 matches; narrow the search or raise max_matches]
    ");
    let all = project
        .text("grep_search", json!({"pattern": "x", "max_matches": 3}))
        .await;
    assert!(!all.contains("stopped"), "{all}");
    let many = "x\n".repeat(MATCHES + 1);
    project.file("a", many);
    let text = project.text("grep_search", json!({"pattern": "x"})).await;
    assert!(
        text.ends_with("[stopped after 100 matches; narrow the search or raise max_matches]\n")
    );
}

#[tokio::test]
async fn long_lines_show_the_match() {
    let line = "é".repeat(700) + "needle" + &"b".repeat(700);
    let project = Project::with(&[("a", &line)]);
    let text = project
        .text("grep_search", json!({"pattern": "needle"}))
        .await;
    let shown = "é".repeat(50) + "needle" + &"b".repeat(500 - 56);
    assert_eq!(text, format!("a\n1: … {shown}… [256 more bytes]\n"));
}

#[tokio::test]
async fn output_is_bounded() {
    let line = "x".repeat(499) + "\n";
    let project = Project::with(&[("a", &line.repeat(5000))]);
    let args = json!({"pattern": "x", "max_matches": 100_000});
    let text = project.text("grep_search", args).await;
    assert!(text.len() < 62_000, "{}", text.len());
    assert!(text.contains("[stopped after "));
}

#[tokio::test]
async fn wide_text_is_searched_too() {
    let project = Project::new();
    project.file("a", b"\xff\xfer\0e\0d\0\n\0");
    assert_eq!(
        project.text("grep", json!({"regex": "^red$"})).await,
        "a\n1: red\n"
    );
}

#[tokio::test]
async fn a_cancelled_search_ends() {
    let project = poems();
    let context = RunContext::default();
    let plan = project
        .plan("grep_search", json!({"pattern": "x"}))
        .unwrap();
    context.cancel.cancel();
    let error = plan.run(context).await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::Cancelled);
}

#[test]
fn a_plan_says_what_it_reads() {
    let project = Project::new();
    let plan = project.plan("search", json!({"pattern": "x"})).unwrap();
    assert_eq!(plan.effects().reads, [Located::of(project.path(""))]);
    assert_eq!(plan.summary(), "x");
}
