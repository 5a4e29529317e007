//! Prompts from flags and pipes, and the three formats.

use pollux_testkit::{Gate, HttpReply, ModelServer, Project, Protocol, Stdin, Terminal, Turn};
use serde_json::json;

use super::support::{in_shell, pollux, talking_to};

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
fn what_a_command_prints_while_it_runs_is_not_told_twice() {
    let script = "echo one; for i in 1 2 3; do echo more $i; sleep 0.06; done";
    for (format, once) in [
        ("text", "[tool] run_shell_command"),
        ("stream-json", "more 3"),
    ] {
        let call = Turn::call("run_shell_command", json!({"command": script}));
        let server = ModelServer::speaking(Protocol::OpenAi, [call, Turn::text(["ok"])]);
        let project = Project::new();
        let ran = talking_to(&project, &server, Protocol::OpenAi)
            .args(["-y", "-o", format, "-p", "go"])
            .run()
            .exited(0);
        let told = format!("{}{}", ran.stdout, ran.stderr);
        assert_eq!(told.matches(once).count(), 1, "{told}");
        let lines = ran
            .stdout
            .lines()
            .filter(|line| line.contains("\"type\":\"tool_"));
        assert_eq!(
            lines.count(),
            if format == "text" { 0 } else { 2 },
            "{told}"
        );
    }
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
            .contains("error: stopped: the limit of requests to the model is 2\nhint: ")
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
fn s3_40_the_todo_list_is_told_beside_the_answer() {
    let todos = json!({"todos": [
        {"description": "look\naround", "status": "completed"},
        {"description": "mend it", "status": "in_progress"}
    ]});
    for format in ["text", "stream-json"] {
        let turns = [
            Turn::call("write_todos", todos.clone()),
            Turn::text(["Good."]),
        ];
        let server = ModelServer::speaking(Protocol::OpenAi, turns);
        let project = Project::new();
        let ran = talking_to(&project, &server, Protocol::OpenAi)
            .args(["-o", format, "-p", "go"])
            .run()
            .exited(0);
        if format == "text" {
            assert_eq!(ran.stdout, "Good.\n");
            insta::assert_snapshot!(ran.stderr, @"
            [tool] write_todos 1 of 2 done
              done         look around
              in_progress  mend it
            ");
            continue;
        }
        let lines = ran.json_lines();
        let result = lines.iter().find(|line| line["type"] == "tool_result");
        let list = "The todo list:\n1. [completed] look\naround\n2. [in_progress] mend it\n";
        assert_eq!(result.unwrap()["output"], list);
    }
}

#[test]
fn a_call_that_was_refused_is_shown() {
    let turns = [
        Turn::call("run_shell_command", json!({"command": "rm x"})),
        Turn::text(["I may not."]),
    ];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    let project = Project::new();
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .args(["-p", "go"])
        .run()
        .exited(0);
    insta::assert_snapshot!(ran.stderr, @"[tool] run_shell_command rm x: not run: it deletes files (`rm x`), which is not allowed. `--approval-mode yolo` would allow it.");
}

#[test]
fn a_file_gets_only_what_counts() {
    let half = Turn::text(["half an answ"]).unfinished().openai().reset();
    let whole = Turn::text(["a whole answer"]).openai();
    let rest = Turn::text(["then ha"]).unfinished().openai().reset();
    let server = ModelServer::start(vec![half, whole, rest]);
    let project = Project::new();
    let run = talking_to(&project, &server, Protocol::OpenAi);
    let run = run.args(["--config", "retry.max_attempts=2", "-p", "go"]);
    let shell = in_shell(&run, "{pollux} > answer 2> notes");
    assert_eq!(Terminal::spawn(&shell, 24, 80).wait_exit(), 0);
    assert_eq!(project.read("answer"), "a whole answer\n");
    assert!(!project.read("notes").contains("void"));
    // All that there will be is printed, be it whole or not.
    let run = talking_to(&project, &server, Protocol::OpenAi).args(["-p", "go"]);
    let shell = in_shell(&run, "{pollux} > answer 2> notes");
    assert_eq!(Terminal::spawn(&shell, 24, 80).wait_exit(), 1);
    assert_eq!(project.read("answer"), "then ha\n");
    assert!(
        project
            .read("notes")
            .starts_with("note: the answer above is incomplete\n")
    );
}

/// Waits until `file` is there, which a running command has written.
fn wait_for_file(project: &Project, file: &str) {
    let deadline = std::time::Instant::now() + pollux_testkit::PATIENCE;
    while !project.exists(file) {
        assert!(
            std::time::Instant::now() < deadline,
            "the command does not start"
        );
        std::thread::yield_now();
    }
}

#[test]
fn an_interrupt_stops_the_command_and_saves_the_session() {
    // In its sandbox it has a number of its own, so it is known by its name.
    let script = r#"touch begun; exec -a "$PWD" sleep 1000"#;
    let turn = Turn::call("run_shell_command", json!({"command": script}));
    let server = ModelServer::speaking(Protocol::OpenAi, [turn]);
    let project = Project::new();
    let running = talking_to(&project, &server, Protocol::OpenAi)
        .args(["-y", "-p", "go"])
        .start();
    wait_for_file(&project, "begun");
    running.interrupt();
    let ran = running.wait().exited(130);
    assert!(ran.stderr.ends_with("error: cancelled\n"), "{}", ran.stderr);
    let mut processes = std::fs::read_dir("/proc").unwrap().flatten();
    let name = project.path().to_str().unwrap();
    let named = |process: std::fs::DirEntry| {
        let words = std::fs::read_to_string(process.path().join("cmdline"));
        words.is_ok_and(|words| words.starts_with(name))
    };
    assert!(!processes.any(named), "it still runs");
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

/// More than fits into any pipe.
fn flood() -> Turn {
    Turn::text(std::iter::repeat_n("word ".repeat(100), 1000))
}

#[test]
fn a_reader_that_has_had_enough_is_no_failure() {
    let server = ModelServer::speaking(Protocol::OpenAi, [flood()]);
    let project = Project::new();
    let run = talking_to(&project, &server, Protocol::OpenAi).args(["-p", "go"]);
    let shell = in_shell(&run, "({pollux}; echo $? > code) | head -c 5");
    assert_eq!(Terminal::spawn(&shell, 24, 80).wait_exit(), 0);
    assert_eq!(project.read("code"), "0\n");
}

#[test]
fn input_that_takes_its_time_is_waited_for() {
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["ok"])]);
    let project = Project::new();
    let run = talking_to(&project, &server, Protocol::OpenAi).args(["-p", "ask"]);
    // Longer than pollux waits for input that nobody writes.
    let shell = in_shell(&run, "(sleep 1; echo late) | {pollux}");
    assert_eq!(Terminal::spawn(&shell, 24, 80).wait_exit(), 0);
    let body = server.requests()[0].json();
    assert_eq!(body["messages"][1]["content"], "ask\n\nlate\n");
}

