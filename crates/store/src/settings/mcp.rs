//! `[mcp]`: servers that speak the Model Context Protocol.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use toml::{Table, Value};

use super::check::{Wrong, understood};
use super::fields;

/// `[mcp]`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct McpSettings {
    /// The servers, by name.
    pub servers: BTreeMap<String, McpServerSettings>,
}

/// `[mcp.servers.NAME]`: a program to start, or an address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct McpServerSettings {
    /// The program that is the server.
    pub command: Option<String>,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Variables that it gets besides those of a command; `${NAME}` stands for one of pollux's own.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// The directory it runs in, in place of the project's.
    pub cwd: Option<PathBuf>,
    /// Where it listens, if it runs elsewhere.
    pub url: Option<String>,
    /// Headers to send there; `${NAME}` stands for a variable.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// How long it may take to start, and to answer.
    #[serde(default, deserialize_with = "fields::above_zero")]
    pub timeout_ms: Option<u64>,
    /// It is not used.
    #[serde(default)]
    pub disabled: bool,
    /// The project brings it, and not the user.
    #[serde(skip)]
    pub from_project: bool,
}

/// How a server is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport<'a> {
    /// By starting this program.
    Command(&'a str),
    /// At this address.
    Url(&'a str),
}

impl McpServerSettings {
    /// How it is reached. Settings that were read have exactly one way.
    pub fn transport(&self) -> Option<Transport<'_>> {
        match (&self.command, &self.url) {
            (Some(command), None) => Some(Transport::Command(command)),
            (None, Some(url)) => Some(Transport::Url(url)),
            _ => None,
        }
    }

    /// What is wrong with settings that are readable each for itself, and where.
    fn contradiction(&self) -> Option<(Option<&'static str>, &'static str)> {
        let program = !self.args.is_empty() || !self.env.is_empty() || self.cwd.is_some();
        match (&self.command, &self.url) {
            (None, None) => Some((None, "`command` or `url` is missing")),
            (Some(_), Some(_)) => Some((Some("url"), "there is a `command` already; keep one")),
            (Some(command), None) if command.trim().is_empty() => {
                Some((Some("command"), "expected a program"))
            }
            (Some(_), None) if !self.headers.is_empty() => {
                Some((Some("headers"), "only a server with a `url` gets headers"))
            }
            (None, Some(url)) if !is_address(url) => {
                Some((Some("url"), "expected an address such as https://host/mcp"))
            }
            (None, Some(_)) if program => Some((
                None,
                "`args`, `env` and `cwd` are for a `command`, and this one has a `url`",
            )),
            _ => None,
        }
    }
}

fn is_address(url: &str) -> bool {
    let host = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty() && !host.contains(char::is_whitespace))
}

/// What names of servers are like.
pub(super) const NAMED: &str = "a server's name is made of letters, digits, `-` and `_`";

/// Whether a server can be called that: it stands before the `:` of a mention, and in the names of
/// its tools.
pub(super) fn is_name(name: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !name.is_empty() && name.chars().all(fits)
}

/// Reads `[mcp]`. A server that cannot be read costs only itself.
pub(super) fn read(table: &mut Table, wrong: &mut Vec<Wrong>) -> McpSettings {
    let mut section = match table.remove("mcp") {
        Some(Value::Table(section)) => section,
        Some(_) => {
            wrong.push(told(&[], "expected sections such as `[mcp.servers.docs]`"));
            return McpSettings::default();
        }
        None => return McpSettings::default(),
    };
    let named = match section.remove("servers") {
        Some(Value::Table(named)) => named,
        Some(_) => {
            let expected = "expected sections such as `[mcp.servers.docs]`";
            wrong.push(told(&["servers"], expected));
            Table::new()
        }
        None => Table::new(),
    };
    let unknown = section.keys();
    wrong.extend(unknown.map(|key| told(&[key], "unknown setting; there are: servers")));
    let servers = named.into_iter().filter_map(|(name, value)| {
        let server = server(&name, &value, wrong)?;
        Some((name, server))
    });
    McpSettings {
        servers: servers.collect(),
    }
}

/// The names of the servers in a table.
pub(super) fn names(table: &Table) -> Vec<String> {
    let section = table.get("mcp").and_then(|section| section.get("servers"));
    let servers = section.and_then(Value::as_table);
    servers.map_or_else(Vec::new, |servers| servers.keys().cloned().collect())
}

/// Takes the servers out of `above` whose names are taken by those `below`, and names them.
pub(super) fn take_taken(below: &Table, above: &mut Table) -> Vec<String> {
    let servers = above.get_mut("mcp").and_then(|mcp| mcp.get_mut("servers"));
    let Some(Value::Table(servers)) = servers else {
        return Vec::new();
    };
    let mut taken = names(below);
    taken.retain(|name| servers.remove(name).is_some());
    taken
}

fn server(name: &str, value: &Value, wrong: &mut Vec<Wrong>) -> Option<McpServerSettings> {
    let path = ["servers", name];
    if !is_name(name) {
        wrong.push(told(&path, NAMED));
        return None;
    }
    let full = ["mcp", "servers", name].map(str::to_owned);
    let server: McpServerSettings = understood(full.to_vec(), value, wrong)?;
    if let Some((key, message)) = server.contradiction() {
        let path: Vec<&str> = path.into_iter().chain(key).collect();
        wrong.push(told(&path, message));
        return None;
    }
    Some(server)
}

/// A problem with what is at this path below `mcp`.
fn told(path: &[&str], message: &str) -> Wrong {
    let path = std::iter::once(&"mcp").chain(path);
    let path: Vec<String> = path.map(|name| (*name).to_owned()).collect();
    let message = format!("`{}`: {message}", path.join("."));
    Wrong { path, message }
}
