//! Models and sessions, changed from inside.

use pollux_testkit::{HttpReply, ModelServer, Project, Protocol, Turn};
use serde_json::json;

use super::{Repl, Start, todos};

#[test]
fn another_model_answers_from_here_on() {
    let server = ModelServer::responding(|request| match request.path.as_str() {
        "/models" => HttpReply::status(404),
        _ => Turn::text(["Hello."]).reply(Protocol::OpenAi),
    });
    let repl = Start::new([]).served_by(server).start();
    repl.keys("/model other<enter>").sees("model: other");
    repl.keys("hi<enter>").sees("Hello.");
    let requests = repl.server.requests();
    let asked = requests.last().unwrap();
    assert!(asked.text().contains("\"model\":\"other\""));
}

#[test]
fn a_new_session_knows_nothing_of_the_old_one() {
    let repl = Repl::new([Turn::text(["One."]), Turn::text(["Two."])]);
    repl.keys("first words<enter>").sees("One.").ready();
    repl.keys("/new<enter>").sees("context: 1").ready();
    repl.keys("second words<enter>").sees("Two.");
    assert!(!repl.request(1).contains("first words"));
}

#[test]
fn clear_begins_anew_on_a_clean_screen() {
    let repl = Repl::new([Turn::text(["One."]), Turn::text(["Two."])]);
    repl.keys("first words<enter>").sees("One.").ready();
    repl.keys("/clear<enter>");
    repl.terminal
        .wait_until(|screen| !screen.contents().contains("One."));
    repl.has_said("One.")
        .keys("second words<enter>")
        .sees("Two.");
    assert!(!repl.request(1).contains("first words"));
}

#[test]
fn continue_shows_the_conversation_again_and_goes_on() {
    let repl = Repl::new([Turn::text(["The **first** answer."])]);
    repl.keys("my question<enter>")
        .sees("The first answer.")
        .quit();
    let again = Start::new([Turn::text(["Second."])])
        .at(repl.project)
        .with(|run| run.args(["-c"]))
        .start();
    again.sees("> my question").sees("The first answer.");
    again.keys("more<enter>").sees("Second.");
    let asked = again.request(0);
    assert!(asked.contains("my question") && asked.contains("The **first** answer."));
}

/// What was said and done is shown as it was, by both ways back to a session.
#[test]
fn a_session_that_goes_on_looks_as_it_did() {
    let edit = json!({"file_path": "a.txt", "old_string": "old", "new_string": "new"});
    let turns = [
        Turn::call("replace", edit)
            .and_call("run_shell_command", json!({"command": "echo printed"}))
            .and_call("read_file", json!({"file_path": "missing"})),
        todos::write(&["look around", "mend it"], 1),
        Turn::text(["The **first** answer."]).thought("A thought."),
        Turn::text(["Another."]),
    ];
    let project = Project::new().file("a.txt", "old\n");
    let repl = Start::new(turns)
        .at(project)
        .with(|run| run.args(["-y"]))
        .size(60, 100)
        .start();
    repl.keys("go @a.txt now<enter>")
        .sees("The first answer.")
        .ready();
    repl.keys("!echo mine<enter>")
        .sees("stdout:\nmine\n")
        .ready();
    let before = repl.terminal.contents_with_scrollback();
    let (_, shown) = before.split_once("> go @a.txt now\n").unwrap();
    let (replied, _) = shown.split_once("\n\ncontext: ").unwrap();
    for part in [
        "attached: a.txt (1 line)\n",
        "\n+new\n",
        "  printed\n",
        "  error: ",
        "done         look",
        "[THINK]",
    ] {
        assert!(replied.contains(part), "{part:?} is missing in\n{replied}");
    }
    let (_, block) = shown.split_once("> !echo mine\n").unwrap();
    let (block, _) = block.split_once("\n\ncontext: ").unwrap();
    // How long a call took is not kept.
    let untimed = |line: &str| match line.split_once(" duration=") {
        Some((end, _)) if line.starts_with("  ") => end.to_owned(),
        _ => line.to_owned(),
    };
    let replied: Vec<String> = replied.lines().map(untimed).collect();
    let replied = replied.join("\n");
    let again = format!("> go @a.txt now\n{replied}\n\n> !echo mine\n{block}\n\ncontext: ");
    repl.keys("/new<enter>").sees("context: 1").ready();
    repl.keys("hello<enter>").sees("Another.").ready();
    repl.keys("/resume 2<enter>")
        .has_said(&format!("\n{again}"));
    repl.keys("/todos<enter>")
        .has_said("> /todos\n  done         look around\n  in_progress  mend it\n");
    repl.quit();
    let latest = Start::new([])
        .at(repl.project)
        .with(|run| run.args(["--resume", "2"]))
        .size(60, 100)
        .start();
    latest.has_said(&again);
    latest.keys("/todos<enter>").has_said("> /todos\n  done");
}

#[test]
fn resume_goes_back_to_a_stored_session() {
    let turns = ["One.", "Two.", "Three."].map(|text| Turn::text([text]));
    let repl = Repl::new(turns);
    repl.keys("first words<enter>").sees("One.").ready();
    repl.keys("/new<enter>").sees("context: 1").ready();
    repl.keys("second words<enter>").sees("Two.").ready();
    repl.keys("/sessions<enter>").sees("first words");
    repl.keys("/resume 2<enter>").ready();
    repl.keys("third words<enter>").sees("Three.");
    let asked = repl.request(2);
    assert!(
        asked.contains("first words") && !asked.contains("second words"),
        "{asked}"
    );
}
