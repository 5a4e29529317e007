//! Plan mode, and changing in and out of it.

use pollux_testkit::{Project, ScriptedReply};
use pollux_types::{
    ApprovalMode, CallStatus, Command, Decision, Event, Mode, PromptEnd, ToolErrorKind,
};
use serde_json::json;

use super::support::{Bench, Options};

fn planning(replies: Vec<ScriptedReply>) -> Bench {
    let options = Options {
        mode: Mode::Plan,
        ..Options::default()
    };
    Bench::with(Project::new().file("a.txt", "old\n"), replies, options)
}

fn write() -> ScriptedReply {
    ScriptedReply::call(
        "write_file",
        json!({"file_path": "a.txt", "content": "new\n"}),
    )
}

fn offered(bench: &Bench, request: usize) -> Vec<String> {
    bench.model.asked()[request].tools.clone()
}

async fn switch(bench: &mut Bench, mode: Mode) {
    bench.commands.send(Command::Mode(mode)).await.unwrap();
    bench
        .wait_for(|event| (*event == Event::ModeChanged { mode }).then_some(()))
        .await;
}

#[tokio::test]
async fn edits_are_neither_offered_nor_done() {
    let replies = vec![write(), ScriptedReply::say("I would write it.")];
    let mut bench = planning(replies);
    let (events, end) = bench.ask("go").await;
    assert_eq!(end, PromptEnd::Completed);
    assert_eq!(bench.project.read("a.txt"), "old\n");
    let names = offered(&bench, 0);
    assert!(names.contains(&"run_shell_command".to_owned()), "{names:?}");
    assert!(!names.contains(&"write_file".to_owned()), "{names:?}");
    assert!(!names.contains(&"replace".to_owned()), "{names:?}");
    let denied = events.iter().any(|event| match event {
        Event::ToolCallUpdate(view) => view
            .error
            .as_ref()
            .is_some_and(|error| error.kind == ToolErrorKind::Denied),
        _ => false,
    });
    assert!(denied);
}

#[tokio::test]
async fn the_model_is_told_of_each_change_once() {
    let replies = (0..4).map(|_| ScriptedReply::say("ok")).collect();
    let mut bench = Bench::new(Project::new(), replies);
    bench.ask("one").await;
    switch(&mut bench, Mode::Plan).await;
    bench.ask("two").await;
    bench.ask("three").await;
    switch(&mut bench, Mode::Build).await;
    bench.ask("four").await;
    insta::assert_snapshot!(bench.sent(3), @r#"
    user: "one"
    model: "ok"
    user: "two" "\n\n[pollux: plan mode. Look, think, and say what you would do; change nothing. Tools that edit are gone, and commands may only read.]"
    model: "ok"
    user: "three"
    model: "ok"
    user: "four" "\n\n[pollux: plan mode is over. You may change things again.]"
    "#);
    assert_eq!(offered(&bench, 0), offered(&bench, 3));
    assert_ne!(offered(&bench, 0), offered(&bench, 1));
}

#[tokio::test]
async fn a_question_about_an_edit_is_settled_by_plan_mode() {
    let options = Options {
        approval: ApprovalMode::Default,
        asks: true,
        ..Options::default()
    };
    let replies = vec![write(), ScriptedReply::say("I would write it.")];
    let mut bench = Bench::with(Project::new().file("a.txt", "old\n"), replies, options);
    bench.submit("go").await;
    bench.question().await;
    bench
        .commands
        .send(Command::Mode(Mode::Plan))
        .await
        .unwrap();
    let (_, end) = bench.finish().await;
    assert_eq!(end, PromptEnd::Completed);
    assert_eq!(bench.project.read("a.txt"), "old\n");
    // The next request is made in the new mode.
    assert!(!offered(&bench, 1).contains(&"write_file".to_owned()));
}

#[tokio::test]
async fn commands_do_not_pass_unasked_while_planning() {
    let run = |command| ScriptedReply::call("run_shell_command", json!({"command": command}));
    for (mode, made) in [(Mode::Plan, false), (Mode::Build, true)] {
        let options = Options {
            mode,
            approval: ApprovalMode::Default,
            auto_approve: true,
            ..Options::default()
        };
        let replies = vec![run("touch made"), ScriptedReply::say("ok")];
        let mut bench = Bench::with(Project::new(), replies, options);
        bench.ask("go").await;
        assert_eq!(bench.project.exists("made"), made, "{mode:?}");
    }
}

#[tokio::test]
async fn what_was_allowed_is_taken_back_by_plan_mode() {
    let options = Options {
        approval: ApprovalMode::AutoEdit,
        asks: true,
        ..Options::default()
    };
    let touch = json!({"command": "touch made"});
    let replies = vec![
        write().and_call("run_shell_command", touch),
        ScriptedReply::say("I would write it."),
    ];
    let mut bench = Bench::with(Project::new().file("a.txt", "old\n"), replies, options);
    bench.submit("go").await;
    let question = bench.question().await;
    switch(&mut bench, Mode::Plan).await;
    bench.decide(&question, Decision::Approve).await;
    let (_, end) = bench.finish().await;
    assert_eq!(end, PromptEnd::Completed);
    assert_eq!(bench.project.read("a.txt"), "old\n");
    assert!(bench.project.exists("made"));
}

#[tokio::test]
async fn what_has_not_begun_is_taken_back_while_others_run() {
    let options = Options {
        asks: true,
        ..Options::default()
    };
    let wait = json!({"command": "until [ -e go ]; do sleep 0.01; done"});
    let replies = vec![
        ScriptedReply::call("run_shell_command", wait)
            .and_call("run_shell_command", json!({"command": "touch made"}))
            .and_call(
                "write_file",
                json!({"file_path": "a.txt", "content": "new\n"}),
            ),
        ScriptedReply::say("ok"),
    ];
    let mut bench = Bench::with(Project::new(), replies, options);
    bench.submit("go").await;
    let runs = |event: &Event| match event {
        Event::ToolCallUpdate(view) => (view.status == CallStatus::Executing).then_some(()),
        _ => None,
    };
    bench.wait_for(runs).await;
    switch(&mut bench, Mode::Plan).await;
    std::fs::write(bench.project.path().join("go"), "").unwrap();
    bench.finish().await;
    insta::assert_snapshot!(bench.sent(1).lines().nth(2).unwrap(), @r#"user: call_1 -> "(no output)" call_2 failed "`run_shell_command` was not run: it creates files (`touch made`), which is not allowed any more. Call it again to have it asked about." call_3 failed "`write_file` was not run: it changes files, and this is plan mode. Say what you would change instead.""#);
    assert!(!bench.project.exists("made"));
    assert!(!bench.project.exists("a.txt"));
}
