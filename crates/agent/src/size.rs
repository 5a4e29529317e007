//! How big a request is, by guess.

use std::borrow::Cow;
use std::ops::Add;
use std::sync::Arc;

use pollux_types::{Before, Message, Part, Role, ToolSpec, tokens};

use crate::prompt::Instructions;

/// Tokens of some text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    /// How many there may be.
    pub(crate) estimate: u64,
    /// How many there are at the very least.
    pub(crate) least: u64,
}

/// The size of a request.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sent {
    pub(crate) whole: Size,
    /// What follows the model's last message: all that is new since the request before.
    pub(crate) new: Size,
    /// What goes in front of the conversation.
    pub(crate) before: Before,
}

/// Measures requests. What was measured for one is not measured again for the next.
#[derive(Debug, Default)]
pub(crate) struct Scale {
    told: Option<(Size, Before)>,
    said: Vec<(Arc<Message>, Size)>,
}

impl Scale {
    /// The size of these messages with what goes in front of them, which stays the same.
    pub(crate) fn weigh(
        &mut self,
        instructions: &Instructions,
        tools: &[ToolSpec],
        messages: &[&Arc<Message>],
    ) -> Sent {
        let told = self
            .told
            .get_or_insert_with(|| Size::of_told(instructions, tools));
        let (told, before) = *told;
        let both = self.said.iter().zip(messages);
        let same = both
            .take_while(|((known, _), message)| Arc::ptr_eq(known, message))
            .count();
        self.said.truncate(same);
        let new = messages[same..].iter();
        self.said
            .extend(new.map(|message| (Arc::clone(message), Size::of_message(message))));
        let answered = messages
            .iter()
            .rposition(|message| message.role == Role::Model);
        let (old, new) = self.said.split_at(answered.map_or(0, |at| at + 1));
        let sum = |said: &[(Arc<Message>, Size)]| said.iter().map(|(_, size)| *size).sum();
        let new: Size = sum(new);
        Sent {
            whole: told + sum(old) + new,
            new,
            before,
        }
    }
}

impl Size {
    pub(crate) fn of(text: &str) -> Self {
        Self {
            estimate: tokens::estimate(text),
            least: tokens::at_least(text),
        }
    }

    fn of_told(instructions: &Instructions, tools: &[ToolSpec]) -> (Self, Before) {
        let least = |tool: &ToolSpec| {
            tokens::at_least(&tool.description) + tokens::at_least(&tool.parameters.to_string())
        };
        let before = instructions.size_with(tools);
        let size = Self {
            estimate: before.total(),
            least: tokens::at_least(&instructions.system) + tools.iter().map(least).sum::<u64>(),
        };
        (size, before)
    }

    fn of_message(message: &Message) -> Self {
        message.parts.iter().map(Self::of_part).sum()
    }

    /// Of what is surely sent of it. Thoughts are not counted: most servers do not get them back,
    /// and those that do get only what led to calls.
    fn of_part(part: &Part) -> Self {
        match part {
            Part::Thought { .. } => Self::default(),
            part => Self::of(&words(part)),
        }
    }
}

/// What a part says.
pub(crate) fn words(part: &Part) -> Cow<'_, str> {
    match part {
        Part::Text(text) | Part::Thought { text, .. } => text.into(),
        Part::FunctionResponse(response) => response.response.text().into(),
        Part::FunctionCall(call) => {
            let args = serde_json::to_string(&call.args).unwrap_or_default();
            format!("{} {args}", call.name).into()
        }
    }
}

impl Add for Size {
    type Output = Self;

    fn add(self, more: Self) -> Self {
        Self {
            estimate: self.estimate + more.estimate,
            least: self.least + more.least,
        }
    }
}

impl std::iter::Sum for Size {
    fn sum<I: Iterator<Item = Self>>(sizes: I) -> Self {
        sizes.fold(Self::default(), Add::add)
    }
}
