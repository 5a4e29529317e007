//! What a conversation consists of, independent of any provider.
//!
//! The serialised form is what the session log stores, so it never changes incompatibly: new
//! fields are optional, new parts are new variants.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::id::CallId;

/// Who said it. Tool results travel in user messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person, or pollux on the person's behalf.
    User,
    /// The model.
    Model,
}

/// One entry of the history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who said it.
    pub role: Role,
    /// What was said, in order.
    pub parts: Vec<Part>,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Part {
    /// Words.
    Text(String),
    /// The model's reasoning: shown and logged, never taken for an answer.
    Thought {
        /// The reasoning, or its summary; empty where only a signature came.
        text: String,
        /// An opaque token that the provider wants back unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    /// The model asks for a tool.
    FunctionCall(FunctionCall),
    /// What the tool gave back.
    FunctionResponse(FunctionResponse),
}

/// A tool call as the model said it: not yet checked against anything.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionCall {
    /// Unique within the session.
    pub id: CallId,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments.
    pub args: Map<String, Value>,
    /// An opaque token that the provider wants back with this call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// The answer to one [`FunctionCall`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionResponse {
    /// The call it answers.
    pub id: CallId,
    /// The name used in that call.
    pub name: String,
    /// What the model gets to read.
    pub response: Response,
}

/// What the model gets to read of a tool's work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Response {
    /// It worked.
    Output(String),
    /// It did not; why, and what to do instead.
    Error(String),
}

impl Message {
    /// A message from the user.
    pub fn user(parts: Vec<Part>) -> Self {
        Self {
            role: Role::User,
            parts,
        }
    }

    /// A message from the model.
    pub fn model(parts: Vec<Part>) -> Self {
        Self {
            role: Role::Model,
            parts,
        }
    }

    /// All text parts, joined with no separator.
    pub fn text(&self) -> String {
        self.parts.iter().filter_map(Part::as_text).collect()
    }

    /// What the person typed, in a message of theirs: its first words. What follows was put there
    /// by pollux, such as files that the prompt names.
    pub fn prompt(&self) -> &str {
        let mut texts = self.parts.iter().filter_map(Part::as_text);
        texts.next().unwrap_or_default()
    }

    /// The texts of its thoughts, in order.
    pub fn thoughts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Thought { text, .. } => Some(text.as_str()),
            _ => None,
        })
    }

    /// The tool calls in this message, in order.
    pub fn calls(&self) -> impl Iterator<Item = &FunctionCall> {
        self.parts.iter().filter_map(|part| match part {
            Part::FunctionCall(call) => Some(call),
            _ => None,
        })
    }

    /// The tool results in this message, in order.
    pub fn responses(&self) -> impl Iterator<Item = &FunctionResponse> {
        self.parts.iter().filter_map(|part| match part {
            Part::FunctionResponse(response) => Some(response),
            _ => None,
        })
    }

    /// Whether the message says anything: non-blank text, a call or a response.
    pub fn is_valid(&self) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Text(text) => !text.trim().is_empty(),
            Part::FunctionCall(_) | Part::FunctionResponse(_) => true,
            Part::Thought { .. } => false,
        })
    }

    /// Drops what only the provider it came from understands.
    pub fn forget_signatures(&mut self) {
        for part in &mut self.parts {
            match part {
                Part::Thought { signature, .. } => *signature = None,
                Part::FunctionCall(call) => call.signature = None,
                Part::Text(_) | Part::FunctionResponse(_) => {}
            }
        }
    }

    /// Takes all words so far for a thought.
    pub fn text_was_thought(&mut self) {
        for part in &mut self.parts {
            if let Part::Text(text) = part {
                *part = Part::Thought {
                    text: std::mem::take(text),
                    signature: None,
                };
            }
        }
    }

    /// Appends a part; text right after text continues it.
    pub fn push(&mut self, part: Part) {
        match (self.parts.last_mut(), part) {
            (Some(Part::Text(before)), Part::Text(text)) => before.push_str(&text),
            (
                Some(Part::Thought {
                    text: before,
                    signature: None,
                }),
                Part::Thought { text, signature },
            ) => {
                before.push_str(&text);
                if let Some(Part::Thought {
                    signature: slot, ..
                }) = self.parts.last_mut()
                {
                    *slot = signature;
                }
            }
            (_, part) => self.parts.push(part),
        }
    }
}

impl Part {
    /// A text part.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// The words, if this is a text part.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl Response {
    /// The text, whether it tells of success or of failure.
    pub fn text(&self) -> &str {
        match self {
            Self::Output(text) | Self::Error(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_stored_form_is_fixed() {
        let call = FunctionCall {
            id: CallId::new("c1"),
            name: "read_file".into(),
            args: json!({"file_path": "a"}).as_object().unwrap().clone(),
            signature: Some("s".into()),
        };
        let response = FunctionResponse {
            id: CallId::new("c1"),
            name: "read_file".into(),
            response: Response::Error("no such file".into()),
        };
        let message = Message::model(vec![
            Part::text("hi"),
            Part::Thought {
                text: "hm".into(),
                signature: None,
            },
            Part::FunctionCall(call),
            Part::FunctionResponse(response),
        ]);
        let stored = serde_json::to_string(&message).unwrap();
        insta::assert_snapshot!(stored, @r#"{"role":"model","parts":[{"text":"hi"},{"thought":{"text":"hm"}},{"functionCall":{"id":"c1","name":"read_file","args":{"file_path":"a"},"signature":"s"}},{"functionResponse":{"id":"c1","name":"read_file","response":{"error":"no such file"}}}]}"#);
        assert_eq!(serde_json::from_str::<Message>(&stored).unwrap(), message);
    }

    #[test]
    fn adjacent_text_is_one_part() {
        let mut message = Message::model(vec![]);
        message.push(Part::text("a"));
        message.push(Part::text("b"));
        message.push(Part::Thought {
            text: "t".into(),
            signature: None,
        });
        message.push(Part::Thought {
            text: "u".into(),
            signature: Some("s".into()),
        });
        message.push(Part::Thought {
            text: "v".into(),
            signature: None,
        });
        message.push(Part::text("c"));
        assert_eq!(
            message.parts,
            [
                Part::text("ab"),
                Part::Thought {
                    text: "tu".into(),
                    signature: Some("s".into())
                },
                Part::Thought {
                    text: "v".into(),
                    signature: None
                },
                Part::text("c"),
            ]
        );
        assert_eq!(message.text(), "abc");
    }

    #[test]
    fn blank_text_and_thoughts_alone_are_not_valid() {
        assert!(!Message::model(vec![]).is_valid());
        assert!(!Message::model(vec![Part::text(" \n")]).is_valid());
        let thought = Part::Thought {
            text: "hm".into(),
            signature: None,
        };
        assert!(!Message::model(vec![thought]).is_valid());
        assert!(Message::model(vec![Part::text("x")]).is_valid());
    }

    #[test]
    fn signatures_can_be_forgotten() {
        let thought = |signature| Part::Thought {
            text: "t".into(),
            signature,
        };
        let mut message = Message::model(vec![thought(Some("s".into()))]);
        message.forget_signatures();
        assert_eq!(message.parts, [thought(None)]);
        message.parts.push(Part::text("x"));
        message.text_was_thought();
        assert_eq!(message.text(), "");
    }
}
