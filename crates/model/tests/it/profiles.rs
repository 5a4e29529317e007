//! What servers that speak chat completions want beside the protocol.

use pollux_model::{Delta, Endpoint, ModelInfo, OpenAi, Profile};
use pollux_testkit::{HttpReply, ModelServer, Protocol, Turn};
use pollux_types::{CallId, FunctionCall, FunctionResponse, Message, Part, Response};
use serde_json::{Value, json};

use super::support::{ask, say_hi};

fn model(server: &ModelServer, profile: &str) -> OpenAi {
    let info = ModelInfo {
        provider: "test".into(),
        model: "m".into(),
    };
    let profile = Profile::named(profile).unwrap();
    OpenAi::new(Endpoint::new(info, server.base_url()), profile).unwrap()
}

fn call(id: &str) -> Part {
    Part::FunctionCall(FunctionCall {
        id: CallId::new(id),
        name: "read_file".into(),
        args: serde_json::Map::new(),
        signature: None,
    })
}

fn thought(text: &str, signature: Option<&str>) -> Part {
    Part::Thought {
        text: text.into(),
        signature: signature.map(str::to_owned),
    }
}

/// What is sent of this conversation.
async fn sent(profile: &str, conversation: &[Message]) -> Value {
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["ok"])]);
    ask(&model(&server, profile), conversation).await;
    server.requests()[0].json()
}

#[tokio::test]
async fn thoughts_go_back_where_they_are_wanted() {
    let details = r#"[{"type":"reasoning.encrypted","data":"x"}]"#;
    let conversation = [
        Message::model(vec![thought("why", Some(details)), call("a")]),
        Message::model(vec![call("b")]),
        Message::model(vec![thought("so", None), Part::text("answer")]),
    ];
    let plain = sent("plain", &conversation).await;
    let deepseek = sent("deepseek", &conversation).await;
    let openrouter = sent("openrouter", &conversation).await;
    for at in 1..=3 {
        let message = &plain["messages"][at];
        assert!(
            message.get("reasoning_content").is_none()
                && message.get("reasoning_details").is_none()
        );
    }
    assert_eq!(deepseek["messages"][1]["reasoning_content"], "why");
    assert_eq!(deepseek["messages"][2]["reasoning_content"], "");
    assert_eq!(deepseek["messages"][3].get("reasoning_content"), None);
    assert_eq!(
        openrouter["messages"][1]["reasoning_details"][0]["data"],
        "x"
    );
    assert_eq!(openrouter["messages"][2].get("reasoning_details"), None);
}

#[tokio::test]
async fn details_are_kept_as_they_came() {
    let delta = |delta: Value| json!({"choices": [{"index": 0, "delta": delta}]});
    let detail = |text: &str| json!([{"type": "reasoning.text", "index": 0, "text": text}]);
    let reply = HttpReply::sse()
        .event(delta(
            json!({"reasoning": "I ", "reasoning_details": detail("I ")}),
        ))
        .event(delta(
            json!({"reasoning": "see", "reasoning_details": detail("see")}),
        ))
        .event(delta(json!({"content": "ok"})))
        .event(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}));
    let server = ModelServer::start(vec![reply]);
    let (deltas, _) = say_hi(&model(&server, "openrouter")).await;
    let signatures: Vec<&str> = deltas
        .iter()
        .filter_map(|delta| match delta {
            Delta::Thought { signature, .. } => signature.as_deref(),
            _ => None,
        })
        .collect();
    assert_eq!(
        signatures,
        [r#"[{"type":"reasoning.text","index":0,"text":"I see"}]"#]
    );
}

#[tokio::test]
async fn ids_are_short_where_they_must_be() {
    let result = |id: &str| {
        Part::FunctionResponse(FunctionResponse {
            id: CallId::new(id),
            name: "read_file".into(),
            response: Response::Output("alpha".into()),
        })
    };
    let conversation = [
        Message::model(vec![call("call_1"), call("aB3456789")]),
        Message::user(vec![result("call_1"), result("aB3456789")]),
    ];
    let body = sent("mistral", &conversation).await;
    let messages = &body["messages"];
    let id = messages[1]["tool_calls"][0]["id"].as_str().unwrap();
    assert!(
        id.len() == 9 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()),
        "{id}"
    );
    assert_eq!(messages[2]["tool_call_id"], id);
    assert_eq!(messages[1]["tool_calls"][1]["id"], "aB3456789");
    assert_eq!(body.get("stream_options"), None);
    let plain = sent("plain", &conversation).await;
    assert_eq!(plain["messages"][2]["tool_call_id"], "call_1");
    assert_eq!(plain["stream_options"]["include_usage"], true);
}

#[tokio::test]
async fn usage_is_found_wherever_a_server_puts_it() {
    let end =
        json!({"choices": [{"index": 0, "delta": {"content": "ok"}, "finish_reason": "stop"}]});
    let with = |key: &str, usage: Value| {
        let mut event = end.clone();
        event[key] = usage;
        HttpReply::sse().event(event)
    };
    let counts = json!({"prompt_tokens": 7, "completion_tokens": 2, "prompt_cache_hit_tokens": 5});
    for reply in [
        with("usage", counts.clone()),
        with("x_groq", json!({"usage": counts})),
    ] {
        let server = ModelServer::start(vec![reply]);
        let (deltas, _) = say_hi(&model(&server, "groq")).await;
        let usage = deltas.iter().find_map(|delta| match delta {
            Delta::Usage(usage) => Some((usage.input, usage.output, usage.cached)),
            _ => None,
        });
        assert_eq!(usage, Some((7, 2, 5)));
    }
}

#[tokio::test]
async fn headers_and_fields_can_be_added() {
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["ok"])]);
    let info = ModelInfo {
        provider: "test".into(),
        model: "m".into(),
    };
    let mut endpoint = Endpoint::new(info, server.base_url());
    assert!(endpoint.add_header("X-Team", "blue"));
    let body = json!({"temperature": 0.5, "stream_options": {"extra": 1}});
    endpoint.body = body.as_object().unwrap().clone();
    say_hi(&OpenAi::new(endpoint, Profile::PLAIN).unwrap()).await;
    let request = &server.requests()[0];
    assert_eq!(request.header("x-team"), Some("blue"));
    let body = request.json();
    assert_eq!(body["temperature"], 0.5);
    assert_eq!(
        body["stream_options"],
        json!({"include_usage": true, "extra": 1})
    );
    assert_eq!(body["messages"][1]["content"], "hi");
}
