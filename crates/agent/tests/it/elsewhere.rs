//! Other models, other sessions, and how full a conversation is.

use pollux_model::Delta;
use pollux_store::Home;
use pollux_testkit::{Gate, Project, ScriptedModel, ScriptedReply};
use pollux_types::event::NoticeKind;
use pollux_types::{Command, Event, FinishReason, Part, PromptEnd, Usage};

use super::support::{Bench, Options, shown, stored, told};

fn with_other(replies: Vec<ScriptedReply>, other: &ScriptedModel) -> Bench {
    let options = Options {
        others: vec![other.clone()],
        ..Options::default()
    };
    Bench::with(Project::new(), replies, options)
}

fn other(replies: Vec<ScriptedReply>) -> ScriptedModel {
    ScriptedModel::new(replies).called("another", "big")
}

/// A reply, and what the server counts.
fn counted(text: &str, usage: Usage) -> ScriptedReply {
    ScriptedReply::exactly(vec![
        Ok(Delta::Text(text.into())),
        Ok(Delta::Usage(usage)),
        Ok(Delta::Finish {
            reason: FinishReason::Stop,
            detail: None,
        }),
    ])
}

/// The next news on how full it is.
async fn context(bench: &mut Bench) -> (usize, Option<usize>) {
    bench
        .wait_for(|event| match event {
            Event::Context { tokens, limit, .. } => Some((*tokens, *limit)),
            _ => None,
        })
        .await
}

#[tokio::test]
async fn another_model_goes_on_with_the_conversation() {
    let signed = Delta::Thought {
        text: "hm".into(),
        signature: Some("of the first".into()),
    };
    let other = other(vec![ScriptedReply::say("two")]);
    let mut bench = with_other(vec![ScriptedReply::say("one").and(signed)], &other);
    bench.ask("first").await;
    let choose = Command::UseModel("big".into());
    bench.commands.send(choose).await.unwrap();
    let (events, _) = bench.ask("second").await;
    insta::assert_snapshot!(told(&events), @r#"
    model big of another: as you asked
    started s########2
    content "two"
    finished Stop
    "#);
    let asked = other.asked();
    insta::assert_snapshot!(shown(&asked[0].messages), @r#"
    user: "first"
    model: "one" thought "hm"
    user: "second"
    "#);
    let signature = |part: &Part| {
        matches!(
            part,
            Part::Thought {
                signature: Some(_),
                ..
            }
        )
    };
    let parts = |messages: &[pollux_types::Message]| {
        let parts = messages.iter().flat_map(|message| message.parts.clone());
        parts.collect::<Vec<_>>()
    };
    assert!(!parts(&asked[0].messages).iter().any(signature));
    let project = bench.close().await;
    let home = Home::new(project.pollux_home());
    let found = pollux_store::find(&home, project.path(), "latest").unwrap();
    assert_eq!(found.header.answering.provider, "another");
    assert_eq!(found.header.answering.model, "big");
    let replay = pollux_store::replay(&found.path).unwrap();
    assert_eq!(replay.messages.len(), 4);
    assert!(!parts(&replay.messages).iter().any(signature));
}

#[tokio::test]
async fn what_cannot_be_done_changes_nothing() {
    let mut bench = Bench::new(Project::new(), vec![ScriptedReply::say("still me")]);
    for command in [
        Command::UseModel("none".into()),
        Command::Resume("nowhere".into()),
    ] {
        bench.commands.send(command).await.unwrap();
        let kind = bench.wait_for(|event| match event {
            Event::Notice { kind, .. } => Some(*kind),
            _ => None,
        });
        assert_eq!(kind.await, NoticeKind::NotDone);
    }
    let (_, end) = bench.ask("hello").await;
    assert_eq!(end, PromptEnd::Completed);
    assert_eq!(bench.model.asked().len(), 1);
    // A model that was chosen and never used leaves nothing behind.
    assert_eq!(
        stored(&bench.close().await),
        "user: \"hello\"\nmodel: \"still me\"\n"
    );
}

#[tokio::test]
async fn a_new_session_knows_nothing_and_an_old_one_all() {
    let replies = vec![ScriptedReply::say("one"), ScriptedReply::say("two")];
    let other = other(vec![ScriptedReply::say("three")]);
    let mut bench = with_other(replies, &other);
    bench.ask("first").await;
    bench.commands.send(Command::NewSession).await.unwrap();
    let (events, _) = bench.ask("second").await;
    insta::assert_snapshot!(told(&events), @r#"
    session new
    started new########1
    content "two"
    finished Stop
    "#);
    assert_eq!(bench.sent(1), "user: \"second\"\n");
    bench
        .commands
        .send(Command::Resume("s".into()))
        .await
        .unwrap();
    let (events, _) = bench.ask("third").await;
    insta::assert_snapshot!(told(&events), @r#"
    session s
      prompt "first"
      content "one"
    notice line 7 is lost
    started s########2
    content "three"
    finished Stop
    "#);
    insta::assert_snapshot!(shown(&other.asked()[0].messages), @r#"
    user: "first"
    model: "one"
    user: "third"
    "#);
    let project = bench.close().await;
    let mut found = pollux_store::list(&Home::new(project.pollux_home()), project.path())
        .unwrap()
        .into_iter();
    let first = found.find(|found| found.title == "first").unwrap();
    let messages = pollux_store::replay(&first.path).unwrap().messages;
    insta::assert_snapshot!(shown(&messages), @r#"
    user: "first"
    model: "one"
    user: "third"
    model: "three"
    "#);
}

#[tokio::test]
async fn leaving_waits_for_the_prompt_before_it() {
    let gate = Gate::new();
    let replies = vec![
        ScriptedReply::say("first").gate(&gate).and_say("."),
        ScriptedReply::say("second"),
    ];
    let mut bench = Bench::new(Project::new(), replies);
    bench.submit("one").await;
    bench
        .wait_for(|event| matches!(event, Event::Content { .. }).then_some(()))
        .await;
    bench.commands.send(Command::NewSession).await.unwrap();
    bench.submit("two").await;
    gate.open();
    let (events, _) = bench.finish().await;
    assert!(!told(&events).contains("session"), "{}", told(&events));
    let (events, _) = bench.finish().await;
    assert!(told(&events).starts_with("session new\nstarted new########1\n"));
}

#[tokio::test]
async fn how_full_it_is_comes_from_the_server_and_else_from_a_guess() {
    let other = other(vec![]);
    let usage = Usage {
        input: 5000,
        output: 100,
        ..Usage::default()
    };
    let replies = vec![
        counted("answer", usage),
        counted("uncounted", Usage::default()),
    ];
    let mut bench = with_other(replies, &other);
    let (empty, limit) = context(&mut bench).await;
    assert!(empty > 100 && empty < 5000, "{empty}");
    assert_eq!(limit, Some(100_000));
    bench.submit("hello").await;
    assert_eq!(context(&mut bench).await.0, 5100);
    bench.finish().await;
    // What comes on top is guessed.
    let command = Command::Run {
        command: "seq 1 100".into(),
        raw: "! seq 1 100".into(),
    };
    bench.commands.send(command).await.unwrap();
    let (tokens, _) = context(&mut bench).await;
    assert!((5150..5300).contains(&tokens), "{tokens}");
    bench.finish().await;
    bench.submit("more").await;
    let (more, _) = context(&mut bench).await;
    assert!((tokens + 1..tokens + 20).contains(&more), "{more}");
    bench.finish().await;
    bench.commands.send(Command::NewSession).await.unwrap();
    assert_eq!(context(&mut bench).await.0, empty);
}
