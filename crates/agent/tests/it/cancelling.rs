//! Stopping at any moment.

use pollux_testkit::{Gate, Project, ScriptedReply};
use pollux_types::{CallStatus, Command, Event, PromptEnd};
use serde_json::json;

use super::support::{Bench, stored};

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
