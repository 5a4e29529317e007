//! 6 Interruption.

use std::time::{Duration, Instant};

use pollux_testkit::{Gate, HttpReply, ModelServer, Project, Protocol, Terminal, Turn};
use serde_json::json;

use super::super::support::talking_to;
use super::{Repl, Start};

const SECOND_LINE: &str = "Stopped model stream and tool execution; todo state remains unchanged unless a tool had already completed.";

#[test]
fn s3_35_and_d29_ctrl_c_ends_the_program_whatever_it_does() {
    let repl = Repl::new([]);
    repl.keys("half a line<c-c>");
    assert_eq!(repl.terminal.wait_exit(), 130);

    let gate = Gate::new();
    let repl = Repl::new([Turn::text(["Half"]).gate(&gate)]);
    repl.keys("go<enter>").sees("Half").keys("<c-c>");
    assert_eq!(repl.terminal.wait_exit(), 130);
    repl.server.wait_closed(0);

    let repl = Start::new([]).with(|run| run.args(["-y"])).start();
    repl.keys("! echo started; sleep 60<enter>")
        .sees("  started")
        .keys("<c-c>");
    assert_eq!(repl.terminal.wait_exit(), 130);

    let touch = Turn::call("run_shell_command", json!({"command": "touch made"}));
    let repl = Repl::new([touch]);
    repl.keys("go<enter>").sees("run it?").keys("<c-c>");
    assert_eq!(repl.terminal.wait_exit(), 130);
    assert!(!repl.project.exists("made"));
}

#[test]
fn d29_ctrl_d_leaves_on_an_empty_line_only() {
    let repl = Repl::new([]);
    repl.keys("ab<left><c-d>").typed("a").keys("<bs><c-d>");
    assert_eq!(repl.terminal.wait_exit(), 0);
}

#[test]
fn s3_36_and_d1_escape_clears_the_input_and_sends_nothing() {
    let repl = Repl::new([Turn::text(["Yes."])]);
    repl.keys("never mind").typed("never mind");
    repl.keys("<esc>").typed("");
    repl.keys("this<enter>").sees("Yes.");
    assert_eq!(repl.server.requests().len(), 1);
    assert!(!repl.request(0).contains("never mind"));
}

#[test]
fn s3_37_escape_cancels_with_two_lines() {
    let gate = Gate::new();
    let turns = [
        Turn::text(["Half an answer"]).gate(&gate),
        Turn::text(["Whole."]),
    ];
    let repl = Start::new(turns).size(30, 120).start();
    repl.keys("go<enter>").sees("Half an answer").keys("<esc>");
    repl.sees(&format!("Cancelled by ESC\n{SECOND_LINE}"))
        .ready();
    repl.server.wait_closed(0);
    // What came is kept, and the session goes on.
    repl.keys("again<enter>")
        .sees("Whole.")
        .sees("Half an answer");
    repl.quit();
}

#[test]
fn s3_37_escape_stops_a_tool() {
    let command = "echo started; exec sleep 60";
    let repl = Start::new([Turn::call("run_shell_command", json!({"command": command}))])
        .with(|run| run.args(["-y"]))
        .start();
    repl.keys("go<enter>").sees("  started").keys("<esc>");
    repl.sees("Cancelled by ESC").ready();
    assert_eq!(repl.server.requests().len(), 1);
    repl.quit();
}

#[test]
fn s3_37_escape_stops_a_wait_that_counts_down() {
    let busy = HttpReply::status(429).header("retry-after", "40");
    let server = ModelServer::start(vec![busy, Turn::text(["Hello."]).openai()]);
    let project = Project::new();
    let run = talking_to(&project, &server, Protocol::OpenAi);
    let spec = run
        .args(["--config", "retry.max_attempts=2"])
        .command_spec();
    let terminal = Terminal::spawn(&spec, 24, 140);
    let repl = Repl {
        project,
        server,
        terminal,
    };
    let left = |contents: &str| -> Option<u32> {
        let (_, rest) = contents.rsplit_once("next try in ")?;
        rest.split_once(" s")?.0.parse().ok()
    };
    repl.sees("model: mock")
        .keys("hi<enter>")
        .sees("next try in ");
    let mut first = None;
    repl.terminal.wait_until(|screen| {
        let left = left(&screen.contents());
        first = first.or(left);
        left.is_some() && left < first
    });
    repl.keys("<esc>").sees("Cancelled by ESC").ready();
    repl.keys("again<enter>").sees("Hello.").quit();
}

