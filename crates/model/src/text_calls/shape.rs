//! Which JSON is a call.

use serde_json::{Map, Value};

/// A call as it was written; whether there is such a tool is not known yet.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) args: Map<String, Value>,
}

/// How much the surroundings say about JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    /// Nothing: only the wrapper, `{"tool_call": ..}`, is a call.
    Prose,
    /// It stands alone: `{"name": .., "arguments": ..}` is one too.
    Alone,
    /// It is in a place for calls: a name is enough.
    Marked,
}

/// Names that models give to the arguments.
const ARGUMENTS: [&str; 5] = ["arguments", "args", "parameters", "params", "input"];

/// The calls that `value` is. `None` if it is no call, or not wholly.
pub(super) fn calls(value: &Value, carrier: Carrier) -> Option<Vec<Call>> {
    match value {
        Value::Array(items) if carrier != Carrier::Prose && !items.is_empty() => {
            let calls: Option<Vec<_>> = items.iter().map(|item| calls(item, carrier)).collect();
            Some(calls?.into_iter().flatten().collect())
        }
        Value::Object(object) if is_wrapper(object) => wrapped(object),
        Value::Object(object) if carrier != Carrier::Prose => Some(vec![bare(object, carrier)?]),
        _ => None,
    }
}

/// Both, if there are both.
pub(super) fn joined(calls: Option<Vec<Call>>, more: Option<Vec<Call>>) -> Option<Vec<Call>> {
    let mut calls = calls?;
    calls.extend(more?);
    Some(calls)
}

fn is_wrapper(object: &Map<String, Value>) -> bool {
    object.contains_key("tool_call") || object.contains_key("tool_calls")
}

fn wrapped(object: &Map<String, Value>) -> Option<Vec<Call>> {
    let call = |value: &Value| bare(value.as_object()?, Carrier::Marked);
    match (object.get("tool_call"), object.get("tool_calls")) {
        (Some(one), _) => Some(vec![call(one)?]),
        (None, Some(Value::Array(several))) if !several.is_empty() => {
            several.iter().map(call).collect()
        }
        _ => None,
    }
}

fn bare(object: &Map<String, Value>, carrier: Carrier) -> Option<Call> {
    if let Some(Value::Object(function)) = object.get("function") {
        return bare(function, carrier);
    }
    let marked = carrier == Carrier::Marked;
    let names: &[&str] = if marked {
        &["name", "tool_name", "tool", "function"]
    } else {
        &["name"]
    };
    let name = names.iter().find_map(|key| object.get(*key))?.as_str()?;
    let args = match ARGUMENTS.iter().find_map(|key| object.get(*key)) {
        Some(args) => arguments(args)?,
        None if marked => Map::new(),
        None => return None,
    };
    if is_definition(object, &args) {
        return None;
    }
    Some(Call {
        name: name.to_owned(),
        args,
    })
}

/// The arguments, also where they are JSON in a string. Only an object will do.
fn arguments(value: &Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(args) => Some(args.clone()),
        Value::Null => Some(Map::new()),
        Value::String(text) if text.trim().is_empty() => Some(Map::new()),
        Value::String(text) => serde_json::from_str(text).ok(),
        _ => None,
    }
}

/// Whether this describes a tool rather than calling it: models list their tools when asked.
fn is_definition(object: &Map<String, Value>, args: &Map<String, Value>) -> bool {
    let is_schema = args.get("type").is_some_and(|kind| kind == "object")
        && args.get("properties").is_some_and(Value::is_object);
    is_schema || (object.contains_key("description") && object.contains_key("parameters"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn count(value: &Value, carrier: Carrier) -> usize {
        calls(value, carrier).map_or(0, |calls| calls.len())
    }

    #[test]
    fn the_carrier_decides_what_is_enough() {
        let wrapper = json!({"tool_call": {"name": "a"}, "thought": "hm"});
        let bare = json!({"name": "a", "arguments": {}});
        let name = json!({"name": "a", "version": 1});
        for (carrier, expected) in [
            (Carrier::Prose, [1, 0, 0]),
            (Carrier::Alone, [1, 1, 0]),
            (Carrier::Marked, [1, 1, 1]),
        ] {
            let found = [&wrapper, &bare, &name].map(|value| count(value, carrier));
            assert_eq!(found, expected, "{carrier:?}");
        }
    }

    #[test]
    fn arguments_come_in_many_ways() {
        let args =
            |value| calls(&json!({"tool_call": value}), Carrier::Prose).map(|c| c[0].args.clone());
        let expected = json!({"a": 1}).as_object().cloned();
        for key in ARGUMENTS {
            assert_eq!(args(json!({"name": "x", key: {"a": 1}})), expected);
        }
        assert_eq!(
            args(json!({"name": "x", "arguments": "{\"a\": 1}"})),
            expected
        );
        assert_eq!(
            args(json!({"name": "x", "arguments": ""})),
            Some(Map::new())
        );
        assert_eq!(
            args(json!({"name": "x", "arguments": null})),
            Some(Map::new())
        );
        for wrong in [json!([1]), json!(1), json!("{\"a\":"), json!("[1]")] {
            assert_eq!(args(json!({"name": "x", "arguments": wrong})), None);
        }
    }

    #[test]
    fn what_is_partly_a_call_is_none() {
        let good = json!({"name": "a", "arguments": {}});
        for bad in [
            json!(1),
            json!({"name": 1, "arguments": {}}),
            json!({"a": 1}),
        ] {
            assert_eq!(count(&json!([good, bad]), Carrier::Alone), 0);
            assert_eq!(
                count(&json!({"tool_calls": [good, bad]}), Carrier::Prose),
                0
            );
        }
        assert_eq!(count(&json!([good, good]), Carrier::Alone), 2);
        assert_eq!(count(&json!([]), Carrier::Marked), 0);
        assert_eq!(count(&json!({"tool_calls": []}), Carrier::Marked), 0);
    }

    #[test]
    fn a_description_of_a_tool_is_no_call() {
        let schema = json!({"type": "object", "properties": {"path": {"type": "string"}}});
        let plain = json!({"name": "a", "parameters": schema});
        let described = json!({"name": "a", "description": "d", "parameters": {}});
        let wrapped = json!({"type": "function", "function": {"name": "a", "parameters": schema}});
        for value in [plain, described, wrapped] {
            assert_eq!(count(&value, Carrier::Marked), 0, "{value}");
        }
    }
}