#[test]
fn commands_do_not_see_the_keys() {
    let turns = [
        Turn::call("run_shell_command", json!({"command": "sh show.sh"})),
        Turn::text(["ok"]),
    ];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    let project = Project::new().file("show.sh", "echo key=$OPENAI_API_KEY\n");
    talking_to(&project, &server, Protocol::OpenAi)
        .args(["-y", "-p", "go"])
        .run()
        .exited(0);
    let requests = server.requests();
    let body = requests[1].text();
    assert!(body.contains(r"key=\\n"), "{body}");
    assert!(!body.contains("the-key"), "{body}");
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let server = ModelServer::speaking(Protocol::OpenAi, [flood()]);
    let project = Project::new();
    let run = talking_to(&project, &server, Protocol::OpenAi).args(["-p", "go"]);
    // Nobody reads what is printed, so pollux is stuck in the middle of it.
    let script = "mkfifo stuck; exec 3<>stuck; {pollux} >&3 & read go; \
                  kill -TERM $!; kill -TERM $!; wait $!; echo code $?";
    let terminal = Terminal::spawn(&in_shell(&run, script), 24, 80);
    server.wait_for_requests(1);
    terminal.keys("<enter>").wait_for("code 130");
}

#[test]
fn a_failed_request_is_sent_again() {
    let busy = || HttpReply::status(503).header("retry-after-ms", "1");
    let server = ModelServer::start(vec![busy(), Turn::text(["there"]).openai()]);
    let project = Project::new();
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .args(["--config", "retry.max_attempts=2", "-p", "go"])
        .run()
        .exited(0);
    assert_eq!(ran.stdout, "there\n");
    let why = "the server answered HTTP 503 Service Unavailable; try 2 of 2 in 1 s";
    let note = format!("note: {}: {why}\n", server.address());
    assert_eq!(ran.stderr, note);
}

