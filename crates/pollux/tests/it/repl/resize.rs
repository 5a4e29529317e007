//! Another size at any moment.

use std::time::{Duration, Instant};

use pollux_testkit::{Gate, Turn};

use super::Start;

/// Sizes without a pattern, the same in every run.
fn sizes(seed: u32) -> impl Iterator<Item = (u16, u16)> {
    let next = |state: &u32| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    let dice = std::iter::successors(Some(seed), next).map(|state| (state >> 16) as u16);
    dice.clone()
        .zip(dice.skip(1))
        .map(|(rows, columns)| (6 + rows % 40, 30 + columns % 120))
}

/// The testkit's terminal cuts rows and does not break them anew: so does a real xterm, and says
/// who it is.
#[test]
fn every_line_of_an_answer_is_there_once_whatever_the_size() {
    for seed in 1..=2 {
        let gates: Vec<Gate> = (0..20).map(|_| Gate::new()).collect();
        let line = |number: usize| format!("Line {number:03}.\n\n");
        let turn = gates
            .iter()
            .enumerate()
            .fold(Turn::new(), |turn, (number, gate)| {
                let lines = (0..5).map(|of| line(number * 5 + of));
                lines.fold(turn.gate(gate), Turn::and_text)
            });
        let repl = Start::new([turn.and_text("The end.")])
            .size(24, 100)
            .with(|run| run.env("XTERM_VERSION", "XTerm(390)"))
            .start();
        repl.keys("go<enter>");
        for (number, (gate, (rows, columns))) in gates.iter().zip(sizes(seed)).enumerate() {
            gate.wait_reached();
            // What is on its way to a terminal of another size may be torn by any program.
            if let Some(last) = (number * 5).checked_sub(1) {
                repl.has_said(line(last).trim_end());
            }
            repl.terminal.resize(rows, columns);
            gate.open();
        }
        repl.terminal.resize(24, 100);
        repl.sees("The end.").ready();
        let said = repl.terminal.contents_with_scrollback();
        for number in 0..100 {
            let line = format!("Line {number:03}.");
            assert_eq!(
                said.matches(&line).count(),
                1,
                "seed {seed}: {line} in\n{said}"
            );
        }
        assert_eq!(said.matches("The end.").count(), 1, "seed {seed}:\n{said}");
        repl.quit();
    }
}

/// tmux has its new size up to 250 ms before it says so.
#[test]
fn nothing_is_drawn_while_the_size_changes() {
    let repl = Start::new([]).size(24, 100).start();
    repl.keys("a").sees("> a");
    for (columns, key, shown) in [(60, "b", "> ab"), (80, "c", "> abc")] {
        let resized = Instant::now();
        repl.terminal.resize(24, columns);
        repl.keys(key).sees(shown);
        let waited = resized.elapsed();
        assert!(waited > Duration::from_millis(250), "{waited:?}");
    }
    repl.keys("<c-c>");
    assert_eq!(repl.terminal.wait_exit(), 130);
}

#[test]
fn a_terminal_of_no_size_to_speak_of_is_no_reason_to_fail() {
    let gate = Gate::new();
    let turn = Turn::text(["# Head\n\n| a | b |\n|---|---|\n| one | two |\n\n"]).gate(&gate);
    let repl = Start::new([turn.and_text("The end.")])
        .with(|run| run.env("XTERM_VERSION", "XTerm(390)"))
        .start();
    repl.keys("go<enter>");
    gate.wait_reached();
    for (rows, columns) in [(1, 1), (2, 2), (1, 80), (24, 1), (3, 7)] {
        let drawn = repl.terminal.bytes().len();
        repl.terminal.resize(rows, columns).keys("x漢");
        repl.terminal.wait_for_bytes(|bytes| bytes.len() > drawn);
    }
    repl.terminal.resize(24, 100);
    repl.sees("x漢x漢x漢x漢x漢");
    gate.open();
    repl.sees("The end.").keys("<c-c>");
    assert_eq!(repl.terminal.wait_exit(), 130);
}

#[test]
fn the_prompt_and_what_is_typed_fit_after_a_resize() {
    let repl = Start::new([])
        .size(24, 100)
        .with(|run| run.env("XTERM_VERSION", "XTerm(390)"))
        .start();
    let words = "word ".repeat(30);
    let shows = |end: &str| {
        repl.terminal
            .wait_until(|screen| screen.contents().trim_end().ends_with(end));
    };
    repl.keys(&words).keys("0");
    shows("0");
    // None is too low for all rows: this terminal would cut off the last ones, as no other does.
    let sizes = [(24, 60), (10, 40), (30, 120), (24, 100)];
    for (mark, (rows, columns)) in ["1", "2", "3", "4"].into_iter().zip(sizes) {
        repl.terminal.resize(rows, columns);
        // What was written for the old size must not be on its way when the next one comes.
        // One key may be shown before the news of the size arrives, but not another.
        repl.keys("x");
        shows("x");
        repl.keys("<bs>").keys(mark);
        shows(mark);
    }
    repl.keys("end").terminal.wait_until(|screen| {
        let contents = screen.contents();
        contents.matches("word").count() == 30 && contents.trim_end().ends_with("end")
    });
    repl.keys("<c-c>");
    assert_eq!(repl.terminal.wait_exit(), 130);
}
