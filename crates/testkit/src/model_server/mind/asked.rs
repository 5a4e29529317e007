//! What a request asks for, whatever its protocol.

use serde_json::Value;

use super::Protocol;

#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Everything that was said so far.
    pub(super) conversation: String,
    /// The last message.
    pub(super) last: String,
    /// The first tool and its first parameter.
    pub(super) tool: Option<(String, String)>,
    pub(super) schema: Option<Value>,
}

impl Asked {
    pub(super) fn of(body: &Value, protocol: Protocol) -> Self {
        let (messages, tool, schema, parameters) = match protocol {
            Protocol::OpenAi => (
                "/messages",
                "/tools/0/function",
                "/response_format/json_schema/schema",
                "parameters",
            ),
            Protocol::Ollama => ("/messages", "/tools/0/function", "/format", "parameters"),
            Protocol::Gemini => (
                "/contents",
                "/tools/0/functionDeclarations/0",
                "/generationConfig/responseSchema",
                "parametersJsonSchema",
            ),
            Protocol::Anthropic => ("/messages", "/tools/0", "/none", "input_schema"),
        };
        let messages = body.pointer(messages).and_then(Value::as_array);
        let messages: Vec<String> = messages.into_iter().flatten().map(words).collect();
        Self {
            conversation: messages.join("\n"),
            last: messages.last().cloned().unwrap_or_default(),
            tool: body.pointer(tool).and_then(|tool| {
                let parameters = tool.get(parameters).or_else(|| tool.get("parameters"))?;
                let mut names = parameters.get("properties")?.as_object()?.keys();
                Some((
                    tool.get("name")?.as_str()?.to_owned(),
                    names.next()?.clone(),
                ))
            }),
            schema: body.pointer(schema).cloned(),
        }
    }
}

/// All strings of a message except the names of its fields.
fn words(message: &Value) -> String {
    match message {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(words).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(key, _)| *key != "role");
            fields.map(|(_, value)| words(value)).collect()
        }
        _ => String::new(),
    }
}
