//! Edits that hit, edits that miss, and bytes that must not change.

use serde_json::json;

use super::*;
use crate::testing::Project;

async fn replace(project: &Project, old: &str, new: &str) -> Outcome {
    let args = json!({"file_path": "a", "old_string": old, "new_string": new});
    project.run("replace", args).await
}

#[tokio::test]
async fn the_only_occurrence_is_replaced() {
    let project = Project::with(&[("a", "one\ntwo\nthree\n")]);
    let output = replace(&project, "two", "2").await.unwrap();
    insta::assert_snapshot!(output.text, @"replaced 1 occurrence in `a` (line 2)");
    insta::assert_snapshot!(output.changes[0].diff, @"
    --- a/a
    +++ b/a
    @@ -1,3 +1,3 @@
     one
    -two
    +2
     three
    ");
    assert_eq!(project.bytes("a"), b"one\n2\nthree\n");
}

#[tokio::test]
async fn every_occurrence_if_asked_for() {
    let project = Project::with(&[("a", &"x\n".repeat(12))]);
    let error = replace(&project, "x", "$1").await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::EditExpectedOccurrenceMismatch);
    insta::assert_snapshot!(error.message, @"`a` contains old_string 12 times; add lines around it to make it unique, or set allow_multiple");
    let args = json!({"path": "a", "old_str": "x", "new_str": "$1", "allow_multiple": true});
    let text = project.text("edit", args).await;
    insta::assert_snapshot!(text, @"replaced 12 occurrences in `a` (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …)");
    assert_eq!(project.bytes("a"), "$1\n".repeat(12).as_bytes());
}

#[tokio::test]
async fn what_is_not_there_comes_with_a_hint() {
    let project = Project::with(&[("a", "fn a() {\n\tb();\n}\n")]);
    let error = replace(&project, "  b();\n}\nfn", "").await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::EditNoOccurrenceFound);
    insta::assert_snapshot!(error.message, @"`a` does not contain old_string. Its first line is like line 2: check spaces and the lines after it");
    let error = replace(&project, "c()", "").await.unwrap_err();
    insta::assert_snapshot!(error.message, @"`a` does not contain old_string; read the file and copy the text exactly");
    let error = replace(&project, "b()", "b()").await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::EditNoChange);
    insta::assert_snapshot!(error.message, @"`a` would not change: old_string and new_string are the same");
}

#[tokio::test]
async fn no_old_text_makes_a_new_file() {
    let project = Project::new();
    let output = replace(&project, "", "new\n").await.unwrap();
    insta::assert_snapshot!(output.text, @"created `a`");
    assert_eq!(output.changes[0].added, 1);
    let error = replace(&project, "", "newer\n").await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::InvalidToolParams);
    insta::assert_snapshot!(error.message, @"`a` exists: give the text to replace as old_string, or use write_file");
    assert_eq!(project.bytes("a"), b"new\n");
    project.file("a", "");
    replace(&project, "", "filled\n").await.unwrap();
    assert_eq!(project.bytes("a"), b"filled\n");
}

#[tokio::test]
async fn a_file_that_is_not_there() {
    let project = Project::with(&[("b", "")]);
    let args = json!({"file_path": "src/b", "old_string": "x", "new_string": "y"});
    let error = project.error("replace", args).await;
    assert_eq!(error.kind, ToolErrorKind::FileNotFound);
    let args = json!({"file_path": ".", "old_string": "x", "new_string": "y"});
    let error = project.error("replace", args).await;
    assert_eq!(error.kind, ToolErrorKind::TargetIsDirectory);
}

#[tokio::test]
async fn every_other_byte_stays() {
    let project = Project::new();
    for (old, expected) in [
        (
            &b"\xef\xbb\xbfa\r\nb\r\nc\n"[..],
            &b"\xef\xbb\xbfx\r\ny\r\nc\n"[..],
        ),
        (b"\xe9a\nb\xff\0", b"\xe9x\ny\xff\0"),
        (b"\xfe\xff\0a\0\n\0b\0\xe9", b"\xfe\xff\0x\0\n\0y\0\xe9"),
    ] {
        project.file("a", old);
        replace(&project, "a\nb", "x\ny").await.unwrap();
        assert_eq!(project.bytes("a"), expected, "{old:?}");
    }
}

#[tokio::test]
async fn damaged_wide_text_is_left_alone() {
    let project = Project::new();
    let damaged = b"\xff\xfea\0\x00\xdc".as_slice();
    project.file("a", damaged);
    let error = replace(&project, "a", "b").await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::ExecutionFailed);
    assert_eq!(project.bytes("a"), damaged);
}

#[tokio::test]
async fn a_huge_file_is_not_loaded() {
    let project = Project::with(&[("a", "x")]);
    let file = std::fs::File::options()
        .append(true)
        .open(project.path("a"))
        .unwrap();
    file.set_len(1 << 40).unwrap();
    let error = replace(&project, "x", "y").await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::FileTooLarge);
}

#[test]
fn a_plan_says_what_it_writes() {
    let project = Project::new();
    let args = json!({"filePath": "a", "old_content": "x", "new_content": "y"});
    let plan = project.plan("str_replace", args).unwrap();
    assert_eq!(plan.effects().writes, [Located::of(project.path("a"))]);
    assert_eq!(plan.summary(), "a");
}
