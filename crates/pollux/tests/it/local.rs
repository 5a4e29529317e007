//! With nothing configured: a server on this machine answers, or else the offline model.

use pollux_testkit::{HttpReply, ModelServer, Pollux, Project, Terminal, Turn};
use serde_json::{Value, json};

use super::support::{placed, pollux};

/// A server with these models, which says hello.
fn server(models: Value) -> ModelServer {
    ModelServer::responding(move |request| match request.path.as_str() {
        "/v1/models" => HttpReply::json(200, json!({"object": "list", "data": models})),
        "/v1/chat/completions" => Turn::text(["Hello ", "from here."]).openai(),
        _ => HttpReply::status(404),
    })
}

fn url(server: &ModelServer) -> String {
    format!("{}/v1", server.base_url())
}

/// A run that looks for servers at these addresses.
fn looking_at(project: &Project, urls: &[String]) -> Pollux {
    let list = format!("local.servers={}", json!(urls));
    // The machine may be too busy for the usual time; those who never answer have a test.
    pollux(project).args(["--config", &list, "--config", "local.timeout_ms=9000"])
}

fn gone() -> String {
    url(&ModelServer::start(vec![]))
}

#[test]
fn the_first_server_with_a_model_answers() {
    let project = Project::new();
    let embeddings = server(json!([{"id": "nomic-embed-text"}]));
    let other = ModelServer::responding(|_| HttpReply::text(200, "<html>It works!</html>"));
    let right = server(json!([{"id": "nomic-embed-text"}, {"id": "qwen3"}]));
    let late = server(json!([{"id": "never"}]));
    let urls = [
        gone(),
        url(&other),
        url(&embeddings),
        url(&right),
        url(&late),
    ];
    let ran = looking_at(&project, &urls)
        .args(["-o", "stream-json", "-p", "hi"])
        .run()
        .exited(0);
    let lines = ran.json_lines();
    assert_eq!(lines[0]["type"], "init");
    assert_eq!(lines[0]["model"], "qwen3");
    assert_eq!(lines[0]["provider"], "openai");
    assert_eq!(lines[0]["base_url"], url(&right));
    assert_eq!(lines[2]["kind"], "local_server");
    assert!(ran.stdout.contains("from here."), "{}", ran.stdout);
    let asked = right.requests().pop().unwrap();
    assert_eq!(asked.json()["model"], "qwen3");
    assert_eq!(asked.header("authorization"), None);

    // The session stays with it.
    let ran = pollux(&project).args(["--continue", "-p", "and?"]).run();
    assert_eq!(ran.exited(0).stdout, "Hello from here.\n");

    // A key that is set later is for somebody else.
    let ran = pollux(&project).env("OPENAI_API_KEY", "the-key");
    ran.args(["--continue", "-p", "and?"]).run().exited(0);
    let asked = right.requests().pop().unwrap();
    assert_eq!(asked.json()["messages"].as_array().unwrap().len(), 6);
    assert_eq!(asked.header("authorization"), None);
}

