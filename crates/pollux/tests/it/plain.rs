//! On a terminal with `--plain`: a line at a time.

use pollux_testkit::{HttpReply, ModelServer, Project, Protocol, Terminal, Turn};
use serde_json::json;

use super::support::{pollux, talking_to};

#[test]
fn lines_are_answered_until_the_user_leaves() {
    let project = Project::new().file("a.txt", "alpha\n");
    let terminal = Terminal::spawn(&pollux(&project).args(["--plain"]).command_spec(), 40, 100);
    terminal
        .wait_for("model: offline (offline)")
        .wait_for("[build] ");
    terminal
        .keys("read a.txt<enter>")
        .wait_for("This is in `a.txt`:")
        .wait_for("alpha");
    terminal.keys("list files<enter>").wait_for("In `.`:");
    terminal.keys("/quit<enter>");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn a_first_message_can_be_given() {
    let project = Project::new().file("a.txt", "alpha\n");
    let spec = pollux(&project)
        .args(["--plain", "read a.txt"])
        .command_spec();
    let terminal = Terminal::spawn(&spec, 24, 100);
    terminal.wait_for("alpha").wait_for("[build] ");
    terminal.keys("<c-d>");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn ctrl_c_ends_the_program() {
    let project = Project::new();
    let terminal = Terminal::spawn(&pollux(&project).args(["--plain"]).command_spec(), 24, 100);
    terminal.wait_for("[build] ").keys("<c-c>");
    assert_eq!(terminal.wait_exit(), 130);
}

#[test]
fn s3_40_todos_are_listed_when_they_change_and_on_demand() {
    let todos = json!({"todos": [
        {"description": "look around", "status": "completed"},
        {"description": "mend it", "status": "in_progress"}
    ]});
    let turns = [Turn::call("write_todos", todos), Turn::text(["Good."])];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    let project = Project::new();
    let run = talking_to(&project, &server, Protocol::OpenAi).args(["--plain"]);
    let terminal = Terminal::spawn(&run.command_spec(), 24, 100);
    terminal.wait_for("[build] ").keys("/todos<enter>");
    terminal.wait_for("no todos yet").keys("go<enter>");
    let listed = "  done         look around\n  in_progress  mend it\n";
    terminal.wait_for(&format!("[tool] write_todos 1 of 2 done\n{listed}"));
    terminal.wait_for("Good.\n[build] ").keys("/todos<enter>");
    terminal.wait_for(&format!("> /todos\n{listed}"));
}

/// The seconds that the screen says are left.
fn seconds_left(screen: &str) -> Option<u32> {
    let (_, rest) = screen.split_once("next try in ")?;
    rest.split_once(" s")?.0.parse().ok()
}

#[test]
fn ctrl_c_ends_a_wait_and_leaves_only_at_the_prompt() {
    let busy = HttpReply::status(429).header("retry-after", "40");
    let server = ModelServer::start(vec![busy, Turn::text(["Hello."]).openai()]);
    let project = Project::new();
    let spec = talking_to(&project, &server, Protocol::OpenAi)
        .args(["--plain", "--config", "retry.max_attempts=2"])
        .command_spec();
    let terminal = Terminal::spawn(&spec, 24, 140);
    terminal.wait_for("[build] ").keys("hi<enter>");
    terminal.wait_for("; Ctrl+C ends it");
    let mut first = None;
    terminal.wait_until(|screen| {
        let left = seconds_left(&screen.contents());
        first = first.or(left);
        left.is_some() && left < first
    });
    terminal.keys("<c-c>").wait_for("error: cancelled");
    assert_eq!(seconds_left(&terminal.screen()), None);
    terminal.keys("again<enter>").wait_for("Hello.");
    terminal.wait_until(|screen| screen.contents().matches("[build]").count() == 3);
    terminal.keys("<c-c>");
    assert_eq!(terminal.wait_exit(), 130);
}

#[test]
fn context_tells_what_the_model_is_sent() {
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["Hello."]).usage(1234, 5)]);
    let project = Project::new();
    let spec = talking_to(&project, &server, Protocol::OpenAi)
        .args(["--plain"])
        .command_spec();
    let terminal = Terminal::spawn(&spec, 24, 100);
    terminal.wait_for("[build] ").keys("hi<enter>");
    terminal.wait_for("Hello.").keys("/context<enter>");
    terminal
        .wait_for("before the conversation: about ")
        .wait_for("last request: 1234 tokens, 0 of them cached");
    terminal
        .keys("/contxt<enter>")
        .wait_for("Unknown command: /contxt");
    terminal.keys("/quit<enter>");
    assert_eq!(terminal.wait_exit(), 0);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn commands_of_ones_own_and_modes() {
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["Hello."])]);
    let project = Project::new().file("a.txt", "alpha\n");
    let spec = talking_to(&project, &server, Protocol::OpenAi).command_spec();
    let terminal = Terminal::spawn(&spec, 40, 140);
    terminal.wait_for("[build] ").keys("! cat a.txt<enter>");
    terminal.wait_for("$ cat a.txt").wait_for("stdout:");
    terminal.wait_for("alpha").keys("/plan<enter>");
    terminal.wait_for("[plan] ").keys("hi<enter>");
    terminal.wait_for("Hello.").keys("/quit<enter>");
    assert_eq!(terminal.wait_exit(), 0);
    let requests = server.requests();
    let body = requests[0].text();
    assert!(
        body.contains("! cat a.txt") && body.contains("exit=0"),
        "{body}"
    );
    assert!(
        body.contains("plan mode") && !body.contains("write_file"),
        "{body}"
    );
}
