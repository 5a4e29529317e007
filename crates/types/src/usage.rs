//! What a reply cost and why it ended.

use serde::{Deserialize, Serialize};

/// Tokens of one request, as the server counted them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read: system text, tools and history.
    pub input: u64,
    /// Tokens written, thoughts included.
    pub output: u64,
    /// The part of `input` that the provider had cached.
    #[serde(default)]
    pub cached: u64,
    /// The part of `output` spent on thoughts.
    #[serde(default)]
    pub thoughts: u64,
}

impl Usage {
    /// Whether the server counted anything.
    pub fn is_known(&self) -> bool {
        self.total() > 0
    }

    /// Everything that was counted.
    pub fn total(&self) -> u64 {
        self.input + self.output
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, more: Self) {
        self.input += more.input;
        self.output += more.output;
        self.cached += more.cached;
        self.thoughts += more.thoughts;
    }
}

/// Why a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The model had said what it wanted to say.
    Stop,
    /// The model waits for tool results.
    ToolCalls,
    /// The output limit cut it off.
    Length,
    /// The provider withheld the rest.
    ContentFilter,
    /// The provider gave a reason that pollux does not know.
    Unknown,
}
