//! Models and sessions, changed from inside.

use pollux_testkit::{HttpReply, ModelServer, Protocol, Turn};

use super::{Repl, Start};

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
