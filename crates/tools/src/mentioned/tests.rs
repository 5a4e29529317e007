//! Files and directories that a prompt names.

use serde_json::json;

use super::*;
use crate::testing::Project;
use crate::{Registry, Sandbox, ShellLimits};

async fn named(project: &Project, name: &str) -> Outcome {
    let workspace = Arc::new(Workspace::new(&project.path("."), &[]).unwrap());
    let registry = Registry::typed(
        &workspace,
        &ShellLimits::default(),
        &Sandbox::off(),
        McpServers::default(),
    );
    let Value::Object(args) = json!({"name": name}) else {
        unreachable!()
    };
    let plan = registry.get("read_many_files").unwrap().plan(args).unwrap();
    plan.run(RunContext::default()).await
}

#[tokio::test]
async fn a_file_is_headed_by_its_name() {
    let project = Project::with(&[("a.txt", "alpha"), ("b.bin", "\0\u{1}\0")]);
    let text = named(&project, "a.txt").await.unwrap().text;
    assert_eq!(text, "Content from @a.txt:\nalpha\n");
    let text = named(&project, "b.bin").await.unwrap().text;
    insta::assert_snapshot!(text, @"
    Content from @b.bin:
    [`b.bin` is a binary file of 3 bytes]
    ");
    let error = named(&project, "none").await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::FileNotFound);
}

#[tokio::test]
async fn memory_is_what_the_session_has_of_it() {
    let project = Project::with(&[("memory", "a file"), ("git", "")]);
    let text = named(&project, "memory").await.unwrap().text;
    assert_eq!(text, "Content from @memory:\n[nothing is written down]\n");
    let text = named(&project, "./memory").await.unwrap().text;
    assert_eq!(text, "Content from @memory:\na file\n");
}

#[tokio::test]
async fn a_directory_is_its_files_but_for_those_that_are_ignored() {
    let project = Project::with(&[
        ("src/main.rs", "fn main() {}\n"),
        ("src/deep/lib.rs", "pub fn f() {}\n"),
        ("src/image.png", "\0\0\0\0"),
        ("src/target/out", "secret"),
        ("src/.gitignore", "target/\n"),
    ]);
    std::os::unix::fs::symlink("/etc/passwd", project.path("src/link")).unwrap();
    let text = named(&project, "src/").await.unwrap().text;
    insta::assert_snapshot!(text, @"
    Content from @src/:
    .gitignore
    deep/lib.rs
    image.png
    main.rs
    Content from @src/.gitignore:
    target/
    Content from @src/deep/lib.rs:
    pub fn f() {}
    Content from @src/image.png:
    [`src/image.png` is a binary file of 4 bytes]
    Content from @src/main.rs:
    fn main() {}
    ");
}

#[tokio::test]
async fn secrets_of_a_directory_are_named_and_not_read() {
    let project = Project::with(&[("d/.env", "KEY=1234\n"), ("d/.aws/config", "5678\n")]);
    let text = named(&project, "d").await.unwrap().text;
    insta::assert_snapshot!(text, @"
    Content from @d/:
    .aws/config
    .env
    Content from @d/.aws/config:
    [not read, since it may hold secrets]
    Content from @d/.env:
    [not read, since it may hold secrets]
    ");
    for (name, content) in [("d/.env", "1234"), ("d/.aws", "5678")] {
        let text = named(&project, name).await.unwrap().text;
        assert!(text.contains(content), "{text}");
    }
}

#[tokio::test]
async fn what_does_not_fit_is_counted() {
    let project = Project::new();
    let line = format!("{}\n", "x".repeat(99));
    project.file("d/a", line.repeat(900));
    project.file("d/b", line.repeat(900));
    project.file("d/c", "small\n");
    let text = named(&project, "d").await.unwrap().text;
    assert!(text.contains("Content from @d/c:\nsmall\n"));
    assert!(!text.contains("Content from @d/b:\n"));
    assert!(text.len() < 100_000, "{}", text.len());
    let end = text.lines().last().unwrap();
    insta::assert_snapshot!(end, @"[the content of 1 of 3 files is left out: all of it would be more than 100000 bytes]");
}

#[tokio::test]
async fn a_directory_without_an_end_is_named_in_part() {
    let project = Project::new();
    for n in 0..1100 {
        project.file(&format!("many/{n}"), "");
    }
    let text = named(&project, "many").await.unwrap().text;
    assert!(text.contains("[and more than 1000 files]"));
}
