//! Thoughts that a server wants back just as they came: `reasoning_details`.
//!
//! They are a list of objects whose texts come in pieces. Above this module they are one opaque
//! signature.

use pollux_types::{Message, Part};
use serde_json::Value;

/// The details of one reply.
#[derive(Debug, Default)]
pub(super) struct Details(Vec<Value>);

impl Details {
    /// Takes in what came next. A piece of the same sort and place goes on with the one before.
    pub(super) fn add(&mut self, pieces: impl Iterator<Item = Value>) {
        for piece in pieces {
            match self.0.last_mut() {
                Some(last) if last["type"] == piece["type"] && last["index"] == piece["index"] => {
                    go_on(last, piece);
                }
                _ => self.0.push(piece),
            }
        }
    }

    /// All of it, as a signature; `None` if there is nothing.
    pub(super) fn take(&mut self) -> Option<String> {
        let details = std::mem::take(&mut self.0);
        (!details.is_empty()).then(|| Value::Array(details).to_string())
    }
}

/// Texts are joined; what else is new is added.
fn go_on(last: &mut Value, piece: Value) {
    let (Value::Object(last), Value::Object(piece)) = (last, piece) else {
        return;
    };
    for (name, value) in piece {
        match (last.get_mut(&name), value) {
            (Some(Value::String(before)), Value::String(more))
                if ["text", "summary", "data"].contains(&name.as_str()) =>
            {
                before.push_str(&more);
            }
            (_, Value::Null) => {}
            (_, value) => {
                last.insert(name, value);
            }
        }
    }
}

/// The details in a message; none if it came from another server.
pub(super) fn of(message: &Message) -> Vec<Value> {
    let signatures = message.parts.iter().filter_map(|part| match part {
        Part::Thought { signature, .. } => signature.as_deref(),
        _ => None,
    });
    let lists = signatures.filter_map(|text| serde_json::from_str::<Vec<Value>>(text).ok());
    lists.flatten().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pieces_become_one_and_are_found_again() {
        let mut details = Details::default();
        assert_eq!(details.take(), None);
        details.add(
            [json!({"type": "reasoning.text", "index": 0, "text": "I ", "signature": null})]
                .into_iter(),
        );
        details.add(
            [json!({"type": "reasoning.text", "index": 0, "text": "see", "signature": "s"})]
                .into_iter(),
        );
        details.add([json!({"type": "reasoning.encrypted", "index": 0, "data": "x"})].into_iter());
        let thought = Part::Thought {
            text: "I see".into(),
            signature: details.take(),
        };
        let found = of(&Message::model(vec![thought]));
        assert_eq!(
            found,
            [
                json!({"type": "reasoning.text", "index": 0, "text": "I see", "signature": "s"}),
                json!({"type": "reasoning.encrypted", "index": 0, "data": "x"}),
            ]
        );
        let foreign = Part::Thought {
            text: String::new(),
            signature: Some("abc".into()),
        };
        assert!(of(&Message::model(vec![foreign])).is_empty());
    }
}
