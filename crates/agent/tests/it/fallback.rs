//! Models that stand in for one that fails.

use pollux_model::{Delta, ErrorKind, ModelError};
use pollux_testkit::{Project, ScriptedModel, ScriptedReply};
use pollux_types::{FinishReason, Message, Part, PromptEnd};
use serde_json::json;

use super::support::{Bench, Options, stored_messages, told};

fn fail(kind: ErrorKind) -> ScriptedReply {
    ScriptedReply::fail(ModelError::new(kind, "no luck"))
}

fn stand_in(provider: &str, replies: Vec<ScriptedReply>) -> ScriptedModel {
    ScriptedModel::new(replies).called(provider, "spare")
}

fn bench(replies: Vec<ScriptedReply>, fallback: Vec<ScriptedModel>) -> Bench {
    let options = Options {
        attempts: 2,
        fallback,
        ..Options::default()
    };
    Bench::with(Project::new(), replies, options)
}

#[tokio::test(start_paused = true)]
async fn another_model_goes_on_and_the_first_is_tried_again_with_the_next_prompt() {
    let half = ScriptedReply::say("half").and_fail(ModelError::new(ErrorKind::Overloaded, "busy"));
    let replies = vec![
        fail(ErrorKind::Overloaded),
        half,
        ScriptedReply::say("back"),
    ];
    let spare = stand_in("other", vec![ScriptedReply::say("whole")]);
    let mut bench = bench(replies, vec![spare.clone()]);
    let (events, end) = bench.ask("go").await;
    assert_eq!(end, PromptEnd::Completed);
    insta::assert_snapshot!(told(&events), @r#"
    started s########1
    retry 2 of 2 in 1s: no luck
    content "half"
    model spare of other: busy
    content "whole"
    finished Stop
    "#);
    let (events, _) = bench.ask("on").await;
    insta::assert_snapshot!(told(&events), @r#"
    started s########2
    model scripted-model of scripted: what was wrong with it may have passed
    content "back"
    finished Stop
    "#);
    assert_eq!(
        bench.sent(2),
        "user: \"go\"\nmodel: \"whole\"\nuser: \"on\"\n"
    );
    assert_eq!(spare.asked().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_spent_quota_holds_for_the_session() {
    let replies = vec![fail(ErrorKind::QuotaExhausted)];
    let spare = stand_in(
        "other",
        vec![ScriptedReply::say("one"), ScriptedReply::say("two")],
    );
    let mut bench = bench(replies, vec![spare]);
    bench.ask("go").await;
    let (events, _) = bench.ask("on").await;
    insta::assert_snapshot!(told(&events), @r#"
    started s########2
    content "two"
    finished Stop
    "#);
    assert_eq!(bench.model.asked().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn each_model_has_its_own_attempts_and_the_last_failure_is_told() {
    let spare = |name| {
        stand_in(
            name,
            vec![fail(ErrorKind::Unreachable), fail(ErrorKind::Auth)],
        )
    };
    let spares = vec![spare("a"), spare("b")];
    let replies = vec![fail(ErrorKind::Overloaded), fail(ErrorKind::Overloaded)];
    let mut bench = bench(replies, spares.clone());
    let (_, end) = bench.ask("go").await;
    let PromptEnd::Error(failure) = end else {
        panic!("{end:?}")
    };
    assert_eq!(failure.kind, pollux_types::event::FailureKind::Auth);
    assert_eq!(bench.model.asked().len(), 2);
    assert!(spares.iter().all(|spare| spare.asked().len() == 2));
}

/// A call that the provider has signed.
fn signed_call() -> ScriptedReply {
    let call = json!({"id": "c1", "name": "list_directory", "args": {"dir_path": "."},
                      "signature": "signed"});
    ScriptedReply::exactly(vec![
        Ok(Delta::Call(serde_json::from_value(call).unwrap())),
        Ok(Delta::Finish {
            reason: FinishReason::ToolCalls,
            detail: None,
        }),
    ])
}

fn signatures(messages: &[Message]) -> Vec<Option<String>> {
    let parts = messages.iter().flat_map(|message| &message.parts);
    parts
        .filter_map(|part| match part {
            Part::FunctionCall(call) => Some(call.signature.clone()),
            _ => None,
        })
        .collect()
}

#[tokio::test(start_paused = true)]
async fn what_one_provider_has_signed_is_not_sent_to_another() {
    let signed = || Some("signed".to_owned());
    let replies = vec![signed_call(), fail(ErrorKind::QuotaExhausted)];
    let sister = stand_in("scripted", vec![fail(ErrorKind::QuotaExhausted)]);
    let other = stand_in("other", vec![signed_call(), ScriptedReply::say("done")]);
    let mut bench = bench(replies, vec![sister.clone(), other.clone()]);
    let (_, end) = bench.ask("go").await;
    assert_eq!(end, PromptEnd::Completed);
    assert_eq!(signatures(&sister.asked()[0].messages), [signed()]);
    assert_eq!(signatures(&other.asked()[0].messages), [None]);
    assert_eq!(signatures(&other.asked()[1].messages), [None, signed()]);
    // The log is resumed with the provider that was chosen.
    let project = bench.close().await;
    assert_eq!(signatures(&stored_messages(&project)), [signed(), None]);
}
