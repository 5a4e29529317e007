//! 10 State and errors.

use pollux_testkit::{Gate, HttpReply, ModelServer, Project, Protocol, Terminal, Turn};
use serde_json::json;

use super::super::support::talking_to;
use super::Repl;

fn served(replies: Vec<HttpReply>) -> Repl {
    let (project, server) = (Project::new(), ModelServer::start(replies));
    let spec = talking_to(&project, &server, Protocol::OpenAi).command_spec();
    let terminal = Terminal::spawn(&spec, 40, 120);
    let repl = Repl {
        project,
        server,
        terminal,
    };
    repl.sees("model: mock");
    repl
}

#[test]
fn s3_55_32_33_the_window_title_tells_the_state() {
    let gate = Gate::new();
    let repl = Repl::new([Turn::text(["Half "]).gate(&gate).and_text("and half.")]);
    let titled = |state: &str| {
        let wanted = format!("({state})\u{1b}\\");
        let last = move |bytes: &[u8]| {
            let text = String::from_utf8_lossy(bytes).into_owned();
            let title = text.rsplit("\u{1b}]2;").next().unwrap().to_owned();
            text.contains("\u{1b}]2;") && title.contains(&wanted)
        };
        repl.terminal.wait_for_bytes(last);
    };
    titled("ready");
    repl.keys("go<enter>").sees("Half");
    titled("working");
    gate.open();
    repl.sees("Half and half.");
    titled("ready");
}

#[test]
fn s3_56_failures_of_commands_tools_and_the_model_can_be_read() {
    let refused = json!({"error": {"message": "no such model\nat all"}});
    let repl = served(vec![
        Turn::call("no_such_tool", json!({})).openai(),
        Turn::text(["I see."]).openai(),
        HttpReply::json(404, refused),
    ]);
    repl.keys("/mode fly<enter>").sees("error: ");
    repl.keys("go<enter>").sees("I see.");
    repl.sees("[tool] no_such_tool").ready();
    repl.keys("again<enter>").sees("no such model").ready();
    repl.keys("! exit 3<enter>").sees("exit=3").ready();
    repl.quit();
}

#[test]
fn s3_57_what_came_of_a_broken_answer_is_kept_and_marked() {
    let broken = Turn::text(["This much came"]).unfinished().openai().cut();
    let repl = served(vec![broken, Turn::text(["Whole."]).openai()]);
    repl.keys("go<enter>").sees("This much came");
    repl.sees("note: the answer above is incomplete")
        .sees("error: ");
    repl.ready().keys("again<enter>").sees("Whole.").quit();
}

/// A model that dies in the middle leaves a session that goes on.
#[test]
fn s3_57_a_retry_marks_what_is_void() {
    let broken = Turn::text(["Void words"]).unfinished().openai().cut();
    let server = ModelServer::start(vec![broken, Turn::text(["Whole."]).openai()]);
    let project = Project::new();
    let run = talking_to(&project, &server, Protocol::OpenAi);
    let spec = run
        .args(["--config", "retry.max_attempts=2"])
        .command_spec();
    let terminal = Terminal::spawn(&spec, 40, 120);
    terminal.wait_for("model: mock").keys("go<enter>");
    terminal.wait_for("Whole.");
    let said = terminal.contents_with_scrollback();
    let order = [
        "Void words",
        "note: the answer above broke off and is void",
        "try 2 of 2",
        "Whole.",
    ];
    let places = order.map(|text| said.find(text));
    assert!(places.iter().all(Option::is_some), "{said}");
    assert!(places.is_sorted(), "{places:?} in\n{said}");
}
