//! The todo list, as people see it.

use pollux_testkit::{Gate, Turn};
use serde_json::{Value, json};

use super::{Repl, Start};

/// A list of as many steps, of which the one with this number is in progress.
pub(crate) fn list(steps: &[&str], at: usize) -> Value {
    let steps = steps.iter().enumerate().map(|(number, step)| {
        let status = match number {
            before if before < at => "completed",
            now if now == at => "in_progress",
            _ => "pending",
        };
        json!({"description": step, "status": status})
    });
    json!({"todos": steps.collect::<Vec<_>>()})
}

pub(crate) fn write(steps: &[&str], at: usize) -> Turn {
    Turn::call("write_todos", list(steps, at))
}

const STEPS: &[&str] = &["look around", "mend it", "test it"];

const SHOWN: &str = "  done         look around\n  in_progress  mend it\n  pending      test it\n";

#[test]
fn s3_40_the_list_appears_when_it_changes_and_on_demand() {
    let repl = Repl::new([write(STEPS, 0), write(STEPS, 1), Turn::text(["Done."])]);
    repl.keys("/todos<enter>").sees("no todos yet").ready();
    repl.keys("go<enter>").sees("Done.").ready();
    repl.has_said("[tool] write_todos 0 of 3 done\n  in_progress  look around\n");
    repl.has_said(&format!("[tool] write_todos 1 of 3 done\n{SHOWN}"));
    repl.keys("/todos<enter>")
        .has_said(&format!("> /todos\n{SHOWN}"));
    // Nobody was asked, and nothing reached the model.
    assert_eq!(repl.server.requests().len(), 3);
}

#[test]
fn s3_40_a_new_session_has_none() {
    let repl = Repl::new([write(STEPS, 1), Turn::text(["Done."]).usage(70_000, 0)]);
    repl.keys("go<enter>").sees("context: 70000").ready();
    repl.keys("/new<enter>").terminal.wait_until(|screen| {
        let contents = screen.contents();
        let (_, newest) = contents.rsplit_once("context: ").unwrap();
        !newest.starts_with("70000")
    });
    repl.keys("/todos<enter>").sees("no todos yet");
}

#[test]
fn d26_what_is_completed_is_called_done() {
    let repl = Repl::new([write(STEPS, 3), Turn::text(["Good."])]);
    repl.keys("go<enter>").sees("Good.").ready();
    repl.keys("/todos<enter>").sees("  done         test it");
    let all = repl.terminal.contents_with_scrollback();
    assert!(all.contains("[tool] write_todos 3 of 3 done"), "{all}");
    assert!(!all.contains("completed"), "{all}");
    // What the model reads is its own word.
    assert!(repl.request(1).contains("1. [completed] look around"));
}

#[test]
fn the_step_in_progress_stands_where_pollux_is_busy() {
    let gate = Gate::new();
    let long =
        "mend everything that is broken in the whole of this rather large project".to_owned();
    let steps: &[&str] = &["look around", &long];
    let repl = Start::new([write(steps, 1), Turn::text(["Done."]).gate(&gate)])
        .size(30, 60)
        .start();
    // It is cut, so that how to stop it can still be read.
    repl.keys("go<enter>").terminal.wait_until(|screen| {
        let contents = screen.contents();
        let mut rows = contents.lines();
        rows.any(|row| {
            let is_cut = row.contains(" mend everything that is") && row.contains('…');
            is_cut && row.ends_with(" · esc to cancel")
        })
    });
    gate.open();
    repl.sees("Done.").ready();
}

#[test]
fn s3_37_escape_leaves_the_list_unless_a_tool_had_completed() {
    let gate = Gate::new();
    let slow = json!({"command": "echo started; exec sleep 60"});
    let turns = [
        write(STEPS, 0).and_call("run_shell_command", slow.clone()),
        Turn::text(["Half"]).gate(&gate),
        Turn::call("run_shell_command", slow).and_call("write_todos", list(STEPS, 2)),
    ];
    let start = Start::new(turns).with(|run| run.args(["-y"]));
    let repl = start.size(40, 120).start();
    repl.keys("go<enter>").sees("  started").keys("<esc>");
    repl.sees("todo state remains unchanged unless a tool had already completed.")
        .ready();
    repl.keys("/todos<enter>")
        .has_said("> /todos\n  in_progress  look around\n");
    repl.keys("go on<enter>").sees("Half").keys("<esc>").ready();
    repl.keys("<c-l>go on<enter>")
        .sees("  started")
        .keys("<esc>");
    repl.sees("Cancelled by ESC").ready();
    repl.keys("<c-l>/todos<enter>")
        .sees("> /todos\n  in_progress  look around\n");
}

#[test]
fn a_list_that_is_none_is_an_error_and_changes_nothing() {
    let two = json!({"todos": [
        {"description": "a", "status": "in_progress"},
        {"description": "b", "status": "in_progress"}
    ]});
    let turns = [
        write(STEPS, 0),
        Turn::call("write_todos", two),
        Turn::text(["Sorry."]),
    ];
    let repl = Repl::new(turns);
    repl.keys("go<enter>").sees("Sorry.").ready();
    repl.sees("  error: `todos`: 2 are in_progress, and only one can be at a time");
    repl.keys("/todos<enter>")
        .sees("> /todos\n  in_progress  look around\n");
}
