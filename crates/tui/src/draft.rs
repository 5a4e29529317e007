//! A message as it was written.

/// What was written, and what it means. Blanks around it mean nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    /// As it stands in the composer: a character for each pasted block.
    pub content: String,
    /// What is sent.
    pub text: String,
    /// What a person has seen of it: a label for each pasted block.
    pub shown: String,
}

impl Draft {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

impl From<&str> for Draft {
    fn from(text: &str) -> Self {
        Self {
            content: text.to_owned(),
            text: text.to_owned(),
            shown: text.to_owned(),
        }
    }
}
