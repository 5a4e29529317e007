//! Stopping at any moment.

use std::time::Duration;

use pollux_testkit::{Gate, Project, ScriptedModel, ScriptedReply};
use pollux_types::{CallStatus, Command, Event, PromptEnd};
use serde_json::json;

use super::support::{Bench, Options, shown, stored};

#[tokio::test]
async fn a_reply_that_is_cancelled_keeps_its_words_and_runs_nothing() {
    let gate = Gate::new();
    let reply = ScriptedReply::say("half an answer")
        .gate(&gate)
        .and_call("run_shell_command", json!({"command": "touch ran"}));
    let mut bench = Bench::new(Project::new(), vec![reply, ScriptedReply::say("ok")]);
    bench.submit("go").await;
    bench
        .wait_for(|event| matches!(event, Event::Content { .. }).then_some(()))
        .await;
    bench.commands.send(Command::Cancel).await.unwrap();
    let (_, end) = bench.finish().await;
    assert_eq!(end, PromptEnd::UserCancelled);
    gate.open();
    let (_, end) = bench.ask("and now?").await;
    assert_eq!(end, PromptEnd::Completed);
    insta::assert_snapshot!(bench.sent(1), @r#"
    user: "go"
    model: "half an answer"
    user: "and now?"
    "#);
    assert!(!bench.close().await.exists("ran"));
}

#[tokio::test]
async fn running_tools_are_stopped_and_every_call_is_answered() {
    let reply = ScriptedReply::call("run_shell_command", json!({"command": "sleep 1000"}))
        .and_call("run_shell_command", json!({"command": "touch ran"}));
    let mut bench = Bench::new(Project::new(), vec![reply]);
    bench.submit("go").await;
    bench
        .wait_for(|event| match event {
            Event::ToolCallUpdate(view) => (view.status == CallStatus::Executing).then_some(()),
            _ => None,
        })
        .await;
    bench.commands.send(Command::Cancel).await.unwrap();
    let (_, end) = bench.finish().await;
    assert_eq!(end, PromptEnd::UserCancelled);
    let project = bench.close().await;
    assert!(!project.exists("ran"));
    insta::assert_snapshot!(stored(&project), @r#"
    user: "go"
    model: call_1=run_shell_command{"command":"sleep 1000"} call_2=run_shell_command{"command":"touch ran"}
    user: call_1 failed "User cancelled tool execution." call_2 failed "User cancelled tool execution."
    "#);
}

/// Whoever has sent a prompt waits for its end, also if it never had its turn.
#[tokio::test]
async fn prompts_that_wait_are_cancelled_too_and_told() {
    let gate = Gate::new();
    let reply = ScriptedReply::say("half").gate(&gate);
    let mut bench = Bench::new(Project::new(), vec![reply, ScriptedReply::say("ok")]);
    bench.submit("first").await;
    bench
        .wait_for(|event| matches!(event, Event::Content { .. }).then_some(()))
        .await;
    bench.submit("second").await;
    bench.submit("third").await;
    bench.commands.send(Command::Cancel).await.unwrap();
    for _ in 0..3 {
        let (events, end) = bench.finish().await;
        assert_eq!(end, PromptEnd::UserCancelled);
        let started = |event: &Event| matches!(event, Event::PromptStarted { .. });
        assert!(!events.iter().any(started), "{events:?}");
    }
    let (_, end) = bench.ask("and now?").await;
    assert_eq!(end, PromptEnd::Completed);
    assert!(!bench.sent(1).contains("second"));
}

/// Who stops an answer has not changed their mind about the model.
#[tokio::test]
async fn what_else_was_asked_for_is_done_in_its_order() {
    let gate = Gate::new();
    let reply = ScriptedReply::say("half").gate(&gate);
    let other = ScriptedModel::new(vec![ScriptedReply::say("ok")]).called("another", "big");
    let options = Options {
        others: vec![other.clone()],
        ..Options::default()
    };
    let mut bench = Bench::with(Project::new(), vec![reply], options);
    bench.submit("first").await;
    bench
        .wait_for(|event| matches!(event, Event::Content { .. }).then_some(()))
        .await;
    bench.submit("second").await;
    for command in [
        Command::NewSession,
        Command::UseModel("big".into()),
        Command::Cancel,
    ] {
        bench.commands.send(command).await.unwrap();
    }
    for _ in 0..2 {
        let (_, end) = bench.finish().await;
        assert_eq!(end, PromptEnd::UserCancelled);
    }
    let (events, end) = bench.ask("and now?").await;
    assert_eq!(end, PromptEnd::Completed);
    let changes = events.iter().filter_map(|event| match event {
        Event::SessionChanged { .. } => Some("session"),
        Event::ModelChanged { .. } => Some("model"),
        _ => None,
    });
    assert_eq!(changes.collect::<Vec<_>>(), ["session", "model"]);
    assert_eq!(shown(&other.asked()[0].messages), "user: \"and now?\"\n");
}

/// How long a person waits for the prompt after stopping a command that prints without end.
#[tokio::test]
async fn a_flood_is_stopped_at_once() {
    let flood = || ScriptedReply::call("run_shell_command", json!({"command": "yes"}));
    let runs = 5;
    let mut bench = Bench::new(Project::new(), (0..runs).map(|_| flood()).collect());
    for _ in 0..runs {
        bench.submit("go").await;
        let printing = |event: &Event| match event {
            Event::ToolCallUpdate(view) => view.live.is_some().then_some(()),
            _ => None,
        };
        bench.wait_for(printing).await;
        bench.commands.send(Command::Cancel).await.unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(5), bench.finish()).await;
        let (_, end) = ended.expect("it ends soon");
        assert_eq!(end, PromptEnd::UserCancelled);
    }
}

#[tokio::test]
async fn a_front_end_that_goes_away_ends_the_session() {
    let gate = Gate::new();
    let reply = ScriptedReply::say("a").gate(&gate).and_say("b");
    let mut bench = Bench::new(Project::new(), vec![reply]);
    bench.submit("go").await;
    bench
        .wait_for(|event| matches!(event, Event::Content { .. }).then_some(()))
        .await;
    let project = bench.close().await;
    assert_eq!(stored(&project), "user: \"go\"\nmodel: \"a\"\n");
}
