//! Questions, and what answers do.

use pollux_testkit::{Project, ScriptedReply};
use pollux_types::{
    ApprovalMode, Command, Decision, Event, PromptEnd, Proposal, Remember, ToolErrorKind,
};
use serde_json::json;

use super::support::{Bench, Options};

fn asking(project: Project, replies: Vec<ScriptedReply>) -> Bench {
    let options = Options {
        approval: ApprovalMode::Default,
        asks: true,
        ..Options::default()
    };
    Bench::with(project, replies, options)
}

fn write(path: &str, content: &str) -> ScriptedReply {
    ScriptedReply::call("write_file", json!({"file_path": path, "content": content}))
}

#[tokio::test]
async fn nothing_runs_before_all_are_settled() {
    let both = write("a.txt", "new\n")
        .and_call("read_file", json!({"file_path": "a.txt"}))
        .and_call(
            "write_file",
            json!({"file_path": "b.txt", "content": "b\n"}),
        );
    let project = Project::new().file("a.txt", "old\n");
    let mut bench = asking(project, vec![both, ScriptedReply::say("Done.")]);
    bench.submit("go").await;
    let first = bench.question().await;
    let Proposal::Edit { change, content } = &first.proposal else {
        panic!("{first:?}");
    };
    assert!(change.diff.contains("-old\n+new\n"), "{}", change.diff);
    assert_eq!(content.as_deref(), Some("new\n"));
    bench.decide(&first, Decision::Approve).await;
    let second = bench.question().await;
    assert_eq!(bench.project.read("a.txt"), "old\n");
    bench.decide(&second, Decision::Refuse).await;
    let (events, end) = bench.finish().await;
    assert_eq!(end, PromptEnd::Completed);
    assert_eq!(bench.project.read("a.txt"), "new\n");
    assert!(!bench.project.exists("b.txt"));
    assert!(events.contains(&Event::Content {
        text: "Done.".into()
    }));
    insta::assert_snapshot!(bench.sent(1), @r#"
    user: "go"
    model: call_1=write_file{"file_path":"a.txt","content":"new\n"} call_2=read_file{"file_path":"a.txt"} call_3=write_file{"file_path":"b.txt","content":"b\n"}
    user: call_1 -> "overwrote `a.txt` with 1 line" call_2 -> "new\n" call_3 failed "The user did not allow this. Ask what to do instead."
    "#);
}

#[tokio::test]
async fn a_person_who_refuses_everything_is_asked_what_to_do() {
    let mut bench = asking(Project::new(), vec![write("a.txt", "x")]);
    bench.submit("go").await;
    let question = bench.question().await;
    bench.decide(&question, Decision::Refuse).await;
    let (_, end) = bench.finish().await;
    assert_eq!(end, PromptEnd::Completed);
    assert_eq!(bench.model.asked().len(), 1);
    assert!(!bench.project.exists("a.txt"));
}

#[tokio::test]
async fn an_answer_counts_only_for_what_was_asked() {
    let mut bench = asking(Project::new(), vec![write("a.txt", "x")]);
    bench.submit("go").await;
    let question = bench.question().await;
    let mut other = question.clone();
    other.fingerprint = "something else".into();
    bench.decide(&other, Decision::Approve).await;
    bench.decide(&question, Decision::Refuse).await;
    bench.finish().await;
    assert!(!bench.project.exists("a.txt"));
}

#[tokio::test]
async fn a_file_that_changes_after_the_approval_is_left_alone() {
    let replies = vec![
        write("a.txt", "new\n").and_call("write_file", json!({"file_path": "b", "content": "b"})),
        ScriptedReply::say("ok"),
    ];
    let mut bench = asking(Project::new().file("a.txt", "old\n"), replies);
    bench.submit("go").await;
    let first = bench.question().await;
    bench.decide(&first, Decision::Approve).await;
    let second = bench.question().await;
    std::fs::write(bench.project.path().join("a.txt"), "meanwhile\n").unwrap();
    bench.decide(&second, Decision::Approve).await;
    bench.finish().await;
    assert_eq!(bench.project.read("a.txt"), "meanwhile\n");
    assert_eq!(bench.project.read("b"), "b");
}

#[tokio::test]
async fn a_proposal_can_be_changed_and_is_asked_again() {
    let replies = vec![write("a.txt", "new\n"), ScriptedReply::say("ok")];
    let mut bench = asking(Project::new().file("a.txt", "old\n"), replies);
    bench.submit("go").await;
    let first = bench.question().await;
    bench
        .decide(&first, Decision::Modify("mine\n".into()))
        .await;
    let second = bench.question().await;
    assert_ne!(first.fingerprint, second.fingerprint);
    let Proposal::Edit { change, .. } = &second.proposal else {
        panic!("{second:?}");
    };
    assert!(change.diff.contains("+mine\n"), "{}", change.diff);
    // The answer to the first question is none to the second.
    bench.decide(&first, Decision::Approve).await;
    bench.decide(&second, Decision::Approve).await;
    bench.finish().await;
    assert_eq!(bench.project.read("a.txt"), "mine\n");
}

#[tokio::test]
async fn questions_that_are_alike_are_all_asked() {
    let run = json!({"command": "echo x >> made"});
    let replies = vec![
        ScriptedReply::call("run_shell_command", run.clone()).and_call("run_shell_command", run),
        ScriptedReply::say("ok"),
    ];
    let mut bench = asking(Project::new(), replies);
    bench.submit("go").await;
    let first = bench.question().await;
    bench.decide(&first, Decision::Approve).await;
    let second = bench.question().await;
    assert_ne!(first.call, second.call);
    // The answer to the first question is none to the second.
    bench.decide(&first, Decision::Approve).await;
    bench.decide(&second, Decision::Refuse).await;
    bench.finish().await;
    assert_eq!(bench.project.read("made"), "x\n");
}

#[tokio::test]
async fn a_proposal_that_is_left_as_it_was_is_asked_again() {
    let replies = vec![write("a.txt", "new\n"), ScriptedReply::say("ok")];
    let mut bench = asking(Project::new(), replies);
    bench.submit("go").await;
    let first = bench.question().await;
    let same = Decision::Modify("new\n".into());
    bench.decide(&first, same).await;
    let second = bench.question().await;
    assert_eq!(first.fingerprint, second.fingerprint);
    bench.decide(&second, Decision::Approve).await;
    bench.finish().await;
    assert_eq!(bench.project.read("a.txt"), "new\n");
}

#[tokio::test]
async fn another_mode_settles_what_it_would_have_allowed() {
    let replies = vec![
        write("a.txt", "a")
            .and_call("run_shell_command", json!({"command": "touch made"}))
            .and_call("write_file", json!({"file_path": "b.txt", "content": "b"})),
        ScriptedReply::say("ok"),
    ];
    let mut bench = asking(Project::new(), replies);
    bench.submit("go").await;
    bench.question().await;
    let allow = Command::Allow(ApprovalMode::AutoEdit);
    bench.commands.send(allow).await.unwrap();
    let left = bench.question().await;
    assert!(matches!(left.proposal, Proposal::Exec { .. }), "{left:?}");
    bench.decide(&left, Decision::Refuse).await;
    bench.finish().await;
    assert_eq!(bench.project.read("a.txt"), "a");
    assert_eq!(bench.project.read("b.txt"), "b");
    assert!(!bench.project.exists("made"));
}

#[tokio::test]
async fn an_answer_for_good_settles_the_questions_that_it_covers() {
    let run = |command| json!({"command": command});
    let replies = vec![
        ScriptedReply::call("run_shell_command", run("touch a"))
            .and_call("run_shell_command", run("touch b"))
            .and_call("run_shell_command", run("touch a")),
        ScriptedReply::say("ok"),
    ];
    let mut bench = asking(Project::new(), replies);
    bench.submit("go").await;
    let first = bench.question().await;
    let always = Remember::Command("touch a".into());
    bench.decide(&first, Decision::Always(always)).await;
    let second = bench.question().await;
    bench.decide(&second, Decision::Refuse).await;
    let is_asked = |event: &Event| match event {
        Event::ApprovalNeeded(_) => Some(true),
        Event::PromptEnded(_) => Some(false),
        _ => None,
    };
    assert!(!bench.wait_for(is_asked).await);
    assert!(bench.project.exists("a") && !bench.project.exists("b"));
}

#[tokio::test]
async fn rules_that_are_read_again_settle_questions() {
    let mut bench = asking(
        Project::new(),
        vec![write("a.txt", "a"), ScriptedReply::say("ok")],
    );
    bench.submit("go").await;
    bench.question().await;
    let rules = bench.project.pollux_home().join("rules.toml");
    let allow = "[[rule]]\ndecision = 'allow'\npath = 'a.txt'\n";
    std::fs::create_dir_all(bench.project.pollux_home()).unwrap();
    std::fs::write(rules, allow).unwrap();
    bench.commands.send(Command::ReadRules).await.unwrap();
    bench.finish().await;
    assert_eq!(bench.project.read("a.txt"), "a");
}

#[tokio::test]
async fn cancelling_ends_every_question() {
    let replies = vec![
        write("a.txt", "a").and_call("read_file", json!({"file_path": "x"})),
        ScriptedReply::say("later"),
    ];
    let mut bench = asking(Project::new().file("x", "x"), replies);
    bench.submit("go").await;
    bench.question().await;
    bench.commands.send(Command::Cancel).await.unwrap();
    let (events, end) = bench.finish().await;
    assert_eq!(end, PromptEnd::UserCancelled);
    let ended = events.iter().filter_map(|event| match event {
        Event::ToolCallUpdate(view) if view.status.is_terminal() => view.error.as_ref(),
        _ => None,
    });
    let kinds: Vec<ToolErrorKind> = ended.map(|error| error.kind).collect();
    assert_eq!(kinds, [ToolErrorKind::Cancelled; 2]);
    // Both have their response, so the next request is accepted.
    bench.submit("again").await;
    bench.finish().await;
    assert_eq!(bench.model.asked()[1].messages[2].responses().count(), 2);
}

#[tokio::test]
async fn only_what_was_offered_is_remembered() {
    let mut bench = asking(Project::new(), vec![write("a.txt", "x")]);
    bench.submit("go").await;
    let question = bench.question().await;
    assert_eq!(question.always, [Remember::Edits("a.txt".into())]);
    let wider = Decision::Always(Remember::Edits("**".into()));
    bench.decide(&question, wider).await;
    bench.decide(&question, Decision::Refuse).await;
    bench.finish().await;
    assert!(!bench.project.exists("a.txt"));
}

#[tokio::test]
async fn what_is_dangerous_is_never_remembered_and_yolo_asks_too() {
    let options = Options {
        approval: ApprovalMode::Yolo,
        asks: true,
        ..Options::default()
    };
    let replies = vec![write(".git/hooks/pre-commit", "x")];
    let mut bench = Bench::with(Project::new(), replies, options);
    bench.submit("go").await;
    let question = bench.question().await;
    assert!(question.dangerous);
    assert_eq!(question.always, []);
    bench.decide(&question, Decision::Refuse).await;
    bench.finish().await;
    assert!(!bench.project.exists(".git/hooks/pre-commit"));
}
