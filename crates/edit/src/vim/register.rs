//! Registers: what was deleted or yanked, by name.

use std::collections::HashMap;

use super::command::Shape;

/// The register that is meant when none is named.
const UNNAMED: char = '"';

/// What a register holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Register {
    /// Whole lines come without the newline at their end.
    pub(super) text: String,
    pub(super) shape: Shape,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Registers(HashMap<char, Register>);

/// Whether there is a register with this name.
pub(super) fn is_name(name: char) -> bool {
    name.is_ascii_alphabetic() || matches!(name, UNNAMED | '0' | '_' | '+')
}

impl Registers {
    pub(super) fn get(&self, name: Option<char>) -> Option<&Register> {
        let name = name.unwrap_or(UNNAMED).to_ascii_lowercase();
        self.0.get(&name)
    }

    /// Keeps what was deleted.
    pub(super) fn deleted(&mut self, name: Option<char>, register: Register) {
        let Some(name) = name else {
            self.0.insert(UNNAMED, register);
            return;
        };
        match name {
            '_' => return,
            'A'..='Z' => self.append(name.to_ascii_lowercase(), register),
            name => {
                self.0.insert(name, register);
            }
        }
        if let Some(kept) = self.0.get(&name.to_ascii_lowercase()).cloned() {
            self.0.insert(UNNAMED, kept);
        }
    }

    /// Keeps what was yanked: as what was deleted, and for itself.
    pub(super) fn yanked(&mut self, name: Option<char>, register: Register) {
        if name.is_none() {
            self.0.insert('0', register.clone());
        }
        self.deleted(name, register);
    }

    fn append(&mut self, name: char, register: Register) {
        let Some(kept) = self.0.get_mut(&name) else {
            self.0.insert(name, register);
            return;
        };
        if kept.shape == Shape::Lines || register.shape == Shape::Lines {
            kept.text.push('\n');
            kept.shape = Shape::Lines;
        }
        kept.text.push_str(&register.text);
    }
}