#[test]
fn s3_37_escape_stops_a_command_of_ones_own() {
    let repl = Start::new([]).with(|run| run.args(["-y"])).start();
    repl.keys("! echo started; exec sleep 60<enter>")
        .sees("  started");
    repl.keys("<esc>").sees("Cancelled by ESC").ready();
    repl.quit();
}

/// A tool that prints as fast as it can does not keep Escape from being heard.
#[test]
fn s3_37_escape_is_heard_in_a_flood() {
    let flood = Turn::call("run_shell_command", json!({"command": "yes flood"}));
    let repl = Start::new([flood]).with(|run| run.args(["-y"])).start();
    repl.keys("go<enter>").sees("  flood");
    let pressed = Instant::now();
    repl.keys("<esc>").sees("Cancelled by ESC").ready();
    assert!(pressed.elapsed() < Duration::from_secs(5));
    repl.keys("still here").typed("still here");
}

#[test]
fn s3_37_what_waited_comes_back_to_the_prompt() {
    let gate = Gate::new();
    let repl = Repl::new([Turn::text(["Half"]).gate(&gate)]);
    repl.keys("go<enter>").sees("Half").keys("later<enter>");
    repl.sees("queued").keys("<esc>").sees("Cancelled by ESC");
    repl.typed("later");
    assert_eq!(repl.server.requests().len(), 1);
}

/// S3.37 holds from Enter on, also before anything has come.
#[test]
fn s3_37_escape_right_after_enter_cancels() {
    let gate = Gate::new();
    let repl = Repl::new([Turn::new().gate(&gate).and_text("Never.")]);
    repl.keys("go<enter>");
    gate.wait_reached();
    repl.keys("<esc>").sees("Cancelled by ESC").ready();
    gate.open();
    assert!(!repl.terminal.screen().contains("Never."));
}

/// One read of the terminal may bring both.
#[test]
fn s3_37_enter_and_escape_at_once_leave_nothing_running() {
    for _ in 0..10 {
        let gate = Gate::new();
        let repl = Repl::new([Turn::new().gate(&gate).and_text("Never.")]);
        // As terminals send it that do not leave one guessing whether more follows.
        repl.keys("go<enter>\u{1b}[27u")
            .sees("Cancelled by ESC")
            .ready();
        gate.open();
    }
}

#[test]
fn s3_38_the_look_is_minimal() {
    let repl = Start::new([Turn::text(["Fine."])]).colors().start();
    repl.keys("go<enter>").sees("Fine.").ready();
    let boxes = |c: char| ('\u{2500}'..='\u{259f}').contains(&c);
    assert!(!repl.terminal.contents_with_scrollback().contains(boxes));
    let mut filled = 0;
    repl.terminal.wait_until(|screen| {
        let (rows, columns) = screen.size();
        let places = (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |c| (row, c)));
        let cells = places.filter_map(|(row, column)| screen.cell(row, column));
        filled = cells
            .filter(|cell| cell.bgcolor() != pollux_testkit::vt100::Color::Default)
            .count();
        true
    });
    assert_eq!(filled, 0, "cells with a background");
}

/// Two lines, and not that the command was denied: nobody has answered.
#[test]
fn s3_37_escape_at_the_question_about_a_command_of_ones_own() {
    let repl = Start::new([]).size(30, 120).start();
    repl.keys("! touch made<enter>").sees("run it?");
    repl.keys("<esc>").sees("Cancelled by ESC").ready();
    let said = repl.terminal.contents_with_scrollback();
    let (_, asked) = said.split_once("  always: ").unwrap();
    let (_, after) = asked.split_once('\n').unwrap();
    let (told, _) = after.split_once("context: ").unwrap();
    let lines = format!("\nCancelled by ESC\n{SECOND_LINE}\n\n");
    assert_eq!(told, lines, "{said}");
    assert!(!repl.project.exists("made"));
    repl.quit();
}
