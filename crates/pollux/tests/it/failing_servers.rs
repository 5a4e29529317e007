//! Servers that refuse, and quotas that are used up.

use pollux_testkit::{HttpReply, ModelServer, Project, Protocol};
use serde_json::json;

use super::support::talking_to;

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
