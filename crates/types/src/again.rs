//! A session that goes on, told again.

use serde::{Deserialize, Serialize};

use crate::event::Event;

/// What was said and done in a session, for showing it again: the newest of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Again {
    /// How many messages came before what is told.
    pub left_out: usize,
    /// What happened then, in order.
    pub told: Vec<Told>,
}

/// Something that was said or done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Told {
    /// The person has said this.
    Prompt(String),
    /// What front ends were told then, or would have been.
    Event(Box<Event>),
}

impl From<Event> for Told {
    fn from(event: Event) -> Self {
        Self::Event(Box::new(event))
    }
}
