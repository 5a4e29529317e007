//! A question to a server with an eye on the wire: for finding out what the server can do.
//!
//! Requests, exchange and reading are those of a conversation with the same server and the same
//! [`Ways`]. What is added is what they hide from everybody else: in how many events the words came
//! and in which field the thoughts; and a request may ask for an answer that keeps to a JSON schema,
//! which no [`Model`] does.
//!
//! [`Model`]: crate::Model

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use serde_json::{Map, Value, json};

use crate::anthropic::AnthropicReply;
use crate::deltas::Deltas;
use crate::exchange::Parser;
use crate::gemini::GeminiReply;
use crate::ollama::OllamaReply;
use crate::openai::OpenAiReply;
use crate::recorded::Protocol;
use crate::{Anthropic, Delta, Endpoint, Gemini, ModelError, Ollama, OpenAi, Reply, Request, Ways};

/// Asks one model of one server.
#[derive(Debug)]
pub struct Inquiry(Asked);

#[derive(Debug)]
enum Asked {
    Gemini(Gemini),
    OpenAi(OpenAi),
    Anthropic(Anthropic),
    Ollama(Ollama),
}

impl Inquiry {
    /// Opens no connection yet.
    pub fn new(protocol: Protocol, endpoint: Endpoint, ways: Ways) -> Result<Self, ModelError> {
        Ok(Self(match (protocol, ways.own_window()) {
            (Protocol::Gemini, _) => Asked::Gemini(Gemini::new(endpoint)?),
            (Protocol::Anthropic, _) => Asked::Anthropic(Anthropic::new(endpoint)?),
            (Protocol::OpenAi | Protocol::Ollama, Some(tokens)) => {
                Asked::Ollama(Ollama::new(endpoint, tokens)?)
            }
            (Protocol::OpenAi | Protocol::Ollama, None) => {
                Asked::OpenAi(OpenAi::new(endpoint, ways.profile)?)
            }
        }))
    }

    /// The reply, and what is seen of it on the wire as it is read.
    pub fn reply(&self, request: &Request<'_>) -> (Reply, Wire) {
        self.send(request, |_| {})
    }

    /// The same for an answer that has to keep to this JSON schema; `None` if the protocol has no
    /// word for that.
    pub fn reply_in_schema(&self, request: &Request<'_>, schema: &Value) -> Option<Reply> {
        let ask: &dyn Fn(&mut Map<String, Value>) = match &self.0 {
            Asked::OpenAi(_) => &|body| {
                let named = json!({"name": "answer", "strict": true, "schema": schema});
                let format = json!({"type": "json_schema", "json_schema": named});
                body.insert("response_format".into(), format);
            },
            Asked::Gemini(_) => &|body| {
                let config = body.entry("generationConfig").or_insert(json!({}));
                config["responseMimeType"] = "application/json".into();
                config["responseSchema"] = gemini_schema(schema);
            },
            Asked::Ollama(_) => &|body| {
                body.insert("format".into(), schema.clone());
            },
            Asked::Anthropic(_) => return None,
        };
        Some(self.send(request, ask).0)
    }

    fn send(
        &self,
        request: &Request<'_>,
        change: impl Fn(&mut Map<String, Value>),
    ) -> (Reply, Wire) {
        let wire = Wire::default();
        let reply = match &self.0 {
            Asked::Gemini(model) => {
                let tap = Tap::new(GeminiReply::default(), &wire);
                model.read(changed(model.body(request), change), tap)
            }
            Asked::OpenAi(model) => {
                let tap = Tap::new(OpenAiReply::default(), &wire);
                model.read(changed(model.body(request), change), tap)
            }
            Asked::Ollama(model) => {
                let tap = Tap::new(OllamaReply::default(), &wire);
                model.read(changed(model.body(request), change), tap)
            }
            Asked::Anthropic(model) => {
                let tap = Tap::new(AnthropicReply::default(), &wire);
                model.read(changed(model.body(request), change), tap)
            }
        };
        (reply, wire)
    }
}

fn changed(body: Bytes, change: impl Fn(&mut Map<String, Value>)) -> Bytes {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(&body) else {
        return body;
    };
    change(&mut fields);
    Value::Object(fields).to_string().into()
}

