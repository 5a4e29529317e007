//! Prompts from flags and pipes, and the three formats.

use pollux_testkit::{Gate, HttpReply, ModelServer, Project, Protocol, Stdin, Turn};
use serde_json::json;

use super::support::{pollux, shown, steady, talking_to};

/// The prompt that reaches the model.
fn prompt_sent(flags: &[&str], stdin: impl Into<Stdin>) -> String {
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["ok"])]);
    let project = Project::new();
    let run = talking_to(&project, &server, Protocol::OpenAi);
    run.args(flags.iter().copied()).stdin(stdin).run().exited(0);
    let body = server.requests()[0].json();
    body["messages"][1]["content"].as_str().unwrap().to_owned()
}

#[test]
fn the_prompt_comes_from_a_flag_an_argument_a_pipe_or_both() {
    assert_eq!(prompt_sent(&["-p", "ask"], Stdin::Closed), "ask");
    assert_eq!(prompt_sent(&["ask"], Stdin::Closed), "ask");
    assert_eq!(prompt_sent(&[], "piped\n"), "piped\n");
    assert_eq!(prompt_sent(&["-p", "ask"], "piped"), "ask\n\npiped");
}

#[test]
fn an_open_input_that_sends_nothing_is_not_waited_for() {
    let project = Project::new();
    let ran = pollux(&project)
        .args(["-p", "help"])
        .stdin(Stdin::Silent)
        .run()
        .exited(0);
    assert!(
        ran.stderr
            .contains("note: standard input is open but sends nothing")
    );
}

#[test]
fn text_streams_before_the_reply_is_complete() {
    let gate = Gate::new();
    let turn = Turn::text(["first words, "])
        .gate(&gate)
        .and_text("last words");
    let server = ModelServer::speaking(Protocol::Gemini, [turn]);
    let project = Project::new();
    let running = talking_to(&project, &server, Protocol::Gemini)
        .args(["-p", "go"])
        .start();
    running.wait_for_stdout("first words, ");
    gate.open();
    let ran = running.wait().exited(0);
    assert_eq!(ran.stdout, "first words, last words\n");
}

#[test]
fn escape_sequences_are_shown_and_not_obeyed() {
    let turn = Turn::text(["a\u{1b}]0;title\u{7}b", "\u{1b}", "[2Jc"]);
    let server = ModelServer::speaking(Protocol::OpenAi, [turn]);
    let project = Project::new();
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .args(["-p", "go"])
        .run()
        .exited(0);
    assert_eq!(ran.stdout, "a\\e]0;title\\u{7}b\\e[2Jc\n");
}

#[test]
fn a_broken_stream_keeps_its_text_and_says_so() {
    for protocol in Protocol::ALL {
        let reply = || {
            Turn::text(["half an answ"])
                .unfinished()
                .reply(protocol)
                .reset()
        };
        let server = ModelServer::start(vec![reply(), reply()]);
        let project = Project::new();
        let run = || talking_to(&project, &server, protocol).args(["-p", "go"]);
        let ran = run().run().exited(1);
        assert_eq!(ran.stdout, "half an answ\n");
        assert!(
            ran.stderr
                .contains("note: the answer above is incomplete\nerror: ")
        );
        let ran = run().args(["-o", "json"]).run().exited(1);
        let object = ran.json();
        assert_eq!(object["response"], "half an answ");
        assert_eq!(
            (&object["error"]["type"], &object["error"]["code"]),
            (&json!("error"), &json!(1))
        );
    }
}

#[test]
fn refused_credentials_have_their_own_exit_code() {
    let reply = || HttpReply::json(401, json!({"error": {"message": "Bad key."}}));
    let server = ModelServer::start(vec![reply(), reply()]);
    let project = Project::new();
    let run = || talking_to(&project, &server, Protocol::OpenAi).args(["-p", "go"]);
    let ran = run().run().exited(41);
    assert_eq!(ran.stdout, "");
    assert_eq!(ran.stderr, "error: Bad key. (HTTP 401 Unauthorized)\n");
    let ran = run().args(["-o", "stream-json"]).run().exited(41);
    insta::assert_snapshot!(shown(&steady(ran.json_lines())), @r#"
    {"type":"init","model":"mock"}
    {"type":"message","role":"user","content":"go"}
    {"type":"error","severity":"error","message":"Bad key. (HTTP 401 Unauthorized)"}
    {"type":"result","status":"error","error":{"type":"auth","message":"Bad key. (HTTP 401 Unauthorized)","code":41},"stats":{"total_tokens":0,"input_tokens":0,"output_tokens":0,"cached":0,"duration_ms":0,"tool_calls":0}}
    "#);
}

#[test]
fn the_limit_of_turns_has_its_own_exit_code() {
    let turn = || Turn::call("list_directory", json!({"dir_path": "."}));
    let server = ModelServer::speaking(Protocol::OpenAi, [turn(), turn()]);
    let project = Project::new();
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .args(["--max-turns", "2", "-p", "go"])
        .run()
        .exited(53);
    assert!(
        ran.stderr
            .contains("error: stopped after 2 requests to the model\nhint: ")
    );
}

#[test]
fn a_call_that_needs_approval_never_hangs() {
    let turns = [
        Turn::call("run_shell_command", json!({"command": "touch ran"})),
        Turn::text(["I may not."]),
    ];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    let project = Project::new();
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .args(["-o", "stream-json", "-p", "go"])
        .run()
        .exited(0);
    let results: Vec<_> = ran
        .json_lines()
        .into_iter()
        .filter(|line| line["type"] == "tool_result")
        .collect();
    assert_eq!(results[0]["status"], "error");
    assert_eq!(results[0]["error"]["type"], "approval_required");
    assert!(!project.exists("ran"));
}

#[test]
fn an_interrupt_stops_the_command_and_saves_the_session() {
    let turn = Turn::text_then_calls(
        "Waiting.",
        [(
            "run_shell_command",
            json!({"command": "echo $$ > pid; exec sleep 1000"}),
        )],
    );
    let server = ModelServer::speaking(Protocol::OpenAi, [turn]);
    let project = Project::new();
    let running = talking_to(&project, &server, Protocol::OpenAi)
        .args(["-y", "-p", "go"])
        .start();
    running.wait_for_stdout("Waiting.");
    running.interrupt();
    let ran = running.wait().exited(130);
    assert!(ran.stderr.ends_with("error: cancelled\n"), "{}", ran.stderr);
    let shown = pollux(&project)
        .args(["sessions", "show", "latest"])
        .run()
        .exited(0);
    assert!(
        shown.stdout.contains("User cancelled tool execution."),
        "{}",
        shown.stdout
    );
}

#[test]
fn a_reader_that_has_had_enough_is_no_failure() {
    let script = format!("'{}' -p help | head -n 1", env!("CARGO_BIN_EXE_pollux"));
    let project = Project::new();
    let shell = pollux_testkit::CommandSpec::sh(&script)
        .cwd(project.path())
        .env("POLLUX_HOME", project.pollux_home().to_str().unwrap());
    let terminal = pollux_testkit::Terminal::spawn(&shell, 24, 80);
    assert_eq!(terminal.wait_exit(), 0);
    assert!(
        terminal
            .screen()
            .starts_with("I am the built-in offline model")
    );
}
