//! A model that does as it is told, and a list of what may be wrong with it.
//!
//! For tests that find out what a server can do. It understands just enough English for that: it
//! calls the first tool once for each `quoted` word of a prompt, repeats what a tool has said, keeps
//! to a schema, and knows what "the secret word is" as long as it can still read it.

mod asked;
mod openai;

use serde_json::{Map, Value, json};

use super::reply::HttpReply;
use super::request::Recorded;
use super::turn::{Protocol, Turn};
use asked::Asked;

/// What is wrong with a server or its model. Those that are about the form of an answer are known
/// to OpenAI's protocol only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// The answer comes in one document.
    NoStreaming,
    /// Nobody counts tokens.
    NoUsage,
    /// Tools are not seen.
    IgnoresTools,
    /// Of several calls only the first is made.
    OneCallOnly,
    /// Calls are written into the answer, between tags.
    CallsAsText,
    /// The arguments of calls are no JSON.
    BrokenArguments,
    /// It thinks aloud, in this field or behind this tag.
    Thinks(&'static str),
    /// Schemas are refused.
    NoSchema,
    /// Of a long conversation only so many tokens are read, the last ones.
    Forgets(usize),
    /// Nobody is let in.
    Locked,
    /// Nothing is ever said.
    Hangs,
}

/// What the model says.
#[derive(Debug, Default)]
struct Said {
    thought: Option<&'static str>,
    text: Vec<String>,
    calls: Vec<(String, Map<String, Value>)>,
    read: usize,
}

/// The reply of a server with these defects.
pub(super) fn answer(request: &Recorded, protocol: Protocol, defects: &[Defect]) -> HttpReply {
    let has = |defect| defects.contains(&defect);
    if has(Defect::Locked) {
        let error = json!({"error": {"message": "that is no key of ours", "code": 401}});
        return HttpReply::json(401, error);
    }
    if request.method == "GET" || request.path == "/api/show" {
        return models(request, protocol);
    }
    if has(Defect::Hangs) {
        return HttpReply::sse().stall();
    }
    let asked = Asked::of(&request.json(), protocol);
    if has(Defect::NoSchema) && asked.schema.is_some() {
        let error = json!({"error": {"message": "response_format is not supported"}});
        return HttpReply::json(400, error);
    }
    let said = think(&asked, defects);
    match protocol {
        Protocol::OpenAi => openai::reply(&said, defects),
        Protocol::Gemini | Protocol::Anthropic | Protocol::Ollama => said.turn().reply(protocol),
    }
}

fn models(request: &Recorded, protocol: Protocol) -> HttpReply {
    let list = match protocol {
        Protocol::Ollama if request.path == "/api/version" => json!({"version": "0.12.0"}),
        Protocol::Ollama if request.path == "/api/show" => {
            json!({"model_info": {"mock.context_length": 131_072}})
        }
        _ if !request.path.contains("/models") || request.path.contains("/api/") => {
            return HttpReply::status(404);
        }
        Protocol::OpenAi => {
            let model = json!({"id": "mock-model", "owned_by": "vllm", "max_model_len": 16384});
            json!({"object": "list", "data": [model]})
        }
        Protocol::Ollama => json!({"data": [{"id": "mock-model", "owned_by": "library"}]}),
        Protocol::Gemini => {
            json!({"models": [{"name": "models/mock-model", "inputTokenLimit": 16384}]})
        }
        Protocol::Anthropic => json!({"data": [{"id": "mock-model"}]}),
    };
    HttpReply::json(200, list)
}

fn think(asked: &Asked, defects: &[Defect]) -> Said {
    let has = |defect| defects.contains(&defect);
    let forgets = defects.iter().find_map(|defect| match defect {
        Defect::Forgets(tokens) => Some(*tokens),
        _ => None,
    });
    let all = asked.conversation.as_str();
    let start = forgets.map_or(0, |tokens| all.len().saturating_sub(4 * tokens));
    let visible = &all[all.ceil_char_boundary(start)..];
    let mut said = Said {
        thought: defects.iter().find_map(|defect| match defect {
            Defect::Thinks(place) => Some(*place),
            _ => None,
        }),
        read: visible.len() / 4 + 20,
        ..Said::default()
    };
    if let Some((_, value)) = asked.last.split_once("value is ") {
        let word: String = value.chars().take_while(|c| c.is_alphanumeric()).collect();
        said.say(format!("It is {word}."));
    } else if let Some(schema) = &asked.schema {
        said.say(example(schema).to_string());
    } else if let Some((tool, parameter)) = tool(asked, defects) {
        let most = if has(Defect::OneCallOnly) {
            1
        } else {
            usize::MAX
        };
        let words = asked.last.split('`').skip(1).step_by(2).take(most);
        let args = |word: &str| Map::from_iter([(parameter.clone(), word.into())]);
        said.calls = words.map(|word| (tool.clone(), args(word))).collect();
        if has(Defect::CallsAsText) {
            said.write_calls();
        }
    } else if asked.last.contains("secret word?") {
        let known = visible.split_once("secret word is `");
        let known = known.and_then(|(_, rest)| rest.split_once('`'));
        said.say(known.map_or("I do not know.".into(), |(word, _)| word.to_owned()));
    } else {
        said.text = ["one, ", "two, ", "three, ", "four"]
            .map(str::to_owned)
            .to_vec();
    }
    said
}

/// The tool to call and its parameter. Who writes calls as text also knows tools from hearsay:
/// "the tool NAME .. the PARAMETER `word`".
fn tool(asked: &Asked, defects: &[Defect]) -> Option<(String, String)> {
    if defects.contains(&Defect::IgnoresTools) {
        return None;
    }
    let heard = || {
        let (_, task) = asked.last.split_once("the tool ")?;
        let (before, _) = task.split_once(" `")?;
        let mut words = before.split(' ');
        Some((words.next()?.to_owned(), words.next_back()?.to_owned()))
    };
    let by_text = defects.contains(&Defect::CallsAsText);
    asked.tool.clone().or_else(|| heard().filter(|_| by_text))
}

impl Said {
    fn say(&mut self, text: String) {
        self.text.push(text);
    }

    fn write_calls(&mut self) {
        for (name, args) in std::mem::take(&mut self.calls) {
            let call = json!({"name": name, "arguments": args});
            self.say(format!("<tool_call>\n{call}\n</tool_call>\n"));
        }
    }

    fn turn(self) -> Turn {
        let turn = Turn::text(self.text).usage(self.read as u64, 5);
        let calls = self.calls.into_iter();
        let turn = calls.fold(turn, |turn, (name, args)| turn.and_call(name, args.into()));
        match self.thought {
            Some(_) => turn.thought("Let me see."),
            None => turn,
        }
    }
}

/// Something that keeps to a schema.
fn example(schema: &Value) -> Value {
    let kind = schema
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or_default();
    match kind.to_lowercase().as_str() {
        "object" => {
            let fields = schema["properties"].as_object().into_iter().flatten();
            fields
                .map(|(key, schema)| (key.clone(), example(schema)))
                .collect()
        }
        "integer" | "number" => 7.into(),
        "boolean" => true.into(),
        "array" => json!([]),
        _ => "Paris".into(),
    }
}
