//! What is shown of a folder, and what comes of an answer.

use std::fs;

use pollux_testkit::Project;

use super::*;

fn home(project: &Project) -> Home {
    Home::new(project.pollux_home())
}

fn look(project: &Project) -> Found {
    Found::look(project.path(), &home(project))
}

fn notices(project: &Project) -> String {
    let folder = look(project).settled(None).unwrap();
    assert!(folder.settings().is_none());
    let said = folder.notices.join("\n");
    said.replace(project.home().to_str().unwrap(), "HOME")
}

#[test]
fn what_it_would_load_is_shown() {
    let config = "model = 'a'\n[agent]\nmax_turns = 3\n[approval]\nmode = 'yolo'\n";
    let project = Project::new()
        .file(".pollux/config.toml", config)
        .file(".pollux/commands/x\n\x1b[2Jtrusted by you.toml", "")
        .file(".agents/skills/a/SKILL.md", "");
    insta::assert_snapshot!(look(&project).question().unwrap(), @r#"
    This folder brings files for pollux. None counts unless you trust it:
      .pollux/config.toml
        sets model = "a"
        sets agent.max_turns = 3
        wants to set approval.mode = "yolo", and may not
      .agents/skills/a/SKILL.md
      .pollux/commands/x\n\e[2Jtrusted by you.toml
    trust it? [y/n]
    "#);
    let folder = look(&project).answered(true, &home(&project)).unwrap();
    assert!(folder.settings().is_some());
    assert_eq!(look(&project).question(), None);
    project.write(".pollux/config.toml", "model = 'b'");
    project.write(".pollux/new", "");
    fs::remove_dir_all(project.at(".agents")).unwrap();
    insta::assert_snapshot!(look(&project).question().unwrap(), @r#"
    This folder has changed since you trusted it:
      .pollux/config.toml has changed
      .pollux/new is new
      .agents/skills/a/SKILL.md is gone
    This folder brings files for pollux. None counts unless you trust it:
      .pollux/config.toml
        sets model = "b"
      .pollux/commands/x\n\e[2Jtrusted by you.toml
      .pollux/new
    trust it? [y/n]
    "#);
    insta::assert_snapshot!(notices(&project), @r"this folder has changed since you trusted it (.pollux/config.toml has changed, .pollux/new is new, .agents/skills/a/SKILL.md is gone), so pollux does not read .pollux/config.toml, .pollux/commands/x\n\e[2Jtrusted by you.toml, .pollux/new; to trust it start `pollux` here on a terminal, or add `--trust` for this run");
}

#[test]
fn a_folder_that_brings_nothing_is_never_asked_about() {
    let project = Project::new().file("src/main.rs", "").dir(".pollux");
    assert_eq!(look(&project).question(), None);
    assert_eq!(notices(&project), "");
}

#[test]
fn nobody_is_shown_more_than_can_be_read() {
    let project = Project::new().file(".pollux/config.toml", "model = 'a'");
    for n in 0..50 {
        project.write(format!(".pollux/{n:02}{}", "x".repeat(250)), "");
    }
    let question = look(&project).question().unwrap();
    assert!(question.contains("\n  and 31 more\n"), "{question}");
    let settings = "\n  .pollux/config.toml\n    sets model = \"a\"\n";
    assert!(question.contains(settings), "{question}");
    assert!(question.lines().all(|line| line.len() < 220), "{question}");
}

#[test]
fn a_value_is_shown_on_one_line_and_no_longer_than_anybody_reads() {
    let config = format!(
        "model = \"\"\"a\n\u{202e}b\"\"\"\nprovider = '{}'",
        "x".repeat(5000)
    );
    let project = Project::new().file(".pollux/config.toml", config);
    let question = look(&project).question().unwrap();
    assert!(question.contains("sets model = "), "{question}");
    assert!(!question.contains('\u{202e}'), "{question}");
    assert_eq!(question.lines().count(), 5, "{question}");
    assert!(question.lines().all(|line| line.len() < 220), "{question}");
}

#[test]
fn a_no_is_for_this_run() {
    let project = Project::new().file(".pollux/config.toml", "model = 'a'");
    let folder = look(&project).answered(false, &home(&project)).unwrap();
    assert!(folder.settings().is_none());
    assert_eq!(folder.notices, Vec::<String>::new());
    assert!(!project.pollux_home().exists());
    assert!(look(&project).question().is_some());
}

#[test]
fn only_yes_means_yes() {
    let said = |answer| move |line: &&str| understood(line) == answer;
    assert!(["y", "Y\n", " yes\r\n"].iter().all(said(Some(true))));
    assert!(["n", "No\n"].iter().all(said(Some(false))));
    assert!(["", "\n", "yep", "always", "ny"].iter().all(said(None)));
}

#[test]
fn without_a_record_nobody_is_trusted() {
    let project = Project::new().file(".pollux/config.toml", "model = 'a'");
    look(&project).answered(true, &home(&project)).unwrap();
    fs::write(project.pollux_home().join("trust.toml"), "\n[[folder]\n").unwrap();
    insta::assert_snapshot!(notices(&project), @"no folder is trusted (HOME/.pollux/trust.toml:2: unclosed array table, expected `]`), so pollux does not read .pollux/config.toml; to trust it start `pollux` here on a terminal, or add `--trust` for this run");
    // The user's word counts all the same; it cannot be kept.
    let folder = look(&project).answered(true, &home(&project)).unwrap();
    assert!(folder.settings().is_some());
    let said = folder.notices.join("\n");
    let said = said.replace(project.home().to_str().unwrap(), "HOME");
    insta::assert_snapshot!(said, @"this folder is trusted for this run only: HOME/.pollux/trust.toml:2: unclosed array table, expected `]`");
}

#[test]
fn what_nobody_can_trust_is_not_asked_about() {
    let project = Project::new().file(".pollux/big", vec![b'x'; 5 << 20]);
    assert_eq!(look(&project).question(), None);
    insta::assert_snapshot!(notices(&project), @"this folder cannot be trusted, so nothing that it brings is read: .pollux/big: more than 4 MiB in all");
    let failure = look(&project).settled(Some(true)).unwrap_err();
    assert_eq!(failure.exit, Exit::Untrusted);
    insta::assert_snapshot!(failure.message, @"this folder cannot be trusted: .pollux/big: more than 4 MiB in all");
    assert!(look(&project).settled(Some(false)).is_ok());
}