#[test]
fn a_model_is_looked_for_by_its_name() {
    let project = Project::new();
    let other = server(json!([{"id": "llama"}]));
    let right = server(json!([{"id": "llama"}, {"id": "gpt-oss:20b"}]));
    let looking = looking_at(&project, &[url(&other), url(&right)]);
    let ran = looking.clone().args(["-m", "gpt-oss:20b", "-p", "hi"]);
    let ran = ran.run().exited(0);
    assert_eq!(ran.stdout, "Hello from here.\n");
    let told = format!("note: `gpt-oss:20b` at {} answers\n", url(&right));
    assert_eq!(ran.stderr, told);
    assert_eq!(
        right.requests().pop().unwrap().json()["model"],
        "gpt-oss:20b"
    );
    let ran = looking.args(["-m", "qwen3:8b", "-p", "hi"]).run();
    let ran = ran.exited(41);
    assert!(
        ran.stderr
            .starts_with("error: who serves the model `qwen3:8b`?"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_start_that_fails_ends_the_wait_for_a_line() {
    let project = Project::new();
    let server = server(json!([{"id": "llama"}]));
    let looking = looking_at(&project, &[url(&server)]).args(["-m", "qwen3:8b"]);
    let terminal = Terminal::spawn(&looking.command_spec(), 24, 120);
    terminal.wait_for("error: who serves the model `qwen3:8b`?");
    assert_eq!(terminal.wait_exit(), 41);
}

#[test]
fn people_are_told_who_answers() {
    let project = Project::new();
    let server = server(json!([{"id": "qwen3", "owned_by": "vllm"}]));
    let ran = looking_at(&project, &[url(&server)]).args(["-p", "hi"]);
    let ran = ran.run().exited(0);
    assert_eq!(ran.stdout, "Hello from here.\n");
    let said = format!(
        "note: nothing says who is to answer, so `qwen3` of vLLM at {} does\n",
        url(&server)
    );
    assert_eq!(ran.stderr, said);
}

#[test]
fn without_any_the_offline_model_answers() {
    let project = Project::new();
    let silent = ModelServer::responding(|_| HttpReply::status(200).stall());
    let embeddings = server(json!([{"id": "bge-m3"}]));
    let ran = looking_at(&project, &[gone(), url(&silent), url(&embeddings)]);
    let ran = ran.args(["--config", "local.timeout_ms=100"]);
    let ran = ran.args(["-o", "stream-json", "-p", "help"]).run();
    assert_eq!(ran.exited(0).json_lines()[0]["provider"], "offline");
    assert_eq!(silent.requests().len(), 1);
}

#[test]
fn whoever_has_chosen_is_not_asked_twice() {
    let project = Project::new();
    let server = server(json!([{"id": "qwen3"}]));
    let looking = looking_at(&project, &[url(&server)]);
    let offline = ["--provider", "offline", "-p", "help"];
    looking.clone().args(offline).run().exited(0);
    let keyed = looking
        .env("OPENAI_API_KEY", "k")
        .args(["--config", "retry.max_attempts=1", "-p", "hi"])
        .env("OPENAI_BASE_URL", gone());
    keyed.args(["-m", "gpt-5"]).run().exited(1);
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn the_prompt_does_not_wait_for_servers() {
    let project = Project::new();
    let server = server(json!([{"id": "qwen3"}]));
    let spec = looking_at(&project, &[url(&server)]).command_spec();
    let terminal = Terminal::spawn(&spec, 24, 120);
    terminal.wait_for("[build] ");
    terminal.keys("hi<enter>").wait_for("from here.");
    // Whatever the screen looks like by now, this is the order in which it was drawn.
    let drawn = String::from_utf8_lossy(&terminal.bytes()).into_owned();
    let (prompt, told) = (drawn.find("[build]"), drawn.find("qwen3"));
    assert!(prompt < told && told.is_some(), "{drawn}");
    terminal.keys("<c-d>");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn of_an_address_the_only_model_answers_and_others_are_named() {
    let project = Project::new();
    let one = server(json!([{"id": "nomic-embed-text"}, {"id": "qwen3"}]));
    let base_url = url(&one);
    let ran = pollux(&project)
        .args(["--base-url", base_url.as_str(), "-p", "hi"])
        .run()
        .exited(0);
    assert!(ran.stdout.contains("from here."), "{}", ran.stdout);
    assert_eq!(one.requests().pop().unwrap().json()["model"], "qwen3");
    let names: Vec<Value> = (1..=12).map(|n| json!({"id": format!("m{n}")})).collect();
    let many = server(json!(names));
    let told = |server: &ModelServer| {
        let ran = pollux(&project).env("OPENAI_BASE_URL", url(server));
        let ran = ran.args(["-p", "hi"]).run().exited(2);
        placed(&ran.stderr, server)
    };
    insta::assert_snapshot!(told(&many), @"
    error: which model of http://SERVER/v1 shall answer?
    hint: name it with `--model` or POLLUX_MODEL; there are: m1, m2, m3, m4, m5, m6, m7, m8, m9, m10 and 2 more
    ");
    let none = server(json!([]));
    insta::assert_snapshot!(told(&none), @"
    error: which model of http://SERVER/v1 shall answer?
    hint: name it with `--model` or POLLUX_MODEL; the server lists none
    ");
    let unwilling = ModelServer::responding(|_| HttpReply::status(404));
    insta::assert_snapshot!(told(&unwilling), @"
    error: which model of http://SERVER/v1 shall answer?
    hint: name it with `--model` or POLLUX_MODEL; no list of them: nothing answers at http://SERVER/v1/models: the server answered HTTP 404 Not Found
    ");
}