#[test]
fn a_model_that_cannot_call_tools_is_understood() {
    let call = "```json\n{\"name\": \"read_file\", \"arguments\": {\"path\": \"a.txt\"}}\n```";
    let turns = [
        Turn::text(["I read it.\n", call]),
        Turn::text(["It says alpha."]),
    ];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    let project = Project::new().file("a.txt", "alpha\n");
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .args(["-p", "go"])
        .run()
        .exited(0);
    assert_eq!(ran.stdout, "I read it.\nIt says alpha.\n");
    let turns = [
        Turn::text(["I read it.\n", call]),
        Turn::text(["It says alpha."]),
    ];
    let other = ModelServer::speaking(Protocol::OpenAi, turns);
    let terse = talking_to(&project, &other, Protocol::OpenAi)
        .args(["--config", "text_calls.preserve_context=false", "-p", "go"])
        .run()
        .exited(0);
    assert_eq!(terse.stdout, "It says alpha.\n");
    assert!(!other.requests()[1].text().contains("I read it."));
    insta::assert_snapshot!(ran.stderr, @"
    note: This model calls no tools natively; it is told about them in words from now on, and its calls are read from its text.
    [tool] read_file a.txt
    ");
    let second = server.requests()[1].json();
    assert_eq!(second.get("tools"), None);
    let result = second["messages"][3]["content"].as_str().unwrap();
    assert_eq!(
        result,
        "<tool_result name=\"read_file\">\nalpha\n\n</tool_result>\nAnswer from this, or make the next call.\n"
    );
}

#[test]
fn sources_are_named_once_beside_the_answer() {
    let source = |uri: &str| json!({"citations": [{"uri": uri, "title": "T"}]});
    let chunk = |uri| json!({"candidates": [{"content": {"parts": [{"text": "x"}]}, "citationMetadata": source(uri)}]});
    let reply = HttpReply::sse()
        .event(chunk("https://b"))
        .event(chunk("https://a"))
        .event(chunk("https://b"))
        .event(json!({"candidates": [{"finishReason": "STOP"}]}));
    let server = ModelServer::start(vec![reply]);
    let ran = talking_to(&Project::new(), &server, Protocol::Gemini)
        .args(["-p", "go"])
        .run()
        .exited(0);
    assert_eq!(ran.stdout, "xxx\n");
    assert_eq!(
        ran.stderr,
        "note: Source: (T) https://a\nnote: Source: (T) https://b\n"
    );
}

/// What differs from run to run.
const CHANGING: [&str; 6] = ["ms", "wait_ms", "session", "prompt_id", "host", "call"];

/// What the debug log says.
fn logged(project: &Project) -> String {
    let log = std::fs::read_to_string(project.pollux_home().join("debug.log")).unwrap();
    let lines = log.lines().map(|line| {
        let (_, said) = line.split_once(' ').unwrap();
        let words = said.split_whitespace();
        let words = words.map(|word| match word.split_once('=') {
            Some((name, _)) if CHANGING.contains(&name) => format!("{name}=.."),
            _ => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn s2_09_a_debug_log_is_written_where_it_is_wanted_and_holds_no_secrets() {
    let project = Project::new().file("a.txt", "the-content\n");
    let run = |more: &[&str]| {
        let reading = Turn::call("read_file", json!({"file_path": "a.txt"}));
        let busy = HttpReply::status(503).header("retry-after", "0");
        let done = Turn::text(["Done."]).openai();
        let server = ModelServer::start(vec![busy, reading.openai(), done]);
        talking_to(&project, &server, Protocol::OpenAi)
            .args(["--config", "retry.max_attempts=2"])
            .args(more.iter().copied())
            .args(["-p", "look\nat \u{202e}it"])
            .run()
            .exited(0);
    };
    run(&[]);
    assert!(!project.pollux_home().join("debug.log").exists());
    run(&["--config", "debug.log=true"]);
    let logged = logged(&project);
    insta::assert_snapshot!(logged, @r#"
    INFO pollux_agent::session: session opened session=.. provider="openai" model="mock"
    INFO pollux_agent::turn: user prompt prompt_id=.. length=13 provider="openai" model="mock"
    DEBUG pollux_agent::turn: User query: 'look\nat \u{202e}it'
    INFO pollux_model::exchange: request begun provider="openai" host=..
    INFO pollux_model::exchange: request answered provider="openai" status=503 ms=..
    INFO pollux_agent::ask: reply ended end="failed" ms=..
    INFO pollux_agent::ask: trying again try_number=2 wait_ms=.. because=Overloaded
    INFO pollux_model::exchange: request begun provider="openai" host=..
    INFO pollux_model::exchange: request answered provider="openai" status=200 ms=..
    INFO pollux_agent::ask: reply ended end="complete" ms=..
    INFO pollux_agent::schedule: tool call begun call=.. tool="read_file"
    INFO pollux_agent::schedule: tool call ended call=.. tool="read_file" ms=.. failure=None
    INFO pollux_model::exchange: request begun provider="openai" host=..
    INFO pollux_model::exchange: request answered provider="openai" status=200 ms=..
    INFO pollux_agent::ask: reply ended end="complete" ms=..
    "#);
    for secret in ["the-key", "the-content"] {
        assert!(!logged.contains(secret), "{secret}");
    }
}