/// Gemini's own form of a schema: types in capitals, and no word on further properties.
fn gemini_schema(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .filter(|(key, _)| *key != "additionalProperties");
            let fields = fields.map(|(key, value)| {
                let value = match (key.as_str(), value) {
                    ("type", Value::String(word)) => word.to_uppercase().into(),
                    _ => gemini_schema(value),
                };
                (key.clone(), value)
            });
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// What is seen on the wire. Whoever holds it sees more as the reply is read.
#[derive(Clone, Debug, Default)]
pub struct Wire(Arc<Mutex<Seen>>);

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    pieces: usize,
    streamed: bool,
    thoughts: Option<&'static str>,
}

impl Wire {
    /// How many events brought words.
    pub fn pieces(&self) -> usize {
        self.seen().pieces
    }

    /// Whether the reply came in events rather than as one document.
    pub fn streamed(&self) -> bool {
        self.seen().streamed
    }

    /// The field that thoughts came in, if any came in a field of their own.
    pub fn thoughts(&self) -> Option<&'static str> {
        self.seen().thoughts
    }

    fn seen(&self) -> Seen {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn update(&self, look: impl FnOnce(&mut Seen)) {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Looks on while another parser reads.
struct Tap<P> {
    parser: P,
    wire: Wire,
}

impl<P: Parser> Tap<P> {
    fn new(parser: P, wire: &Wire) -> Self {
        Self {
            parser,
            wire: wire.clone(),
        }
    }

    /// Passes on what one piece of the reply said.
    fn pass(&self, mut said: Deltas, out: &mut Deltas) {
        let mut words = false;
        while let Some(delta) = said.pop() {
            words |= matches!(delta, Delta::Text(_));
            out.push(delta);
        }
        self.wire.update(|seen| seen.pieces += usize::from(words));
    }

    fn look(&self, data: &[u8]) {
        let field = serde_json::from_slice(data)
            .ok()
            .and_then(|event| thought_field(&event));
        self.wire
            .update(|seen| seen.thoughts = seen.thoughts.or(field));
    }
}

impl<P: Parser> Parser for Tap<P> {
    const LINES: bool = P::LINES;

    fn event(&mut self, data: &[u8], out: &mut Deltas) -> Result<(), ModelError> {
        self.look(data);
        self.wire.update(|seen| seen.streamed = true);
        let mut said = Deltas::default();
        let read = self.parser.event(data, &mut said);
        self.pass(said, out);
        read
    }

    fn body(&mut self, body: &[u8], out: &mut Deltas) -> Result<(), ModelError> {
        self.look(body);
        let mut said = Deltas::default();
        let read = self.parser.body(body, &mut said);
        self.pass(said, out);
        read
    }

    fn is_done(&self) -> bool {
        self.parser.is_done()
    }

    fn end(&mut self, out: &mut Deltas) -> Result<(), ModelError> {
        self.parser.end(out)
    }
}

/// Where an event of any protocol has a thought, if it has one.
fn thought_field(event: &Value) -> Option<&'static str> {
    let choice = event.pointer("/choices/0");
    let said = choice.and_then(|choice| choice.get("delta").or_else(|| choice.get("message")));
    // Ollama's own events have the message alone.
    let said = said.or_else(|| event.get("message"));
    let filled = |name: &&&str| {
        let text = said.and_then(|said| said.get(name)?.as_str());
        text.is_some_and(|text| !text.is_empty())
    };
    let parts = event.pointer("/candidates/0/content/parts");
    let parts = parts.and_then(Value::as_array).into_iter().flatten();
    let mut thoughts = parts.filter(|part| part.get("thought") == Some(&Value::Bool(true)));
    let names = ["reasoning_content", "reasoning", "thinking"];
    if let Some(name) = names.iter().find(filled) {
        Some(name)
    } else if thoughts.next().is_some() {
        Some("thought parts")
    } else if event
        .pointer("/delta/type")
        .is_some_and(|kind| kind == "thinking_delta")
    {
        Some("thinking blocks")
    } else {
        None
    }
}
