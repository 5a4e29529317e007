//! 5 Colours: what the cells of the screen look like.

use pollux_testkit::vt100::{Color, Screen};
use pollux_testkit::{HttpReply, Pollux, Project, Protocol, Terminal, Turn};
use serde_json::json;

use super::super::support::talking_to;
use super::{Repl, Start};

const RED: Color = Color::Idx(1);
const GREEN: Color = Color::Idx(2);
const YELLOW: Color = Color::Idx(3);
const BLUE: Color = Color::Idx(12);
const CYAN: Color = Color::Idx(6);
const PLAIN: Color = Color::Default;

/// How a text looks.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Look {
    color: Color,
    dim: bool,
}

/// The look of the last place on the screen that has this text, which must have one look.
fn look(screen: &Screen, text: &str) -> Option<Look> {
    let (rows, columns) = screen.size();
    let cells = |row: u16| (0..columns.get()).filter_map(move |column| screen.cell(row, column));
    let of_row = |row: u16| -> Option<Look> {
        let cells: Vec<_> = cells(row).collect();
        let shown = |cell: &pollux_testkit::vt100::Cell| match cell.contents() {
            "" => ' ',
            contents => contents.chars().next().unwrap(),
        };
        let line: Vec<char> = cells.iter().map(|cell| shown(cell)).collect();
        let wanted: Vec<char> = text.chars().collect();
        let at = line
            .windows(wanted.len())
            .rposition(|part| part == wanted)?;
        let mut looks = cells[at..at + wanted.len()].iter().map(|cell| Look {
            color: cell.fgcolor(),
            dim: cell.dim(),
        });
        let first = looks.next()?;
        assert!(
            looks.all(|look| look == first),
            "{text:?} has several looks"
        );
        Some(first)
    };
    (0..rows.get()).rev().find_map(of_row)
}

fn looks(repl: &Repl, expected: &[(&str, Color, bool)]) {
    for &(text, color, dim) in expected {
        let mut found = None;
        repl.sees(text).terminal.wait_until(|screen| {
            found = look(screen, text);
            true
        });
        assert_eq!(found, Some(Look { color, dim }), "{text:?}");
    }
}

fn project() -> Project {
    Project::new().file("a.txt", "alpha\nbeta\n")
}

fn colored(turns: impl IntoIterator<Item = Turn>) -> Start {
    Start::new(turns).at(project()).colors()
}

#[test]
fn s3_19_20_21_the_prompt_and_the_input() {
    for width in [60, 80, 120] {
        let repl = colored([]).size(24, width).start();
        repl.keys("my words").typed("my words");
        looks(
            &repl,
            &[
                (" tokens · model: mock", PLAIN, true),
                ("[build] ", GREEN, false),
                ("my words", PLAIN, false),
            ],
        );
    }
}

#[test]
fn d28_the_prompt_is_green_in_both_modes() {
    let repl = colored([]).start();
    looks(&repl, &[("[build] ", GREEN, false)]);
    repl.keys("<tab>");
    looks(&repl, &[("[plan] ", GREEN, false)]);
}

#[test]
fn s3_22_23_answers_and_thoughts() {
    let turn = Turn::text(["The answer is plain."]).thought("Some thought of it.");
    let repl = colored([turn]).start();
    repl.keys("go<enter>").sees("The answer is plain.").ready();
    looks(
        &repl,
        &[
            ("[ANSWER]", PLAIN, false),
            ("The answer is plain.", PLAIN, false),
            ("[THINK]", PLAIN, true),
            ("Some thought of it.", PLAIN, true),
        ],
    );
    // No bar stands to the left of it.
    let screen = repl.terminal.screen();
    assert!(screen.contains("\nThe answer is plain."), "{screen}");
}

#[test]
fn s3_24_25_26_tools() {
    let turns = [
        Turn::call("read_file", json!({"file_path": "a.txt"}))
            .and_call("read_file", json!({"file_path": "missing.txt"})),
        Turn::text(["Done."]),
    ];
    let repl = colored(turns).start();
    repl.keys("go<enter>").sees("Done.").ready();
    looks(
        &repl,
        &[
            ("[tool] read_file", BLUE, false),
            ("  ok: 2 lines", GREEN, false),
            ("  error: ", RED, false),
            ("missing.txt", RED, false),
        ],
    );
}

#[test]
fn s3_31_todos() {
    let todos = json!([
        {"description": "look around", "status": "completed"},
        {"description": "mend it", "status": "in_progress"},
        {"description": "test it", "status": "pending"},
        {"description": "rewrite it", "status": "cancelled"},
    ]);
    let turns = [
        Turn::call("write_todos", json!({"todos": todos})),
        Turn::text(["Good."]),
    ];
    let repl = colored(turns).start();
    let expected = [
        ("done         look around", CYAN, false),
        ("in_progress  mend it", YELLOW, false),
        ("pending      test it", PLAIN, true),
        ("cancelled    rewrite it", PLAIN, true),
    ];
    repl.keys("go<enter>").sees("Good.").ready();
    looks(&repl, &expected);
    repl.keys("<c-l>/todos<enter>").sees("/todos");
    looks(&repl, &expected);
}

