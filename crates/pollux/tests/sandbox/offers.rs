//! What the sandbox refuses is offered to the person at the terminal.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;

use pollux_exec::sandbox::Rung;
use pollux_testkit::{ModelServer, Pollux, Project, Protocol, Terminal, Turn};
use serde_json::json;
use tempfile::TempDir;

use super::support::rungs;

/// Where commands may not write: not below `/tmp`, which they see another of.
fn outside() -> (TempDir, PathBuf) {
    // Not below `/tmp`, also if the project is: that is another place for commands.
    let built = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let home = std::env::home_dir().unwrap_or_default();
    let place = if built.starts_with("/tmp") {
        home
    } else {
        built
    };
    let dir = TempDir::new_in(place).unwrap();
    let path = dir.path().canonicalize().unwrap();
    (dir, path)
}

fn talking_to(project: &Project, server: &ModelServer) -> Pollux {
    Pollux::new(env!("CARGO_BIN_EXE_pollux"), project)
        .args(["--provider", "openai", "-m", "mock"])
        .args(["--base-url", server.base_url().as_str()])
        .env("OPENAI_API_KEY", "the-key")
}

/// A terminal with a model that asks for a command and then is done.
fn terminal(project: &Project, script: &str, flags: &[&str]) -> (ModelServer, Terminal) {
    assert!(!rungs().is_empty());
    let call = Turn::call("run_shell_command", json!({"command": script}));
    let server = ModelServer::speaking(Protocol::OpenAi, [call, Turn::text(["All done."])]);
    let pollux = talking_to(project, &server).args(flags.iter().copied());
    let terminal = Terminal::spawn(&pollux.command_spec(), 40, 250);
    terminal.wait_for("[build] ").keys("go<enter>");
    (server, terminal)
}

/// What the model was told in the end.
fn told(server: &ModelServer) -> String {
    server.requests().last().unwrap().text().to_owned()
}

#[test]
fn a_file_outside_is_written_if_a_person_says_so() {
    let (_dir, outside) = outside();
    let script = format!("echo one >> log; echo out > {}/file", outside.display());
    let project = Project::new();
    let (server, terminal) = terminal(&project, &script, &["-y"]);
    let lacking = format!(
        "why: what the sandbox refused: writing `{}` and all that is in it",
        outside.display()
    );
    terminal
        .wait_for(&lacking)
        .wait_for("why: it has run: yes runs it again")
        .wait_for("run it? [y/n/e]");
    assert!(!outside.join("file").exists());
    assert_eq!(project.read("log"), "one\n");
    terminal.keys("y<enter>").wait_for("All done.");
    assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "out\n");
    assert_eq!(project.read("log"), "one\none\n");
    assert!(!told(&server).contains("the sandbox does not allow"));
}

#[test]
fn a_file_outside_is_not_written_if_a_person_says_no() {
    let (_dir, outside) = outside();
    let script = format!("echo out > {}/file", outside.display());
    let project = Project::new();
    let (server, terminal) = terminal(&project, &script, &["-y"]);
    terminal.wait_for("run it? [y/n/e]").keys("n<enter>");
    terminal.wait_for("All done.");
    assert!(!outside.join("file").exists());
    let told = told(&server);
    assert!(
        told.contains("the sandbox does not allow writing"),
        "{told}"
    );
    assert!(
        told.contains("The user did not allow it to run again"),
        "{told}"
    );
}

#[test]
fn a_file_that_a_person_has_let_be_written_is_not_asked_about_again() {
    let (_dir, outside) = outside();
    let shown = outside.display();
    let script = format!("echo one >> log; echo out > {shown}/file; cp log {shown}/copy");
    let project = Project::new();
    let (_server, terminal) = terminal(&project, &script, &[]);
    terminal
        .wait_for("writes outside of the workspace")
        .wait_for("run it? [y/n/always/e]")
        .keys("y<enter>");
    terminal.wait_for("All done.");
    assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "out\n");
    assert_eq!(fs::read_to_string(outside.join("copy")).unwrap(), "one\n");
    assert_eq!(project.read("log"), "one\n");
}

#[test]
fn nothing_beside_the_file_that_was_let_be_written_is() {
    let (_dir, outside) = outside();
    let shown = outside.display();
    let script = format!("echo out > {shown}/file; name=other; echo more > {shown}/$name");
    let project = Project::new();
    let (_server, terminal) = terminal(&project, &script, &[]);
    terminal.wait_for("run it? [y/n").keys("y<enter>");
    terminal.wait_for("why: what the sandbox refused: writing `");
    terminal.wait_for("run it? [y/n/e]").keys("n<enter>");
    terminal.wait_for("All done.");
    assert_eq!(fs::read_to_string(outside.join("file")).unwrap(), "out\n");
    assert!(!outside.join("other").exists());
}

