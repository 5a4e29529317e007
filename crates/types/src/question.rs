//! Questions of the model to the person.

use serde::{Deserialize, Serialize};

/// One question, with answers to choose from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// What is asked.
    pub question: String,
    /// What can be answered; the first is what the model would take. Other answers are answers too.
    pub options: Vec<QuestionOption>,
}

/// An answer to choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionOption {
    /// What is answered.
    pub label: String,
    /// What that means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}
