//! Files of all sorts, and windows into them.

use std::time::Duration;

use pollux_types::ToolErrorKind;
use serde_json::json;

use super::*;
use crate::testing::Project;

fn numbered(lines: usize) -> String {
    let lines: Vec<_> = (1..=lines).map(|line| format!("line {line}\n")).collect();
    lines.concat()
}

#[tokio::test]
async fn a_whole_file_is_shown_as_it_is() {
    let project = Project::with(&[("a", "one\n\ttwo\n"), ("b", "no newline"), ("empty", "")]);
    let read = |name| project.text("read_file", json!({"file_path": name}));
    assert_eq!(read("a").await, "one\n\ttwo\n");
    assert_eq!(read("b").await, "no newline");
    assert_eq!(read("empty").await, "(empty file)");
}

#[tokio::test]
async fn a_window_says_where_it_is() {
    let project = Project::with(&[("a", &numbered(5))]);
    let read = |args| project.text("read_file", args);
    insta::assert_snapshot!(read(json!({"file_path": "a", "start_line": 2, "end_line": 3})).await, @r"
    [lines 2-3 of 5; read on with start_line=4]
    line 2
    line 3
    ");
    insta::assert_snapshot!(read(json!({"path": "a", "offset": 4, "limit": 9})).await, @r"
    [lines 4-5 of 5]
    line 4
    line 5
    ");
    insta::assert_snapshot!(read(json!({"filename": "a", "start_line": 0, "end_line": 1})).await, @r"
    [lines 1-1 of 5; read on with start_line=2]
    line 1
    ");
    assert_eq!(
        read(json!({"filePath": "a", "end_line": 5})).await,
        numbered(5)
    );
}

#[tokio::test]
async fn a_window_that_is_not_there_is_an_error() {
    let project = Project::with(&[("a", &numbered(5))]);
    let error = project
        .error("read_file", json!({"file_path": "a", "start_line": 6}))
        .await;
    assert_eq!(error.kind, ToolErrorKind::InvalidToolParams);
    insta::assert_snapshot!(error.message, @"start_line 6 is past the end of `a`, which has 5 lines");
    let args = json!({"file_path": "a", "start_line": 3, "end_line": 2});
    let error = project.plan("read_file", args).err().unwrap();
    insta::assert_snapshot!(error, @"end_line 2 is before start_line 3; read_file takes file_path (string, required), start_line (integer), end_line (integer)");
}

#[tokio::test]
async fn many_lines_stop_at_the_window() {
    let project = Project::with(&[("a", &numbered(2500))]);
    let text = project.text("read_file", json!({"file_path": "a"})).await;
    let first = "[lines 1-2000 of 2500; read on with start_line=2001]\nline 1\n";
    assert!(text.starts_with(first), "{}", &text[..80]);
    assert!(text.ends_with("line 2000\n"));
}

#[tokio::test]
async fn long_lines_and_long_files_are_bounded() {
    let long = "é".repeat(3000) + "\n";
    let project = Project::with(&[("a", &long.repeat(100))]);
    let text = project.text("read_file", json!({"file_path": "a"})).await;
    let mut lines = text.lines();
    insta::assert_snapshot!(lines.next().unwrap(), @"[lines 1-24 of 100; read on with start_line=25]");
    let line = lines.next().unwrap();
    assert_eq!(line, "é".repeat(2000) + "… [2000 more bytes]");
    assert!(text.len() < 100_100);
    assert_eq!(text.lines().count(), 25);
}

#[tokio::test]
async fn one_endless_line_is_bounded_too() {
    let project = Project::with(&[("a", &"x".repeat(3_000_000))]);
    let text = project.text("read_file", json!({"file_path": "a"})).await;
    assert_eq!(text, "x".repeat(2000) + "… [2998000 more bytes]");
}

#[tokio::test]
async fn a_huge_file_is_read_in_parts_only() {
    let project = Project::new();
    let path = project.file("a", numbered(3));
    // A hole takes no space on the disk.
    let file = File::options().write(true).open(path).unwrap();
    file.set_len(WHOLE_BYTES * 100).unwrap();
    let error = project.error("read_file", json!({"file_path": "a"})).await;
    assert_eq!(error.kind, ToolErrorKind::BinaryFile);

    let text = format!("\u{feff}{}{}", numbered(10), "x".repeat(SNIFFED));
    let path = project.file("b", &text);
    File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_len(WHOLE_BYTES * 100)
        .unwrap();
    let error = project.error("read_file", json!({"file_path": "b"})).await;
    assert_eq!(error.kind, ToolErrorKind::FileTooLarge);
    insta::assert_snapshot!(error.message, @"`b` has 2000000000 bytes; read it in parts with start_line and end_line");
    let first = project
        .text("read_file", json!({"file_path": "b", "end_line": 1}))
        .await;
    assert_eq!(first, "[lines 1-1; read on with start_line=2]\nline 1\n");
    let args = json!({"file_path": "b", "start_line": 3, "end_line": 4});
    insta::assert_snapshot!(project.text("read_file", args).await, @r"
    [lines 3-4; read on with start_line=5]
    line 3
    line 4
    ");
}

#[tokio::test]
async fn what_is_no_text_is_not_shown() {
    let project = Project::new();
    project.file("a", b"\x7fELF\0\0");
    let error = project.error("read_file", json!({"file_path": "a"})).await;
    assert_eq!(error.kind, ToolErrorKind::BinaryFile);
    insta::assert_snapshot!(error.message, @"`a` is a binary file of 6 bytes");
}

#[tokio::test]
async fn encodings() {
    let project = Project::new();
    project.file("mark", b"\xef\xbb\xbfhi\r\nyou\r\n");
    project.file("wide", b"\xff\xfeh\0i\0\n\0");
    project.file("latin", b"caf\xe9\n");
    let read = |name| project.text("read_file", json!({"file_path": name}));
    assert_eq!(read("mark").await, "hi\nyou\n");
    assert_eq!(read("wide").await, "hi\n");
    insta::assert_snapshot!(read("latin").await, @r"
    [not all UTF-8: other bytes are shown as �]
    caf�
    ");
}

#[tokio::test]
async fn what_is_not_a_file() {
    let project = Project::with(&[("src/main.rs", ""), ("src/lib.rs", "")]);
    let read = |name| project.error("read_file", json!({"file_path": name}));
    let error = read("src").await;
    assert_eq!(error.kind, ToolErrorKind::TargetIsDirectory);
    insta::assert_snapshot!(error.message, @"`src` is a directory; use list_directory");
    let error = read("src/mian.rs").await;
    assert_eq!(error.kind, ToolErrorKind::FileNotFound);
    insta::assert_snapshot!(error.message, @"`src/mian.rs` does not exist; did you mean `main.rs`?");
    insta::assert_snapshot!(read("nowhere/at/all").await.message, @"`nowhere/at/all` does not exist");
}

#[tokio::test]
async fn a_pipe_does_not_block() {
    let project = Project::new();
    let pipe = project.path("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
    // Somebody holds it open and writes nothing, until the test has failed.
    let silent = File::options().read(true).write(true).open(&pipe).unwrap();
    let reading = project.error("read_file", json!({"file_path": "pipe"}));
    let error = tokio::time::timeout(Duration::from_secs(20), reading).await;
    drop(silent);
    let error = error.expect("reading a pipe must not block");
    assert_eq!(error.kind, ToolErrorKind::ExecutionFailed);
    insta::assert_snapshot!(error.message, @"`pipe` is not a regular file");
}

#[test]
fn a_plan_says_what_it_reads() {
    let project = Project::new();
    let args = json!({"absolute_path": "a/../b", "start_line": 3, "end_line": 9});
    let plan = project.plan("read", args).unwrap();
    assert_eq!(plan.effects().reads, [Located::of(project.path("b"))]);
    assert_eq!(plan.effects().writes, []);
    assert_eq!(plan.summary(), "b:3-9");
}
