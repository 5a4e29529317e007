//! Ollama's own interface.

use pollux_model::{Delta, Endpoint, ErrorKind, ModelInfo, Ollama, OpenAi, Profile};
use pollux_testkit::{HttpReply, ModelServer, Protocol, Turn};
use pollux_types::{CallId, FunctionCall, FunctionResponse, Message, Part, Response};
use serde_json::json;

use super::support::{ask, model, say_hi};

#[tokio::test]
async fn the_request_is_what_the_api_wants() {
    let call = Part::FunctionCall(FunctionCall {
        id: CallId::new("call_1"),
        name: "read_file".into(),
        args: json!({"file_path": "a"}).as_object().unwrap().clone(),
        signature: None,
    });
    let thought = Part::Thought {
        text: "look".into(),
        signature: None,
    };
    let response = Part::FunctionResponse(FunctionResponse {
        id: CallId::new("call_1"),
        name: "read_file".into(),
        response: Response::Output("alpha".into()),
    });
    let conversation = [
        Message::user(vec![Part::text("read a")]),
        Message::model(vec![thought, call]),
        Message::user(vec![response]),
    ];
    let server = ModelServer::speaking(Protocol::Ollama, [Turn::text(["ok"])]);
    ask(&*model(&server, Protocol::Ollama), &conversation).await;
    let request = &server.requests()[0];
    assert_eq!(request.path, "/api/chat");
    insta::assert_snapshot!(request.text(), @r#"{"model":"gemini-2.5-pro","stream":true,"options":{"num_ctx":8192},"tools":[{"type":"function","function":{"name":"read_file","description":"Reads a file.","parameters":{"type":"object","properties":{"file_path":{"type":"string"}}}}}],"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"read a"},{"role":"assistant","content":"","thinking":"look","tool_calls":[{"function":{"name":"read_file","arguments":{"file_path":"a"}}}]},{"role":"tool","content":"alpha","tool_name":"read_file"}]}"#);
}

#[tokio::test]
async fn the_address_may_be_that_of_the_chat_completions() {
    let server = ModelServer::speaking(Protocol::Ollama, [Turn::text(["ok"])]);
    let info = ModelInfo {
        provider: "test".into(),
        model: "qwen3".into(),
    };
    let endpoint = Endpoint {
        no_think: Some(Endpoint::NO_THINK.into()),
        ..Endpoint::new(info, format!("{}/v1/", server.base_url()))
    };
    say_hi(&Ollama::new(endpoint, 4096).unwrap()).await;
    let request = &server.requests()[0];
    assert_eq!(request.path, "/api/chat");
    assert_eq!(request.json()["think"], false);
    assert_eq!(request.json()["options"]["num_ctx"], 4096);
}

#[tokio::test]
async fn either_interface_is_found_by_the_address_of_the_other() {
    for base in ["", "/v1", "/v1/chat/completions", "/api/chat"] {
        let server = ModelServer::start(vec![
            Turn::text(["ok"]).reply(Protocol::Ollama),
            Turn::text(["ok"]).openai(),
        ]);
        let info = ModelInfo {
            provider: "test".into(),
            model: "qwen3".into(),
        };
        let endpoint = Endpoint::new(info, format!("{}{base}", server.base_url()));
        say_hi(&Ollama::new(endpoint.clone(), 4096).unwrap()).await;
        let profile = Profile::named("ollama").unwrap();
        say_hi(&OpenAi::new(endpoint, profile).unwrap()).await;
        let requests = server.requests();
        let paths: Vec<&str> = requests.iter().map(|asked| asked.path.as_str()).collect();
        assert_eq!(paths, ["/api/chat", "/v1/chat/completions"], "{base}");
    }
}

#[tokio::test]
async fn lines_may_be_cut_anywhere() {
    let turn = || Turn::text_then_calls("Löök", [("read_file", json!({"file_path": "ä"}))]);
    let whole = ModelServer::speaking(Protocol::Ollama, [turn()]);
    let whole = say_hi(&*model(&whole, Protocol::Ollama)).await;
    assert!(whole.0.iter().any(|delta| matches!(delta, Delta::Call(_))));
    for size in [1, 2, 3, 7] {
        let cut = ModelServer::start(vec![turn().reply(Protocol::Ollama).rechunk(size)]);
        assert_eq!(say_hi(&*model(&cut, Protocol::Ollama)).await, whole);
    }
}

#[tokio::test]
async fn an_error_may_come_in_mid_reply() {
    let reply = HttpReply::status(200)
        .chunk("{\"message\":{\"content\":\"a\"},\"done\":false}\n")
        .chunk("{\"error\":\"the runner has died\"}\n");
    let server = ModelServer::start(vec![reply]);
    let (_, error) = say_hi(&*model(&server, Protocol::Ollama)).await;
    let error = error.unwrap();
    assert_eq!(error.kind, ErrorKind::ProviderError);
    assert_eq!(error.message, "the runner has died");
}
