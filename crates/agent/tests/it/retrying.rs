//! Failed requests, under a clock that runs by itself.

use std::time::Duration;

use pollux_model::{Delta, ErrorKind, ModelError};
use pollux_testkit::{Project, ScriptedReply};
use pollux_types::{CallId, Command, Event, FunctionCall, PromptEnd};
use serde_json::json;
use tokio::time::Instant;

use super::support::{Bench, told};

fn failure(kind: ErrorKind) -> ModelError {
    ModelError::new(kind, "busy")
}

#[tokio::test(start_paused = true)]
async fn a_failed_request_is_sent_again_and_leaves_no_trace() {
    let half = vec![
        Ok(Delta::Text("half".into())),
        Err(failure(ErrorKind::StreamTruncated)),
    ];
    let replies = vec![
        ScriptedReply::fail(failure(ErrorKind::Overloaded)),
        ScriptedReply::exactly(half),
        ScriptedReply::say("whole"),
        ScriptedReply::say("next"),
    ];
    let mut bench = Bench::new(Project::new(), replies);
    let started = Instant::now();
    let (events, end) = bench.ask("go").await;
    assert_eq!(end, PromptEnd::Completed);
    insta::assert_snapshot!(told(&events), @r#"
    started s########1
    retry 2 of 6 in 1s: busy
    content "half"
    retry 3 of 6 in 2s: busy
    content "whole"
    finished Stop
    "#);
    assert_eq!(started.elapsed().as_secs(), 3);
    bench.ask("on").await;
    assert_eq!(
        bench.sent(3),
        "user: \"go\"\nmodel: \"whole\"\nuser: \"on\"\n"
    );
}

#[tokio::test(start_paused = true)]
async fn the_wait_a_provider_asks_for_is_kept() {
    let mut limited = failure(ErrorKind::RateLimited);
    limited.retry_after = Some(Duration::from_secs(40));
    let replies = vec![ScriptedReply::fail(limited), ScriptedReply::say("ok")];
    let mut bench = Bench::new(Project::new(), replies);
    let started = Instant::now();
    bench.ask("go").await;
    assert_eq!(started.elapsed().as_secs(), 44);
}

#[tokio::test(start_paused = true)]
async fn there_is_an_end_to_it() {
    let replies = (0..9).map(|_| ScriptedReply::fail(failure(ErrorKind::Unreachable)));
    let mut bench = Bench::new(Project::new(), replies.collect());
    let (_, end) = bench.ask("go").await;
    assert!(matches!(end, PromptEnd::Error(_)));
    assert_eq!(bench.model.asked().len(), 6);
}

#[tokio::test(start_paused = true)]
async fn what_cannot_get_better_is_not_repeated() {
    let replies = vec![ScriptedReply::fail(failure(ErrorKind::Auth))];
    let mut bench = Bench::new(Project::new(), replies);
    let (events, _) = bench.ask("go").await;
    assert!(!told(&events).contains("retry"));
}

#[tokio::test(start_paused = true)]
async fn cancelling_ends_the_wait() {
    let half = vec![
        Ok(Delta::Text("half".into())),
        Err(failure(ErrorKind::Overloaded)),
    ];
    let replies = vec![ScriptedReply::exactly(half), ScriptedReply::say("ok")];
    let mut bench = Bench::new(Project::new(), replies);
    bench.submit("go").await;
    bench
        .wait_for(|event| matches!(event, Event::Retry { .. }).then_some(()))
        .await;
    bench.commands.send(Command::Cancel).await.unwrap();
    let (_, end) = bench.finish().await;
    assert_eq!(end, PromptEnd::UserCancelled);
    assert_eq!(bench.model.asked().len(), 1);
    // Nothing is kept of the attempt that failed.
    bench.ask("on").await;
    assert_eq!(
        bench.sent(1),
        "user: \"go\"\nmodel: \"[interrupted]\"\nuser: \"on\"\n"
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_is_never_run_twice() {
    let early = FunctionCall {
        id: CallId::new("early"),
        name: "replace".into(),
        args: json!({"file_path": "log", "old_string": "x", "new_string": "xx"})
            .as_object()
            .unwrap()
            .clone(),
        signature: None,
    };
    let cut = vec![
        Ok(Delta::Call(early)),
        Err(failure(ErrorKind::StreamTruncated)),
    ];
    let double = json!({"file_path": "log", "old_string": "x", "new_string": "xx"});
    let call = ScriptedReply::call("replace", double);
    let replies = vec![
        ScriptedReply::exactly(cut),
        call,
        ScriptedReply::fail(failure(ErrorKind::Overloaded)),
        ScriptedReply::say("done"),
    ];
    let mut bench = Bench::new(Project::new().file("log", "x"), replies);
    bench.ask("go").await;
    assert_eq!(bench.close().await.read("log"), "xx");
}
