//! Finding files by name in real directories.

use std::fs::File;
use std::time::Duration;

use serde_json::json;

use super::*;
use crate::testing::Project;

/// Files whose times are in their order: the last is the newest.
fn aged(names: &[&str]) -> Project {
    let project = Project::new();
    for (age, name) in names.iter().enumerate() {
        let file = File::options()
            .append(true)
            .open(project.file(name, ""))
            .unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(age as u64 + 1);
        file.set_modified(time).unwrap();
    }
    project
}

#[tokio::test]
async fn newest_first_in_any_directory() {
    let project = aged(&["a.rs", "src/b.rs", "src/deep/.c.RS", "d.txt", ".git/e.rs"]);
    insta::assert_snapshot!(project.text("glob", json!({"pattern": "*.rs"})).await, @r"
    src/deep/.c.RS
    src/b.rs
    a.rs
    ");
    insta::assert_snapshot!(project.text("glob", json!({"pattern": "./src/*.rs"})).await, @"src/b.rs");
    let args = json!({"pattern": "**/*.{rs,txt}", "case_sensitive": true});
    insta::assert_snapshot!(project.text("glob", args).await, @r"
    d.txt
    src/b.rs
    a.rs
    ");
    let args = json!({"pattern": "*.rs", "dir_path": "src"});
    insta::assert_snapshot!(project.text("glob", args).await, @r"
    src/deep/.c.RS
    src/b.rs
    ");
    let args = json!({"pattern": "*.py"});
    insta::assert_snapshot!(project.text("glob", args).await, @"No file matches `*.py` in `.`.");
}

#[tokio::test]
async fn ignored_files_are_left_out() {
    let project = aged(&["keep", "by_git", "by_pollux", "by_gemini", "sub/by_git"]);
    project.file(".gitignore", "by_git\n.*\n");
    project.file(".polluxignore", "by_pollux\n");
    project.file(".geminiignore", "by_gemini\n");
    insta::assert_snapshot!(project.text("glob", json!({"pattern": "*"})).await, @"keep");
    let args = json!({"pattern": "[!.]*", "respect_git_ignore": false});
    insta::assert_snapshot!(project.text("glob", args).await, @r"
    sub/by_git
    by_git
    keep
    ");
}

#[tokio::test]
async fn ignore_files_above_a_repository_count_inside_it() {
    let project = aged(&["sub/keep", "sub/log"]);
    project.file(".gitignore", "log\n");
    let args = json!({"pattern": "*", "dir_path": "sub"});
    assert_eq!(
        project.text("glob", args.clone()).await,
        "sub/log\nsub/keep"
    );
    std::fs::create_dir(project.path(".git")).unwrap();
    assert_eq!(project.text("glob", args).await, "sub/keep");
}

#[tokio::test]
async fn many_files_are_cut() {
    let project = Project::new();
    for number in 0..SHOWN + 3 {
        project.file(&number.to_string(), "");
    }
    let text = project.text("glob", json!({"pattern": "*"})).await;
    assert_eq!(text.lines().count(), SHOWN + 1);
    assert!(text.ends_with("\n[3 older files left out]"));
}

#[tokio::test]
async fn an_absolute_pattern_is_taken_relative() {
    let project = aged(&["src/a.rs"]);
    let pattern = project.path("src/*.rs").display().to_string();
    assert_eq!(
        project.text("glob", json!({"pattern": pattern})).await,
        "src/a.rs"
    );
    let plan = project.plan("glob", json!({"pattern": "../*"}));
    insta::assert_snapshot!(plan.err().unwrap(), @"`pattern`: leads out of dir_path, to which it is relative; glob takes pattern (string, required), dir_path (string), case_sensitive (boolean), respect_git_ignore (boolean)");
    let plan = project.plan("glob", json!({"pattern": "a{b"}));
    insta::assert_snapshot!(plan.err().unwrap(), @"`pattern`: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?); glob takes pattern (string, required), dir_path (string), case_sensitive (boolean), respect_git_ignore (boolean)");
}

#[tokio::test]
async fn what_is_not_a_directory() {
    let project = aged(&["file"]);
    let error = project
        .error("glob", json!({"pattern": "*", "dir_path": "file"}))
        .await;
    assert_eq!(error.kind, ToolErrorKind::PathIsNotADirectory);
    let error = project
        .error("glob", json!({"pattern": "*", "dir_path": "no"}))
        .await;
    assert_eq!(error.kind, ToolErrorKind::FileNotFound);
}

#[test]
fn a_plan_says_what_it_reads() {
    let project = Project::new();
    let plan = project
        .plan("glob", json!({"pattern": "*.rs", "dir_path": "src"}))
        .unwrap();
    assert_eq!(plan.effects().reads, [Located::of(project.path("src"))]);
    assert_eq!(plan.summary(), "*.rs in src");
}
