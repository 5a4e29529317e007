//! Values in the markup dialects, where everything is text.
//!
//! **The rule:** a value is a string, unless it is exactly how JSON writes a number, a truth value,
//! `null`, an array or an object on one line. "Exactly" means that writing it again gives the same
//! text (with or without spaces after `,` and `:`), so that whoever knows the tool's schema and
//! wanted a string can have it back: `007`, `1.50` and a formatted JSON file stay strings.

use serde_json::{Map, Value};

use super::input::Input;

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

/// The value that `raw` stands for.
pub(super) fn typed(raw: &str) -> Value {
    let text = unwrapped(raw);
    exact(text).unwrap_or_else(|| Value::String(text.to_owned()))
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
    use serde_json::json;

    use super::*;

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
            assert_eq!(typed(raw), value, "{raw:?}");
        }
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
