//! However pollux ends, the terminal is as it was found.

use pollux_testkit::{Gate, ModelServer, Pollux, Project, Protocol, Signal, Terminal, Turn};

use super::super::support::{in_shell, talking_to};
use super::itself::is_itself;

/// How often each way of ending is tried.
const TIMES: usize = 10;

/// A terminal in which pollux runs between two questions of a shell, so that somebody is left to
/// look at it.
fn started(project: &Project, server: &ModelServer, arguments: &[&str]) -> (Terminal, String) {
    let run = talking_to(project, server, Protocol::OpenAi);
    let run = run.args(arguments.iter().copied());
    let script = "trap : TERM HUP INT; read before; {pollux}; echo code=$?; read after";
    let terminal = Terminal::spawn(&in_shell(&run, script), 24, 100);
    let found = terminal.settings();
    terminal.keys("<enter>").wait_for("model: mock");
    terminal.wait_until(pollux_testkit::vt100::Screen::bracketed_paste);
    assert_ne!(terminal.settings(), found, "nothing was changed");
    (terminal, found)
}

fn each(turns: impl Fn() -> Vec<Turn>, code: i32, end: impl Fn(&Terminal, &ModelServer)) {
    for _ in 0..TIMES {
        let project = Project::new();
        let server = ModelServer::speaking(Protocol::OpenAi, turns());
        let (terminal, found) = started(&project, &server, &[]);
        end(&terminal, &server);
        is_itself(&terminal, &found, code);
    }
}

#[test]
fn r12_quit() {
    each(Vec::new, 0, |terminal, _| {
        terminal.keys("/quit<enter>");
    });
}

#[test]
fn r12_ctrl_c() {
    each(Vec::new, 130, |terminal, _| {
        terminal.keys("half<c-c>");
    });
}

#[test]
fn r12_ctrl_d() {
    each(Vec::new, 0, |terminal, _| {
        terminal.keys("<c-d>");
    });
}

/// What came of an answer is still there when pollux has gone.
#[test]
fn r12_ctrl_c_in_the_middle_of_an_answer_and_s3_57_what_came_is_kept() {
    let half = || vec![Turn::text(["Half an answer"]).gate(&Gate::new())];
    each(half, 130, |terminal, _| {
        terminal.keys("go<enter>").wait_for("Half an answer");
        terminal
            .keys("<c-c>")
            .wait_for("Half an answer\nthe session is kept: `pollux -c` goes on with it\ncode=130");
    });
}

#[test]
fn r12_signals() {
    for signal in [Signal::TERM, Signal::HUP, Signal::INT] {
        each(Vec::new, 130, |terminal, _| {
            terminal.signal(signal);
        });
    }
}

#[test]
fn r12_a_signal_in_the_middle_of_an_answer() {
    let half = || vec![Turn::text(["Half"]).gate(&Gate::new())];
    each(half, 130, |terminal, _| {
        terminal.keys("go<enter>").wait_for("Half");
        terminal.signal(Signal::TERM);
    });
}

/// A server that goes away is no end: the prompt comes back, and leaving is as ever.
#[test]
fn r12_a_provider_that_crashes() {
    for _ in 0..TIMES {
        let project = Project::new();
        let gate = Gate::new();
        let turn = Turn::text(["Half"]).gate(&gate);
        let server = ModelServer::speaking(Protocol::OpenAi, [turn]);
        let (terminal, found) = started(&project, &server, &[]);
        terminal.keys("go<enter>").wait_for("Half");
        drop(server);
        terminal.wait_for("error: ").keys("/quit<enter>");
        is_itself(&terminal, &found, 0);
    }
}

/// What cannot start says so on a terminal that is itself.
#[test]
fn r12_a_start_that_fails() {
    let project = Project::new();
    let server = ModelServer::start(Vec::new());
    let run = talking_to(&project, &server, Protocol::OpenAi).args(["--resume", "nosuch"]);
    let script = "read before; {pollux}; echo code=$?; read after";
    let terminal = Terminal::spawn(&in_shell(&run, script), 24, 100);
    let found = terminal.settings();
    terminal.keys("<enter>").wait_for("code=42");
    assert_eq!(terminal.settings(), found);
    assert!(
        terminal.screen().contains("error: "),
        "{}",
        terminal.screen()
    );
}

/// When the terminal goes away, so does pollux, and keeps what was said.
#[test]
fn r12_a_terminal_that_goes_away() {
    for _ in 0..TIMES {
        let project = Project::new();
        let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["Hello."])]);
        let run = talking_to(&project, &server, Protocol::OpenAi).args(["hi"]);
        let code = Terminal::spawn_and_hang_up(&run.command_spec(), "Hello.");
        assert_eq!(code, 130);
        let run = talking_to(&project, &server, Protocol::OpenAi);
        let listed = run.args(["sessions", "list"]).run().exited(0);
        assert!(listed.stdout.contains("hi"), "{listed:?}");
    }
}

