//! Gemini's requests, and what only Gemini does.

use pollux_model::{Delta, Endpoint, ErrorKind, Gemini, Key, ModelInfo};
use pollux_testkit::{HttpReply, ModelServer, Protocol, Turn};
use pollux_types::{CallId, FinishReason, FunctionCall, FunctionResponse, Message, Part, Response};
use serde_json::json;

use super::support::{ask, model, model_at, say_hi, spread};

fn conversation() -> Vec<Message> {
    vec![
        Message::user(vec![Part::text("read a")]),
        Message::model(vec![
            Part::Thought {
                text: "hm".into(),
                signature: None,
            },
            Part::Thought {
                text: String::new(),
                signature: Some("s0".into()),
            },
            Part::text("ok"),
            Part::FunctionCall(FunctionCall {
                id: CallId::new("c1"),
                name: "read_file".into(),
                args: json!({"file_path": "a"}).as_object().unwrap().clone(),
                signature: Some("s1".into()),
            }),
        ]),
        Message::user(vec![Part::FunctionResponse(FunctionResponse {
            id: CallId::new("c1"),
            name: "read_file".into(),
            response: Response::Output("text".into()),
        })]),
        Message::user(vec![Part::text("go on")]),
    ]
}

#[tokio::test]
async fn the_request_is_what_the_api_wants() {
    let server = ModelServer::speaking(Protocol::Gemini, [Turn::text(["ok"])]);
    ask(&*model(&server, Protocol::Gemini), &conversation()).await;
    let requests = server.requests();
    let request = &requests[0];
    assert_eq!(request.method, "POST");
    assert_eq!(
        request.path,
        "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse"
    );
    assert_eq!(request.header("x-goog-api-key"), Some("the-key"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    insta::assert_snapshot!(spread(&request.json()), @r#"
    systemInstruction: {"parts":[{"text":"Be brief."}]}
    tools:
      {"functionDeclarations":[{"name":"read_file","description":"Reads a file.","parametersJsonSchema":{"type":"object","properties":{"file_path":{"type":"string"}}}}]}
    generationConfig: {"thinkingConfig":{"includeThoughts":true}}
    contents:
      {"role":"user","parts":[{"text":"read a"}]}
      {"role":"model","parts":[{"text":"","thoughtSignature":"s0"},{"text":"ok"},{"functionCall":{"id":"c1","name":"read_file","args":{"file_path":"a"}},"thoughtSignature":"s1"}]}
      {"role":"user","parts":[{"functionResponse":{"id":"c1","name":"read_file","response":{"output":"text"}}},{"text":"go on"}]}
    "#);
}

#[tokio::test]
async fn signatures_come_with_their_parts() {
    let turn = Turn::call("read_file", json!({"file_path": "a"})).signed("sig");
    let server = ModelServer::speaking(Protocol::Gemini, [turn]);
    let (deltas, _) = say_hi(&*model(&server, Protocol::Gemini)).await;
    let signature = deltas.iter().find_map(|delta| match delta {
        Delta::Call(call) => call.signature.clone(),
        _ => None,
    });
    assert_eq!(signature.as_deref(), Some("sig"));
}

#[tokio::test]
async fn a_blocked_prompt_says_so() {
    let event = json!({"promptFeedback": {"blockReason": "SAFETY"}});
    let server = ModelServer::start(vec![HttpReply::sse().event(event)]);
    let (_, error) = say_hi(&*model(&server, Protocol::Gemini)).await;
    let error = error.unwrap();
    assert_eq!(error.kind, ErrorKind::Blocked);
    assert_eq!(error.message, "the prompt was blocked (SAFETY)");
}

#[tokio::test]
async fn an_array_instead_of_a_stream_is_read() {
    let chunk = |text: &str, finish: Option<&str>| json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": finish}]});
    let body = json!([chunk("a", None), chunk("b", Some("STOP"))]);
    let server = ModelServer::start(vec![HttpReply::json(200, body)]);
    let (deltas, error) = say_hi(&*model(&server, Protocol::Gemini)).await;
    assert_eq!(error, None);
    assert_eq!(deltas[0], Delta::Text("ab".into()));
}

#[tokio::test]
async fn a_withheld_reply_says_why() {
    let reply = |text: &str| {
        let content = json!({"parts": [{"text": text}]});
        let event = json!({"candidates": [{"content": content, "finishReason": "RECITATION"}]});
        HttpReply::sse().event(event)
    };
    let server = ModelServer::start(vec![reply("Once upon"), reply("")]);
    let model = model(&server, Protocol::Gemini);
    let (deltas, _) = say_hi(&*model).await;
    let finish = Delta::Finish {
        reason: FinishReason::ContentFilter,
        detail: Some("RECITATION: it is too close to a source".into()),
    };
    assert_eq!(deltas.last(), Some(&finish));
    let (_, error) = say_hi(&*model).await;
    let words = "the reply was withheld (RECITATION: it is too close to a source)";
    assert_eq!(error.unwrap().message, words);
}

#[tokio::test]
async fn the_address_may_say_where_models_are() {
    let vertex = "/v1/projects/p/locations/l";
    for (base, path) in [
        ("/", "/v1beta/models/m"),
        ("/v1beta/", "/v1beta/models/m"),
        (
            vertex,
            "/v1/projects/p/locations/l/publishers/google/models/m",
        ),
        (
            &format!("{vertex}/publishers/google"),
            "/v1/projects/p/locations/l/publishers/google/models/m",
        ),
    ] {
        let server = ModelServer::speaking(Protocol::Gemini, [Turn::text(["ok"])]);
        let info = ModelInfo {
            provider: "test".into(),
            model: "m".into(),
        };
        let endpoint = Endpoint {
            key: Key::new("ya29.token"),
            ..Endpoint::new(info, format!("{}{base}", server.base_url()))
        };
        say_hi(&Gemini::new(endpoint).unwrap()).await;
        let request = &server.requests()[0];
        assert_eq!(
            request.path,
            format!("{path}:streamGenerateContent?alt=sse")
        );
        assert_eq!(request.header("authorization"), Some("Bearer ya29.token"));
        assert_eq!(request.header("x-goog-api-key"), None);
    }
}

#[tokio::test]
async fn vertex_is_not_sent_the_ids_it_refuses() {
    let server = ModelServer::speaking(Protocol::Gemini, [Turn::text(["ok"])]);
    let base = format!("{}/v1/projects/p/locations/l", server.base_url());
    ask(&*model_at(&base, Protocol::Gemini), &conversation()).await;
    let body = server.requests()[0].json();
    let parts = |content: usize| &body["contents"][content]["parts"];
    let call = json!({"name": "read_file", "args": {"file_path": "a"}});
    assert_eq!(parts(1)[2]["functionCall"], call);
    let response = json!({"name": "read_file", "response": {"output": "text"}});
    assert_eq!(parts(2)[0]["functionResponse"], response);
}

#[tokio::test]
async fn sources_are_told() {
    let citations = json!({"citations": [{"uri": "https://a", "title": "A"}, {"endIndex": 1}]});
    let older = json!({"citationSources": [{"uri": "https://b"}]});
    let chunk = |text: &str, metadata| json!({"candidates": [{"content": {"parts": [{"text": text}]}, "citationMetadata": metadata}]});
    let reply = HttpReply::sse()
        .event(chunk("a", citations))
        .event(chunk("b", older))
        .event(json!({"candidates": [{"finishReason": "STOP"}]}));
    let server = ModelServer::start(vec![reply]);
    let (deltas, _) = say_hi(&*model(&server, Protocol::Gemini)).await;
    let sources: Vec<_> = deltas
        .into_iter()
        .filter_map(|delta| match delta {
            Delta::Citation { title, uri } => Some((title, uri)),
            _ => None,
        })
        .collect();
    let a = (Some("A".to_owned()), "https://a".to_owned());
    assert_eq!(sources, [a, (None, "https://b".to_owned())]);
}

#[tokio::test]
async fn calls_that_another_model_made_pass_for_signed() {
    let call = |id: &str| {
        Part::FunctionCall(FunctionCall {
            id: CallId::new(id),
            name: "read_file".into(),
            args: serde_json::Map::new(),
            signature: None,
        })
    };
    let conversation = [Message::model(vec![call("a"), call("b")])];
    for (name, signature) in [
        ("gemini-3-pro", json!("skip_thought_signature_validator")),
        ("gemini-2.5-pro", json!(null)),
    ] {
        let server = ModelServer::speaking(Protocol::Gemini, [Turn::text(["ok"])]);
        let info = ModelInfo {
            provider: "test".into(),
            model: name.into(),
        };
        let model = Gemini::new(Endpoint::new(info, server.base_url())).unwrap();
        ask(&model, &conversation).await;
        let body = server.requests()[0].json();
        let parts = &body["contents"][0]["parts"];
        assert_eq!(parts[0]["thoughtSignature"], signature);
        assert_eq!(parts[1]["thoughtSignature"], json!(null));
    }
}
