//! Servers that refuse, and quotas that are used up.

use pollux_testkit::{HttpReply, ModelServer, Pollux, Project, Protocol, Turn};
use serde_json::json;

use super::support::{pollux, shown, steady, talking_to};

#[test]
fn a_quota_that_is_gone_is_not_waited_for() {
    let error =
        json!({"message": "You exceeded your current quota.", "type": "insufficient_quota"});
    let reply = HttpReply::json(429, json!({ "error": error }));
    let server = ModelServer::start(vec![reply.header("retry-after", "1")]);
    let project = Project::new();
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .args(["--config", "retry.max_attempts=6", "-p", "go"])
        .run()
        .exited(1);
    insta::assert_snapshot!(ran.stderr, @"
    error: the quota or the credit is used up: You exceeded your current quota. (HTTP 429 Too Many Requests)
    hint: wait until it is renewed, add credit, or use another model: `--model` names one, `models.fallback` those that stand in by themselves
    ");
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_model_that_is_not_there_is_said() {
    let error = json!({"message": "models/mock is not found", "status": "NOT_FOUND"});
    let reply = HttpReply::json(404, json!({ "error": error }));
    let server = ModelServer::start(vec![reply]);
    let project = Project::new();
    let ran = talking_to(&project, &server, Protocol::Gemini)
        .args(["-p", "go"])
        .run()
        .exited(1);
    insta::assert_snapshot!(ran.stderr, @"
    error: the server does not have this model: models/mock is not found (HTTP 404 Not Found)
    hint: check the model's name; `--model` and the setting `model` set it
    ");
}

/// A run whose model breaks off and whose stand-in answers.
fn run_with_stand_in(format: &str) -> (Pollux, [ModelServer; 2], Project) {
    let half = Turn::text(["half an answ"]).unfinished().openai().reset();
    let first = ModelServer::start(vec![half]);
    let turn = Turn::text(["a whole answer"]).usage(70, 7);
    let spare = ModelServer::speaking(Protocol::Gemini, [turn]);
    let project = Project::new();
    let run = talking_to(&project, &first, Protocol::OpenAi)
        .env("GOOGLE_GEMINI_BASE_URL", spare.base_url())
        .args(["--config", r#"models.fallback=["gemini/spare"]"#])
        .args(["-o", format, "-p", "go"]);
    (run, [first, spare], project)
}

#[test]
fn a_stand_in_answers_and_is_announced() {
    let (run, _servers, _project) = run_with_stand_in("text");
    let ran = run.run().exited(0);
    assert_eq!(ran.stdout, "half an answ\na whole answer\n");
    let (void, change) = ran.stderr.split_once('\n').unwrap();
    assert_eq!(void, "note: the answer above broke off and is void");
    assert!(
        change.ends_with("; spare (gemini) answers from here on\n"),
        "{change}"
    );

    let (run, _servers, _project) = run_with_stand_in("json");
    let object = run.run().exited(0).json();
    assert_eq!(object["response"], "a whole answer");
    let tokens = |model: &str| object["stats"]["models"][model]["tokens"]["total"].clone();
    assert_eq!((tokens("mock"), tokens("spare")), (json!(0), json!(77)));

    let (run, _servers, _project) = run_with_stand_in("stream-json");
    let lines = steady(run.run().exited(0).json_lines());
    let notice = lines.iter().find(|line| line["type"] == "notice").unwrap();
    assert_eq!(notice["kind"], "model_changed");
    assert_eq!(notice["model"], "spare");
    assert!(shown(&lines).contains(r#""total_tokens":77"#));
}

#[test]
fn a_stand_in_that_cannot_be_used_is_said_and_left_out() {
    let project = Project::new();
    let fallback = r#"models.fallback=["gemini/x", "gemni/x", "x", "offline/offline"]"#;
    let ran = pollux(&project)
        .args(["--provider", "offline", "--config", fallback, "-p", "help"])
        .run()
        .exited(0);
    insta::assert_snapshot!(ran.stderr, @"
    note: models.fallback: `gemini/x`: no API key for the provider `gemini`; set GEMINI_API_KEY or GOOGLE_API_KEY; or try `--provider offline`
    note: models.fallback: `gemni/x`: unknown provider `gemni`; did you mean `gemini`?
    note: models.fallback: `x`: expected `provider/model`
    ");
}
