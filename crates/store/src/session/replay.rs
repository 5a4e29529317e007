//! Reading a session log back, as far as it goes.

use std::io;
use std::path::Path;

use pollux_types::{CallView, Message};

use super::entry::{Answering, Entry, Header};

/// What a log holds.
#[derive(Debug, Default)]
pub struct Replay {
    /// The first line, unless it is damaged, with the model that answered last.
    pub header: Option<Header>,
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// What people saw of its calls.
    pub calls: Vec<CallView>,
    /// Lines that could not be read. They cost only themselves.
    pub damage: Vec<Damage>,
}

impl Replay {
    /// What was signed by one provider, another refuses.
    fn change_model(&mut self, answering: Answering) {
        let before = self
            .header
            .as_ref()
            .map(|header| &header.answering.provider);
        if before != Some(&answering.provider) {
            self.messages
                .iter_mut()
                .for_each(Message::forget_signatures);
        }
        if let Some(header) = &mut self.header {
            header.answering = answering;
        }
    }
}

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// Reads all that can be read.
pub fn replay(path: &Path) -> io::Result<Replay> {
    let bytes = fs_err::read(path)?;
    let mut replay = Replay::default();
    for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice(line) {
            Ok(Entry::Session(header)) => replay.header = Some(header),
            Ok(Entry::Model { answering, .. }) => replay.change_model(answering),
            Ok(Entry::Message { message, .. }) => replay.messages.push(message.into_owned()),
            Ok(Entry::Calls { calls, .. }) => replay.calls.extend(calls),
            Ok(Entry::Name { .. } | Entry::Unknown) => {}
            Err(error) => {
                replay.damage.push(Damage {
                    line: at + 1,
                    problem: error.to_string(),
                });
            }
        }
    }
    Ok(replay)
}
