//! Whether an answer to a question about a command may be kept.

use crate::{Class, Part, Reading};

/// What may be remembered when somebody says `always`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Nothing: the same letters could do something else the next time, or it is too dangerous.
    Never,
    /// This very command, letter by letter.
    Exact,
    /// This very command; or every command that begins with these words.
    Prefix(Vec<String>),
}

/// Programs that are called with a subcommand, and the ones that mean the same whatever follows.
/// `make` is none: its variables name the programs that it runs.
const FAMILIES: [(&str, &str); 10] = [
    (
        "cargo",
        "build check test clippy fmt doc bench tree metadata",
    ),
    ("npm", "test ci ls outdated"),
    ("pnpm", "test ls"),
    ("yarn", "test"),
    ("go", "build test vet fmt list"),
    ("git", "add commit"),
    ("pytest", ""),
    ("tsc", ""),
    ("eslint", ""),
    ("mypy", ""),
];

/// What may be kept about a command of that class and these parts.
pub(crate) fn memory(class: Class, parts: &[Part], is_fixed: bool) -> Memory {
    if class == Class::Dangerous || !is_fixed || parts.is_empty() {
        return Memory::Never;
    }
    match parts {
        [only] => prefix(only).map_or(Memory::Exact, Memory::Prefix),
        _ => Memory::Exact,
    }
}

impl Reading {
    /// Whether a remembered `prefix` covers this command too. It must be one that may be
    /// remembered itself, so that nothing dangerous and nothing that is expanded slips in.
    pub fn begins_with(&self, prefix: &[String]) -> bool {
        match self.parts.as_slice() {
            [only] if self.memory != Memory::Never => {
                only.redirections.is_empty()
                    && only.assignments.is_empty()
                    && !prefix.is_empty()
                    && only.argv.starts_with(prefix)
            }
            _ => false,
        }
    }
}

/// The words that say what `part` is about.
fn prefix(part: &Part) -> Option<Vec<String>> {
    if !part.redirections.is_empty() || !part.assignments.is_empty() {
        return None;
    }
    let (program, rest) = part.argv.split_first()?;
    let (_, subcommands) = FAMILIES.iter().find(|(name, _)| name == program)?;
    if subcommands.is_empty() {
        return Some(vec![program.clone()]);
    }
    let subcommand = rest.first()?;
    let is_known = subcommands.split(' ').any(|name| name == subcommand);
    is_known.then(|| vec![program.clone(), subcommand.clone()])
}
