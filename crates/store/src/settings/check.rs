//! From a table to [`Settings`], and what to say of that which is none.
//!
//! Whoever is told need not know the words of the parser. A section that cannot be read is tried
//! key by key, so that each wrong key is named.

use std::collections::BTreeMap;

use pollux_types::nearest;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::{ProviderSettings, Settings, UiSettings, mcp};
use crate::place::in_one_line;

/// A setting that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// Where it is in the table.
    pub(super) path: Vec<String>,
    pub(super) message: String,
}

impl Wrong {
    /// What its owner has to do without: a provider or a server, the keys of an action, or else a whole
    /// section.
    pub(super) fn cost(&self) -> &[String] {
        let depth = match self.path.first().map(String::as_str) {
            Some("providers") => 2,
            Some("mcp") => 3,
            Some("ui") if self.path.get(1).is_some_and(|name| name == "keys") => 3,
            _ => 1,
        };
        &self.path[..self.path.len().min(depth)]
    }

    /// The provider that cannot be used because of it.
    pub(super) fn provider(&self) -> Option<&String> {
        let is_one = self.path.first().is_some_and(|first| first == "providers");
        self.path.get(1).filter(|_| is_one)
    }
}

/// The settings at the top, and the sections.
const TOP: [&str; 2] = ["provider", "model"];
const SECTIONS: [&str; 15] = [
    "providers",
    "models",
    "prices",
    "local",
    "approval",
    "sandbox",
    "shell",
    "retry",
    "agent",
    "context",
    "text_calls",
    "think",
    "ui",
    "mcp",
    "debug",
];

/// Whether there is such a setting at the top, or such a section.
pub(super) fn is_known(name: &str) -> bool {
    TOP.contains(&name) || SECTIONS.contains(&name)
}

/// Reads what can be read.
pub(super) fn read(mut table: Table) -> (Settings, Vec<Wrong>) {
    let mut wrong: Vec<Wrong> = table.iter().filter_map(unknown).collect();
    let providers = providers(&mut table, &mut wrong);
    let keys = keys(&mut table, &mut wrong);
    let mcp = mcp::read(&mut table, &mut wrong);
    let settings = Settings {
        provider: section(&mut table, "provider", &mut wrong),
        model: section(&mut table, "model", &mut wrong),
        providers,
        models: section(&mut table, "models", &mut wrong),
        prices: section(&mut table, "prices", &mut wrong),
        local: section(&mut table, "local", &mut wrong),
        approval: section(&mut table, "approval", &mut wrong),
        sandbox: section(&mut table, "sandbox", &mut wrong),
        shell: section(&mut table, "shell", &mut wrong),
        retry: section(&mut table, "retry", &mut wrong),
        agent: section(&mut table, "agent", &mut wrong),
        context: section(&mut table, "context", &mut wrong),
        text_calls: section(&mut table, "text_calls", &mut wrong),
        think: section(&mut table, "think", &mut wrong),
        ui: UiSettings {
            keys,
            ..section(&mut table, "ui", &mut wrong)
        },
        mcp,
        debug: section(&mut table, "debug", &mut wrong),
    };
    (settings, wrong)
}

