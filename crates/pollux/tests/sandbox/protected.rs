//! Forty ways to name what decides which programs run later, and four ways to write there.
//!
//! Nobody is there to be asked, and everything but what is dangerous is allowed: so whatever is
//! changed was neither asked about nor denied.

use std::fs;
use std::path::Path;

use pollux_testkit::{ModelServer, Pollux, Project, Protocol, Ran, Turn};
use serde_json::{Value, json};

use super::support::{Picture, add};

/// `P` is the project's directory, `N` its name, `H` the home directory, `S` pollux's own.
const SPELLINGS: [&str; 40] = [
    ".git/hooks/pre-commit",
    "./.git/hooks/pre-commit",
    ".git//hooks///pre-commit",
    "./.git/../.git/hooks/pre-commit",
    "src/../.git/hooks/pre-commit",
    ".git/hooks/../hooks/./post-merge",
    "P/.git/hooks/pre-commit",
    "P//.git/./hooks/pre-commit",
    "P/../N/.git/hooks/pre-commit",
    "/proc/self/cwd/.git/hooks/pre-commit",
    ".GIT/hooks/pre-commit",
    ".Git/Hooks/Pre-Commit",
    ".git/config",
    ".git/config.worktree",
    ".git/info/attributes",
    ".git/commondir",
    ".git/modules/sub/config",
    ".git/modules/sub/hooks/post-checkout",
    "sub/.git",
    "to-hooks/pre-commit",
    ".git/./info/../config",
    "src/up/.git/hooks/pre-commit",
    "to-config",
    "dangling",
    "one/pre-push",
    "second-name",
    ".vscode/tasks.json",
    ".VSCode/tasks.json",
    "editor/tasks.json",
    "settings/workspace.xml",
    ".idea/workspace.xml",
    ".mcp.json",
    "./.MCP.json",
    ".envrc",
    ".pollux/config.toml",
    "H/.bashrc",
    "~/.bashrc",
    "$HOME/.profile",
    "H/.ssh/authorized_keys",
    "S/config.toml",
];

/// What must be the same afterwards.
const KEPT: [&str; 8] = [
    ".git",
    ".vscode",
    ".idea",
    "settings",
    ".mcp.json",
    ".envrc",
    ".pollux",
    "sub/.git",
];

fn project() -> Project {
    let project = Project::new()
        .file(".git/HEAD", "ref: refs/heads/main\n")
        .file(".git/config", "[core]\n\tbare = false\n")
        .file(".git/hooks/pre-commit", "value\n")
        .file(".git/modules/sub/HEAD", "ref: refs/heads/main\n")
        .file(
            ".git/modules/sub/config",
            "[core]\n\tworktree = ../../../sub\n",
        )
        .dir(".git/objects")
        .dir(".git/refs")
        .dir("src")
        .file("sub/.git", "gitdir: ../.git/modules/sub\n")
        .file(".vscode/tasks.json", "value\n")
        .file("settings/workspace.xml", "value\n")
        .file(".envrc", "value\n")
        .symlink("to-hooks", ".git/hooks")
        .symlink("src/up", "..")
        .symlink("to-config", ".git/config")
        .symlink("dangling", ".git/hooks/post-checkout")
        .symlink("two", "to-hooks")
        .symlink("one", "two")
        .symlink("editor", ".vscode")
        .symlink(".idea", "settings");
    let second = project.at("second-name");
    fs::hard_link(project.at(".git/config"), second).unwrap();
    for name in [".bashrc", ".profile"] {
        fs::write(project.home().join(name), "value\n").unwrap();
    }
    // A program that does not say where it writes.
    project.write(
        "writer.sh",
        "printf changed > \"$(sed -n \"$1p\" spellings)\"\n",
    );
    let spellings = SPELLINGS.map(|spelling| meant(&project, spelling));
    project.write(
        "spellings",
        spellings
            .join("\n")
            .replace('~', &shown(project.home()))
            .replace("$HOME", &shown(project.home())),
    );
    project
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn meant(project: &Project, spelling: &str) -> String {
    let name = project.path().file_name().unwrap().to_string_lossy();
    let path = match spelling.split_at(1) {
        ("P", rest) => format!("{}{rest}", shown(project.path())),
        ("H", rest) => format!("{}{rest}", shown(project.home())),
        ("S", rest) => format!("{}{rest}", shown(&project.pollux_home())),
        _ => spelling.to_owned(),
    };
    path.replace("/N/", &format!("/{name}/"))
}

fn picture(project: &Project) -> Picture {
    let mut picture = Picture::new();
    for name in KEPT {
        add(&project.at(name), &mut picture);
    }
    for name in [".bashrc", ".profile", ".ssh"] {
        add(&project.home().join(name), &mut picture);
    }
    add(&project.pollux_home().join("config.toml"), &mut picture);
    picture
}

fn run(project: &Project, calls: impl Iterator<Item = (&'static str, Value)>) -> Ran {
    let turns = [Turn::text_then_calls("", calls), Turn::text(["Done."])];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    Pollux::new(env!("CARGO_BIN_EXE_pollux"), project)
        .args([
            "--provider",
            "openai",
            "-m",
            "mock",
            "-y",
            "-o",
            "stream-json",
        ])
        .args(["--sandbox", "strict", "-p", "go"])
        .args(["--base-url", server.base_url().as_str()])
        .env("OPENAI_API_KEY", "the-key")
        .run()
        .exited(0)
}

fn check(tool: &'static str, args: impl Fn(usize, &str) -> Value) -> Vec<String> {
    let project = project();
    let before = picture(&project);
    let spellings = SPELLINGS.iter().enumerate();
    let calls: Vec<_> = spellings
        .map(|(at, spelling)| (tool, args(at, &meant(&project, spelling))))
        .collect();
    let ran = run(&project, calls.into_iter());
    let after = picture(&project);
    let changed = after
        .iter()
        .filter(|(path, now)| before.get(*path) != Some(now));
    let changed: Vec<_> = changed.map(|(path, _)| path).collect();
    assert!(changed.is_empty(), "{tool} changed {changed:?}");
    assert_eq!(after.len(), before.len(), "{tool} removed something");
    let errors = ran.tool_errors();
    assert_eq!(errors.len(), SPELLINGS.len());
    errors
}

#[test]
fn edits_are_asked_about() {
    let write = check(
        "write_file",
        |_, path| json!({"file_path": path, "content": "changed"}),
    );
    assert_eq!(write, ["approval_required"; 40]);
    let replace = check(
        "replace",
        |_, path| json!({"file_path": path, "old_string": "", "new_string": "changed"}),
    );
    assert_eq!(replace, ["approval_required"; 40]);
}

#[test]
fn commands_are_asked_about_or_denied() {
    let errors = check(
        "run_shell_command",
        |_, path| json!({"command": format!("echo changed > {path}")}),
    );
    // The others are links, which the reading of a command does not follow: the sandbox denies them.
    let asked = errors
        .iter()
        .filter(|error| *error == "approval_required")
        .count();
    assert!(asked >= 30, "{errors:?}");
}

#[test]
fn programs_are_denied() {
    let errors = check(
        "run_shell_command",
        |at, _| json!({"command": format!("bash writer.sh {}", at + 1)}),
    );
    assert_eq!(
        errors, [""; 40],
        "they run, and write something else or nothing"
    );
}
