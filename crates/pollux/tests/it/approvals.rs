//! Questions on a terminal, and what comes of the answers.

use pollux_testkit::{CommandSpec, ModelServer, Project, Protocol, Terminal, Turn};
use serde_json::json;

use super::support::talking_to;

fn write(path: &str, content: &str) -> Turn {
    Turn::call("write_file", json!({"file_path": path, "content": content}))
}

/// A terminal with a model that asks for these, and then is done.
fn terminal(project: &Project, turns: Vec<Turn>, editor: &str) -> (ModelServer, Terminal) {
    let turns = turns.into_iter().chain([Turn::text(["All done."])]);
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    let spec = talking_to(project, &server, Protocol::OpenAi)
        .env("EDITOR", editor)
        .command_spec();
    let terminal = Terminal::spawn(&spec, 40, 100);
    terminal.wait_for("[build] ").keys("go<enter>");
    (server, terminal)
}

fn leave(terminal: &Terminal) {
    terminal.wait_for("[build] ").keys("/quit<enter>");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn an_edit_is_shown_and_made_when_allowed() {
    let project = Project::new().file("a.txt", "old\n");
    let (_server, terminal) = terminal(&project, vec![write("a.txt", "new\n")], "false");
    terminal
        .wait_for("[approve] write_file")
        .wait_for("-old")
        .wait_for("+new")
        .wait_for("write it? [y/n/always/e]");
    assert_eq!(project.read("a.txt"), "old\n");
    // What is no answer is asked for again.
    terminal.keys("what<enter>").wait_for("write it?");
    terminal.keys("y<enter>").wait_for("All done.");
    assert_eq!(project.read("a.txt"), "new\n");
    leave(&terminal);
}

#[test]
fn no_means_no() {
    let project = Project::new();
    let command = Turn::call("run_shell_command", json!({"command": "touch made"}));
    let (server, terminal) = terminal(&project, vec![command], "false");
    terminal.wait_for("  $ touch made");
    terminal.wait_for("run it?").keys("n<enter>");
    leave(&terminal);
    assert!(!project.exists("made"));
    // The model is not asked again: the person says what to do.
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn always_holds_in_the_next_run() {
    let project = Project::new();
    let command = || Turn::call("run_shell_command", json!({"command": "echo one >> log"}));
    let (_server, terminal) = terminal(&project, vec![command()], "false");
    terminal.wait_for("run it?").keys("always<enter>");
    terminal.wait_for("All done.");
    leave(&terminal);
    assert_eq!(project.read("log"), "one\n");
    let turns = [command(), Turn::text(["Again."])];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    talking_to(&project, &server, Protocol::OpenAi)
        .args(["-p", "go"])
        .run()
        .exited(0);
    assert_eq!(project.read("log"), "one\none\n");
}

#[test]
fn a_proposal_can_be_changed_in_an_editor() {
    let project = Project::new();
    let editor = "sed -i s/theirs/mine/";
    let (_server, terminal) = terminal(&project, vec![write("a.txt", "theirs\n")], editor);
    terminal.wait_for("+theirs");
    terminal.wait_for("write it?").keys("e<enter>");
    terminal.wait_for("+mine");
    terminal.wait_for("write it?").keys("y<enter>");
    terminal.wait_for("All done.");
    assert_eq!(project.read("a.txt"), "mine\n");
    leave(&terminal);
}

#[test]
fn an_editor_that_fails_changes_nothing() {
    let project = Project::new();
    let (_server, terminal) = terminal(&project, vec![write("a.txt", "theirs\n")], "false");
    terminal.wait_for("write it?").keys("e<enter>");
    terminal.wait_for("error: the editor: `false` failed");
    terminal.keys("n<enter>");
    leave(&terminal);
    assert!(!project.exists("a.txt"));
}

#[test]
fn headless_nothing_is_asked_and_nothing_dangerous_passes() {
    let project = Project::new().file(".env", "KEY=sesame\n");
    let turns = || {
        [
            write("a.txt", "a\n")
                .and_call(
                    "write_file",
                    json!({"file_path": ".git/hooks/post-checkout", "content": "x"}),
                )
                .and_call("read_file", json!({"file_path": ".env"})),
            Turn::text(["ok"]),
        ]
    };
    for (flags, made) in [
        (&["-o", "stream-json"][..], false),
        (&["--config", "approval.auto_approve_ask=true"][..], true),
        (&["-y"][..], true),
    ] {
        let server = ModelServer::speaking(Protocol::OpenAi, turns());
        talking_to(&project, &server, Protocol::OpenAi)
            .args(flags.iter().copied())
            .args(["-p", "go"])
            .run()
            .exited(0);
        assert_eq!(project.exists("a.txt"), made, "{flags:?}");
        assert!(!project.exists(".git/hooks/post-checkout"), "{flags:?}");
        let answer = server.requests()[1].text().to_owned();
        assert!(answer.contains("which may hold secrets"), "{answer}");
        assert!(!answer.contains("sesame"), "{answer}");
    }
}

/// A repository's own settings can name programs, which git would run.
#[test]
fn reading_with_git_runs_unasked_and_runs_nothing_else() {
    for (rules, flags) in [
        ("", &[][..]),
        (
            "[[rule]]\ndecision = 'ask'\ncommand = ['git']\n",
            &["--config", "approval.auto_approve_ask=true"][..],
        ),
    ] {
        let project = Project::new().file("a.txt", "alpha\n");
        std::fs::create_dir_all(project.pollux_home()).unwrap();
        std::fs::write(project.pollux_home().join("rules.toml"), rules).unwrap();
        let planted = project.path().join("planted");
        let plant = format!("touch {}; false", planted.display());
        let script = format!("git init -q && git config core.fsmonitor '{plant}'");
        let made = CommandSpec::sh(script).cwd(project.path());
        assert_eq!(Terminal::spawn(&made, 10, 80).wait_exit(), 0);
        let turns = [
            Turn::call(
                "run_shell_command",
                json!({"command": "g''it status --short"}),
            ),
            Turn::text(["ok"]),
        ];
        let server = ModelServer::speaking(Protocol::OpenAi, turns);
        talking_to(&project, &server, Protocol::OpenAi)
            .args(flags.iter().copied())
            .args(["--sandbox", "off", "-p", "go"])
            .run()
            .exited(0);
        let answer = server.requests()[1].text().to_owned();
        assert!(answer.contains("a.txt"), "{answer}");
        assert!(!planted.exists(), "{flags:?}");
    }
}

/// A secret that git keeps is one all the same.
#[test]
fn reading_with_git_leaves_secrets_out_and_says_so() {
    for sandbox in ["auto", "off"] {
        let project = Project::new()
            .file(".env", "KEY=old\n")
            .file("a.txt", "alpha\n");
        let script = "git init -q && git add . && \
                      git -c user.name=a -c user.email=a@b commit -qm one && \
                      echo KEY=new > .env && echo beta > a.txt";
        let made = CommandSpec::sh(script).cwd(project.path());
        assert_eq!(Terminal::spawn(&made, 10, 80).wait_exit(), 0);
        for command in ["git diff", "git log -p", "git show", "git grep e"] {
            let turns = [
                Turn::call("run_shell_command", json!({"command": command})),
                Turn::text(["ok"]),
            ];
            let server = ModelServer::speaking(Protocol::OpenAi, turns);
            talking_to(&project, &server, Protocol::OpenAi)
                .args(["--sandbox", sandbox, "-p", "go @git"])
                .run()
                .exited(0);
            let request = server.requests()[1].text().to_owned();
            assert!(request.contains("a.txt"), "{command}: {request}");
            assert!(!request.contains("KEY="), "{command}: {request}");
            let notes = request.matches("git was kept from showing").count();
            assert_eq!(notes, 2, "{command}: {request}");
        }
    }
}

#[test]
fn whoever_is_there_is_asked() {
    let project = Project::new();
    let turns = [write("a.txt", "a\n"), Turn::text(["All done."])];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    let spec = talking_to(&project, &server, Protocol::OpenAi)
        .args(["--config", "approval.auto_approve_ask=true"])
        .command_spec();
    let terminal = Terminal::spawn(&spec, 40, 100);
    terminal.wait_for("[build] ").keys("go<enter>");
    terminal.wait_for("write it? [y/n/always/e]");
    terminal.keys("n<enter>");
    leave(&terminal);
    assert!(!project.exists("a.txt"));
}
