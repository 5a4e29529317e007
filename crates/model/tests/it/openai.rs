//! Chat completions, and what their servers do differently.

use pollux_model::{Delta, Endpoint, ErrorKind, ModelInfo, OpenAi, Profile};
use pollux_testkit::{HttpReply, ModelServer, Protocol, Turn};
use pollux_types::{CallId, FinishReason, FunctionCall, FunctionResponse, Message, Part, Response};
use serde_json::{Value, json};

use super::support::{ask, model, say_hi, spread};

#[tokio::test]
async fn the_request_is_what_the_api_wants() {
    let call = |id: &str| {
        Part::FunctionCall(FunctionCall {
            id: CallId::new(id),
            name: "read_file".into(),
            args: json!({"file_path": id}).as_object().unwrap().clone(),
            signature: Some("not for this provider".into()),
        })
    };
    let response = |id: &str, response| {
        Part::FunctionResponse(FunctionResponse {
            id: CallId::new(id),
            name: "read_file".into(),
            response,
        })
    };
    let conversation = [
        Message::user(vec![Part::text("read a "), Part::text("and b")]),
        Message::model(vec![
            Part::Thought {
                text: "hm".into(),
                signature: None,
            },
            call("a"),
            call("b"),
        ]),
        Message::user(vec![
            response("a", Response::Output("text \"a\"\n".into())),
            response("b", Response::Error("no such file".into())),
            Part::text("go on"),
        ]),
        Message::model(vec![Part::text("done")]),
    ];
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["ok"])]);
    ask(&*model(&server, Protocol::OpenAi), &conversation).await;
    let requests = server.requests();
    assert_eq!(requests[0].path, "/chat/completions");
    assert_eq!(requests[0].header("authorization"), Some("Bearer the-key"));
    insta::assert_snapshot!(spread(&requests[0].json()), @r#"
    model: "gemini-2.5-pro"
    stream: true
    stream_options: {"include_usage":true}
    tools:
      {"type":"function","function":{"name":"read_file","description":"Reads a file.","parameters":{"type":"object","properties":{"file_path":{"type":"string"}}}}}
    messages:
      {"role":"system","content":"Be brief."}
      {"role":"user","content":"read a and b"}
      {"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"read_file","arguments":"{\"file_path\":\"a\"}"}},{"id":"b","type":"function","function":{"name":"read_file","arguments":"{\"file_path\":\"b\"}"}}]}
      {"role":"tool","tool_call_id":"a","content":"{\"output\":\"text \\\"a\\\"\\n\"}"}
      {"role":"tool","tool_call_id":"b","content":"{\"error\":\"no such file\"}"}
      {"role":"user","content":"go on"}
      {"role":"assistant","content":"done"}
    "#);
}

/// What a server that sends these deltas is understood to say.
async fn understood(deltas: &[Value]) -> Vec<String> {
    let mut reply = HttpReply::sse();
    for delta in deltas {
        reply = reply.event(json!({"choices": [{"index": 0, "delta": delta}]}));
    }
    reply = reply.event(json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}));
    let server = ModelServer::start(vec![reply.chunk("data: [DONE]\n\n")]);
    let (deltas, error) = say_hi(&*model(&server, Protocol::OpenAi)).await;
    let shown = deltas.into_iter().map(|delta| match delta {
        Delta::Text(text) => format!("text {text}"),
        Delta::Thought { text, .. } => format!("thought {text}"),
        Delta::Call(call) => format!("{} {}({})", call.id, call.name, Value::Object(call.args)),
        Delta::BrokenCall { call, problem } => format!("{} is broken: {problem}", call.name),
        Delta::Finish { reason, .. } => format!("{reason:?}"),
        other => format!("{other:?}"),
    });
    shown
        .chain(error.map(|error| format!("{:?}", error.kind)))
        .collect()
}

fn fragment(index: Option<u64>, id: Option<&str>, name: Option<&str>, args: &Value) -> Value {
    let mut call = json!({"function": {"name": name, "arguments": args}});
    if let Some(index) = index {
        call["index"] = index.into();
    }
    if let Some(id) = id {
        call["id"] = id.into();
    }
    json!({"tool_calls": [call]})
}

#[tokio::test]
async fn fragments_without_an_index_find_their_call() {
    let said = understood(&[
        fragment(None, Some("x"), Some("grep"), &json!("{\"a\":")),
        fragment(None, None, None, &json!("1}")),
        fragment(None, Some("y"), Some("read"), &json!("{}")),
    ])
    .await;
    assert_eq!(said, ["x grep({\"a\":1})", "y read({})", "ToolCalls"]);
}

