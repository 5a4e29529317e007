//! Values in the markup dialects, where everything is text.
//!
//! **The rule:** a value is what the tool's schema says. A string stays as it was written, even if
//! it reads `5` or `true`; anything else is read loosely, and left a string where it is none of what
//! the schema allows: the tool will say so.
//!
//! Where the schema allows strings among others, or says nothing, a value is a string unless it is
//! exactly how JSON writes something else on one line. "Exactly" means that writing it again gives
//! the same text (with or without spaces after `,` and `:`): `007`, `1.50` and a formatted JSON file
//! stay strings.

use serde_json::{Map, Value};

use super::input::Input;
use super::tools::Types;

/// Adds an argument; `None` if there is one of this name. Which of two values was meant is not for
/// us to say.
pub(super) fn add(args: &mut Map<String, Value>, key: String, value: Value) -> Option<()> {
    if args.contains_key(&key) {
        return None;
    }
    args.insert(key, value);
    Some(())
}

/// Reads up to `close`. A value that contains `open` must contain its `close` too: that is how a
/// value which quotes a call is told from the end of the value.
pub(super) async fn raw(text: &Input, open: &str, close: &str) -> Option<String> {
    let mut raw = String::new();
    let mut depth = 0_usize;
    loop {
        let (before, which) = text.until(&[open, close]).await?;
        raw.push_str(&before);
        match (which, depth) {
            (0, _) => depth += 1,
            (_, 0) => return Some(raw),
            _ => depth -= 1,
        }
        raw.push_str([open, close][which]);
    }
}

/// The value that `raw` stands for, of a parameter that takes `types`.
pub(super) fn typed(raw: &str, types: &Types) -> Value {
    let text = unwrapped(raw);
    let value = if types.are_unknown() {
        exact(text)
    } else if types.include("string") {
        exact(text).filter(|value| types.fit(value))
    } else {
        loose(text).filter(|value| types.fit(value))
    };
    value.unwrap_or_else(|| Value::String(text.to_owned()))
}

/// What a text stands for that cannot be meant as one.
fn loose(text: &str) -> Option<Value> {
    let text = text.trim();
    let whole = text.strip_suffix(".0").unwrap_or(text);
    if let Ok(number) = whole.parse::<i64>() {
        return Some(number.into());
    }
    let lower = text.to_lowercase();
    let word = ["true", "false", "null"].contains(&lower.as_str());
    serde_json::from_str(if word { &lower } else { text }).ok()
}

/// Markup that is set on lines of its own adds a line break before the value and one after it.
pub(super) fn unwrapped(raw: &str) -> &str {
    let start = raw.strip_prefix("\r\n").or_else(|| raw.strip_prefix('\n'));
    let Some(text) = start else {
        return raw;
    };
    let end = text
        .strip_suffix("\r\n")
        .or_else(|| text.strip_suffix('\n'));
    end.unwrap_or(text)
}

fn exact(text: &str) -> Option<Value> {
    let value: Value = serde_json::from_str(text).ok()?;
    let compact = value.to_string();
    let same = !value.is_string() && (compact == text || spaced(&value) == text);
    same.then_some(value)
}

