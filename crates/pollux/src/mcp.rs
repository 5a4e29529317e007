//! MCP servers: from settings to what can be used, `pollux mcp`, and how they stand.

mod command;
mod told;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use pollux_store::Settings;
use pollux_store::settings::{McpServerSettings, Transport};
use pollux_tools::{Contact, McpServers, Means, Resource, ServerSetup, ServerState, Standing};
use pollux_tui::program::Choice;
use pollux_types::untrusted::visible;

use crate::environment::Environment;
use crate::wire;
pub(crate) use command::run;
pub(crate) use told::described;
use told::report;

/// How long a server may take, unless its settings say otherwise: some are downloaded first.
const PATIENCE: Duration = Duration::from_mins(1);

/// How long `/mcp` waits for servers before it tells what is known.
const A_MOMENT: Duration = Duration::from_secs(3);

/// The servers that are set up. Starts nothing.
pub(crate) fn servers(settings: &Settings, environment: &Environment, cwd: &Path) -> McpServers {
    let means = Means {
        helper: this_program(),
        hidden_variables: wire::hidden_variables(settings, environment),
        client: pollux_model::http_client,
    };
    let set_up = |(name, server): (&String, &McpServerSettings)| ServerSetup {
        name: name.clone(),
        contact: contact(server, environment, cwd),
        timeout: server.timeout_ms.map_or(PATIENCE, Duration::from_millis),
        disabled: server.disabled,
    };
    let setups = settings.mcp.servers.iter().map(set_up).collect();
    McpServers::new(setups, &means)
}

/// This program, also where its file has been replaced meanwhile.
fn this_program() -> PathBuf {
    let running = Path::new("/proc/self/exe");
    if running.exists() {
        return running.to_owned();
    }
    std::env::current_exe().unwrap_or_default()
}

fn contact(
    server: &McpServerSettings,
    environment: &Environment,
    cwd: &Path,
) -> Result<Contact, String> {
    let filled = |map: &BTreeMap<String, String>| -> Result<Vec<(String, String)>, String> {
        let pairs = map.iter().map(|(name, value)| {
            let value = if server.from_project {
                unfilled(value)
            } else {
                filled(value, environment)
            };
            Ok((name.clone(), value?))
        });
        pairs.collect()
    };
    match server.transport() {
        Some(Transport::Command(command)) => Ok(Contact::Program {
            program: command.into(),
            args: server.args.iter().map(OsString::from).collect(),
            dir: server
                .cwd
                .as_ref()
                .map_or_else(|| cwd.to_owned(), |dir| cwd.join(dir)),
            variables: filled(&server.env)?
                .into_iter()
                .map(|(name, value)| (name, value.into()))
                .collect(),
        }),
        Some(Transport::Url(url)) => Ok(Contact::Address {
            url: url.to_owned(),
            headers: filled(&server.headers)?,
        }),
        None => Err("neither a command nor a url is set".to_owned()),
    }
}

/// A value with what variables hold in the place of `${NAME}`.
fn filled(value: &str, environment: &Environment) -> Result<String, String> {
    let mut parts = value.split("${");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part
            .split_once('}')
            .ok_or("a `${` in its settings has no `}`")?;
        let held = environment.var(name);
        let held = held.ok_or(format!(
            "its settings name the variable {name}, which is not set"
        ))?;
        text.extend([held, rest]);
    }
    Ok(text)
}

/// A project gets at none of the user's variables.
fn unfilled(value: &str) -> Result<String, String> {
    if value.contains("${") {
        return Err("a project's server gets none of your variables, and wants `${..}`".to_owned());
    }
    Ok(value.to_owned())
}

/// The answer to `/mcp`.
pub(crate) async fn answer(servers: &McpServers, words: &str) -> String {
    match words {
        "" => {}
        "reload" => servers.reload().await,
        _ => return "`/mcp` tells how servers stand, `/mcp reload` connects to them anew\n".into(),
    }
    servers.ask();
    tokio::time::timeout(A_MOMENT, servers.answered())
        .await
        .ok();
    let standing = servers.standing();
    let failed = |server: &Standing| matches!(server.state, ServerState::Failed(_));
    let hint = if standing.iter().any(failed) {
        "`/mcp reload` tries again\n"
    } else {
        ""
    };
    report(&standing) + hint
}

/// What can be put into a message, as far as it is known.
pub(crate) fn choices(servers: &McpServers) -> Vec<Choice> {
    let choice = |(server, Resource { uri, about }): (String, Resource)| Choice {
        word: format!("{server}:{uri}"),
        description: visible(&about).into_owned(),
    };
    servers.resources().into_iter().map(choice).collect()
}

#[cfg(test)]
mod tests;