/// A section is most likely meant for one, and a setting for a setting.
fn unknown((name, value): (&String, &Value)) -> Option<Wrong> {
    let (first, then): (&[&str], &[&str]) = match value {
        Value::Table(_) => (&SECTIONS, &TOP),
        _ => (&TOP, &SECTIONS),
    };
    if is_known(name) {
        return None;
    }
    let near = |names: &[&'static str]| nearest(name, names.iter().copied());
    let hint = near(first)
        .or_else(|| near(then))
        .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    Some(Wrong {
        path: vec![name.clone()],
        message: format!("unknown setting `{name}`{hint}"),
    })
}

/// One that cannot be read costs only itself.
fn providers(table: &mut Table, wrong: &mut Vec<Wrong>) -> BTreeMap<String, ProviderSettings> {
    let named = match table.remove("providers") {
        Some(Value::Table(named)) => named,
        Some(_) => {
            wrong.push(Wrong {
                path: vec!["providers".to_owned()],
                message: "`providers`: expected sections such as `[providers.lab]`".to_owned(),
            });
            Table::new()
        }
        None => Table::new(),
    };
    let read = named.into_iter().filter_map(|(name, value)| {
        let path = vec!["providers".to_owned(), name.clone()];
        Some((name, understood(path, &value, wrong)?))
    });
    read.collect()
}

/// The keys of one action that cannot be read cost only themselves.
fn keys(table: &mut Table, wrong: &mut Vec<Wrong>) -> BTreeMap<String, Vec<String>> {
    let path = || vec!["ui".to_owned(), "keys".to_owned()];
    let ui = table.get_mut("ui").and_then(Value::as_table_mut);
    let named = match ui.and_then(|ui| ui.remove("keys")) {
        Some(Value::Table(named)) => named,
        Some(_) => {
            wrong.push(Wrong {
                path: path(),
                message: "`ui.keys`: expected lines such as `undo = [\"ctrl+z\"]`".to_owned(),
            });
            Table::new()
        }
        None => Table::new(),
    };
    let read = named.into_iter().filter_map(|(name, value)| {
        let path = [path(), vec![name.clone()]].concat();
        Some((name, understood(path, &value, wrong)?))
    });
    read.collect()
}

fn section<T: DeserializeOwned + Default>(
    table: &mut Table,
    name: &str,
    wrong: &mut Vec<Wrong>,
) -> T {
    let value = table.remove(name);
    let read = value.and_then(|value| understood(vec![name.to_owned()], &value, wrong));
    read.unwrap_or_default()
}

pub(super) fn understood<T: DeserializeOwned>(
    path: Vec<String>,
    value: &Value,
    wrong: &mut Vec<Wrong>,
) -> Option<T> {
    let whole = match value.clone().try_into::<T>() {
        Ok(read) => return Some(read),
        Err(error) => error.message().to_owned(),
    };
    let alone = value.as_table().into_iter().flatten();
    let bad: Vec<Wrong> = alone
        .filter_map(|(key, value)| {
            let alone = Table::from_iter([(key.clone(), value.clone())]);
            let error = Value::Table(alone).try_into::<T>().err()?;
            let problem = error.message();
            let path = [path.as_slice(), std::slice::from_ref(key)].concat();
            (!problem.starts_with(MISSING)).then(|| in_words(path, problem))
        })
        .collect();
    if bad.is_empty() {
        wrong.push(in_words(path, &whole));
    }
    wrong.extend(bad);
    None
}

const MISSING: &str = "missing field ";

/// What the parser says, in words that a person knows. Values are not repeated: there may be keys
/// among them.
fn in_words(path: Vec<String>, problem: &str) -> Wrong {
    let name = path.join(".");
    let key = path.last().map_or("", String::as_str);
    let choices = || {
        names(
            problem
                .split_once("expected")
                .map_or("", |(_, names)| names),
        )
    };
    let said = if key == "api_key" {
        "a key has no place in a file: put it into a variable, and name that with `api_key_env`"
            .to_owned()
    } else if problem.starts_with("unknown field") {
        let there = choices();
        let hint = match nearest(key, there.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are: {}", there.join(", ")),
        };
        let message = format!("unknown setting `{name}`; {hint}");
        return Wrong { path, message };
    } else if problem.starts_with("unknown variant") {
        format!("expected one of {}", choices().join(", "))
    } else if let Some(missing) = problem.strip_prefix(MISSING) {
        format!("{missing} is missing")
    } else {
        expected(problem)
    };
    let message = format!("`{name}`: {said}");
    Wrong { path, message }
}

/// What stands between backticks.
fn names(list: &str) -> Vec<&str> {
    list.split('`').skip(1).step_by(2).collect()
}

/// `invalid type: string "many", expected u32`
fn expected(problem: &str) -> String {
    let Some((_, expected)) = problem.rsplit_once(", expected ") else {
        return in_one_line(problem);
    };
    let word = match expected.trim() {
        "u32" | "u64" | "usize" if problem.starts_with("invalid value") => "a number from 0 up",
        "u32" | "u64" | "usize" | "f64" => "a number",
        "a boolean" => "true or false",
        "a string" => "a text in quotes",
        "a sequence" => "a list of texts",
        "a map" => "a table, such as { name = \"value\" }",
        other if other.starts_with("struct ") => "a section",
        other => other,
    };
    format!("expected {word}")
}