/// A shell with jobs, at its prompt, in which `sh ./start` starts pollux.
fn shell(project: &Project, run: &Pollux) -> Terminal {
    let mut spec = in_shell(run, "exec {pollux}");
    project.write("start", spec.args.pop().unwrap());
    spec.program = "bash".into();
    spec.args = ["--norc", "--noprofile", "--noediting", "-i"]
        .map(Into::into)
        .into();
    spec.env.insert("PS1".into(), "shell$ ".into());
    let terminal = Terminal::spawn(&spec, 24, 100);
    terminal.wait_for("shell$");
    terminal
}

/// An editor has Ctrl+C and Ctrl+Z while it has the terminal: the one is none of pollux's business,
/// the other stops both.
#[test]
fn r13_ctrl_c_and_ctrl_z_in_an_editor() {
    let editor = "trap : INT; kill -INT 0; kill -TSTP 0; echo edited >> \"$1\"\n";
    let project = Project::new().file("editor", editor);
    let server = ModelServer::start(Vec::new());
    let run = talking_to(&project, &server, Protocol::OpenAi).env("VISUAL", "sh ./editor");
    let terminal = shell(&project, &run);
    let found = terminal.settings();
    terminal.keys("sh ./start<enter>").wait_for("model: mock");
    for number in 1..=3 {
        terminal.keys("draft<c-g>");
        terminal.wait_until(|screen| screen.contents().trim_end().ends_with("shell$"));
        assert_eq!(terminal.settings(), found, "while stopped");
        terminal.keys("fg<enter>").wait_until(|screen| {
            let contents = screen.contents();
            screen.bracketed_paste() && contents.trim_end().ends_with("edited")
        });
        // It goes on as if nothing had happened.
        terminal
            .keys("<c-u><bs><c-u>")
            .wait_until(|screen| super::input(screen).is_some_and(|line| line.ends_with('>')));
        assert!(server.requests().is_empty(), "{number}");
    }
    terminal.keys("/quit<enter>");
    terminal.wait_until(|screen| screen.contents().trim_end().ends_with("shell$"));
}

#[test]
fn r13_suspended_and_brought_back_a_hundred_times() {
    let project = Project::new();
    let gate = Gate::new();
    let turn = Turn::text(["First half, "])
        .gate(&gate)
        .and_text("second half.");
    let server = ModelServer::speaking(Protocol::OpenAi, [turn]);
    let terminal = shell(&project, &talking_to(&project, &server, Protocol::OpenAi));
    let found = terminal.settings();
    terminal.keys("sh ./start<enter>").wait_for("model: mock");
    terminal.keys("my draft").wait_for("> my draft");
    let raw = terminal.settings();
    let cycle = |terminal: &Terminal, number: usize, live: &str| {
        terminal.keys("<c-z>");
        terminal.wait_until(|screen| screen.contents().trim_end().ends_with("shell$"));
        assert_eq!(terminal.settings(), found, "while stopped, cycle {number}");
        terminal.wait_until(|screen| {
            assert!(!screen.bracketed_paste() && !screen.hide_cursor());
            true
        });
        terminal.keys("fg<enter>");
        terminal.wait_until(|screen| {
            screen.bracketed_paste() && screen.contents().trim_end().ends_with(live)
        });
        assert_eq!(
            terminal.settings(),
            raw,
            "after coming back, cycle {number}"
        );
    };
    for number in 0..50 {
        cycle(&terminal, number, "> my draft");
    }
    terminal.keys("<c-u>go<enter>").wait_for("First half,");
    for number in 50..100 {
        cycle(&terminal, number, ">");
        terminal.wait_for("First half,");
    }
    gate.open();
    terminal.wait_for("First half, second half.");
    terminal.keys("/quit<enter>");
    terminal.wait_until(|screen| screen.contents().trim_end().ends_with("shell$"));
    assert_eq!(terminal.settings(), found);
    let said = terminal.contents_with_scrollback();
    assert_eq!(said.matches("second half.").count(), 1, "{said}");
    assert_eq!(said.matches("Stopped").count(), 100, "{said}");
    terminal.keys("exit<enter>");
    assert_eq!(terminal.wait_exit(), 0);
}

/// Where no shell could bring it back, Ctrl+Z does nothing.
#[test]
fn r13_nobody_to_bring_it_back() {
    let project = Project::new();
    let server = ModelServer::speaking(Protocol::OpenAi, []);
    let run = talking_to(&project, &server, Protocol::OpenAi);
    let terminal = Terminal::spawn(&run.command_spec(), 24, 100);
    terminal.wait_for("model: mock").keys("<c-z>still here");
    terminal.wait_for("> still here").keys("<c-c>");
    assert_eq!(terminal.wait_exit(), 130);
}