#[tokio::test]
async fn an_index_that_is_always_zero_does_not_merge_calls() {
    let said = understood(&[
        fragment(Some(0), Some("x"), Some("grep"), &json!("{}")),
        fragment(Some(0), Some("y"), Some("read"), &json!("{}")),
    ])
    .await;
    assert_eq!(said, ["x grep({})", "y read({})", "ToolCalls"]);
}

#[tokio::test]
async fn a_call_sent_again_runs_once() {
    let call = fragment(
        Some(0),
        Some("x"),
        Some("shell"),
        &json!("{\"command\":\"ls\"}"),
    );
    assert_eq!(
        understood(&[call.clone(), call]).await,
        ["x shell({\"command\":\"ls\"})", "ToolCalls"]
    );
}

#[tokio::test]
async fn arguments_come_in_many_forms() {
    for (arguments, args) in [
        (json!({"a": 1}), r#"{"a":1}"#),
        (json!(""), "{}"),
        (json!(null), "{}"),
        (json!("\"{\\\"a\\\":1}\""), r#"{"a":1}"#),
    ] {
        let said = understood(&[fragment(Some(0), Some("x"), Some("t"), &arguments)]).await;
        assert_eq!(said[0], format!("x t({args})"));
    }
}

#[tokio::test]
async fn broken_arguments_are_reported_and_never_repaired() {
    let said = understood(&[
        fragment(Some(0), Some("x"), Some("t"), &json!("{\"a\": ")),
        fragment(Some(1), Some("y"), Some("t"), &json!("{}")),
    ])
    .await;
    assert!(
        said[0].starts_with("t is broken: not valid JSON"),
        "{said:?}"
    );
    assert_eq!(said[1..], ["y t({})", "ToolCalls"]);
}

#[tokio::test]
async fn thoughts_are_counted_once() {
    let said = understood(&[
        json!({"reasoning_content": "hm", "reasoning": "hm"}),
        json!({"content": "ok"}),
    ])
    .await;
    assert_eq!(said, ["thought hm", "text ok", "Stop"]);
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_understood() {
    let body = json!({
        "choices": [{"message": {"role": "assistant", "content": "hi"}, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 1},
    });
    let server = ModelServer::start(vec![HttpReply::json(200, body)]);
    let (deltas, error) = say_hi(&*model(&server, Protocol::OpenAi)).await;
    assert_eq!(error, None);
    assert!(deltas.contains(&Delta::Text("hi".into())));
    assert_eq!(
        deltas.last(),
        Some(&Delta::Finish {
            reason: FinishReason::Length,
            detail: None
        })
    );
}

#[tokio::test]
async fn a_model_can_be_told_not_to_think() {
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["ok"])]);
    let info = ModelInfo {
        provider: "test".into(),
        model: "QwQ-32B".into(),
    };
    let endpoint = Endpoint {
        no_think: Some(Endpoint::NO_THINK.into()),
        ..Endpoint::new(info, server.base_url())
    };
    let model = OpenAi::new(endpoint, Profile::PLAIN).unwrap();
    say_hi(&model).await;
    let body = server.requests()[0].json();
    assert_eq!(body["messages"][1]["content"], "<no_think>\n\nhi");
    assert!(Endpoint::heeds_no_think("QwQ-32B") && Endpoint::heeds_no_think("my/Qwen3"));
    assert!(!Endpoint::heeds_no_think("gpt-5"));
}

/// A call that looks whole, and why the reply ended.
fn call_and(finish: &str) -> HttpReply {
    let call = json!({"index": 0, "id": "c", "function": {"name": "read_file", "arguments": "{}"}});
    let delta = json!({"content": "I will.", "tool_calls": [call]});
    let choice =
        |delta, finish| json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    HttpReply::sse()
        .event(choice(delta, Value::Null))
        .event(choice(json!({}), finish.into()))
}

#[tokio::test]
async fn a_reply_that_the_server_gave_up_on_gives_no_calls() {
    for (finish, kind) in [
        ("insufficient_system_resource", ErrorKind::Overloaded),
        ("error", ErrorKind::ProviderError),
        ("abort", ErrorKind::ProviderError),
        ("cancelled", ErrorKind::ProviderError),
    ] {
        let server = ModelServer::start(vec![call_and(finish)]);
        let (deltas, error) = say_hi(&*model(&server, Protocol::OpenAi)).await;
        assert_eq!(error.unwrap().kind, kind, "{finish}");
        assert_eq!(deltas, [Delta::Text("I will.".into())]);
    }
    let server = ModelServer::start(vec![call_and("whatever")]);
    let (deltas, error) = say_hi(&*model(&server, Protocol::OpenAi)).await;
    assert_eq!(error, None);
    assert!(deltas.iter().any(|delta| matches!(delta, Delta::Call(_))));
}
