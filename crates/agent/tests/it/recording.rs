//! What is on disk, and when.

use pollux_testkit::{Gate, Project, ScriptedReply};
use pollux_types::event::FailureKind;
use pollux_types::{Message, Part, PromptEnd};
use serde_json::json;

use super::support::{Bench, Options, stored};

#[tokio::test]
async fn everything_said_is_recorded() {
    let project = Project::new().file("a", "alpha");
    let replies = vec![
        ScriptedReply::call("read_file", json!({"file_path": "a"})).and_think("hm"),
        ScriptedReply::say("done"),
    ];
    let mut bench = Bench::new(project, replies);
    bench.ask("go").await;
    let project = bench.close().await;
    insta::assert_snapshot!(stored(&project), @r#"
    user: "go"
    model: call_1=read_file{"file_path":"a"} thought "hm"
    user: call_1 -> "alpha"
    model: "done"
    "#);
}

#[tokio::test]
async fn what_the_model_is_sent_is_on_disk_first() {
    let (first, second) = (Gate::new(), Gate::new());
    let replies = vec![
        ScriptedReply::new()
            .gate(&first)
            .and_call("list_directory", json!({"dir_path": "."})),
        ScriptedReply::new().gate(&second).and_say("done"),
    ];
    let mut bench = Bench::new(Project::new(), replies);
    bench.submit("go").await;
    first.reached().await;
    assert_eq!(stored(&bench.project), bench.sent(0));
    first.open();
    second.reached().await;
    assert_eq!(stored(&bench.project), bench.sent(1));
    second.open();
    bench.finish().await;
}

#[tokio::test]
async fn a_resumed_session_goes_on_where_it_was() {
    let history = vec![
        Message::user(vec![Part::text("before")]),
        Message::model(vec![Part::text("answer")]),
    ];
    let options = Options {
        history,
        ..Options::default()
    };
    let mut bench = Bench::with(Project::new(), vec![ScriptedReply::say("ok")], options);
    bench.ask("now").await;
    assert_eq!(
        bench.sent(0),
        "user: \"before\"\nmodel: \"answer\"\nuser: \"now\"\n"
    );
}

#[tokio::test]
async fn a_prompt_that_cannot_be_recorded_is_not_sent() {
    // A file stands where the directory of sessions should be.
    let project = Project::new();
    std::fs::write(project.pollux_home(), "in the way").unwrap();
    let mut bench = Bench::new(project, vec![ScriptedReply::say("never")]);
    let (_, end) = bench.ask("go").await;
    let PromptEnd::Error(failure) = end else {
        panic!("{end:?}")
    };
    assert_eq!(failure.kind, FailureKind::Store);
    assert!(
        failure.message.starts_with("writing session `"),
        "{}",
        failure.message
    );
    assert!(bench.model.asked().is_empty());
}
