//! What chat completions and Ollama's own interface write alike.

use bytes::{BufMut, BytesMut};
use pollux_types::ToolSpec;
use serde::Serialize;
use serde_json::Value;

use crate::body::put_json;

/// A tool as it is offered.
#[derive(Serialize)]
pub(crate) struct Tool<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a Value,
}

/// The tools that are offered.
pub(crate) fn tools(specs: &[ToolSpec]) -> Vec<Tool<'_>> {
    let specs = specs.iter();
    specs
        .map(|spec| Tool {
            kind: "function",
            function: Function {
                name: &spec.name,
                description: &spec.description,
                parameters: &spec.parameters,
            },
        })
        .collect()
}

/// Appends a message to a list that is open.
pub(crate) fn put_message(message: &impl Serialize, out: &mut BytesMut) {
    if !out.ends_with(b"[") {
        out.put_u8(b',');
    }
    put_json(message, out);
}
