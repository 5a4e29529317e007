//! Conversations that outlive the program.

use std::path::PathBuf;

use pollux_testkit::{ModelServer, Project, Protocol, Turn};
use serde_json::json;

use super::support::{pollux, talking_to};

/// The logs of all sessions.
fn logs(project: &Project) -> Vec<PathBuf> {
    let entries = |dir: PathBuf| {
        std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().path())
    };
    let projects = entries(project.pollux_home().join("sessions"));
    projects.flat_map(entries).collect()
}

#[test]
fn a_session_goes_on() {
    let turns = [
        Turn::call("list_directory", json!({"dir_path": "."})),
        Turn::text(["one file"]),
        Turn::text(["as I said, one file"]),
    ];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    let project = Project::new().file("a", "");
    let run = |flags: &[&str]| {
        talking_to(&project, &server, Protocol::OpenAi)
            .args(flags.iter().copied())
            .run()
            .exited(0)
    };
    run(&["-p", "how many files?"]);
    run(&["--continue", "-p", "sure?"]);
    let requests = server.requests();
    let roles: Vec<String> = requests[2].json()["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        roles,
        ["system", "user", "assistant", "tool", "assistant", "user"]
    );
    let listed = pollux(&project)
        .args(["sessions", "list"])
        .run()
        .exited(0)
        .stdout;
    assert_eq!(listed.lines().count(), 1, "{listed}");
    assert!(listed.ends_with("  how many files?\n"), "{listed}");
}

#[test]
fn a_session_is_shown_as_it_was() {
    let project = Project::new().file("a.txt", "alpha\n");
    pollux(&project).args(["-p", "read a.txt"]).run().exited(0);
    let shown = pollux(&project)
        .args(["sessions", "show", "1"])
        .run()
        .exited(0)
        .stdout;
    let conversation = shown.split_once("\n\n").unwrap().1;
    insta::assert_snapshot!(conversation, @r#"
    > read a.txt

    [tool] read_file {"file_path":"a.txt"}
    alpha

    This is in `a.txt`:

    alpha
    "#);
}

#[test]
fn a_session_is_deleted_unless_it_is_open() {
    let project = Project::new();
    for prompt in ["help", "list files"] {
        pollux(&project).args(["-p", prompt]).run().exited(0);
    }
    let sessions = |args: &[&str]| {
        pollux(&project)
            .args(["sessions"])
            .args(args.iter().copied())
            .run()
    };
    let listed = || sessions(&["list"]).exited(0).stdout;
    let newest = listed().lines().next().unwrap().to_owned();
    let id = newest.split_whitespace().nth(3).unwrap();
    let log = logs(&project)
        .into_iter()
        .find(|log| log.to_string_lossy().contains(id));
    let open = std::fs::File::open(log.unwrap()).unwrap();
    open.try_lock().unwrap();
    let told = sessions(&["delete", id]).exited(42).stderr;
    assert!(told.contains("is open in another pollux"), "{told}");
    drop(open);
    assert_eq!(listed().lines().count(), 2);
    let ran = sessions(&["delete", id]).exited(0);
    assert_eq!(ran.stdout, format!("deleted session {id}: list files\n"));
    assert!(listed().ends_with("  help\n") && listed().lines().count() == 1);
    let told = sessions(&["delete", id]).exited(42).stderr;
    assert!(told.starts_with("error: no session `"), "{told}");
    assert_eq!(logs(&project).len(), 1);
}

#[test]
fn an_empty_project_has_no_sessions() {
    let ran = pollux(&Project::new())
        .args(["sessions", "list"])
        .run()
        .exited(0);
    assert_eq!(ran.stdout, "There is no session in this project yet.\n");
    let ran = pollux(&Project::new())
        .args(["sessions", "show", "7"])
        .run()
        .exited(42);
    assert_eq!(
        ran.stderr,
        "error: no session `7`; `pollux sessions list` shows what there is\n"
    );
}

#[test]
fn a_damaged_session_is_resumed_as_far_as_it_goes() {
    let project = Project::new().file("a.txt", "alpha\n");
    pollux(&project).args(["-p", "read a.txt"]).run().exited(0);
    let log = logs(&project).remove(0);
    let whole = std::fs::read(&log).unwrap();
    std::fs::write(&log, &whole[..whole.len() - 20]).unwrap();
    let ran = pollux(&project)
        .args(["-c", "-p", "list files"])
        .run()
        .exited(0);
    assert!(
        ran.stderr
            .starts_with("note: line 6 of the session's log cannot be read: ")
    );
    assert!(ran.stdout.contains("a.txt"));
}

#[test]
fn a_session_goes_on_with_the_model_it_began_with() {
    let turns = [Turn::text(["one"]), Turn::text(["two"])];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    let project = Project::new();
    talking_to(&project, &server, Protocol::OpenAi)
        .args(["-p", "first"])
        .run()
        .exited(0);
    // Nothing but the session says where to go on.
    let ran = pollux(&project)
        .env("GEMINI_API_KEY", "another")
        .args(["-c", "-p", "second"])
        .run()
        .exited(0);
    assert_eq!(ran.stdout, "two\n");
    assert_eq!(server.requests()[1].json()["model"], "mock");
}

#[test]
fn the_directory_can_be_given_before_the_subcommand() {
    let project = Project::new().dir("sub");
    let list = |flags: &[&str]| {
        let ran = pollux(&project).args(flags.iter().copied()).run().exited(0);
        ran.stdout.lines().count()
    };
    pollux(&project)
        .args(["-C", "sub", "-p", "help"])
        .run()
        .exited(0);
    pollux(&project)
        .args(["-C", "sub", "-p", "help"])
        .run()
        .exited(0);
    assert_eq!(list(&["-C", "sub", "sessions", "list"]), 2);
    assert_eq!(list(&["sessions", "list", "-C", "sub"]), 2);
}
