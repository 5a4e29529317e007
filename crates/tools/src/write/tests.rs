//! New files, changed files, and files that must not be touched.

use std::os::unix::fs::symlink;

use pollux_types::ToolErrorKind;
use serde_json::json;

use super::*;
use crate::failure::failed;
use crate::testing::Project;

async fn write(project: &Project, name: &str, content: &str) -> Outcome {
    let args = json!({"file_path": name, "content": content});
    project.run("write_file", args).await
}

#[tokio::test]
async fn a_new_file_with_its_directories() {
    let project = Project::new();
    let output = write(&project, "a/b/c.txt", "one\ntwo\n").await.unwrap();
    insta::assert_snapshot!(output.text, @"created `a/b/c.txt` with 2 lines");
    insta::assert_snapshot!(output.changes[0].diff, @"
    --- /dev/null
    +++ b/a/b/c.txt
    @@ -0,0 +1,2 @@
    +one
    +two
    ");
    let change = &output.changes[0];
    assert_eq!(
        (change.path.as_str(), change.added, change.removed),
        ("a/b/c.txt", 2, 0)
    );
    assert_eq!(project.bytes("a/b/c.txt"), b"one\ntwo\n");
}

#[tokio::test]
async fn an_overwritten_file() {
    let project = Project::with(&[("a", "one\ntwo\n")]);
    let output = write(&project, "a", "one\nthree\n").await.unwrap();
    insta::assert_snapshot!(output.text, @"overwrote `a` with 2 lines");
    insta::assert_snapshot!(output.changes[0].diff, @"
    --- a/a
    +++ b/a
    @@ -1,2 +1,2 @@
     one
    -two
    +three
    ");
    assert_eq!(project.bytes("a"), b"one\nthree\n");
}

#[tokio::test]
async fn the_same_content_is_not_written() {
    let project = Project::with(&[("a", "same\r\n")]);
    let before = std::fs::metadata(project.path("a")).unwrap();
    let output = write(&project, "a", "same\n").await.unwrap();
    insta::assert_snapshot!(output.text, @"`a` already has this content: unchanged");
    assert!(output.changes.is_empty());
    let after = std::fs::metadata(project.path("a")).unwrap();
    assert_eq!(before.modified().unwrap(), after.modified().unwrap());
}

#[tokio::test]
async fn the_form_of_a_file_stays() {
    let project = Project::new();
    for (old, new, expected) in [
        (&b"a\r\nb\r\n"[..], "x\ny\n", &b"x\r\ny\r\n"[..]),
        (b"a\r\nb\n", "x\ny\n", b"x\ny\n"),
        (b"a\r\nb\r\n", "x\r\ny\n", b"x\r\ny\n"),
        (b"a\nb\n", "x\r\ny\n", b"x\r\ny\n"),
        (b"\xef\xbb\xbfa\n", "x\n", b"\xef\xbb\xbfx\n"),
        (b"\xff\xfea\0\n\0", "x\n", b"\xff\xfex\0\n\0"),
        (b"\0binary\r\n", "x\n", b"x\n"),
    ] {
        project.file("a", old);
        write(&project, "a", new).await.unwrap();
        assert_eq!(project.bytes("a"), expected, "{old:?}");
    }
}

#[tokio::test]
async fn a_link_is_written_through() {
    let project = Project::with(&[("real/file", "old")]);
    symlink("real/file", project.path("link")).unwrap();
    symlink("real/new", project.path("dangling")).unwrap();
    write(&project, "link", "new").await.unwrap();
    write(&project, "dangling", "fresh").await.unwrap();
    assert!(project.path("link").is_symlink());
    assert_eq!(project.bytes("real/file"), b"new");
    assert_eq!(project.bytes("real/new"), b"fresh");
}

#[tokio::test]
async fn what_cannot_be_written() {
    let project = Project::with(&[("dir/file", "")]);
    let error = write(&project, "dir", "x").await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::TargetIsDirectory);
    let error = write(&project, "dir/file/below", "x").await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::PathIsNotADirectory);
    let pipe = project.path("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
    let error = write(&project, "pipe", "x").await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::ExecutionFailed);
}

#[test]
fn failures_of_the_disk_have_their_kinds() {
    use rustix::io::Errno;
    for (errno, kind) in [
        (Errno::NOSPC, ToolErrorKind::NoSpaceLeft),
        (Errno::DQUOT, ToolErrorKind::NoSpaceLeft),
        (Errno::ACCESS, ToolErrorKind::PermissionDenied),
        (Errno::PERM, ToolErrorKind::PermissionDenied),
        (Errno::ROFS, ToolErrorKind::PermissionDenied),
        (Errno::IO, ToolErrorKind::ExecutionFailed),
    ] {
        assert_eq!(failed("write", "a", &errno.into()).kind, kind);
    }
    let error = failed("write", "a", &Errno::NOSPC.into());
    insta::assert_snapshot!(error.message, @"cannot write `a`: No space left on device (os error 28)");
}

#[test]
fn a_plan_says_what_it_writes() {
    let project = Project::new();
    let plan = project
        .plan("write", json!({"path": "a", "text": ""}))
        .unwrap();
    assert_eq!(plan.effects().writes, [Located::of(project.path("a"))]);
    assert_eq!(plan.summary(), "a");
}

#[tokio::test]
async fn an_edit_through_a_link_says_which_file_changes() {
    let project = Project::with(&[("src/real.txt", "red\n")]);
    symlink("src/real.txt", project.path("link")).unwrap();
    for (tool, args) in [
        (
            "write_file",
            json!({"file_path": "link", "content": "blue\n"}),
        ),
        (
            "replace",
            json!({"file_path": "link", "old_string": "red", "new_string": "blue"}),
        ),
    ] {
        let plan = project.plan(tool, args).unwrap();
        assert_eq!(plan.summary(), "link -> src/real.txt");
        let change = plan.preview().await.unwrap().change.unwrap();
        assert_eq!(change.path, "link -> src/real.txt");
        let head = "--- a/link -> src/real.txt\n+++ b/link -> src/real.txt\n";
        assert!(change.diff.starts_with(head), "{}", change.diff);
    }
}
