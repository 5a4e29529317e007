//! How much a command may take of the machine.

use std::fmt;

/// What a command and all that it starts may have at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Processes; threads count as such.
    pub processes: u64,
    /// Bytes of memory; without a number, four fifths of what the machine has.
    pub memory: Option<u64>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            processes: 4096,
            memory: None,
        }
    }
}

/// The limit that a command was ended for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// So many processes were allowed.
    Processes(u64),
    /// So many bytes were allowed.
    Memory(u64),
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Processes(most) => write!(f, "processes {most}"),
            Self::Memory(most) => write!(f, "memory {most}"),
        }
    }
}

impl Excess {
    /// What the command did, for people.
    pub fn in_words(self) -> String {
        match self {
            Self::Processes(most) => format!("it had more than {most} processes"),
            Self::Memory(most) => format!("it used more than {} MB of memory", most >> 20),
        }
    }

    /// Reads what `Display` writes.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (what, most) = text.split_once(' ')?;
        let most = most.parse().ok()?;
        match what {
            "processes" => Some(Self::Processes(most)),
            "memory" => Some(Self::Memory(most)),
            _ => None,
        }
    }
}
