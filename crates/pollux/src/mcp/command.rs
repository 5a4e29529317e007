//! `pollux mcp`: servers in the settings.

use std::collections::BTreeMap;
use std::io;
use std::process::ExitCode;

use pollux_store::settings::{McpServerSettings, add_server, remove_server};
use pollux_types::untrusted::visible;

use super::servers;
use super::told::report;
use crate::args::{Args, McpCommand};
use crate::environment::{Environment, working_directory};
use crate::failure::{Exit, Failure};
use crate::headless::put;
use crate::{trust, wire};

/// Does it, and says what was done.
pub(crate) fn run(
    command: &McpCommand,
    args: &Args,
    environment: &Environment,
) -> Result<ExitCode, Failure> {
    let home = environment.home()?;
    let file = wire::settings_file(environment, &home)?;
    let told = match command {
        McpCommand::List => list(args, environment)?,
        McpCommand::Add {
            name,
            url,
            env,
            header,
            program,
        } => {
            let mut words = program.iter().cloned();
            let server = McpServerSettings {
                command: words.next(),
                args: words.collect(),
                env: pairs(env)?,
                url: url.clone(),
                headers: pairs(header)?,
                ..McpServerSettings::default()
            };
            add_server(&file, name, &server).map_err(Failure::config)?;
            format!("{} has the MCP server {name}\n", file.display())
        }
        McpCommand::Remove { name } => {
            if !remove_server(&file, name).map_err(Failure::config)? {
                let message = format!("{} has no MCP server `{name}`", file.display());
                return Err(Failure::input(message));
            }
            format!("{} has the MCP server {name} no more\n", file.display())
        }
    };
    let printed = put(&mut io::stdout(), &told);
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::internal(format!("writing: {error}")))
        }
        _ => Ok(Exit::Done.into()),
    }
}

fn list(args: &Args, environment: &Environment) -> Result<String, Failure> {
    let home = environment.home()?;
    let cwd = working_directory(args)?;
    let folder = trust::unasked(args, environment)?;
    let (settings, problems) = wire::settings(args, environment, &home, &folder)?;
    let servers = servers(&settings, environment, &cwd);
    let runtime = crate::runtime()?;
    runtime.block_on(async {
        servers.ask();
        servers.answered().await;
    });
    let notes = folder.notices.into_iter();
    let notes = notes.chain(problems.iter().map(ToString::to_string));
    let notes = notes.map(|note| format!("note: {note}"));
    let notes: Vec<String> = notes.collect();
    let text = report(&servers.standing()) + &notes.join("\n");
    Ok(visible(&text).into_owned())
}

fn pairs(given: &[String]) -> Result<BTreeMap<String, String>, Failure> {
    let pair = |pair: &String| match pair.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(Failure::usage("expected NAME=VALUE")),
    };
    given.iter().map(pair).collect()
}
