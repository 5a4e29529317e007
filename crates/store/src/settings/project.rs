//! What the settings of a project may say.
//!
//! They come with the project, from whoever made it. Trusted or not, they never decide what protects
//! the user: who gets keys and words, what is asked, and what confines commands.

use std::collections::BTreeMap;
use std::path::PathBuf;

use toml::{Table, Value};

use super::McpServerSettings;
use super::{check, mcp};

/// The settings and sections that a project may have. All others are the user's alone.
const ALLOWED: [&str; 9] = [
    "provider",
    "model",
    "models",
    "shell",
    "retry",
    "agent",
    "text_calls",
    "think",
    "mcp",
];

/// The settings of a trusted project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectSettings {
    /// Their file.
    pub file: PathBuf,
    /// What it says, or why that cannot be read.
    pub source: Result<String, String>,
}

/// What a project wants to set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// The settings that it may have, as `name = value`, those that say who answers first.
    pub granted: Vec<String>,
    /// Those that it may not, likewise.
    pub refused: Vec<String>,
    /// The servers that it would have started or called.
    pub servers: BTreeMap<String, McpServerSettings>,
}

impl ProjectSettings {
    /// Where they are, below the project.
    pub const NAME: &str = ".pollux/config.toml";

    /// What they would set. A file that cannot be read sets nothing.
    pub fn wishes(&self) -> Wishes {
        let table = self.source.as_ref().ok().and_then(|text| text.parse().ok());
        let mut table: Table = table.unwrap_or_default();
        let refused = take_refused(&mut table);
        // What is wrong with a server keeps it from being used.
        let servers = mcp::read(&mut table, &mut Vec::new()).servers;
        // What says who answers comes first, whatever else there is.
        let allowed = ALLOWED.iter().filter_map(|name| table.remove_entry(*name));
        let granted = allowed.flat_map(|entry| -> Vec<String> { said(&Table::from_iter([entry])) });
        Wishes {
            granted: granted.collect(),
            refused: said(&refused),
            servers,
        }
    }
}

/// Takes out what a project may not set. What is no setting at all stays: it is told as such.
pub(super) fn take_refused(table: &mut Table) -> Table {
    let refused = table
        .iter()
        .filter(|(name, _)| !ALLOWED.contains(&name.as_str()) && check::is_known(name));
    let refused: Table = refused
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    table.retain(|name, _| !refused.contains_key(name));
    refused
}

/// Why a setting is the user's alone.
pub(super) fn why(name: &str) -> &'static str {
    match name {
        "providers" | "local" => "it decides who gets what you say, and your keys",
        "approval" => "it decides what is done without asking",
        "sandbox" => "it decides what commands can reach",
        _ => "it is for you to decide",
    }
}

/// What a table sets, and to what.
fn said(table: &Table) -> Vec<String> {
    let settings = keys(table).into_iter().filter_map(|path| {
        let (first, rest) = path.split_first()?;
        let value = rest
            .iter()
            .try_fold(table.get(first)?, |value, key| value.get(key))?;
        Some(format!("{} = {value}", path.join(".")))
    });
    settings.collect()
}

/// The settings in a table: those at the top, and those of sections.
pub(super) fn keys(table: &Table) -> Vec<Vec<String>> {
    let paths = table.iter().flat_map(|(name, value)| match value {
        Value::Table(section) => section
            .keys()
            .map(|key| vec![name.clone(), key.clone()])
            .collect(),
        _ => vec![vec![name.clone()]],
    });
    paths.collect()
}
