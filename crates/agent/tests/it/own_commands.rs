//! Commands that the person types.

use pollux_testkit::{Gate, Project, ScriptedReply};
use pollux_types::{
    ApprovalMode, CallStatus, Command, CommandRan, Decision, Event, Message, PromptEnd, Role,
};

use super::support::{Bench, Options, shown, stored_messages, told};

async fn run(bench: &Bench, command: &str) {
    let command = Command::Run {
        command: command.to_owned(),
        raw: format!("! {command}"),
    };
    bench.commands.send(command).await.unwrap();
}

fn ran(events: &[Event]) -> CommandRan {
    let mut ran = events.iter().filter_map(|event| match event {
        Event::CommandRan(ran) => Some(ran.clone()),
        _ => None,
    });
    ran.next().expect("the command has ended")
}

fn asking(replies: Vec<ScriptedReply>) -> Bench {
    let options = Options {
        approval: ApprovalMode::Default,
        asks: true,
        ..Options::default()
    };
    Bench::with(Project::new(), replies, options)
}

/// The conversation without how long things took.
fn timeless(mut messages: Vec<Message>) -> String {
    for message in &mut messages {
        for part in &mut message.parts {
            if let pollux_types::Part::Text(text) = part
                && let Some(at) = text.find("duration=")
            {
                let end = at + text[at..].find("ms").unwrap();
                text.replace_range(at + "duration=".len()..end, "0");
            }
        }
    }
    shown(&messages)
}

#[tokio::test]
async fn a_command_is_run_and_told_and_the_model_reads_of_it() {
    let mut bench = Bench::new(Project::new(), vec![ScriptedReply::say("I see.")]);
    run(&bench, "printf out; echo err >&2; exit 3").await;
    let (events, end) = bench.finish().await;
    assert_eq!(end, PromptEnd::Completed);
    let CommandRan { duration_ms, .. } = ran(&events);
    assert_eq!(
        ran(&events),
        CommandRan {
            command: "printf out; echo err >&2; exit 3".into(),
            exit_code: Some(3),
            duration_ms,
            stdout: "out".into(),
            stderr: "err\n".into(),
            truncated: false,
            denied: None,
        }
    );
    assert!(bench.model.asked().is_empty());
    bench.ask("what was that?").await;
    let sent = timeless(bench.model.asked()[0].messages.clone());
    insta::assert_snapshot!(sent, @r#"
    user: "! printf out; echo err >&2; exit 3"
    model: "$ printf out; echo err >&2; exit 3\nexit=3 duration=0ms\nstdout:\nout\nstderr:\nerr"
    user: "what was that?"
    "#);
    let stored = stored_messages(&bench.close().await);
    assert_eq!(timeless(stored), sent + "model: \"I see.\"\n");
}

#[tokio::test]
async fn too_much_output_is_cut_off_behind() {
    let mut bench = Bench::new(Project::new(), vec![]);
    run(&bench, "seq 1 1000; seq 1 300 >&2").await;
    let (events, _) = bench.finish().await;
    let ran = ran(&events);
    assert!(ran.truncated);
    assert!(ran.stdout.starts_with("1\n2\n"), "{}", ran.stdout);
    assert!(
        ran.stdout.ends_with("\n[output truncated]\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.len() < 1050, "{}", ran.stdout.len());
    assert!(
        ran.stderr.ends_with("\n[output truncated]\n"),
        "{}",
        ran.stderr
    );
    assert!(ran.block().contains("ms (truncated)\n"));
}

#[tokio::test]
async fn a_command_is_asked_about_like_any_other() {
    let mut bench = asking(vec![]);
    run(&bench, "touch made").await;
    let question = bench.question().await;
    bench.decide(&question, Decision::Refuse).await;
    let (events, end) = bench.finish().await;
    assert_eq!(end, PromptEnd::Completed);
    assert_eq!(ran(&events).denied.as_deref(), Some("you did not allow it"));
    assert!(!bench.project.exists("made"));
    run(&bench, "touch made").await;
    let question = bench.question().await;
    bench.decide(&question, Decision::Approve).await;
    let (events, _) = bench.finish().await;
    assert_eq!(ran(&events).exit_code, Some(0));
    assert!(bench.project.exists("made"));
    // What only reads needs no question, and what is dangerous is asked each time.
    run(&bench, "ls").await;
    let (events, _) = bench.finish().await;
    assert_eq!(ran(&events).stdout, "made\n");
    run(&bench, "rm -rf ~").await;
    let question = bench.question().await;
    assert!(
        question.dangerous && question.always.is_empty(),
        "{question:?}"
    );
    bench.decide(&question, Decision::Refuse).await;
    bench.finish().await;
}

#[tokio::test]
async fn nobody_to_ask_is_a_reason() {
    let options = Options {
        approval: ApprovalMode::Default,
        ..Options::default()
    };
    let mut bench = Bench::with(Project::new(), vec![], options);
    run(&bench, "touch made").await;
    let (events, _) = bench.finish().await;
    insta::assert_snapshot!(ran(&events).block(), @"
    $ touch made
    command mode denied: it creates files (`touch made`), which is not allowed. `--approval-mode yolo` would allow it.
    ");
}

#[tokio::test]
async fn a_running_command_is_cancelled_with_what_it_has_printed() {
    let mut bench = Bench::new(Project::new(), vec![ScriptedReply::say("ok")]);
    run(&bench, "echo begun; touch begun; sleep 1000").await;
    bench
        .wait_for(|event| match event {
            Event::ToolCallUpdate(view) => (view.status == CallStatus::Executing).then_some(()),
            _ => None,
        })
        .await;
    let deadline = tokio::time::Instant::now() + std::time::Duration::from_secs(20);
    while !bench.project.exists("begun") {
        assert!(tokio::time::Instant::now() < deadline);
        tokio::task::yield_now().await;
    }
    bench.commands.send(Command::Cancel).await.unwrap();
    let (events, end) = bench.finish().await;
    assert_eq!(end, PromptEnd::UserCancelled);
    let ran = ran(&events);
    assert_eq!(ran.exit_code, None);
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str()),
        ("begun\n", "[cancelled]\n")
    );
    bench.ask("go on").await;
    let asked = bench.model.asked();
    let roles: Vec<Role> = asked[0]
        .messages
        .iter()
        .map(|message| message.role)
        .collect();
    assert_eq!(roles, [Role::User, Role::Model, Role::User]);
}

#[tokio::test]
async fn a_command_waits_for_the_prompt_before_it() {
    let gate = Gate::new();
    let reply = ScriptedReply::say("first").gate(&gate).and_say(".");
    let mut bench = Bench::new(Project::new(), vec![reply]);
    bench.submit("go").await;
    bench
        .wait_for(|event| matches!(event, Event::Content { .. }).then_some(()))
        .await;
    run(&bench, "true").await;
    gate.open();
    let (events, _) = bench.finish().await;
    insta::assert_snapshot!(told(&events), @r#"
    content "."
    finished Stop
    "#);
    let (events, _) = bench.finish().await;
    let told = told(&events);
    assert!(
        told.starts_with("started s########2\ncall typed-1 validating\n"),
        "{told}"
    );
}