#[test]
fn s3_27_28_29_30_diffs_and_questions() {
    let replace = json!({"file_path": "a.txt", "old_string": "beta", "new_string": "gamma"});
    let turns = [Turn::call("replace", replace), Turn::text(["Done."])];
    let repl = colored(turns).start();
    repl.keys("go<enter>").sees("write it? [y/n/always/e]");
    looks(
        &repl,
        &[
            ("[approve] replace", YELLOW, false),
            ("write it? [y/n/always/e]", YELLOW, false),
            ("why: ", YELLOW, false),
            ("--- a/a.txt", PLAIN, true),
            ("+++ b/a.txt", PLAIN, true),
            ("@@ -1,2 +1,2 @@", PLAIN, true),
            ("-beta", RED, false),
            ("+gamma", GREEN, false),
            (" alpha", PLAIN, false),
        ],
    );
    repl.keys("y<enter>").sees("Done.").ready();
    looks(&repl, &[("  ok: +1 -1", GREEN, false)]);
}

#[test]
fn s3_30_what_pollux_says_is_yellow() {
    let gate = pollux_testkit::Gate::new();
    let repl = colored([Turn::text(["Half"]).gate(&gate)]).start();
    repl.keys("go<enter>").sees("Half").keys("<esc>");
    looks(&repl, &[("Cancelled by ESC", YELLOW, false)]);
}

#[test]
fn s3_32_errors_are_red() {
    let repl = colored([]).start();
    repl.keys("/nosuch<enter>");
    looks(&repl, &[("error: Unknown command: /nosuch", RED, false)]);
    let server = pollux_testkit::ModelServer::start(vec![HttpReply::json(
        400,
        json!({"error": {"message": "that is no request"}}),
    )]);
    let project = project();
    let run = talking_to(&project, &server, Protocol::OpenAi);
    let mut spec = run.command_spec();
    spec.env.remove("NO_COLOR");
    let terminal = Terminal::spawn(&spec, 24, 100);
    let repl = Repl {
        project,
        server,
        terminal,
    };
    repl.sees("model: mock").keys("go<enter>");
    looks(&repl, &[("that is no request", RED, false)]);
}

#[test]
fn s3_33_what_commands_print_is_plain() {
    let repl = colored([]).start();
    repl.keys("! printf 'raw \\033[31moutput'<enter>");
    repl.sees("raw \\e[31moutput").ready();
    looks(
        &repl,
        &[
            ("[COMMAND]", PLAIN, false),
            ("$ printf", PLAIN, false),
            ("exit=0", GREEN, false),
            ("raw \\e[31moutput", PLAIN, false),
        ],
    );
}

/// S3.34 and `NO_COLOR`: no cell has a colour, and everything can still be told apart by its words.
#[test]
fn s3_34_without_colours_everything_is_still_said() {
    let turns = [
        Turn::call("read_file", json!({"file_path": "missing.txt"})),
        Turn::text(["```rust\nfn main() {}\n```\n"]),
    ];
    let repl = Start::new(turns).at(project()).start();
    repl.keys("go<enter>").sees("fn main() {}").ready();
    repl.keys("/nosuch<enter>").sees("error: Unknown");
    repl.sees("[tool] read_file").sees("  error: ");
    let mut colors = 0;
    repl.terminal.wait_until(|screen| {
        let (rows, columns) = screen.size();
        let places = (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |c| (row, c)));
        colors = places
            .filter_map(|(row, column)| screen.cell(row, column))
            .filter(|cell| cell.fgcolor() != PLAIN || cell.bgcolor() != PLAIN)
            .count();
        true
    });
    assert_eq!(colors, 0);
}

#[test]
fn colours_come_and_go_as_they_are_wanted() {
    let repl = colored([]).start();
    looks(&repl, &[("[build]", GREEN, false)]);
    repl.keys("/theme none<enter>")
        .sees("theme: none, until you leave");
    looks(&repl, &[("[build]", PLAIN, false)]);
    repl.keys("/theme<enter>").sees("theme: none").ready();
    repl.keys("/theme ansi<enter>")
        .sees("theme: ansi, until you leave");
    looks(&repl, &[("[build]", GREEN, false)]);
    repl.keys("/theme blue<enter>").sees("`blue` is no theme");
    let none = |run: Pollux| run.args(["--config", "ui.theme=none"]);
    let repl = colored([]).with(none).start();
    looks(&repl, &[("[build]", PLAIN, false)]);
}
