//! What is writable and what is protected in projects of various kinds.

use std::fs;

use super::*;

fn policy(root: &Path) -> SandboxPolicy {
    let places = Places {
        workspace: &[root.to_owned()],
        home: None,
        own: &[],
        session: Path::new("/session"),
    };
    SandboxPolicy::usual(&places, Network::Off)
}

fn directory() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    (dir, root)
}

#[test]
fn the_project_is_writable_but_for_what_runs_programs() {
    let (_dir, root) = directory();
    let policy = policy(&root);
    let may = |name: &str| policy.may_change(&root.join(name));
    for name in [
        "src/main.rs",
        ".git/index",
        ".git/refs/heads/main",
        ".gitignore",
        ".env",
        ".npmrc",
    ] {
        assert!(may(name), "{name}");
    }
    for name in [
        ".git/hooks/pre-commit",
        ".git/config",
        ".git/commondir",
        ".mcp.json",
        ".vscode/tasks.json",
        ".pollux",
    ] {
        assert!(!may(name), "{name}");
    }
    assert!(!policy.may_change(Path::new("/etc/passwd")));
}

#[test]
fn caches_are_there_if_they_exist() {
    let (_dir, home) = directory();
    fs::create_dir_all(home.join(".cargo/registry")).unwrap();
    let places = Places {
        workspace: &[],
        home: Some(&home),
        own: &[],
        session: Path::new("/session"),
    };
    let policy = SandboxPolicy::usual(&places, Network::Off);
    assert_eq!(policy.caches, [home.join(".cargo/registry")]);
    assert!(!policy.may_change(&home.join(".cargo/bin/cargo")));
}

/// A repository in `main`, and a work tree of it in `tree`.
fn work_tree(root: &Path) -> (PathBuf, PathBuf) {
    let (main, tree) = (root.join("main/.git"), root.join("tree"));
    let own = main.join("worktrees/tree");
    fs::create_dir_all(&own).unwrap();
    fs::create_dir_all(&tree).unwrap();
    fs::write(main.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(
        own.join("gitdir"),
        format!("{}\n", tree.join(".git").display()),
    )
    .unwrap();
    fs::write(tree.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();
    (main, tree)
}

#[test]
fn the_repository_of_a_work_tree_is_writable_too() {
    let (_dir, root) = directory();
    let (main, tree) = work_tree(&root);
    let policy = policy(&tree);
    assert!(policy.may_change(&main.join("objects/ab/cd")));
    assert!(policy.may_change(&main.join("worktrees/tree/index")));
    assert!(!policy.may_change(&main.join("hooks/pre-commit")));
    assert!(!policy.may_change(&main.join("config")));
    assert!(!policy.may_change(&main.join("worktrees/tree/commondir")));
    assert!(!policy.may_change(&tree.join(".git")));
}

#[test]
fn a_submodule_reaches_its_own_repository() {
    let (_dir, root) = directory();
    let (own, tree) = (root.join(".git/modules/sub"), root.join("sub"));
    fs::create_dir_all(&own).unwrap();
    fs::create_dir_all(&tree).unwrap();
    fs::write(own.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(own.join("config"), "[core]\n\tworktree = ../../../sub\n").unwrap();
    fs::write(tree.join(".git"), "gitdir: ../.git/modules/sub\n").unwrap();
    for policy in [policy(&tree), policy(&root)] {
        assert!(policy.may_change(&own.join("index")));
        assert!(!policy.may_change(&own.join("config")));
        assert!(!policy.may_change(&own.join("hooks/post-checkout")));
        assert!(!policy.may_change(&tree.join(".git")));
    }
}

#[test]
fn what_a_protected_link_leads_to_is_protected_too() {
    let (_dir, root) = directory();
    fs::create_dir_all(root.join("settings/editor")).unwrap();
    std::os::unix::fs::symlink("settings/editor", root.join(".vscode")).unwrap();
    std::os::unix::fs::symlink(".", root.join(".idea")).unwrap();
    let policy = policy(&root);
    assert!(!policy.may_change(&root.join("settings/editor/tasks.json")));
    assert!(policy.may_change(&root.join("settings/other")));
}

#[test]
fn a_project_cannot_make_other_repositories_writable() {
    let (_dir, root) = directory();
    let (main, _) = work_tree(&root);
    let evil = root.join("evil");
    fs::create_dir_all(evil.join("fake")).unwrap();
    for target in [main.clone(), main.join("worktrees/tree"), evil.join("fake")] {
        fs::write(evil.join(".git"), format!("gitdir: {}\n", target.display())).unwrap();
        fs::write(evil.join("fake/commondir"), main.to_str().unwrap()).unwrap();
        assert!(!policy(&evil).may_change(&main.join("index")), "{target:?}");
    }
}
