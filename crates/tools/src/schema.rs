//! From an argument struct to what a model is told about it, and back from what a model wrote.
//!
//! Specs travel with every request, so a schema keeps only what changes a model's behaviour:
//! names, types, which are required, one line of description each.

use pollux_types::ToolSpec;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use serde_json::{Map, Value};

use crate::BadArgs;

/// What schema generators add and no model needs.
const NOISE: &[&str] = &["$schema", "title", "format", "default"];

/// The spec of a tool that takes `A`.
pub(crate) fn spec<A: JsonSchema>(name: &str, description: &str) -> ToolSpec {
    let mut settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.inline_subschemas = true;
    let schema = settings.into_generator().into_root_schema_for::<A>();
    let mut parameters = lean(schema.into());
    if let Some(object) = parameters.as_object_mut() {
        object.shift_remove("description");
        // Some servers want to be told also that there are none.
        let none = || Value::Object(Map::new());
        object.entry("properties").or_insert_with(none);
    }
    ToolSpec {
        name: name.into(),
        description: description.into(),
        parameters,
        aliases: Vec::new(),
    }
}

/// Reads the arguments of a call, or says which one is wrong and what the tool takes.
pub(crate) fn parse<A: DeserializeOwned>(
    spec: &ToolSpec,
    args: Map<String, Value>,
) -> Result<A, BadArgs> {
    let wrong = wrong_type(spec, &args);
    serde_json::from_value(Value::Object(args)).map_err(|error| {
        let error = error.to_string();
        match wrong {
            // An error about a value does not say whose; one about a name does.
            Some(name) if !error.contains(" field ") => {
                refusal(spec, &format!("`{name}`: {error}"))
            }
            _ => refusal(spec, &error),
        }
    })
}

/// What is wrong, followed by what the tool takes.
pub(crate) fn refusal(spec: &ToolSpec, wrong: &str) -> BadArgs {
    BadArgs(format!("{wrong}; {} takes {}", spec.name, taken(spec)))
}

/// For `deserialize_with`: a count, also where a model wrote it as text or as a float.
pub(crate) fn count<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    let value = Value::deserialize(from)?;
    let text = match &value {
        Value::Null => return Ok(None),
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    };
    let whole = text.strip_suffix(".0").unwrap_or(&text);
    match whole.parse() {
        Ok(count) => Ok(Some(count)),
        Err(_) => Err(D::Error::custom(format!(
            "expected a whole number, not {value}"
        ))),
    }
}

/// For `deserialize_with`: yes or no, also where a model wrote it as text.
pub(crate) fn flag<'de, D: Deserializer<'de>>(from: D) -> Result<Option<bool>, D::Error> {
    match Value::deserialize(from)? {
        Value::Null => Ok(None),
        Value::Bool(yes) => Ok(Some(yes)),
        Value::String(text) if text.eq_ignore_ascii_case("true") => Ok(Some(true)),
        Value::String(text) if text.eq_ignore_ascii_case("false") => Ok(Some(false)),
        other => Err(D::Error::custom(format!(
            "expected true or false, not {other}"
        ))),
    }
}

fn lean(schema: Value) -> Value {
    match schema {
        Value::Object(object) => Value::Object(object.into_iter().filter_map(lean_entry).collect()),
        Value::Array(items) => Value::Array(items.into_iter().map(lean).collect()),
        other => other,
    }
}

fn lean_entry((key, value): (String, Value)) -> Option<(String, Value)> {
    let value = match (key.as_str(), value) {
        (noise, _) if NOISE.contains(&noise) => return None,
        ("minimum", Value::Number(least)) if least.as_u64() == Some(0) => return None,
        ("type", Value::Array(types)) => without_null(types),
        // Its keys are names of parameters, not words of the schema language.
        ("properties", Value::Object(properties)) => properties
            .into_iter()
            .map(|(name, schema)| (name, lean(schema)))
            .collect(),
        (_, value) => lean(value),
    };
    Some((key, value))
}

fn without_null(mut types: Vec<Value>) -> Value {
    types.retain(|kind| kind != "null");
    match types.len() {
        1 => types.remove(0),
        _ => Value::Array(types),
    }
}

/// `file_path (string, required), start_line (integer)`.
fn taken(spec: &ToolSpec) -> String {
    let required = spec.parameters["required"].as_array();
    let described = properties(spec).map(|(name, schema)| {
        let kind = schema["type"].as_str().unwrap_or("any");
        let needed = required.is_some_and(|names| names.iter().any(|n| n == name));
        let needed = if needed { ", required" } else { "" };
        format!("{name} ({kind}{needed})")
    });
    described.collect::<Vec<_>>().join(", ")
}

/// The first argument whose type is not the one in the schema.
fn wrong_type(spec: &ToolSpec, args: &Map<String, Value>) -> Option<String> {
    let fits = |schema: &Value, value: &Value| match schema["type"].as_str() {
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("integer") => value.is_u64(),
        Some("boolean") => value.is_boolean(),
        _ => true,
    };
    properties(spec)
        .find(|(name, schema)| args.get(*name).is_some_and(|value| !fits(schema, value)))
        .map(|(name, _)| name.clone())
}

fn properties(spec: &ToolSpec) -> impl Iterator<Item = (&String, &Value)> {
    spec.parameters["properties"]
        .as_object()
        .into_iter()
        .flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[derive(Debug, serde::Deserialize, JsonSchema)]
    struct Args {
        /// Which one.
        #[serde(alias = "path")]
        format: String,
        #[serde(default, deserialize_with = "count")]
        lines: Option<usize>,
        #[serde(default, deserialize_with = "flag")]
        all: Option<bool>,
        #[serde(default)]
        ignore: Vec<String>,
    }

    fn read(args: &Value) -> Result<Args, BadArgs> {
        parse(&spec::<Args>("tool", ""), args.as_object().unwrap().clone())
    }

    #[test]
    fn a_schema_holds_only_what_a_model_needs() {
        let parameters = spec::<Args>("tool", "").parameters;
        insta::assert_snapshot!(parameters, @r#"{"type":"object","properties":{"format":{"type":"string","description":"Which one."},"lines":{"type":"integer"},"all":{"type":"boolean"},"ignore":{"type":"array","items":{"type":"string"}}},"required":["format"]}"#);
    }

    #[test]
    fn a_refusal_names_the_argument_and_all_that_is_taken() {
        let refused = |args| read(&args).unwrap_err().to_string();
        insta::assert_snapshot!(refused(json!({})), @"missing field `format`; tool takes format (string, required), lines (integer), all (boolean), ignore (array)");
        assert!(refused(json!({"lines": "7"})).starts_with("missing field `format`"));
        insta::assert_snapshot!(refused(json!({"format": "a", "lines": -1})), @"`lines`: expected a whole number, not -1; tool takes format (string, required), lines (integer), all (boolean), ignore (array)");
    }

    #[test]
    fn loose_spelling_is_understood() {
        let args = read(&json!({"path": "a", "lines": "7", "all": "True", "more": 1})).unwrap();
        assert_eq!(
            (args.format.as_str(), args.lines, args.all),
            ("a", Some(7), Some(true))
        );
        assert!(args.ignore.is_empty());
        let args = read(&json!({"format": "a", "lines": 7.0, "all": null})).unwrap();
        assert_eq!((args.lines, args.all), (Some(7), None));
    }
}
