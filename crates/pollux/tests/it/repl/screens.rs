//! The screens in `docs/screens.md`, made anew: what is documented is what people see.
//!
//! `UPDATE_DOCS=1 cargo test -p pollux-cli --test it screens` writes them down.

use std::fmt::Write as _;
use std::path::Path;

use pollux_testkit::{Project, Turn};
use serde_json::json;

use super::{Repl, Start};

const HEAD: &str = "# What it looks like\n\n\
    Screens of 80 columns, taken by a test, which fails when they look different. Colours are left out.\n";

/// A screen, without what differs from run to run.
fn taken(repl: &Repl) -> String {
    let screen = repl.terminal.contents_with_scrollback();
    let place = repl.project.path().display().to_string();
    let mut screen = screen.replace(&place, "/home/you/app");
    // Counts and times are those of another day.
    for (before, after, instead) in [("context: ", " tokens", "1200"), ("duration=", "ms", "12")] {
        let mut changed = String::new();
        let mut rest = screen.as_str();
        while let Some((left, right)) = rest.split_once(before) {
            let (_, right) = right.split_once(after).unwrap_or(("", right));
            write!(changed, "{left}{before}{instead}{after}").unwrap();
            rest = right;
        }
        changed.push_str(rest);
        screen = changed;
    }
    // Whether there is an empty row at the top depends on what was said before the prompt.
    screen.trim().to_owned()
}

fn start(project: Project, turns: impl IntoIterator<Item = Turn>) -> Repl {
    Start::new(turns).at(project).size(40, 80).start()
}

fn app() -> Project {
    let project = Project::new().file("README.md", "# app\n");
    // Somebody was here before.
    std::fs::create_dir_all(project.pollux_home().join("sessions")).unwrap();
    project.file("src/main.rs", "fn main() {\n    println!(\"hello\");\n}\n")
}

fn an_answer() -> String {
    let text = "There are **two** ways:\n\n- `cargo run` starts it,\n- `cargo test` checks it.\n\n\
        | file | lines |\n|---|---|\n| src/main.rs | 3 |\n| README.md | 1 |\n\n\
        ```rust\nfn main() {\n    println!(\"hello\");\n}\n```\n";
    let repl = start(app(), [Turn::text([text])]);
    repl.keys("how does it start?<enter>").sees("```\n").ready();
    taken(&repl)
}

fn a_change() -> String {
    let args =
        json!({"file_path": "src/main.rs", "old_string": "hello", "new_string": "good morning"});
    let turns = [Turn::call("replace", args), Turn::text(["Done."])];
    let repl = start(app(), turns);
    repl.keys("greet properly<enter>")
        .sees("write it? [y/n/always/e]");
    let asked = taken(&repl);
    repl.keys("y<enter>").sees("Done.").ready();
    format!(
        "{asked}\n```\n\nAnd once it is allowed:\n\n```text\n{}",
        taken(&repl)
    )
}

fn a_dangerous_command() -> String {
    let args = json!({"command": "rm -rf build && git push --force"});
    let repl = start(app(), [Turn::call("run_shell_command", args)]);
    repl.keys("publish it<enter>").sees("run it? [y/n]");
    taken(&repl)
}

fn a_page() -> String {
    let args = json!({"url": "https://docs.rs/tokio/latest/tokio/?search=spawn"});
    let repl = start(app(), [Turn::call("web_fetch", args)]);
    repl.keys("how do I spawn a task?<enter>")
        .sees("fetch it? [y/n/always]");
    taken(&repl)
}

fn a_question() -> String {
    let options = json!([
        {"label": "SQLite", "description": "one file, nothing to set up"},
        {"label": "PostgreSQL"}
    ]);
    let args = json!({"questions": [{"question": "Where should it be kept?", "options": options}]});
    let repl = start(app(), [Turn::call("question", args), Turn::text(["Good."])]);
    repl.keys("plan a store<enter>").sees("[Question]");
    repl.terminal
        .wait_until(|screen| screen.contents().trim_end().ends_with("\n>"));
    taken(&repl)
}

fn a_todo_list() -> String {
    let steps = ["Read src/main.rs", "Greet in the morning", "Run the tests"];
    let turns = [
        super::todos::write(&steps, 0).and_call("read_file", json!({"file_path": "src/main.rs"})),
        super::todos::write(&steps, 1),
        Turn::text(["What time does the morning end?"]),
    ];
    let repl = start(app(), turns);
    repl.keys("greet by the time of day<enter>")
        .sees("What time")
        .ready();
    taken(&repl)
}

fn a_command_of_ones_own() -> String {
    let repl = start(app(), []);
    repl.keys("!cat README.md<enter>").sees("stdout:").ready();
    taken(&repl)
}

fn a_menu() -> String {
    let repl = start(app(), []);
    repl.keys("/mo").sees("/model");
    taken(&repl)
}

fn plain_lines() -> String {
    let args = json!({"command": "cargo test"});
    let turns = [
        Turn::call("run_shell_command", args),
        Turn::text(["All **good**."]),
    ];
    let repl = Start::new(turns)
        .at(app())
        .size(40, 80)
        .with(|run| run.args(["--plain"]))
        .start();
    repl.keys("does it work?<enter>").sees("run it? ");
    repl.keys("n<enter>").sees("  refused by you").ready();
    repl.keys("and without?<enter>").sees("All good.").ready();
    taken(&repl)
}

#[test]
fn the_documented_screens_are_what_people_see() {
    let scenes = [
        ("An answer", an_answer()),
        ("A change", a_change()),
        ("A dangerous command", a_dangerous_command()),
        ("A page from the network", a_page()),
        ("A question of the model", a_question()),
        ("What the model has set out to do", a_todo_list()),
        ("A command of your own", a_command_of_ones_own()),
        ("Commands, as you type", a_menu()),
        ("Plain lines (`--plain`)", plain_lines()),
    ];
    let mut page = HEAD.to_owned();
    for (title, scene) in scenes {
        write!(page, "\n## {title}\n\n```text\n{scene}\n```\n").unwrap();
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/screens.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, &page).unwrap();
    }
    let documented = std::fs::read_to_string(&file).unwrap_or_default();
    pretty_assertions::assert_eq!(documented, page);
}
