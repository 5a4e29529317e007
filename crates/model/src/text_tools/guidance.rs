//! How a model is told in words what tools there are and how to call them.

use std::fmt::Write as _;

use pollux_types::ToolSpec;
use serde_json::Value;

/// The guidance for these tools.
pub(super) fn text(tools: &[ToolSpec]) -> String {
    let mut text = String::from(OPENING);
    for tool in tools {
        write!(
            text,
            "\n**{}**: {}\nParameters:",
            tool.name, tool.description
        )
        .expect("a String takes any text");
        text.push_str(&parameters(&tool.parameters));
    }
    text.push_str(CLOSING);
    text
}

const OPENING: &str =
    "You are an AI assistant with access to the following tools. When you need to \
use a tool, respond with JSON in this exact format:

```json
{\"tool_call\": {\"name\": \"tool_name\", \"arguments\": {\"param\": \"value\"}}}
```

Available tools:
";

const CLOSING: &str = "
IMPORTANT:
- Only use tools when necessary.
- Use exactly this JSON format, in a fence of its own.
- Include all required parameters.
- You can write explanatory text alongside the tool call.
";

/// A line for each parameter.
fn parameters(schema: &Value) -> String {
    let required = |name: &str| {
        let names = schema["required"].as_array();
        names.is_some_and(|names| names.iter().any(|other| other == name))
    };
    let properties = schema["properties"].as_object();
    let lines: Vec<String> = properties
        .into_iter()
        .flatten()
        .map(|(name, property)| {
            let kind = property["type"].as_str().unwrap_or("any");
            let need = if required(name) {
                "required"
            } else {
                "optional"
            };
            let about = property["description"].as_str().unwrap_or_default();
            format!("\n  \"{name}\": {kind} ({need}) - {about}")
        })
        .collect();
    if lines.is_empty() {
        " None\n".into()
    } else {
        lines.concat() + "\n"
    }
}
