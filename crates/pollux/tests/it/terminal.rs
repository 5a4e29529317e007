//! On a terminal: a line at a time.

use pollux_testkit::{ModelServer, Project, Protocol, Terminal, Turn};

use super::support::{pollux, talking_to};

#[test]
fn lines_are_answered_until_the_user_leaves() {
    let project = Project::new().file("a.txt", "alpha\n");
    let terminal = Terminal::spawn(&pollux(&project).command_spec(), 40, 100);
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
    let spec = pollux(&project).args(["read a.txt"]).command_spec();
    let terminal = Terminal::spawn(&spec, 24, 100);
    terminal.wait_for("alpha").wait_for("[build] ");
    terminal.keys("<c-d>");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn ctrl_c_ends_the_program() {
    let project = Project::new();
    let terminal = Terminal::spawn(&pollux(&project).command_spec(), 24, 100);
    terminal.wait_for("[build] ").keys("<c-c>");
    assert_eq!(terminal.wait_exit(), 130);
}

#[test]
fn context_tells_what_the_model_is_sent() {
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["Hello."]).usage(1234, 5)]);
    let project = Project::new();
    let spec = talking_to(&project, &server, Protocol::OpenAi).command_spec();
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