/// `value` with spaces after commas and colons.
fn spaced(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(spaced).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Object(members) => {
            let pair = |(key, value): (&String, &Value)| {
                format!("{}: {}", Value::String(key.clone()), spaced(value))
            };
            let members: Vec<String> = members.iter().map(pair).collect();
            format!("{{{}}}", members.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use pollux_types::ToolSpec;
    use serde_json::json;

    use super::*;
    use crate::text_calls::Tools;

    #[test]
    fn only_what_can_be_had_back_is_typed() {
        for (raw, value) in [
            ("10", json!(10)),
            ("\ntrue\n", json!(true)),
            ("null", json!(null)),
            ("-1.5", json!(-1.5)),
            ("[\"a\", \"b\"]", json!(["a", "b"])),
            ("{\"a\":[1,2]}", json!({"a": [1, 2]})),
            ("{\"a\": [1, {\"b\": 2}]}", json!({"a": [1, {"b": 2}]})),
            ("007", json!("007")),
            ("1.50", json!("1.50")),
            ("True", json!("True")),
            ("\"a\"", json!("\"a\"")),
            ("{\n  \"a\": 1\n}", json!("{\n  \"a\": 1\n}")),
            ("{\"a\":1,\"a\":2}", json!("{\"a\":1,\"a\":2}")),
            (" 5", json!(" 5")),
            ("", json!("")),
        ] {
            assert_eq!(typed(raw, &Types::default()), value, "{raw:?}");
        }
    }

    /// The value of a parameter with this schema.
    fn of(schema: &Value, raw: &str) -> Value {
        let tool = ToolSpec {
            name: "t".into(),
            parameters: json!({"type": "object", "properties": {"p": schema}}),
            ..ToolSpec::default()
        };
        typed(raw, &Tools::from([tool].as_slice()).types("t", "p"))
    }

    #[test]
    fn the_schema_decides() {
        let named = |name: &str| json!({ "type": name });
        for text in ["5", "true", "null", "[1, 2]", "{\"a\":1}", "007", "\"a\""] {
            assert_eq!(of(&named("string"), text), json!(text));
        }
        for (name, raw, value) in [
            ("integer", "5", json!(5)),
            ("integer", "\n 007 \n", json!(7)),
            ("integer", "5.0", json!(5)),
            ("integer", "1.5", json!("1.5")),
            ("integer", "five", json!("five")),
            ("number", "1.50", json!(1.5)),
            ("number", "5", json!(5)),
            ("boolean", "True", json!(true)),
            ("boolean", "1", json!("1")),
            ("array", "[\n  \"a\"\n]", json!(["a"])),
            ("array", "a", json!("a")),
            ("object", "{ \"a\": 1 }", json!({"a": 1})),
        ] {
            assert_eq!(of(&named(name), raw), value, "{name} {raw:?}");
        }
    }

    #[test]
    fn a_choice_that_includes_strings_is_read_to_the_letter() {
        for schema in [
            json!({"type": ["string", "integer", "null"]}),
            json!({"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}),
            json!({"enum": ["a", 1, null]}),
        ] {
            assert_eq!(of(&schema, "5"), json!(5), "{schema}");
            assert_eq!(of(&schema, "05"), json!("05"));
            assert_eq!(of(&schema, "null"), json!(null));
            assert_eq!(of(&schema, "true"), json!("true"));
        }
        // Who knows what this is.
        assert_eq!(
            of(&json!({"anyOf": [{"$ref": "#/x"}]}), "true"),
            json!(true)
        );
    }

    #[test]
    fn a_parameter_that_is_not_in_the_schema_is_left_as_it_is() {
        let tool = ToolSpec {
            name: "t".into(),
            parameters: json!({"properties": {"p": {"type": "integer"}}}),
            aliases: vec!["u".into()],
            ..ToolSpec::default()
        };
        let tools = Tools::from([tool].as_slice());
        assert_eq!(typed("5", &tools.types("u", "q")), json!("5"));
        assert_eq!(typed("5", &tools.types("functions.u", "p")), json!(5));
        assert_eq!(
            typed("5", &Tools::from(vec!["t".into()]).types("t", "q")),
            json!(5)
        );
    }

    #[test]
    fn one_line_break_belongs_to_the_markup() {
        assert_eq!(unwrapped("\na\n"), "a");
        assert_eq!(unwrapped("\r\na\r\n"), "a");
        assert_eq!(unwrapped("\n\na\n\n"), "\na\n");
        assert_eq!(unwrapped("a\n"), "a\n");
        assert_eq!(unwrapped("\na"), "a");
        assert_eq!(unwrapped("\n"), "");
    }
}
