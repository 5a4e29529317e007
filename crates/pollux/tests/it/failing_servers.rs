//! Servers that refuse, and quotas that are used up.

use pollux_testkit::{HttpReply, ModelServer, Pollux, Project, Protocol, Turn};
use serde_json::json;

use super::support::{placed, pollux, shown, steady, talking_to};

/// What is said when the server refuses access with `status`.
fn refused(status: u16, protocol: Protocol, run: impl FnOnce(Pollux) -> Pollux) -> String {
    let error = json!({"error": {"message": "Not you."}});
    let server = ModelServer::start(vec![HttpReply::json(status, error)]);
    let project = Project::new();
    let ran = run(talking_to(&project, &server, protocol).args(["-p", "go"])).run();
    let ran = ran.exited(41);
    assert_eq!(server.requests().len(), 1);
    ran.stdout + &ran.stderr
}

#[test]
fn refused_credentials_lead_to_the_variable() {
    insta::assert_snapshot!(refused(401, Protocol::OpenAi, |run| run), @"
    error: openai refuses access: Not you. (HTTP 401 Unauthorized)
    hint: the key in OPENAI_API_KEY was sent: check it, and what it is allowed to do
    ");
    insta::assert_snapshot!(refused(403, Protocol::Anthropic, |run| run), @"
    error: anthropic refuses access: Not you. (HTTP 403 Forbidden)
    hint: the key in ANTHROPIC_API_KEY was sent: check it, and what it is allowed to do
    ");
    insta::assert_snapshot!(refused(401, Protocol::Gemini, |run| run), @"
    error: gemini refuses access: Not you. (HTTP 401 Unauthorized)
    hint: the key in GEMINI_API_KEY was sent: check it, and what it is allowed to do
    ");
    let without = |run: Pollux| run.env("GEMINI_API_KEY", "");
    insta::assert_snapshot!(refused(403, Protocol::Gemini, without), @"
    error: gemini refuses access: Not you. (HTTP 403 Forbidden)
    hint: no key was sent: set GEMINI_API_KEY or GOOGLE_API_KEY
    ");
}

#[test]
fn refused_credentials_of_a_server_of_ones_own_lead_to_its_setting() {
    let reply = || HttpReply::json(401, json!({"error": {"message": "Not you."}}));
    let server = ModelServer::start(vec![reply(), reply(), reply()]);
    let project = Project::new();
    let base_url = format!("providers.lab.base_url={}", server.base_url());
    let run = |more: &[&str]| {
        pollux(&project)
            .env("LAB_KEY", "k")
            .args(["--config", "providers.lab.kind=openai"])
            .args(["--config", base_url.as_str()])
            .args(more.iter().copied())
            .args(["-m", "lab/x", "-p", "go"])
            .run()
            .exited(41)
    };
    insta::assert_snapshot!(run(&[]).stderr, @"
    error: lab refuses access: Not you. (HTTP 401 Unauthorized)
    hint: no key was sent: name the variable that holds it with `providers.lab.api_key_env`
    ");
    let key = ["--config", "providers.lab.api_key_env=LAB_KEY"];
    let error = &run(&[&key[..], &["-o", "json"]].concat()).json()["error"];
    let message = "lab refuses access: Not you. (HTTP 401 Unauthorized)";
    let hint = "the key in LAB_KEY was sent: check it, and what it is allowed to do";
    assert_eq!(
        *error,
        json!({"type": "auth", "message": message, "code": 41, "hint": hint})
    );
    let ran = run(&[&key[..], &["-o", "stream-json"]].concat());
    insta::assert_snapshot!(shown(&steady(ran.json_lines())[2..]), @r#"
    {"type":"error","severity":"error","message":"lab refuses access: Not you. (HTTP 401 Unauthorized)","hint":"the key in LAB_KEY was sent: check it, and what it is allowed to do"}
    {"type":"result","status":"error","error":{"type":"auth","message":"lab refuses access: Not you. (HTTP 401 Unauthorized)","code":41,"hint":"the key in LAB_KEY was sent: check it, and what it is allowed to do"},"stats":{"total_tokens":0,"input_tokens":0,"output_tokens":0,"cached":0,"duration_ms":0,"tool_calls":0}}
    "#);
}

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
    insta::assert_snapshot!(placed(&ran.stderr, &server), @"
    error: SERVER: the quota or the credit is used up: You exceeded your current quota. (HTTP 429 Too Many Requests)
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
    insta::assert_snapshot!(placed(&ran.stderr, &server), @"
    error: SERVER: the server does not have this model: models/mock is not found (HTTP 404 Not Found)
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
    assert_eq!(
        (&object["model"], &object["provider"]),
        (&json!("spare"), &json!("gemini"))
    );
    let notice = &object["notices"][0];
    assert_eq!(
        (&notice["kind"], &notice["discard"]),
        (&json!("model_changed"), &json!(true))
    );

    let (run, _servers, _project) = run_with_stand_in("stream-json");
    let lines = steady(run.run().exited(0).json_lines());
    let notice = lines.iter().find(|line| line["type"] == "notice").unwrap();
    assert_eq!(notice["kind"], "model_changed");
    assert_eq!(notice["model"], "spare");
    assert_eq!(notice["discard"], true);
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

#[test]
fn where_nobody_listens_is_found_out_soon() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let project = Project::new();
    let url = format!("http://{address}/v1");
    let ran = pollux(&project)
        .args(["--base-url", url.as_str(), "-m", "mock", "-p", "go"])
        .run()
        .exited(1);
    insta::assert_snapshot!(ran.stderr.replace(&address.to_string(), "SERVER"), @"
    note: cannot reach SERVER: Connection refused (os error 111); try 2 of 2 in 1 s
    error: cannot reach SERVER: Connection refused (os error 111)
    hint: is it running, and is the address right?
    ");
}

#[test]
fn a_long_wait_is_told_and_can_be_ended() {
    let error = json!({"error": {"message": "Slow down."}});
    let busy = HttpReply::json(429, error).header("retry-after", "200");
    let server = ModelServer::start(vec![busy]);
    let project = Project::new();
    let running = talking_to(&project, &server, Protocol::OpenAi)
        .args(["--config", "retry.max_attempts=2", "-p", "go"])
        .start();
    running.wait_for_stderr(" s; Ctrl+C ends it\n").interrupt();
    let ran = running.wait().exited(130);
    let note = "note: SERVER: Slow down. (HTTP 429 Too Many Requests); try 2 of 2 in 2";
    let told = placed(&ran.stderr, &server);
    assert!(told.starts_with(note), "{told}");
    assert!(ran.stderr.ends_with("error: cancelled\n"), "{}", ran.stderr);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_prompt_that_is_cut_without_a_word_is_noticed() {
    let line = "word ".repeat(60) + "\n";
    let project = Project::new().file("big.txt", line.repeat(100));
    let read = Turn::call("read_file", json!({"file_path": "big.txt"}));
    let list = || Turn::call("list_directory", json!({"dir_path": "."})).usage(4096, 9);
    let turns = [
        read.usage(3000, 9),
        list(),
        list(),
        Turn::text(["done"]).usage(4096, 9),
    ];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .args(["-o", "stream-json", "-p", "go"])
        .run()
        .exited(0);
    let lines = ran.json_lines();
    let notices: Vec<_> = lines
        .iter()
        .filter(|line| line["type"] == "notice")
        .collect();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert_eq!(notices[0]["kind"], "prompt_cut");
    let message = notices[0]["message"].as_str().unwrap();
    assert!(
        message.starts_with("The server has read 4096 tokens of about "),
        "{message}"
    );
}
