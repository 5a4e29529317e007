//! What is written down for the model.

use std::sync::atomic::Ordering;

use pollux_testkit::{Project, ScriptedModel, ScriptedReply};
use pollux_types::event::NoticeKind;
use pollux_types::{ApprovalMode, Command, Decision, Event, PromptEnd};
use serde_json::json;

use super::support::{Bench, Options};

fn replies(count: usize) -> Vec<ScriptedReply> {
    (0..count).map(|_| ScriptedReply::say("ok")).collect()
}

/// The next word on memory.
async fn note(bench: &mut Bench) -> String {
    bench
        .wait_for(|event| match event {
            Event::Notice {
                kind: NoticeKind::Memory,
                message,
            } => Some(message.clone()),
            _ => None,
        })
        .await
}

fn systems(bench: &Bench) -> Vec<String> {
    let asked = bench.model.asked();
    asked.into_iter().map(|asked| asked.system).collect()
}

#[tokio::test]
async fn it_is_read_again_when_somebody_says_so_and_for_a_new_session() {
    let project = Project::new().file("AGENTS.md", "one");
    let mut bench = Bench::new(project, replies(4));
    bench.ask("first").await;
    bench.ask("second").await;
    bench.commands.send(Command::ReadMemory).await.unwrap();
    let told = note(&mut bench).await;
    assert_eq!(told, "memory is read again: about 2 tokens");
    bench.ask("third").await;
    bench.project.write("AGENTS.md", "two");
    bench.commands.send(Command::NewSession).await.unwrap();
    bench.ask("fourth").await;
    assert_eq!(
        systems(&bench),
        ["system", "system", "system; one", "system; two"]
    );
    bench.project.write("AGENTS.md", "");
    bench.commands.send(Command::ReadMemory).await.unwrap();
    assert_eq!(
        note(&mut bench).await,
        "memory is read again: there is none"
    );
}

#[tokio::test]
async fn what_is_wrong_with_it_is_told() {
    let project = Project::new().dir("AGENTS.md");
    let mut bench = Bench::new(project, replies(0));
    bench.commands.send(Command::NewSession).await.unwrap();
    let told = note(&mut bench).await;
    assert!(told.ends_with("AGENTS.md: it is no file"), "{told}");
}

#[tokio::test]
async fn a_session_that_is_gone_back_to_has_memory_as_it_is_now() {
    let project = Project::new();
    let other = ScriptedModel::new(replies(2)).called("another", "big");
    let options = Options {
        others: vec![other.clone()],
        ..Options::default()
    };
    let mut bench = Bench::with(project, replies(2), options);
    bench.ask("first").await;
    bench.commands.send(Command::NewSession).await.unwrap();
    bench.ask("second").await;
    bench.project.write("AGENTS.md", "now");
    let back = Command::Resume("s".into());
    bench.commands.send(back).await.unwrap();
    bench.ask("third").await;
    assert_eq!(other.asked()[0].system, "system; now");
}

#[tokio::test]
async fn s2_40_what_is_remembered_is_known_once_it_is_written() {
    let fact = |fact: &str| json!({"fact": fact});
    let turns = vec![
        ScriptedReply::call("save_memory", fact("One.")).and_call("save_memory", fact("Two.")),
        ScriptedReply::call("list_directory", json!({"dir_path": "."})),
        ScriptedReply::call("save_memory", fact("Three.")),
        ScriptedReply::call("save_memory", fact("")),
        ScriptedReply::say("ok"),
    ];
    let mut bench = Bench::new(Project::new(), turns);
    let (_, end) = bench.ask("remember").await;
    assert_eq!(end, PromptEnd::Completed);
    let facts: Vec<usize> = systems(&bench)
        .iter()
        .map(|system| system.matches("\n- ").count())
        .collect();
    assert_eq!(facts, [0, 2, 2, 3, 3]);
    // Each call that succeeded is followed by one look at the files, and nothing else is.
    assert_eq!(bench.memory_reads.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn a_person_sees_what_is_to_be_remembered_before_it_is() {
    let options = || Options {
        approval: ApprovalMode::Default,
        asks: true,
        ..Options::default()
    };
    for (decision, wanted) in [(Decision::Approve, 1), (Decision::Refuse, 0)] {
        let turns = vec![
            ScriptedReply::call("save_memory", json!({"fact": "Use tabs."})),
            ScriptedReply::say("ok"),
        ];
        let mut bench = Bench::with(Project::new(), turns, options());
        bench.submit("remember").await;
        let request = bench.question().await;
        let shown = format!("{:?}", request.proposal);
        assert!(shown.contains("+- Use tabs."), "{shown}");
        bench.decide(&request, decision).await;
        bench.finish().await;
        assert_eq!(bench.memory_reads.load(Ordering::Relaxed), wanted);
        assert_eq!(bench.project.exists("POLLUX.md"), wanted == 1);
    }
}
