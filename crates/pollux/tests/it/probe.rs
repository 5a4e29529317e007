//! `pollux probe` against servers with every defect.

use pollux_testkit::{Defect, HttpReply, ModelServer, Project, Protocol, Ran};
use serde_json::json;

use super::support::pollux;

/// Probes a server, with keys at hand.
fn probe(base: &str, provider: &str, flags: &[&str]) -> Ran {
    let url = match provider {
        "openai" => format!("{base}/v1"),
        _ => base.to_owned(),
    };
    pollux(&Project::new())
        .args(["probe", "--provider", provider, "--base-url", &url])
        .args(flags.iter().copied())
        .env("GEMINI_API_KEY", "the-key")
        .env("ANTHROPIC_API_KEY", "the-key")
        .run()
}

/// Time enough for a busy machine.
const PATIENT: [&str; 2] = ["--seconds", "60"];

fn probed(defects: impl Into<Vec<Defect>>) -> Ran {
    let server = ModelServer::obedient(Protocol::OpenAi, defects);
    let ran = probe(&server.base_url(), "openai", &PATIENT);
    let steady = |line: &str| {
        let line = line.replace(&server.base_url(), "http://server");
        if line.starts_with("Settings for /") && line.ends_with("/config.toml:") {
            return "Settings for FILE:".to_owned();
        }
        match line.split_once("first after ") {
            Some((before, after)) => {
                let rest = after.split_once(" s;").map_or("", |(_, rest)| rest);
                format!("{before}first after T;{rest}")
            }
            None => line,
        }
    };
    let lines: Vec<String> = ran.stdout.lines().map(steady).collect();
    assert!(lines.iter().all(|line| line.chars().count() <= 80));
    Ran {
        stdout: lines.join("\n"),
        ..ran
    }
}

/// The lines of a probe that begin with one of these names.
fn lines(ran: &Ran, names: &[&str]) -> String {
    let is_wanted = |line: &&str| names.iter().any(|name| line.contains(name));
    let found: Vec<&str> = ran.stdout.lines().filter(is_wanted).collect();
    found.join("\n")
}

