//! Asking a server and writing down what comes back.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use pollux_model::{
    Anthropic, Delta, Endpoint, Gemini, Key, Model, ModelError, ModelInfo, Ollama, OpenAi, Profile,
    Request,
};
use pollux_testkit::{ModelServer, Protocol};
use pollux_types::{Message, Part, ToolSpec};
use serde_json::{Value, json};

/// A model of `server`.
pub(crate) fn model(server: &ModelServer, protocol: Protocol) -> Arc<dyn Model> {
    model_at(&server.base_url(), protocol)
}

pub(crate) fn model_at(base_url: &str, protocol: Protocol) -> Arc<dyn Model> {
    let info = ModelInfo {
        provider: "test".into(),
        model: "gemini-2.5-pro".into(),
    };
    let endpoint = Endpoint {
        key: Key::new("the-key"),
        idle: Duration::from_mins(1),
        key_hint: Some("try another".into()),
        ..Endpoint::new(info, base_url)
    };
    match protocol {
        Protocol::Gemini => Arc::new(Gemini::new(endpoint).unwrap()),
        Protocol::OpenAi => Arc::new(OpenAi::new(endpoint, Profile::PLAIN).unwrap()),
        Protocol::Anthropic => Arc::new(Anthropic::new(endpoint).unwrap()),
        Protocol::Ollama => Arc::new(Ollama::new(endpoint, 8192).unwrap()),
    }
}

pub(crate) fn tools() -> Vec<ToolSpec> {
    vec![ToolSpec {
        name: "read_file".into(),
        description: "Reads a file.".into(),
        parameters: json!({"type": "object", "properties": {"file_path": {"type": "string"}}}),
        aliases: vec![],
    }]
}

/// Sends `messages` and collects the whole reply, neighbouring texts joined.
pub(crate) async fn ask(
    model: &dyn Model,
    messages: &[Message],
) -> (Vec<Delta>, Option<ModelError>) {
    let messages: Vec<Arc<Message>> = messages.iter().cloned().map(Arc::new).collect();
    ask_again(model, &messages).await
}

/// The same with messages that the model may know by their address.
pub(crate) async fn ask_again(
    model: &dyn Model,
    messages: &[Arc<Message>],
) -> (Vec<Delta>, Option<ModelError>) {
    let tools = tools();
    let request = Request {
        system: "Be brief.",
        tools: &tools,
        messages: messages.iter().collect(),
    };
    let mut reply = model.reply(request);
    let mut deltas: Vec<Delta> = Vec::new();
    // How many usage reports come, and when, is the provider's affair; the last one counts.
    let mut usage = None;
    while let Some(item) = reply.next().await {
        match (deltas.last_mut(), item) {
            (_, Err(error)) => {
                deltas.extend(usage);
                return (deltas, Some(error));
            }
            (_, Ok(report @ Delta::Usage(_))) => usage = Some(report),
            (Some(Delta::Text(before)), Ok(Delta::Text(text))) => before.push_str(&text),
            (_, Ok(end @ Delta::Finish { .. })) => {
                deltas.extend(usage.take());
                deltas.push(end);
            }
            (_, Ok(delta)) => deltas.push(delta),
        }
    }
    (deltas, None)
}

/// The same for one plain prompt.
pub(crate) async fn say_hi(model: &dyn Model) -> (Vec<Delta>, Option<ModelError>) {
    ask(model, &[Message::user(vec![Part::text("hi")])]).await
}

/// A request body for a snapshot: a line for each field, and for each item of a list.
pub(crate) fn spread(body: &Value) -> String {
    let fields = body.as_object().unwrap().iter();
    let lines = fields.flat_map(|(key, value)| match value {
        Value::Array(items) => {
            let items = items.iter().map(|item| format!("  {item}"));
            std::iter::once(format!("{key}:")).chain(items).collect()
        }
        value => vec![format!("{key}: {value}")],
    });
    lines.collect::<Vec<String>>().join("\n")
}

/// The tools that both corpora know.
pub(crate) const TOOLS: [&str; 9] = [
    "read_file",
    "write_file",
    "edit_file",
    "shell",
    "list_dir",
    "grep",
    "glob",
    "web_fetch",
    "todo",
];
