//! 9 Questions of the model.

use pollux_testkit::Turn;
use serde_json::{Value, json};

use super::{Repl, Start};

fn asked() -> Value {
    let store = json!([{"label": "SQLite", "description": "one file"}, {"label": "none"}]);
    let color = json!([{"label": "red"}, {"label": "green"}]);
    json!({"questions": [
        {"question": "Which store?", "options": store},
        {"question": "Which colour?", "options": color},
    ]})
}

fn planning() -> Repl {
    let turns = [Turn::call("question", asked()), Turn::text(["Good."])];
    let repl = Start::new(turns)
        .with(|run| run.args(["--mode", "plan"]))
        .start();
    repl.keys("go<enter>").sees("[Question 1/2] Which store?");
    repl.sees("waiting for you · esc");
    repl
}

/// S3.47 to S3.51, S3.53 and S3.54.
#[test]
fn s3_47_51_53_54_questions_are_asked_one_at_a_time_in_plan_mode() {
    let repl = planning();
    repl.sees("  1. SQLite (Recommended) — one file\n  2. none\n\n");
    assert!(!repl.terminal.contents_with_scrollback().contains("2/2"));
    repl.keys("<enter>3<bs>2<enter>")
        .sees("[Question 2/2] Which colour?")
        .sees("  2. green\n\nwaiting for you · esc");
    repl.keys("a warm one<enter>").sees("Good.").ready();
    repl.has_said("[tool] question Which store? (2 questions)\n[Question 1/2]");
    repl.has_said("  ok: answered by you");
    let requests = repl.server.requests();
    let told = requests[1].text();
    assert!(told.contains("answer: none"), "{told}");
    assert!(told.contains("answer: a warm one"), "{told}");
}

#[test]
fn s3_52_escape_cancels_all_questions_and_the_model_is_told() {
    let repl = planning();
    repl.keys("1<enter>").sees("[Question 2/2]").keys("<esc>");
    repl.sees("Good.").ready();
    repl.has_said("  dismissed by you");
    let requests = repl.server.requests();
    let told = requests[1].text();
    assert!(told.contains("has dismissed the questions"), "{told}");
    assert!(!told.contains("answer: SQLite"), "{told}");
}
