//! What people are told of servers.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pollux_store::settings::{McpServerSettings, Transport};
use pollux_tools::{ServerState, Standing};
use pollux_types::untrusted::visible_command;

/// What a server does to this machine, in a line: all of it, so that somebody can decide.
pub(crate) fn described(name: &str, server: &McpServerSettings) -> String {
    let pairs = |what: &str, map: &BTreeMap<String, String>| {
        let pairs = map.iter();
        let pairs = pairs.map(|(name, value)| quoted(&format!("{name}={value}")));
        let pairs: Vec<String> = pairs.collect();
        (!pairs.is_empty()).then(|| format!(" ({what}: {})", pairs.join(" ")))
    };
    let line = match server.transport() {
        Some(Transport::Command(command)) => {
            let words = std::iter::once(command).chain(server.args.iter().map(String::as_str));
            let words: Vec<String> = words.map(quoted).collect();
            format!("MCP server {name} runs: {}", words.join(" "))
        }
        Some(Transport::Url(url)) => format!("MCP server {name} is called at: {url}"),
        None => format!("MCP server {name}"),
    };
    let dir = server.cwd.as_ref();
    let dir = dir.map(|dir| format!(" (in {})", quoted(&dir.display().to_string())));
    let more = [
        dir,
        pairs("variables", &server.env),
        pairs("headers", &server.headers),
        server.disabled.then(|| " (disabled)".to_owned()),
    ];
    let line = line + &more.into_iter().flatten().collect::<String>();
    visible_command(&line).replace('\n', "\\n")
}

/// A word as a shell would read it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// How servers stand, a line each.
pub(super) fn report(standing: &[Standing]) -> String {
    if standing.is_empty() {
        return "there are no MCP servers; `pollux mcp add NAME -- COMMAND` adds one\n".to_owned();
    }
    standing.iter().fold(String::new(), |mut text, server| {
        let Standing {
            name,
            state,
            resources,
            restarted,
        } = server;
        let state = match state {
            ServerState::Idle => "not connected yet".to_owned(),
            ServerState::Asked => "connecting".to_owned(),
            ServerState::Ready if *resources == 1 => "ready, 1 resource".to_owned(),
            ServerState::Ready => format!("ready, {resources} resources"),
            ServerState::Failed(why) => format!("failed: {why}"),
            ServerState::Disabled => "disabled in the settings".to_owned(),
        };
        writeln!(text, "{name}: {state}").expect("a String takes any text");
        if let Some(why) = restarted {
            writeln!(text, "  it was started again: {why}").expect("a String takes any text");
        }
        text
    })
}