#[test]
fn a_link_is_no_way_to_another_file() {
    for hard in [false, true] {
        let (_dir, outside) = outside();
        let (target, link) = (outside.join("target"), outside.join("link"));
        fs::write(&target, "kept").unwrap();
        let linked = if hard {
            fs::hard_link(&target, &link)
        } else {
            std::os::unix::fs::symlink(&target, &link)
        };
        linked.unwrap();
        let script = format!("echo out > {}", link.display());
        let project = Project::new();
        let (_server, terminal) = terminal(&project, &script, &[]);
        terminal.wait_for("run it? [y/n").keys("y<enter>");
        terminal.wait_for("the sandbox refused: writing `");
        terminal.wait_for("run it? [y/n").keys("n<enter>");
        terminal.wait_for("All done.");
        assert_eq!(fs::read(&target).unwrap(), b"kept", "{hard}");
    }
}

#[test]
fn a_command_that_does_not_get_to_write_leaves_no_file() {
    let (_dir, outside) = outside();
    let script = format!("cd nowhere && echo out > {}/file", outside.display());
    let project = Project::new();
    let (_server, terminal) = terminal(&project, &script, &[]);
    terminal.wait_for("run it? [y/n").keys("y<enter>");
    terminal.wait_for("All done.");
    assert!(!outside.join("file").exists());
}

#[test]
fn what_goes_to_a_place_of_the_sandbox_is_said_to() {
    let name = format!("/tmp/pollux-test-{}", std::process::id());
    let script = format!("echo out > {name}; cat {name}");
    let project = Project::new();
    let (server, terminal) = terminal(&project, &script, &[]);
    let is_hidden = rungs()[0] == Rung::Namespaces;
    if is_hidden {
        terminal.wait_for("commands have a `/tmp` of their own");
    }
    terminal.wait_for("run it? [y/n").keys("y<enter>");
    terminal.wait_for("All done.");
    let written = fs::remove_file(&name).is_ok();
    assert_eq!(written, !is_hidden);
    let noted = told(&server).contains("is seen by them alone, and is gone with the session");
    assert_eq!(noted, is_hidden);
}

#[test]
fn somebody_is_reached_if_a_person_says_so() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let project = Project::new();
    let script = format!("exec 3<>/dev/tcp/127.0.0.1/{port}");
    let (_server, terminal) = terminal(&project, &script, &["-y"]);
    // What opens a connection is dangerous to begin with.
    terminal.wait_for("run it? [y/n]").keys("y<enter>");
    terminal.wait_for("DANGER: what the sandbox refused: the network, all of it");
    assert!(listener.accept().is_err());
    terminal.wait_for("run it? [y/n]").keys("y<enter>");
    terminal.wait_for("All done.");
    assert!(listener.accept().is_ok());
}

#[test]
fn what_decides_what_others_run_is_a_danger() {
    let project = Project::new()
        .file(".git/HEAD", "ref: x\n")
        .dir(".git/hooks");
    let script = "echo x > .git/hooks/pre-commit";
    let (_server, terminal) = terminal(&project, script, &["-y"]);
    // Writing there is dangerous to begin with.
    terminal.wait_for("run it? [y/n]").keys("y<enter>");
    if rungs()[0] == Rung::Namespaces {
        terminal.wait_for("DANGER: what the sandbox refused: changing `");
        terminal.wait_for("run it? [y/n]").keys("y<enter>");
        terminal.wait_for("All done.");
        assert_eq!(project.read(".git/hooks/pre-commit"), "x\n");
    }
}

#[test]
fn where_nobody_is_there_the_model_is_told_what_was_missing() {
    let (_dir, outside) = outside();
    let script = format!("echo out > {}/file", outside.display());
    let project = Project::new();
    let call = Turn::call("run_shell_command", json!({"command": script}));
    let server = ModelServer::speaking(Protocol::OpenAi, [call, Turn::text(["done"])]);
    talking_to(&project, &server)
        .args([
            "-y",
            "--config",
            "approval.auto_approve_ask=true",
            "-p",
            "go",
        ])
        .run()
        .exited(0);
    assert!(!outside.join("file").exists());
    let told = told(&server);
    assert!(
        told.contains("the sandbox does not allow writing"),
        "{told}"
    );
}

#[test]
fn what_a_command_only_talks_about_is_not_offered() {
    let (_dir, outside) = outside();
    let project = Project::new();
    let home = project.home().display().to_string();
    fs::write(project.home().join(".profile"), "value\n").unwrap();
    for path in [
        format!("{home}/.profile"),
        format!("{home}/new"),
        format!("{home}/.ssh/id_new"),
        format!("{}/nowhere/at/all", outside.display()),
        project
            .pollux_home()
            .join("config.toml")
            .display()
            .to_string(),
        "/new".to_owned(),
    ] {
        let words = match rungs()[0] {
            Rung::Namespaces => "Read-only file system",
            Rung::Landlock => "Permission denied",
        };
        let script = format!("echo 'bash: line 1: {path}: {words}' >&2; exit 1");
        let (_server, terminal) = terminal(&project, &script, &["-y"]);
        // A question would have come first.
        terminal.wait_for("All done.");
    }
}
