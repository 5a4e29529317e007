//! The tools that may be called, and what values their parameters take.

use std::collections::HashMap;
use std::sync::Arc;

use pollux_types::ToolSpec;
use serde_json::Value;

/// What is offered to a model: the names of tools, and what their parameters take as far as that is
/// known.
#[derive(Clone, Debug, Default)]
pub struct Tools(HashMap<String, Arc<Parameters>>);

type Parameters = HashMap<String, Types>;

/// The JSON types that a parameter takes. Where none is named, any will do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Types(Vec<String>);

impl Tools {
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// What a parameter takes. One that a schema does not list is most likely another name for one
    /// that it lists; such a value is left as it was written.
    pub(super) fn types(&self, tool: &str, parameter: &str) -> Types {
        let plain = tool.strip_prefix("functions.").unwrap_or(tool);
        let parameters = self.0.get(tool).or_else(|| self.0.get(plain));
        match parameters.filter(|parameters| !parameters.is_empty()) {
            Some(parameters) => parameters
                .get(parameter)
                .cloned()
                .unwrap_or_else(Types::text),
            None => Types::default(),
        }
    }
}

impl Types {
    fn text() -> Self {
        Self(vec!["string".into()])
    }

    /// As JSON Schema says it: `type`, or a choice between schemas, or between values.
    fn of(schema: &Value) -> Self {
        let choice = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(key));
        let names: Vec<&str> = match (schema.get("type"), choice, schema.get("enum")) {
            (Some(Value::String(name)), ..) => vec![name],
            (Some(Value::Array(names)), ..) => names.iter().filter_map(Value::as_str).collect(),
            (_, Some(Value::Array(schemas)), _) => {
                let types: Option<Vec<&str>> = schemas
                    .iter()
                    .map(|schema| schema["type"].as_str())
                    .collect();
                types.unwrap_or_default()
            }
            (.., Some(Value::Array(values))) => values.iter().map(type_of).collect(),
            _ => vec![],
        };
        Self(names.into_iter().map(str::to_owned).collect())
    }

    pub(super) fn are_unknown(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn include(&self, name: &str) -> bool {
        self.0.iter().any(|known| known == name)
    }

    pub(super) fn fit(&self, value: &Value) -> bool {
        self.include(type_of(value))
            || (value.is_i64() || value.is_u64()) && self.include("integer")
    }
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

impl From<Vec<String>> for Tools {
    fn from(names: Vec<String>) -> Self {
        let unknown = Arc::new(Parameters::new());
        let tool = |name| (name, Arc::clone(&unknown));
        Self(names.into_iter().map(tool).collect())
    }
}

impl From<&[ToolSpec]> for Tools {
    fn from(specs: &[ToolSpec]) -> Self {
        let tools = specs.iter().flat_map(|spec| {
            let properties = spec.parameters["properties"].as_object();
            let types = |(name, schema): (&String, &Value)| (name.clone(), Types::of(schema));
            let parameters: Parameters = properties.into_iter().flatten().map(types).collect();
            let parameters = Arc::new(parameters);
            let names = std::iter::once(&spec.name).chain(&spec.aliases);
            names.map(move |name| (name.clone(), Arc::clone(&parameters)))
        });
        Self(tools.collect())
    }
}
