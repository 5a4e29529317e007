//! Anthropic's requests, and what only Anthropic does.

use pollux_model::{Delta, ErrorKind};
use pollux_testkit::{HttpReply, ModelServer, Protocol, Turn};
use pollux_types::{CallId, FunctionCall, FunctionResponse, Message, Part, Response};
use serde_json::json;

use super::support::{ask, model, say_hi, spread};

#[tokio::test]
async fn the_request_is_what_the_api_wants() {
    let response = |id: &str, response| {
        Part::FunctionResponse(FunctionResponse {
            id: CallId::new(id),
            name: "read_file".into(),
            response,
        })
    };
    let conversation = [
        Message::user(vec![Part::text("read a")]),
        Message::model(vec![
            Part::Thought {
                text: "hm".into(),
                signature: Some("sig".into()),
            },
            Part::Thought {
                text: "unsigned".into(),
                signature: None,
            },
            Part::text(" "),
            Part::FunctionCall(FunctionCall {
                id: CallId::new("a"),
                name: "read_file".into(),
                args: json!({"file_path": "a"}).as_object().unwrap().clone(),
                signature: None,
            }),
        ]),
        Message::user(vec![response("a", Response::Error("no such file".into()))]),
        Message::user(vec![Part::text("go on")]),
    ];
    let server = ModelServer::speaking(Protocol::Anthropic, [Turn::text(["ok"])]);
    ask(&*model(&server, Protocol::Anthropic), &conversation).await;
    let requests = server.requests();
    assert_eq!(requests[0].path, "/v1/messages");
    assert_eq!(requests[0].header("x-api-key"), Some("the-key"));
    assert_eq!(requests[0].header("anthropic-version"), Some("2023-06-01"));
    insta::assert_snapshot!(spread(&requests[0].json()), @r#"
    model: "gemini-2.5-pro"
    max_tokens: 32000
    stream: true
    tools:
      {"name":"read_file","description":"Reads a file.","input_schema":{"type":"object","properties":{"file_path":{"type":"string"}}}}
    system:
      {"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}
    messages:
      {"role":"user","content":[{"type":"text","text":"read a"}]}
      {"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sig"},{"type":"tool_use","id":"a","name":"read_file","input":{"file_path":"a"}}]}
      {"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"no such file","is_error":true},{"type":"text","text":"go on","cache_control":{"type":"ephemeral"}}]}
    "#);
}

#[tokio::test]
async fn thoughts_come_with_their_signature() {
    let turn = Turn::new().thought("hm").signed("sig").and_text("ok");
    let server = ModelServer::speaking(Protocol::Anthropic, [turn]);
    let (deltas, _) = say_hi(&*model(&server, Protocol::Anthropic)).await;
    assert!(deltas.contains(&Delta::Thought {
        text: "hm".into(),
        signature: None
    }));
    assert!(deltas.contains(&Delta::Thought {
        text: String::new(),
        signature: Some("sig".into())
    }));
}

#[tokio::test]
async fn overload_is_told_apart_inside_a_stream() {
    let event = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Busy"}});
    let server = ModelServer::start(vec![HttpReply::sse().event(event)]);
    let (_, error) = say_hi(&*model(&server, Protocol::Anthropic)).await;
    assert_eq!(error.unwrap().kind, ErrorKind::Overloaded);
}

#[tokio::test]
async fn a_cache_hit_is_counted() {
    let usage = pollux_types::Usage {
        input: 100,
        output: 7,
        cached: 80,
        thoughts: 0,
    };
    let turn = Turn::text(["ok"]).usage_in_full(usage);
    let server = ModelServer::speaking(Protocol::Anthropic, [turn]);
    let (deltas, _) = say_hi(&*model(&server, Protocol::Anthropic)).await;
    assert!(deltas.contains(&Delta::Usage(usage)), "{deltas:?}");
}
