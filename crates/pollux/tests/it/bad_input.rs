//! What is wrong gets a clear word and the right exit code.

use pollux_testkit::{HttpReply, ModelServer, Project, Protocol, Turn};
use serde_json::json;

use super::support::{placed, pollux, talking_to};

/// Exit code and standard error of a run with `flags`.
fn fails(flags: &[&str]) -> String {
    let ran = pollux(&Project::new()).args(flags.iter().copied()).run();
    assert_eq!(ran.stdout, "");
    format!("{}\n{}", ran.code, ran.stderr)
}

#[test]
fn a_missing_key_names_its_variable() {
    insta::assert_snapshot!(fails(&["--provider", "gemini", "-p", "x"]), @"
    41
    error: no API key for the provider `gemini`
    hint: set GEMINI_API_KEY or GOOGLE_API_KEY; or try `--provider offline`
    ");
    insta::assert_snapshot!(fails(&["--provider", "openai", "-p", "x"]), @"
    41
    error: no API key for the provider `openai`
    hint: set OPENAI_API_KEY; or try `--provider offline`
    ");
}

#[test]
fn a_provider_of_the_settings_says_what_it_lacks() {
    let of = |setting: &str| fails(&["--config", setting, "--provider", "blue", "-p", "x"]);
    insta::assert_snapshot!(of("providers.blue.kind=openai"), @"
    52
    error: the provider `blue` has no address
    hint: set `providers.blue.base_url`, and `providers.blue.api_key_env` if it wants a key
    ");
    insta::assert_snapshot!(of("providers.blue.kind=opnai"), @"
    52
    error: providers.blue.kind: `opnai` is no protocol
    hint: there are: gemini, openai, anthropic
    ");
}

#[test]
fn unknown_flags_and_values_name_the_nearest() {
    insta::assert_snapshot!(fails(&["--promt", "x"]), @"
    2
    error: unexpected argument '--promt' found

      tip: a similar argument exists: '--prompt'

    Usage: pollux --config <KEY=VALUE> --prompt <TEXT> [PROMPT]

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(fails(&["--approval-mode", "yollo", "-p", "x"]), @"
    2
    error: invalid value 'yollo' for '--approval-mode <MODE>'
      [possible values: default, auto-edit, yolo]

      tip: a similar value exists: 'yolo'

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(fails(&["--provider", "open-ai", "-p", "x"]), @"
    2
    error: unknown provider `open-ai`
    hint: did you mean `openai`?
    ");
    insta::assert_snapshot!(fails(&["--max-turns", "0", "-p", "x"]), @"
    2
    error: invalid value '0' for '--max-turns <N>': 0 is not in 1..=4294967295

    For more information, try '--help'.
    ");
}

#[test]
fn nothing_to_do_is_said() {
    insta::assert_snapshot!(fails(&[]), @"
    42
    error: there is no prompt
    hint: give one with `-p TEXT`, or pipe it in
    ");
    insta::assert_snapshot!(fails(&["-p", "  "]), @"
    42
    error: there is no prompt
    hint: give one with `-p TEXT`, or pipe it in
    ");
    insta::assert_snapshot!(fails(&["-C", "/no/such/place", "-p", "x"]), @"
    42
    error: working directory `/no/such/place`: No such file or directory (os error 2)
    ");
    insta::assert_snapshot!(fails(&["--resume", "-p", "x"]), @"
    42
    error: there is no session in this project yet
    ");
}

#[test]
fn json_readers_get_their_errors_as_json() {
    let project = Project::new();
    let ran = pollux(&project)
        .args(["--provider", "gemini", "-o", "json", "-p", "x"])
        .run();
    let object = ran.exited(41).json();
    assert_eq!(object["error"]["type"], "auth");
    assert_eq!(
        object["error"]["message"],
        "no API key for the provider `gemini`"
    );
}

#[test]
fn an_unreachable_host_is_named() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let project = Project::new();
    let ran = pollux(&project)
        .args(["-m", "x", "--base-url", &url, "-p", "x"])
        .args(["--config", "retry.max_attempts=1"])
        .run()
        .exited(1);
    assert!(
        ran.stderr.starts_with("error: cannot reach 127.0.0.1:"),
        "{}",
        ran.stderr
    );
}

#[test]
fn an_answer_that_is_no_stream_is_shown() {
    let server = ModelServer::start(vec![HttpReply::text(200, "hello, I am a web server")]);
    let project = Project::new();
    let ran = talking_to(&project, &server, Protocol::Gemini)
        .args(["-p", "x"])
        .run()
        .exited(1);
    insta::assert_snapshot!(placed(&ran.stderr, &server), @"error: SERVER: the server answered with something that is no event stream: `hello, I am a web server`; check the base URL");
}

#[test]
fn the_model_is_told_what_its_call_should_have_been() {
    let turns = [
        Turn::call("read_fil", json!({})).and_call("read_file", json!({"file": 1})),
        Turn::text(["ok"]),
    ];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    let project = Project::new();
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .args(["-p", "x"])
        .run()
        .exited(0);
    insta::assert_snapshot!(ran.stderr, @r#"
    [tool] read_fil failed: Tool "read_fil" not found in registry. Did you mean `read_file`?
    [tool] read_file failed: missing field `file_path`; read_file takes file_path (string, required), start_line (integer), end_line (integer)
    "#);
}

#[test]
fn files_that_cannot_be_shown_are_described() {
    let project = Project::new()
        .file("latin1.txt", b"caf\xe9\n")
        .file("binary", b"\0\x01\x02");
    let read = |file: &str| {
        pollux(&project)
            .args(["-p", &format!("read {file}")])
            .run()
            .exited(0)
            .stdout
    };
    insta::assert_snapshot!(read("latin1.txt"), @"
    This is in `latin1.txt`:

    [not all UTF-8: other bytes are shown as �]
    caf�
    ");
    insta::assert_snapshot!(read("binary"), @"That did not work: `binary` is a binary file of 3 bytes");
    insta::assert_snapshot!(read("missing"), @"That did not work: `missing` does not exist");
}

#[test]
fn a_directory_whose_name_is_no_text_is_worked_in() {
    use std::os::unix::ffi::OsStrExt;
    let project = Project::new();
    let odd = project.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    std::fs::create_dir(&odd).unwrap();
    std::fs::write(odd.join("inside.txt"), "").unwrap();
    let mut spec = pollux(&project).args(["-p", "list files"]).command_spec();
    spec.cwd = odd;
    let terminal = pollux_testkit::Terminal::spawn(&spec, 24, 80);
    assert_eq!(terminal.wait_exit(), 0);
    assert!(
        terminal.screen().contains("inside.txt"),
        "{}",
        terminal.screen()
    );
}

#[test]
fn a_bad_setting_is_placed_and_the_rest_counts() {
    let project = Project::new();
    std::fs::create_dir_all(project.pollux_home()).unwrap();
    let config = project.pollux_home().join("config.toml");
    std::fs::write(
        &config,
        "provider = 'offline'\n[retry]\nmax_attempts = 'x'\n",
    )
    .unwrap();
    let run = || {
        pollux(&project)
            .env("GEMINI_API_KEY", "k")
            .args(["-p", "help"])
    };
    let ran = run().run().exited(0);
    let place = format!("note: {}:3: `retry.max_attempts`: ", config.display());
    assert!(ran.stderr.starts_with(&place), "{}", ran.stderr);
    let ran = run()
        .args(["--config", "retry.max_attempts=x"])
        .run()
        .exited(52);
    let told = ran.stderr.replace(&config.display().to_string(), "F");
    insta::assert_snapshot!(told, @"
    note: F:3: `retry.max_attempts`: expected a number
    error: --config retry.max_attempts: `retry.max_attempts`: expected a number
    ");
}

/// What is printed with these settings in the file `F`.
fn run_with(settings: &str, args: &[&str], code: i32) -> String {
    let project = Project::new();
    std::fs::create_dir_all(project.pollux_home()).unwrap();
    let config = project.pollux_home().join("config.toml");
    std::fs::write(&config, settings).unwrap();
    let run = pollux(&project).args(args.iter().copied());
    let ran = run.args(["-p", "help"]).run().exited(code);
    ran.stderr.replace(&config.display().to_string(), "F")
}

#[test]
fn a_bad_provider_is_fatal_only_where_it_is_the_one() {
    let settings = "[providers.lab]\nkind = 'openai'\nbase_ur = 'http://h'\n";
    insta::assert_snapshot!(run_with(settings, &["--provider", "offline"], 0), @"note: F:3: unknown setting `providers.lab.base_ur`; did you mean `base_url`?");
    let other = format!("provider = 'offline'\nprovder = 'x'\n{settings}");
    for wanted in [["--provider", "lab"], ["-m", "lab/x"]] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(run_with(&other, &wanted, 52), @"
            note: F:2: unknown setting `provder`; did you mean `provider`?
            error: F:5: unknown setting `providers.lab.base_ur`; did you mean `base_url`?
            hint: correct it, or name another provider for this run with `--provider`
            ");
        }
    }
}

#[test]
fn what_is_wrong_with_the_settings_is_told_before_what_comes_of_it() {
    insta::assert_snapshot!(run_with("provder = 'lab'\n", &["-m", "x"], 41), @"
    note: F:1: unknown setting `provder`; did you mean `provider`?
    error: who serves the model `x`?
    hint: name the provider with `--provider`, or the address of a server with `--base-url`
    ");
}

#[test]
fn json_readers_get_the_notes_before_an_error_too() {
    let project = Project::new();
    std::fs::create_dir_all(project.pollux_home()).unwrap();
    let config = project.pollux_home().join("config.toml");
    std::fs::write(&config, "provder = 'lab'\n").unwrap();
    let run = |format| {
        let run = pollux(&project).args(["-m", "x", "-p", "go", "-o", format]);
        run.run().exited(41)
    };
    let object = run("json").json();
    assert_eq!(object["notices"][0]["kind"], "bad_setting");
    assert!(
        object["error"]["hint"]
            .as_str()
            .unwrap()
            .contains("--provider")
    );
    let lines = run("stream-json").json_lines();
    let types: Vec<_> = lines.iter().map(|line| &line["type"]).collect();
    assert_eq!(types, ["notice", "error", "result"]);
}

#[test]
fn a_window_that_is_full_before_the_first_word_is_said() {
    let server = ModelServer::speaking(Protocol::Ollama, [Turn::text(["ok"]), Turn::text(["ok"])]);
    let project = Project::new();
    let run = |window: &str| {
        let window = format!("providers.lab.context_window={window}");
        let run = talking_to(&project, &server, Protocol::Ollama);
        let ran = run.args(["--config", &window, "-p", "go"]).run();
        ran.exited(0).stderr
    };
    assert_eq!(run("8192"), "");
    let told = run("512");
    let start = "note: `providers.lab.context_window`: 512 tokens are too few, ";
    assert!(told.starts_with(start), "{told}");
}
