//! What servers tell about their models.

use std::collections::HashMap;
use std::time::Duration;

use pollux_model::{
    Catalogue, Directory, Endpoint, ErrorKind, Key, ModelError, ModelInfo, Protocol,
};
use pollux_testkit::{HttpReply, ModelServer};
use serde_json::{Value, json};

/// A server that has these documents, by path, and nothing else.
fn server<const N: usize>(documents: [(&'static str, Value); N]) -> ModelServer {
    let documents: HashMap<_, _> = documents.into();
    ModelServer::responding(move |request| match documents.get(request.path.as_str()) {
        Some(document) => HttpReply::json(200, document.clone()),
        None => HttpReply::text(404, "not found"),
    })
}

fn directory(base_url: String, protocol: Protocol) -> Directory {
    let info = ModelInfo {
        provider: "test".into(),
        model: String::new(),
    };
    let endpoint = Endpoint {
        key: Key::new("the-key"),
        idle: Duration::from_secs(5),
        ..Endpoint::new(info, base_url)
    };
    Directory::new(protocol, endpoint).unwrap()
}

async fn listed(server: &ModelServer, protocol: Protocol) -> Result<Catalogue, ModelError> {
    directory(server.base_url(), protocol).models().await
}

/// The whole inquiry at `{server}/v1`, a line for each model.
async fn told(server: &ModelServer, model: Option<&str>) -> String {
    let directory = directory(format!("{}/v1", server.base_url()), Protocol::OpenAi);
    let mut catalogue = directory.models().await.unwrap();
    directory.look_closer(&mut catalogue, model).await;
    shown(&catalogue)
}

fn shown(catalogue: &Catalogue) -> String {
    let kind = catalogue.kind.map_or("?", |kind| kind.profile().name);
    let mut lines = vec![format!("{kind}:")];
    lines.extend(catalogue.models.iter().map(|model| {
        let context = model
            .context
            .map_or("?".into(), |tokens| tokens.to_string());
        let loaded = if model.loaded { " loaded" } else { "" };
        let silent = if model.chats { "" } else { " silent" };
        format!("{} {context}{loaded}{silent}", model.id)
    }));
    let preferred = catalogue.preferred().map_or("none", |model| &model.id);
    lines.push(format!("-> {preferred}"));
    lines.join("\n")
}

fn list(models: impl Into<Value>) -> Value {
    json!({"object": "list", "data": models.into()})
}

#[tokio::test]
async fn each_protocol_has_its_list_and_its_key() {
    let gemini = server([(
        "/v1beta/models?pageSize=1000",
        json!({"models": [
            {"name": "models/text-embedding-004", "inputTokenLimit": 2048,
             "supportedGenerationMethods": ["embedContent"]},
            {"name": "models/gemini-2.5-pro", "inputTokenLimit": 1_048_576,
             "supportedGenerationMethods": ["generateContent", "countTokens"]},
        ]}),
    )]);
    let openai = server([("/models", list(json!([{"id": "gpt-5"}])))]);
    let anthropic = server([(
        "/v1/models?limit=1000",
        json!({"data": [{"type": "model", "id": "claude-x", "max_input_tokens": 200_000}]}),
    )]);
    let mut all = Vec::new();
    for (server, protocol, header, value) in [
        (&gemini, Protocol::Gemini, "x-goog-api-key", "the-key"),
        (&openai, Protocol::OpenAi, "authorization", "Bearer the-key"),
        (&anthropic, Protocol::Anthropic, "x-api-key", "the-key"),
    ] {
        all.push(shown(&listed(server, protocol).await.unwrap()));
        let request = &server.requests()[0];
        assert_eq!(request.method, "GET");
        assert_eq!(request.header(header), Some(value));
        assert!(!request.path.contains("the-key"));
    }
    insta::assert_snapshot!(all.join("\n"), @"
    ?:
    text-embedding-004 2048 silent
    gemini-2.5-pro 1048576
    -> gemini-2.5-pro
    ?:
    gpt-5 ?
    -> gpt-5
    ?:
    claude-x 200000
    -> claude-x
    ");
}

#[tokio::test]
async fn a_list_may_tell_how_much_a_model_reads() {
    let server = server([(
        "/models",
        list(json!([
            {"id": "served", "owned_by": "vllm", "max_model_len": 32768},
            {"id": "routed", "context_length": 131_072},
            {"id": "fast", "context_window": 8192},
            {"id": "mistral-embed", "max_context_length": 8000},
            {"id": "ocr", "capabilities": {"completion_chat": false}},
        ])),
    )]);
    insta::assert_snapshot!(shown(&listed(&server, Protocol::OpenAi).await.unwrap()), @"
    vllm:
    served 32768
    routed 131072
    fast 8192
    mistral-embed 8000 silent
    ocr ? silent
    -> served
    ");
}

#[tokio::test]
async fn ollama_tells_what_is_in_memory_and_what_is_set() {
    let server = server([
        (
            "/v1/models",
            list(json!([
                {"id": "nomic-embed-text:latest", "owned_by": "library"},
                {"id": "qwen3:8b", "owned_by": "library"},
                {"id": "llama3.2:latest", "owned_by": "library"},
            ])),
        ),
        ("/api/version", json!({"version": "0.12.0"})),
        (
            "/api/ps",
            json!({"models": [{"name": "llama3.2:latest", "context_length": 4096}]}),
        ),
        (
            "/api/show",
            json!({
                "parameters": "stop \"<|im_end|>\"\nnum_ctx    16384\n",
                "model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40960},
                "capabilities": ["completion", "tools"],
            }),
        ),
    ]);
    insta::assert_snapshot!(told(&server, Some("qwen3:8b")).await, @"
    ollama:
    nomic-embed-text:latest ? silent
    qwen3:8b 16384
    llama3.2:latest 4096 loaded
    -> llama3.2:latest
    ");
    let shown = server.requests().pop().unwrap();
    assert_eq!(shown.json(), json!({"model": "qwen3:8b"}));
    // In memory: what is said there is the truth.
    let loaded = told(&server, Some("llama3.2")).await;
    assert!(loaded.contains("\nllama3.2:latest 4096 loaded"), "{loaded}");
}

#[tokio::test]
async fn lm_studio_has_a_list_of_its_own() {
    let own = json!([
        {"id": "big", "type": "llm", "state": "not-loaded", "max_context_length": 131_072},
        {"id": "small", "type": "vlm", "state": "loaded", "max_context_length": 32768,
         "loaded_context_length": 4096},
        {"id": "nomic", "type": "embeddings", "state": "loaded", "max_context_length": 2048},
    ]);
    let server = server([
        (
            "/v1/models",
            list(json!([{"id": "nomic"}, {"id": "big"}, {"id": "small"}])),
        ),
        ("/api/v0/models", list(own)),
    ]);
    insta::assert_snapshot!(told(&server, None).await, @"
    lmstudio:
    nomic 2048 loaded silent
    big 131072
    small 4096 loaded
    -> small
    ");
}

#[tokio::test]
async fn llama_cpp_tells_the_window_it_was_started_with() {
    let models = json!([{"id": "q.gguf", "owned_by": "llamacpp", "meta": {"n_ctx_train": 32768}}]);
    let props = json!({"default_generation_settings": {"n_ctx": 8192}, "total_slots": 1});
    let server = server([("/v1/models", list(models)), ("/props", props)]);
    insta::assert_snapshot!(told(&server, None).await, @"
    llamacpp:
    q.gguf 8192 loaded
    -> q.gguf
    ");
}

#[tokio::test]
async fn what_is_no_list_is_none() {
    for body in [
        json!({"hello": "world"}),
        json!({"data": "models"}),
        json!({"data": [{"id": 7}]}),
        json!([{"name": "a car"}]),
    ] {
        let server = server([("/models", body)]);
        let error = listed(&server, Protocol::OpenAi).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::MalformedChunk, "{error}");
    }
    let page = ModelServer::start(vec![HttpReply::text(200, "<html>It works!</html>")]);
    let error = listed(&page, Protocol::OpenAi).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::MalformedChunk);
    let none = server([("/models", list(Value::Null))]);
    let none = listed(&none, Protocol::OpenAi).await.unwrap();
    assert_eq!(none.preferred(), None);
}

#[tokio::test]
async fn a_refusal_is_typed() {
    let error = json!({"error": {"message": "no such key"}});
    let server = ModelServer::start(vec![HttpReply::json(401, error)]);
    let error = listed(&server, Protocol::OpenAi).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Auth);
    let address = server.base_url();
    drop(server);
    let gone = directory(address, Protocol::OpenAi).models().await;
    assert_eq!(gone.unwrap_err().kind, ErrorKind::Unreachable);
}

#[tokio::test]
async fn the_whole_address_is_as_good_as_the_base() {
    let server = server([("/v1/models", list(json!([{"id": "a"}])))]);
    let whole = format!("{}/v1/chat/completions", server.base_url());
    let catalogue = directory(whole, Protocol::OpenAi).models().await.unwrap();
    assert_eq!(catalogue.models.len(), 1);
}

#[tokio::test]
async fn gemini_lists_where_its_models_are() {
    let models = |name: &str| json!({"models": [{"name": name}]});
    let server = server([
        ("/v1beta/models?pageSize=1000", models("models/gemini-a")),
        (
            "/v1/projects/p/locations/l/publishers/google/models?pageSize=1000",
            json!({"publisherModels": [{"name": "publishers/google/models/gemini-b"}]}),
        ),
    ]);
    for (base, model) in [
        ("", "gemini-a"),
        ("/v1beta/", "gemini-a"),
        ("/v1/projects/p/locations/l", "gemini-b"),
    ] {
        let base = format!("{}{base}", server.base_url());
        let listed = directory(base, Protocol::Gemini).models().await.unwrap();
        assert_eq!(listed.models[0].id, model);
    }
}

#[tokio::test]
async fn ollama_is_found_by_the_address_of_either_interface() {
    let server = server([("/v1/models", list(json!([{"id": "a"}])))]);
    for base in ["", "/v1/", "/v1/chat/completions", "/api/chat"] {
        let base = format!("{}{base}", server.base_url());
        let listed = directory(base, Protocol::Ollama).models().await;
        assert_eq!(listed.unwrap().models.len(), 1);
    }
}

#[tokio::test]
async fn headers_go_with_every_question() {
    let server = server([("/models", list(json!([{"id": "a"}])))]);
    let info = ModelInfo {
        provider: "test".into(),
        model: String::new(),
    };
    let mut endpoint = Endpoint::new(info, server.base_url());
    assert!(endpoint.add_header("x-team", "blue"));
    let directory = Directory::new(Protocol::OpenAi, endpoint).unwrap();
    let mut catalogue = directory.models().await.unwrap();
    directory.look_closer(&mut catalogue, None).await;
    let requests = server.requests();
    assert!(requests.len() > 1);
    for request in requests {
        assert_eq!(request.header("x-team"), Some("blue"), "{}", request.path);
    }
}

#[tokio::test]
async fn a_name_may_leave_out_the_date() {
    let dated = json!([{"id": "claude-sonnet-4-5-20250929"}, {"id": "gpt-5-mini"}]);
    let server = server([("/models", list(dated))]);
    let listed = listed(&server, Protocol::OpenAi).await.unwrap();
    assert!(listed.get("claude-sonnet-4-5").is_some());
    assert!(listed.get("claude-sonnet-4").is_none());
    assert!(listed.get("gpt-5").is_none());
}
