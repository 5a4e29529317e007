//! Streams as real servers send them, each with what must be made of it.
//!
//! Every case runs through real HTTP: as it was recorded, and cut into pieces of other sizes.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use pollux_model::{
    Delta, Endpoint, Gemini, Guidance, Model, ModelError, ModelInfo, OpenAi, Profile, Request,
    TextTools,
};
use pollux_testkit::{HttpReply, ModelServer};
use pollux_types::{FinishReason, Message, Part, ToolSpec, Usage};
use serde::Deserialize;
use serde_json::{Value, json};

use super::support::TOOLS;

/// One recorded stream.
#[derive(Deserialize)]
struct Case {
    name: String,
    protocol: String,
    chunks: Vec<Chunk>,
    #[serde(default = "ok")]
    http_status: u16,
    #[serde(default)]
    headers: serde_json::Map<String, Value>,
    #[serde(default)]
    end: End,
    expect: Value,
}

#[derive(Clone, Deserialize)]
#[serde(untagged)]
enum Chunk {
    Text(String),
    Bytes { b64: String },
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum End {
    #[default]
    Eof,
    Reset,
    Stall,
}

fn ok() -> u16 {
    200
}

fn cases() -> Vec<Case> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/stream-quirks");
    let mut paths: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
        .collect()
}

impl Case {
    fn reply(&self, size: Option<usize>) -> HttpReply {
        let mut reply = HttpReply::status(self.http_status);
        for (name, value) in &self.headers {
            reply = reply.header(name, value.as_str().unwrap());
        }
        for chunk in &self.chunks {
            reply = reply.chunk(chunk.bytes());
        }
        if let Some(size) = size {
            reply = reply.rechunk(size);
        }
        match self.end {
            End::Eof => reply,
            // A reset throws away what was not read yet, which with many small pieces is much.
            End::Reset if size.is_some() => reply.cut(),
            End::Reset => reply.reset(),
            End::Stall => reply.stall(),
        }
    }

    fn model(&self, server: &ModelServer) -> impl Model {
        let idle = match self.end {
            End::Stall => Duration::from_millis(100),
            _ => Duration::from_mins(1),
        };
        let info = ModelInfo {
            provider: "test".into(),
            model: "m".into(),
        };
        let endpoint = Endpoint {
            idle,
            ..Endpoint::new(info, server.base_url())
        };
        let model: Arc<dyn Model> = match self.protocol.as_str() {
            "gemini" => Arc::new(Gemini::new(endpoint).unwrap()),
            _ => Arc::new(OpenAi::new(endpoint, Profile::PLAIN).unwrap()),
        };
        TextTools::auto(model, Guidance::System)
    }

    /// What pollux makes of it, in the words of the expectation.
    async fn run(&self, size: Option<usize>) -> Value {
        let server = ModelServer::start(vec![self.reply(size)]);
        let tools: Vec<ToolSpec> = TOOLS.iter().map(|name| spec(name)).collect();
        let messages = [Arc::new(Message::user(vec![Part::text("hi")]))];
        let request = Request {
            system: "",
            tools: &tools,
            messages: messages.iter().collect(),
        };
        let items: Vec<_> = self.model(&server).reply(request).collect().await;
        let mut seen = Seen::default();
        for item in items {
            seen.take(item);
        }
        seen.in_words(&self.expect)
    }
}

impl Chunk {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.as_bytes().to_vec(),
            Self::Bytes { b64 } => decode(b64),
        }
    }
}

/// Base64, for the handful of chunks that are no text.
fn decode(text: &str) -> Vec<u8> {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().filter(|byte| *byte != b'=');
    let (mut bits, mut count, mut bytes) = (0u32, 0, Vec::new());
    for digit in digits {
        let value = alphabet.iter().position(|byte| *byte == digit).unwrap();
        bits = bits << 6 | u32::try_from(value).unwrap();
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    bytes
}

fn spec(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: String::new(),
        parameters: json!({"type": "object"}),
        ..ToolSpec::default()
    }
}

#[derive(Default)]
struct Seen {
    text: String,
    thoughts: String,
    calls: Vec<Value>,
    finish: Option<FinishReason>,
    error: Option<Value>,
    retry_after: Option<Duration>,
    usage: Option<Usage>,
}

impl Seen {
    fn take(&mut self, item: Result<Delta, ModelError>) {
        match item {
            Ok(Delta::Text(text)) => self.text.push_str(&text),
            Ok(Delta::Thought { text, .. }) => self.thoughts.push_str(&text),
            Ok(Delta::Call(call)) => self
                .calls
                .push(json!({"name": call.name, "args": call.args})),
            Ok(Delta::BrokenCall { .. }) => self.error = Some("invalid_tool_args".into()),
            Ok(Delta::WasThought) => self.thoughts = std::mem::take(&mut self.text),
            Ok(Delta::LearnedTextCalls | Delta::Citation { .. }) => {}
            Ok(Delta::Usage(usage)) => self.usage = Some(usage),
            Ok(Delta::Finish { reason, .. }) => self.finish = Some(reason),
            Err(error) => {
                self.error = Some(serde_json::to_value(error.kind).unwrap());
                self.retry_after = error.retry_after;
                self.finish = error.finish;
            }
        }
    }

    /// Only what the expectation speaks of.
    fn in_words(&self, expect: &Value) -> Value {
        let usage = self.usage.map(|usage| {
            json!({"prompt": usage.input, "completion": usage.output, "total": usage.total()})
        });
        let all = json!({
            "text": self.text,
            "thoughts": self.thoughts.trim_end(),
            "tool_calls": self.calls,
            "finish": self.finish,
            "error": self.error,
            "usage": usage,
            "retry_after_ms": self.retry_after.map(|after| after.as_secs() * 1000),
        });
        let keys = expect.as_object().unwrap().keys();
        keys.map(|key| (key.clone(), all[key].clone()))
            .collect::<serde_json::Map<_, _>>()
            .into()
    }
}

/// The cases that are not understood as expected, when cut into pieces of `size`.
async fn misread(size: Option<usize>) -> Vec<String> {
    let mut misread = Vec::new();
    for case in cases() {
        let made = case.run(size).await;
        if made != case.expect {
            misread.push(format!(
                "{}\n  expected {}\n  made     {made}",
                case.name, case.expect
            ));
        }
    }
    misread
}

#[tokio::test]
async fn every_stream_is_read_as_it_was_sent() {
    let misread = misread(None).await;
    assert!(
        misread.is_empty(),
        "{} of {}:\n{}",
        misread.len(),
        cases().len(),
        misread.join("\n")
    );
}

#[tokio::test]
async fn how_a_stream_is_cut_changes_nothing() {
    for size in [1, 2, 3, 7, 1024] {
        let misread = misread(Some(size)).await;
        assert!(
            misread.is_empty(),
            "in pieces of {size}:\n{}",
            misread.join("\n")
        );
    }
}
