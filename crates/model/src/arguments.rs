//! The arguments of a call, as a model wrote them. They are never repaired.

use serde_json::{Map, Value};

/// Reads a JSON object; nothing at all means that there are none. On failure, what is wrong.
pub(crate) fn read(text: &str) -> Result<Map<String, Value>, String> {
    if text.trim().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(args)) => Ok(args),
        Ok(Value::Null) => Ok(Map::new()),
        // JSON in a JSON string: unpacked once, not more.
        Ok(Value::String(inner)) => {
            serde_json::from_str(&inner).map_err(|error| format!("not a JSON object: {error}"))
        }
        Ok(_) => Err("not a JSON object".into()),
        Err(error) => Err(format!("not valid JSON: {error}")),
    }
}
