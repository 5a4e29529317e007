//! The loop between model and tools.

use pollux_model::{Delta, ErrorKind, ModelError};
use pollux_testkit::{Project, ScriptedReply};
use pollux_types::event::FailureKind;
use pollux_types::{
    ApprovalMode, CallId, CallStatus, Event, FinishReason, FunctionCall, PromptEnd,
};
use serde_json::json;

use super::support::{Bench, Options, told};

fn read(path: &str) -> ScriptedReply {
    ScriptedReply::call("read_file", json!({"file_path": path}))
}

#[tokio::test]
async fn results_go_back_until_the_model_asks_for_nothing() {
    let project = Project::new().file("a.txt", "alpha\n");
    let replies = vec![
        ScriptedReply::say("Looking. ").and_call("read_file", json!({"file_path": "a.txt"})),
        ScriptedReply::say("It says alpha."),
    ];
    let mut bench = Bench::new(project, replies);
    let (events, end) = bench.ask("what is in a.txt?").await;
    assert_eq!(end, PromptEnd::Completed);
    insta::assert_snapshot!(told(&events), @r#"
    started s########1
    content "Looking. "
    request call_1 read_file
    finished ToolCalls
    call call_1 validating
    call call_1 scheduled
    call call_1 executing
    call call_1 success "alpha\n"
    content "It says alpha."
    finished Stop
    "#);
    insta::assert_snapshot!(bench.sent(1), @r#"
    user: "what is in a.txt?"
    model: "Looking. " call_1=read_file{"file_path":"a.txt"}
    user: call_1 -> "alpha\n"
    "#);
    assert_eq!(bench.model.asked()[0].system, "system");
}

#[tokio::test]
async fn an_unknown_tool_and_bad_arguments_are_answered() {
    let reply = ScriptedReply::call("raed_file", json!({}))
        .and_call("read_file", json!({"start_line": "x"}))
        .and(Delta::BrokenCall {
            call: FunctionCall {
                id: CallId::new("broken"),
                name: "read_file".into(),
                args: serde_json::Map::new(),
                signature: None,
            },
            problem: "not valid JSON: EOF".into(),
        });
    let mut bench = Bench::new(Project::new(), vec![reply, ScriptedReply::say("I see.")]);
    let (_, end) = bench.ask("go").await;
    assert_eq!(end, PromptEnd::Completed);
    insta::assert_snapshot!(bench.sent(1), @r#"
    user: "go"
    model: call_1=raed_file{} call_2=read_file{"start_line":"x"} broken=read_file{}
    user: call_1 failed "Tool \"raed_file\" not found in registry. Did you mean `read_file`?" call_2 failed "`start_line`: expected a whole number, not \"x\"; read_file takes file_path (string, required), start_line (integer), end_line (integer)" broken failed "the arguments of `read_file` are not valid JSON: EOF"
    "#);
}

#[tokio::test]
async fn results_are_in_the_order_of_the_calls() {
    let project = Project::new().file("a", "1").file("b", "2").file("c", "3");
    let reply = read("a")
        .and_call("run_shell_command", json!({"command": "printf 4 > a"}))
        .and_call("read_file", json!({"file_path": "a"}))
        .and_call("read_file", json!({"file_path": "b"}));
    let mut bench = Bench::new(project, vec![reply, ScriptedReply::say("done")]);
    bench.ask("go").await;
    insta::assert_snapshot!(bench.sent(1), @r#"
    user: "go"
    model: call_1=read_file{"file_path":"a"} call_2=run_shell_command{"command":"printf 4 > a"} call_3=read_file{"file_path":"a"} call_4=read_file{"file_path":"b"}
    user: call_1 -> "1" call_2 -> "(no output)" call_3 -> "4" call_4 -> "2"
    "#);
}

#[tokio::test]
async fn what_needs_approval_is_refused_and_the_loop_goes_on() {
    let calls = || {
        ScriptedReply::call("write_file", json!({"file_path": "new", "content": "x"}))
            .and_call("run_shell_command", json!({"command": "touch ran"}))
            .and_call("read_file", json!({"file_path": "/etc/hostname"}))
    };
    let outcomes = |approval| async move {
        let options = Options {
            approval,
            ..Options::default()
        };
        let replies = vec![calls(), ScriptedReply::say("ok")];
        let mut bench = Bench::with(Project::new(), replies, options);
        let (events, end) = bench.ask("go").await;
        assert_eq!(end, PromptEnd::Completed);
        let ends: Vec<CallStatus> = events
            .iter()
            .filter_map(|event| match event {
                Event::ToolCallUpdate(view) if view.status.is_terminal() => Some(view.status),
                _ => None,
            })
            .collect();
        let project = bench.close().await;
        (ends, project.exists("new"), project.exists("ran"))
    };
    assert_eq!(
        outcomes(ApprovalMode::Default).await,
        (vec![CallStatus::Error; 3], false, false)
    );
    let auto_edit = outcomes(ApprovalMode::AutoEdit).await;
    assert_eq!((auto_edit.1, auto_edit.2), (true, false));
    assert_eq!(
        outcomes(ApprovalMode::Yolo).await,
        (vec![CallStatus::Success; 3], true, true)
    );
}

#[tokio::test]
async fn the_number_of_requests_is_bounded() {
    let options = Options {
        max_turns: 3,
        ..Options::default()
    };
    let replies = (0..4).map(|_| read("a")).collect();
    let mut bench = Bench::with(Project::new().file("a", ""), replies, options);
    let (_, end) = bench.ask("loop").await;
    assert_eq!(end, PromptEnd::MaxTurns { limit: 3 });
    assert_eq!(bench.model.asked().len(), 3);
}

#[tokio::test]
async fn a_failed_reply_runs_nothing_and_keeps_its_words() {
    let error = ModelError::new(ErrorKind::StreamTruncated, "the connection broke");
    let broken = ScriptedReply::exactly(vec![Ok(Delta::Text("half an ".into())), Err(error)]);
    let replies = vec![broken, ScriptedReply::say("again")];
    let mut bench = Bench::with(Project::new(), replies, Options::without_retries());
    let (_, end) = bench.ask("go").await;
    let PromptEnd::Error(failure) = end else {
        panic!("{end:?}")
    };
    assert_eq!(
        (failure.kind, failure.message.as_str()),
        (FailureKind::Model, "the connection broke")
    );
    bench.ask("go on").await;
    insta::assert_snapshot!(bench.sent(1), @r#"
    user: "go"
    model: "half an "
    user: "go on"
    "#);
}

#[tokio::test]
async fn an_empty_reply_leaves_its_prompt_out_and_says_so() {
    let empty = ScriptedReply::fail(ModelError::new(ErrorKind::EmptyResponse, "empty"));
    let replies = vec![empty, ScriptedReply::say("hello")];
    let mut bench = Bench::with(Project::new(), replies, Options::without_retries());
    let (events, _) = bench.ask("first").await;
    assert!(
        told(&events).contains("notice The last message got no answer"),
        "{events:?}"
    );
    bench.ask("second").await;
    insta::assert_snapshot!(bench.sent(1), @r#"user: "second""#);
}

#[tokio::test]
async fn ids_stay_unique_when_a_model_repeats_them() {
    let call = || {
        ScriptedReply::new().and(Delta::Call(FunctionCall {
            id: CallId::new("same"),
            name: "list_directory".into(),
            args: json!({"dir_path": "."}).as_object().unwrap().clone(),
            signature: None,
        }))
    };
    let replies = vec![call(), call(), ScriptedReply::say("ok")];
    let mut bench = Bench::new(Project::new(), replies);
    bench.ask("go").await;
    let sent = bench.sent(2);
    assert!(
        sent.contains("same=list") && sent.contains("same-1=list"),
        "{sent}"
    );
}

#[tokio::test]
async fn prompts_that_come_early_wait_their_turn() {
    let replies = vec![ScriptedReply::say("one"), ScriptedReply::say("two")];
    let mut bench = Bench::new(Project::new(), replies);
    bench.submit("1").await;
    bench.submit("2").await;
    let (first, _) = bench.finish().await;
    let (second, _) = bench.finish().await;
    assert!(told(&first).contains("started s########1"));
    assert!(told(&second).contains("started s########2"));
    assert!(told(&second).contains("content \"two\""));
}

#[tokio::test]
async fn what_the_server_does_not_count_is_guessed_calls_and_thoughts_included() {
    let call = json!({"id": "c", "name": "list_directory", "args": {"dir_path": "."}});
    let uncounted = ScriptedReply::exactly(vec![
        Ok(Delta::Thought {
            text: "a thought of 24 letters.".into(),
            signature: None,
        }),
        Ok(Delta::Text("words".into())),
        Ok(Delta::Call(serde_json::from_value(call).unwrap())),
        Ok(Delta::Finish {
            reason: FinishReason::ToolCalls,
            detail: None,
        }),
    ]);
    let replies = vec![uncounted, ScriptedReply::say("done")];
    let mut bench = Bench::new(Project::new(), replies);
    bench.submit("go").await;
    let usage = bench
        .wait_for(|event| match event {
            Event::Finished { usage, .. } => Some(*usage),
            _ => None,
        })
        .await;
    // `list_directory {"dir_path":"."}` has 31 letters, four to a token.
    assert_eq!((usage.thoughts, usage.output), (6, 6 + 2 + 8));
    assert!(usage.input > 500, "tools and system text: {}", usage.input);
}
