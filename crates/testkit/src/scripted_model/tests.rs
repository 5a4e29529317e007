//! The scripted model as the agent sees it.

use pollux_types::{Part, ToolSpec};
use serde_json::json;

use std::sync::Arc;

use super::*;

fn ask(model: &ScriptedModel, text: &str) -> Reply {
    let message = Arc::new(Message::user(vec![Part::text(text)]));
    let tool = ToolSpec {
        name: "read_file".into(),
        description: "reads".into(),
        parameters: json!({}),
        ..ToolSpec::default()
    };
    model.reply(Request {
        system: "be brief",
        tools: &[tool],
        messages: vec![&message],
    })
}

fn ending(reason: FinishReason) -> [Result<Delta, ModelError>; 2] {
    let usage = Usage {
        input: 10,
        output: 5,
        ..Usage::default()
    };
    let detail = None;
    [
        Ok(Delta::Usage(usage)),
        Ok(Delta::Finish { reason, detail }),
    ]
}

#[tokio::test]
async fn replies_come_in_order_and_complete() {
    let model = ScriptedModel::new(vec![
        ScriptedReply::say("hello").and_think("hm"),
        ScriptedReply::call("glob", json!({"pattern": "*"})),
        ScriptedReply::say("x").and_call("glob", json!({})),
    ]);
    let first: Vec<_> = ask(&model, "1").collect().await;
    let thought = Delta::Thought {
        text: "hm".into(),
        signature: None,
    };
    assert_eq!(first[..2], [Ok(Delta::Text("hello".into())), Ok(thought)]);
    assert_eq!(first[2..], ending(FinishReason::Stop));

    let second: Vec<_> = ask(&model, "2").collect().await;
    let [Ok(Delta::Call(call)), end @ ..] = &second[..] else {
        panic!("{second:?}");
    };
    assert_eq!((call.id.as_str(), call.name.as_str()), ("call_1", "glob"));
    assert_eq!(json!(call.args), json!({"pattern": "*"}));
    assert_eq!(end, ending(FinishReason::ToolCalls));

    let third: Vec<_> = ask(&model, "3").collect().await;
    assert!(matches!(&third[1], Ok(Delta::Call(call)) if call.id.as_str() == "call_2"));
}

#[tokio::test]
async fn what_was_asked_is_recorded() {
    let model = ScriptedModel::new(vec![ScriptedReply::say("a")]);
    let reply = ask(&model.clone(), "hi");
    drop(reply);
    let asked = model.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].system, "be brief");
    assert_eq!(asked[0].tools, ["read_file"]);
    assert_eq!(asked[0].last().text(), "hi");
}

#[tokio::test]
async fn beyond_the_script_there_is_only_an_error() {
    let model = ScriptedModel::new(Vec::<ScriptedReply>::new());
    let got: Vec<_> = ask(&model, "hi").collect().await;
    assert_eq!(got, [Err(beyond(1))]);
    model.push(ScriptedReply::say("later"));
    assert_eq!(ask(&model, "hi").count().await, 3);
}

#[tokio::test]
async fn an_exact_reply_gets_nothing_added() {
    let error = ModelError::new(ErrorKind::StreamTruncated, "cut");
    let items = vec![Ok(Delta::Text("a".into())), Err(error.clone())];
    let failing = ScriptedReply::say("a").and_fail(error);
    let model = ScriptedModel::new(vec![items.clone().into(), failing]);
    assert_eq!(ask(&model, "1").collect::<Vec<_>>().await, items);
    assert_eq!(ask(&model, "2").collect::<Vec<_>>().await, items);
}

#[tokio::test]
async fn a_gate_holds_the_rest_back() {
    let gate = Gate::new();
    let model = ScriptedModel::new(vec![ScriptedReply::say("a").gate(&gate).and_say("b")]);
    let mut reply = ask(&model, "hi");
    assert_eq!(reply.next().await, Some(Ok(Delta::Text("a".into()))));
    assert!(futures_util::poll!(reply.next()).is_pending());
    gate.reached().await;
    gate.open();
    assert_eq!(reply.next().await, Some(Ok(Delta::Text("b".into()))));
}