#[test]
fn a_good_server_gets_good_marks_and_settings() {
    insta::assert_snapshot!(probed([]).exited(0).stdout, @r#"
    mock-model at http://server/v1

    ok    models       vLLM; 1 listed; it reads 16384 tokens
    ok    streaming    in 4 pieces; first after T; tokens counted
    ok    reasoning    none seen
    ok    tool call    native, with valid arguments
    ok    tool result  understood
    ok    parallel     2 calls in one reply
    ok    JSON schema  kept to
    ok    context      a word from about 7900 tokens ago is known

    Settings for FILE:

    provider = "vllm"
    model = "mock-model"

    [providers.vllm]
    kind = "openai"
    base_url = "http://server/v1"
    tool_calls = "auto"
    profile = "vllm"
    "#);
}

#[test]
fn every_protocol_can_be_probed() {
    for (protocol, provider, schema) in [
        (Protocol::Gemini, "gemini", "ok    JSON schema  kept to"),
        (
            Protocol::Anthropic,
            "anthropic",
            "skip  JSON schema  not part of this protocol",
        ),
    ] {
        let server = ModelServer::obedient(protocol, []);
        let flags = ["-m", "mock-model", "--seconds", "60"];
        let ran = probe(&server.base_url(), provider, &flags).exited(0);
        for line in [
            "ok    streaming    in 4 pieces",
            "ok    tool call    native, with valid arguments",
            "ok    tool result  understood",
            "ok    parallel     2 calls in one reply",
            "ok    context      a word from",
            schema,
            &format!("kind = \"{provider}\""),
            "tool_calls = \"auto\"",
        ] {
            assert!(ran.stdout.contains(line), "{line}\n{}", ran.stdout);
        }
        assert!(ran.stdout.contains("_API_KEY\"\n"), "{}", ran.stdout);
        assert!(!ran.stdout.contains("the-key"));
    }
}

#[test]
fn the_form_of_the_stream_is_judged() {
    let whole = probed([Defect::NoStreaming]).exited(0);
    insta::assert_snapshot!(lines(&whole, &["streaming", "counted", "tool call"]), @r#"
    warn  streaming    all at once, in one document; first after T; tokens
                       counted
    ok    tool call    native, with valid arguments
    "#);
    let uncounted = probed([Defect::NoUsage]).exited(0);
    insta::assert_snapshot!(lines(&uncounted, &["streaming", "estimated", "context "]), @"
    warn  streaming    in 4 pieces; first after T; no usage told: tokens will be
                       estimated
    ok    context      a word from about 7900 tokens ago is known
    ");
}

#[test]
fn reasoning_is_found_wherever_it_is() {
    for (place, found) in [
        ("reasoning_content", "in `reasoning_content`"),
        ("reasoning", "in `reasoning`"),
        ("<think>", "in the text, between think tags"),
    ] {
        let ran = probed([Defect::Thinks(place)]).exited(0);
        assert_eq!(
            lines(&ran, &["reasoning "]),
            format!("ok    reasoning    {found}")
        );
        // It is in the way of nothing else.
        assert_eq!(ran.stdout.matches("\nok ").count(), 8, "{}", ran.stdout);
    }
    let server = ModelServer::obedient(Protocol::Gemini, [Defect::Thinks("parts")]);
    let flags = ["-m", "mock-model", "--seconds", "60"];
    let ran = probe(&server.base_url(), "gemini", &flags);
    assert!(ran.exited(0).stdout.contains("in `thought parts`"));
}

#[test]
fn ways_to_fail_at_tools() {
    let names = ["tool call", "text calls", "tool result", "parallel"];
    let none = probed([Defect::IgnoresTools]).exited(0);
    insta::assert_snapshot!(lines(&none, &names), @"
    warn  tool call    none; it says: one, two, three, four
    warn  text calls   none, though told how to write them
    ");
    assert!(!none.stdout.contains("tool_calls ="));
    let single = probed([Defect::OneCallOnly]).exited(0);
    insta::assert_snapshot!(lines(&single, &names), @"
    ok    tool call    native, with valid arguments
    ok    tool result  understood
    warn  parallel     one call at a time
    ");
    let written = probed([Defect::CallsAsText]).exited(0);
    insta::assert_snapshot!(lines(&written, &["call", "result", "parallel"]), @r#"
    warn  tool call    not native: the call is written as text
    ok    text calls   understood: behind `<tool_call>`
    ok    tool result  understood
    ok    parallel     2 calls in one reply
    tool_calls = "text"
    "#);
    let broken = probed([Defect::BrokenArguments]).exited(0);
    insta::assert_snapshot!(lines(&broken, &names), @"
    warn  tool call    native, but broken: not valid JSON: EOF while parsing an
    warn  text calls   none, though told how to write them
    ");
}

#[test]
fn a_schema_may_be_refused() {
    let ran = probed([Defect::NoSchema]).exited(0);
    insta::assert_snapshot!(lines(&ran, &["JSON schema"]), @"warn  JSON schema  response_format is not supported (HTTP 400 Bad Request)");
}

#[test]
fn silent_truncation_is_found() {
    let ran = probed([Defect::Forgets(2048)]).exited(0);
    insta::assert_snapshot!(lines(&ran, &["context", "->"]), @"
    warn  context      silently cut: of about 7900 tokens, 2068 were read
                    -> start the server with a larger context
    ");
    let uncounted = probed([Defect::Forgets(2048), Defect::NoUsage]).exited(0);
    insta::assert_snapshot!(lines(&uncounted, &["context"]), @"
    warn  context      a word from about 7900 tokens ago is forgotten
                    -> start the server with a larger context
    ");
    let ollama = ModelServer::obedient(Protocol::Ollama, [Defect::Forgets(2048)]);
    let flags = ["--config=providers.lab.profile=ollama"];
    let ran = lab(
        &ollama,
        &[&flags[..], &["--config=providers.lab.context_window=4096"]].concat(),
    );
    // What the server has read is no good setting, and neither is all that the model could read.
    insta::assert_snapshot!(lines(&ran, &["silently", "->", "window ="]), @"
    warn  context      silently cut: of about 7900 tokens, 2068 were read
                    -> set the provider's `context_window`
    context_window = 32768
    ");
}

/// Probes a server that the settings know.
fn lab(server: &ModelServer, flags: &[&str]) -> Ran {
    let kind = ["--config=providers.lab.kind=openai"];
    let flags = [&PATIENT[..], &kind, flags].concat();
    probe(&server.base_url(), "lab", &flags).exited(0)
}

#[test]
fn of_a_server_that_is_set_only_what_differs_is_told() {
    let told = |ran: &Ran| {
        let (_, settings) = ran.stdout.split_once("ago is known\n\n").unwrap();
        let (head, rest) = settings.split_once('\n').unwrap_or((settings, ""));
        let (start, end) = head.split_once("] in /").unwrap();
        let (_, end) = end.split_once("config.toml").unwrap();
        format!("{start}] in FILE{end}\n{rest}")
            .trim_end()
            .to_owned()
    };
    let server = ModelServer::obedient(Protocol::OpenAi, []);
    let url = format!("--config=providers.lab.base_url={}", server.base_url());
    let ran = lab(&server, &[&url, "--config=providers.lab.profile=vllm"]);
    insta::assert_snapshot!(told(&ran), @"The settings of [providers.lab] in FILE fit.");
    let set = ["--config=providers.lab.tool_calls=text", &url];
    insta::assert_snapshot!(told(&lab(&server, &set)), @r#"
    Settings for [providers.lab] in FILE:

    tool_calls = "auto"
    profile = "vllm"
    "#);
    let ollama = ModelServer::obedient(Protocol::Ollama, []);
    let url = format!("--config=providers.lab.base_url={}", ollama.base_url());
    let more = "--config=providers.lab.context_window=65536";
    let set = ["--config=providers.lab.profile=ollama", more, &url];
    insta::assert_snapshot!(told(&lab(&ollama, &set)), @"The settings of [providers.lab] in FILE fit.");
}

#[test]
fn a_server_that_lets_nobody_in_has_its_own_code() {
    let ran = probed([Defect::Locked]).exited(41);
    insta::assert_snapshot!(ran.stdout, @"
    http://server/v1

    fail  models       that is no key of ours (HTTP 401 Unauthorized)
                    -> no key was sent: set OPENAI_API_KEY
    ");
}

#[test]
fn a_server_that_is_not_there_is_said_to_be() {
    let server = ModelServer::start(vec![]);
    let gone = server.base_url();
    drop(server);
    let ran = probe(&gone, "openai", &PATIENT).exited(1);
    assert!(
        ran.stdout
            .contains("fail  models       cannot reach 127.0.0.1:"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("Settings"));
}

#[test]
fn a_server_that_says_nothing_is_given_up() {
    let server = ModelServer::obedient(Protocol::OpenAi, [Defect::Hangs]);
    let ran = probe(&server.base_url(), "openai", &["--seconds", "1"]);
    insta::assert_snapshot!(lines(&ran.exited(1), &["streaming", "->"]), @"
    fail  streaming    no word in 0.5 s
                    -> it may still be loading: try again, or with `--seconds 120`
    ");
    let deaf = ModelServer::responding(|_| HttpReply::status(200).stall());
    let ran = probe(&deaf.base_url(), "openai", &["--seconds", "1"]);
    assert_eq!(
        lines(&ran.exited(1), &["models"]),
        "fail  models       the server does not answer"
    );
}

#[test]
fn there_must_be_somebody_to_ask() {
    let ran = pollux(&Project::new()).args(["probe"]).run().exited(2);
    insta::assert_snapshot!(ran.stderr, @"
    error: the offline model is no server
    hint: name a server with `--base-url`, or a provider with `--provider`
    ");
}

#[test]
fn nothing_that_a_server_says_reaches_the_terminal_as_it_is() {
    let server = ModelServer::responding(|request| match request.path.as_str() {
        "/v1/models" => HttpReply::json(200, json!({"data": [{"id": "evil\u{1b}[2J"}]})),
        _ => HttpReply::json(400, json!({"error": "no \u{1b}]0;title\u{7}"})),
    });
    let ran = probe(&server.base_url(), "openai", &PATIENT).exited(1);
    assert!(ran.stdout.contains(r"evil\e[2J at"), "{}", ran.stdout);
    assert!(!ran.stdout.contains(['\u{1b}', '\u{7}']), "{}", ran.stdout);
}

#[test]
fn the_settings_can_be_used_as_they_are_printed() {
    let server = ModelServer::obedient(Protocol::OpenAi, [Defect::CallsAsText]);
    let ran = probe(&server.base_url(), "openai", &PATIENT).exited(0);
    let (_, settings) = ran.stdout.split_once("config.toml:\n").unwrap();
    let project = Project::new().file("settings.toml", settings);
    let before = server.requests().len();
    let file = project.path().join("settings.toml");
    pollux(&project)
        .env("POLLUX_CONFIG", file.to_str().unwrap())
        .args(["-p", "hello"])
        .run()
        .exited(0);
    let request = server.requests()[before].json();
    assert_eq!(request["model"], "mock-model");
    // The server's calls come as text, so it is not offered native tools.
    assert_eq!(request.get("tools"), None);
}

#[test]
fn what_is_asked_is_what_a_conversation_would_ask() {
    let server = ModelServer::obedient(Protocol::OpenAi, []);
    lab(&server, &["--config=providers.lab.ask_for_usage=false"]);
    let mut asked = server.requests();
    asked.retain(|request| request.method == "POST");
    assert!(!asked.is_empty());
    for request in asked {
        assert_eq!(request.json().get("stream_options"), None);
    }

    let ollama = ModelServer::obedient(Protocol::Ollama, []);
    let own = [
        "--config=providers.lab.profile=ollama",
        "--config=providers.lab.context_window=8192",
    ];
    let ran = lab(&ollama, &own);
    assert_eq!(ran.stdout.matches("\nok ").count(), 8, "{}", ran.stdout);
    let mut asked = ollama.requests();
    asked.retain(|request| request.method == "POST" && request.path != "/api/show");
    assert!(!asked.is_empty());
    for request in asked {
        assert_eq!(request.path, "/api/chat");
        assert_eq!(request.json()["options"]["num_ctx"], 8192);
    }
}
