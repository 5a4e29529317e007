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

/// What goes to a model before the conversation, in tokens by guess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Before {
    /// Standing instructions.
    pub instructions: u64,
    /// What is written down for it.
    pub memory: u64,
    /// The tools that are offered.
    pub tools: u64,
}

impl Before {
    /// All of it.
    pub fn total(&self) -> u64 {
        self.instructions + self.memory + self.tools
    }
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

/// What each model has used, in the order in which they came to answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    models: Vec<SpentBy>,
    /// Which of them answers.
    current: usize,
}

/// What one model has used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpentBy {
    /// Its name.
    pub model: String,
    /// Replies that it has finished.
    pub requests: u64,
    /// What they came to.
    pub usage: Usage,
}

impl Spent {
    /// From now on this model answers.
    pub fn answered_by(&mut self, model: &str) {
        let known = self.models.iter().position(|by| by.model == model);
        self.current = known.unwrap_or(self.models.len());
        if known.is_none() {
            self.models.push(SpentBy {
                model: model.to_owned(),
                requests: 0,
                usage: Usage::default(),
            });
        }
    }

    /// It has finished a reply.
    pub fn add(&mut self, usage: Usage) {
        if let Some(by) = self.models.get_mut(self.current) {
            by.requests += 1;
            by.usage += usage;
        }
    }

    /// Each of them.
    pub fn by_model(&self) -> &[SpentBy] {
        &self.models
    }

    /// What all of them have used together.
    pub fn usage(&self) -> Usage {
        let mut sum = Usage::default();
        self.models.iter().for_each(|by| sum += by.usage);
        sum
    }

    /// Replies that were finished.
    pub fn requests(&self) -> u64 {
        self.models.iter().map(|by| by.requests).sum()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_model_is_counted_by_itself() {
        let usage = |input, output| Usage {
            input,
            output,
            ..Usage::default()
        };
        let mut spent = Spent::default();
        spent.answered_by("a");
        spent.add(usage(10, 1));
        spent.answered_by("b");
        spent.add(usage(20, 2));
        spent.answered_by("a");
        spent.add(usage(30, 3));
        let by = spent.by_model();
        let counts: Vec<_> = by
            .iter()
            .map(|by| (by.model.as_str(), by.requests, by.usage.total()))
            .collect();
        assert_eq!(counts, [("a", 2, 44), ("b", 1, 22)]);
        assert_eq!((spent.usage(), spent.requests()), (usage(60, 6), 3));
    }
}
