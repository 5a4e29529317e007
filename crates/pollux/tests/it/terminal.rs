//! On a terminal: a line at a time.

use pollux_testkit::{Project, Terminal};

use super::support::pollux;

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
