//! What a listing shows.

use std::os::unix::fs::symlink;

use serde_json::json;

use super::*;
use crate::testing::Project;

#[tokio::test]
async fn directories_come_first() {
    let project = Project::with(&[("b.txt", "12345"), ("a.txt", ""), (".hidden", "x")]);
    project.file("zoo/lion", "");
    project.file("odd\nname", "");
    symlink("zoo/lion", project.path("link")).unwrap();
    insta::assert_snapshot!(project.text("list_directory", json!({"dir_path": "."})).await, @r"
    zoo/
    .hidden  (1 bytes)
    a.txt  (0 bytes)
    b.txt  (5 bytes)
    link -> zoo/lion
    odd\nname  (0 bytes)
    ");
    let args = json!({"path": "", "ignore": ["*.txt", "zoo", "odd*"]});
    insta::assert_snapshot!(project.text("list_directory", args).await, @r"
    .hidden  (1 bytes)
    link -> zoo/lion
    ");
}

#[tokio::test]
async fn an_empty_directory_is_said_to_be_empty() {
    let project = Project::new();
    fs::create_dir(project.path("none")).unwrap();
    insta::assert_snapshot!(project.text("ls", json!({"dir": "none"})).await, @"`none` is empty");
}

#[tokio::test]
async fn a_big_directory_is_cut() {
    let project = Project::new();
    for number in 0..SHOWN + 7 {
        project.file(&format!("{number:04}"), "");
    }
    let text = project
        .text("list_directory", json!({"dir_path": "."}))
        .await;
    assert_eq!(text.lines().count(), SHOWN + 1);
    assert!(text.ends_with("0999  (0 bytes)\n[7 more entries left out]"));
}

#[tokio::test]
async fn what_is_not_a_directory() {
    let project = Project::with(&[("source/file", "")]);
    let error = project
        .error("list_directory", json!({"dir_path": "source/file"}))
        .await;
    assert_eq!(error.kind, ToolErrorKind::PathIsNotADirectory);
    insta::assert_snapshot!(error.message, @"`source/file` is a file; use read_file");
    let error = project
        .error("list_directory", json!({"dir_path": "sources"}))
        .await;
    assert_eq!(error.kind, ToolErrorKind::FileNotFound);
    insta::assert_snapshot!(error.message, @"`sources` does not exist; did you mean `source`?");
}

#[test]
fn a_bad_glob_is_refused() {
    let project = Project::new();
    let plan = project.plan("list_directory", json!({"dir_path": ".", "ignore": ["[a"]}));
    insta::assert_snapshot!(plan.err().unwrap(), @"`ignore`: error parsing glob '[a': unclosed character class; missing ']'; list_directory takes dir_path (string, required), ignore (array)");
}

#[test]
fn a_plan_says_what_it_reads() {
    let project = Project::new();
    let plan = project
        .plan("list_directory", json!({"directory": "a"}))
        .unwrap();
    assert_eq!(plan.effects().reads, [Located::of(project.path("a"))]);
    assert_eq!(plan.summary(), "a");
}
