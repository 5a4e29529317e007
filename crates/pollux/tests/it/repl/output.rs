//! 4 Output.

use pollux_testkit::{Gate, Project, Turn};
use serde_json::json;

use super::{Repl, Start};

fn position(said: &str, text: &str) -> usize {
    let found = said.find(text);
    found.unwrap_or_else(|| panic!("no {text:?} in\n{said}"))
}

#[test]
fn s3_13_everything_stands_in_the_order_of_time() {
    let turns = [
        Turn::text(["Let me look."]).and_call("read_file", json!({"file_path": "a.txt"})),
        Turn::text(["It says alpha."]),
        Turn::text(["Second answer."]),
    ];
    let project = Project::new().file("a.txt", "alpha\n");
    let repl = Start::new(turns).at(project).start();
    repl.keys("first question<enter>").sees("It says alpha.");
    repl.typed("").keys("second question<enter>");
    repl.sees("Second answer.").ready();
    let said = repl.terminal.contents_with_scrollback();
    let order = [
        "> first question",
        "Let me look.",
        "[tool] read_file",
        "It says alpha.",
        "> second question",
        "Second answer.",
    ];
    let places = order.map(|text| position(&said, text));
    assert!(places.is_sorted(), "{places:?} in\n{said}");
    assert!(!said.contains("\n\n\n"), "two empty lines in\n{said}");
}

#[test]
fn s3_14_the_answer_is_shown_piece_by_piece() {
    let (gate, end) = (Gate::new(), Gate::new());
    let turn = Turn::text(["First piece, "])
        .gate(&gate)
        .and_text("second piece, ");
    let repl = Repl::new([turn.gate(&end).and_text("third.")]);
    repl.keys("go<enter>").sees("First piece,");
    gate.wait_reached();
    assert!(!repl.terminal.screen().contains("second"));
    gate.open();
    repl.sees("First piece, second piece,");
    end.open();
    repl.sees("First piece, second piece, third.").quit();
}

#[test]
fn s3_15_and_s0_20_thinking_is_shown_in_full_as_it_comes() {
    let thoughts = (1..=30).map(|number| format!("thought number {number}\n"));
    let turn = Turn::text(["So it is."]).thought(thoughts.collect::<String>());
    let repl = Repl::new([turn]);
    repl.keys("go<enter>").sees("So it is.");
    let said = repl.terminal.contents_with_scrollback();
    assert!(position(&said, "[THINK]") < position(&said, "[ANSWER]"));
    for number in 1..=30 {
        let line = format!("thought number {number}\n");
        assert_eq!(said.matches(&line).count(), 1, "{line} in\n{said}");
    }
}

#[test]
fn s3_16_a_tool_has_a_line_with_its_name_and_what_it_does() {
    let turns = [
        Turn::call("read_file", json!({"file_path": "src/a.txt"})),
        Turn::text(["Done."]),
    ];
    let project = Project::new().file("src/a.txt", "alpha\nbeta\n");
    let repl = Start::new(turns).at(project).start();
    repl.keys("go<enter>").sees("Done.");
    repl.sees("[tool] read_file")
        .sees("src/a.txt")
        .sees("  ok: ");
}

#[test]
fn s3_17_a_change_is_a_unified_diff_in_the_stream() {
    let replace = json!({"file_path": "a.txt", "old_string": "beta", "new_string": "gamma"});
    let turns = [Turn::call("replace", replace), Turn::text(["Done."])];
    let project = Project::new().file("a.txt", "alpha\nbeta\n");
    let repl = Start::new(turns)
        .at(project)
        .with(|run| run.args(["--approval-mode", "auto-edit"]))
        .start();
    repl.keys("go<enter>").sees("Done.");
    let screen = repl.terminal.screen();
    for line in [
        "--- a/a.txt",
        "+++ b/a.txt",
        "@@ -1,2 +1,2 @@",
        " alpha",
        "-beta",
        "+gamma",
    ] {
        assert_eq!(screen.matches(line).count(), 1, "{line} in\n{screen}");
    }
    assert_eq!(repl.project.read("a.txt"), "alpha\ngamma\n");
}

/// S3.18 Scroll-back is the terminal's own; D27 what is printed there is printed once.
#[test]
fn s3_18_a_long_answer_scrolls_into_the_scrollback_once() {
    let lines: Vec<String> = (0..300)
        .map(|number| format!("- item {number}.\n"))
        .collect();
    let repl = Start::new([Turn::text(lines)]).size(20, 80).start();
    repl.keys("go<enter>").sees("item 299.").ready();
    let said = repl.terminal.contents_with_scrollback();
    for number in 0..300 {
        assert_eq!(
            said.matches(&format!("item {number}.")).count(),
            1,
            "{number}"
        );
    }
    assert!(!repl.terminal.screen().contains("item 100."));
    let bytes = repl.terminal.bytes();
    let bytes = String::from_utf8(bytes).unwrap();
    for mode in ["?1049h", "?47h", "?1000h", "?1006h", "[3J"] {
        assert!(!bytes.contains(mode), "{mode}");
    }
}

#[test]
fn s0_35_markdown_is_whole_wherever_the_stream_is_cut() {
    let text = "# Head\n\nSome **bold** and `code`.\n\n```rust\nfn main() {}\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n1. one\n2. two\n";
    let whole = Repl::new([Turn::text([text])]);
    whole.keys("go<enter>").sees("two").ready();
    let cut = Repl::new([Turn::text(text.chars().map(String::from))]);
    cut.keys("go<enter>").sees("two").ready();
    let answer = |repl: &Repl| {
        let said = repl.terminal.contents_with_scrollback();
        let from = position(&said, "[ANSWER]");
        let to = said.rfind("context: ").unwrap();
        said[from..to].to_owned()
    };
    assert_eq!(answer(&whole), answer(&cut));
    let shown = answer(&cut);
    assert!(shown.contains("Some bold and `code`."), "{shown}");
}
