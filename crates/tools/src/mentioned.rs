//! What a prompt names with `@`: a file, a directory with all its files, the state of git, memory, or
//! a resource of an MCP server.
//!
//! The person asks for it, and not a model; but a model reads it, so it is bounded, and what is left
//! out is said.

use std::fmt::Write as _;
use std::future::ready;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use pollux_types::{ToolError, ToolErrorKind, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::blocking::blocking;
use crate::failure::{cancelled, not_read};
use crate::read;
use crate::schema;
use crate::shell::{RunShellCommand, Running, withheld};
use crate::walk::{walk, withholds};
use crate::{
    BadArgs, Effects, Forbidden, Located, McpServers, Outcome, Output, Plan, RunContext, Tool,
    Workspace,
};

/// What stands for the state of git.
pub const GIT: &str = "git";
/// What stands for what is written down for the model.
pub const MEMORY: &str = "memory";
/// What is asked of git. It works before the first commit too, and where the repository names programs
/// that show differences.
const GIT_COMMAND: &str = "git status --short --branch --ignore-submodules=all && \
     git diff --no-ext-diff --no-textconv --ignore-submodules=all && \
     git diff --no-ext-diff --no-textconv --ignore-submodules=all --cached";

/// Files of a directory that are named.
const NAMED: usize = 1000;
/// Bytes of all files of a directory together.
const SHOWN_BYTES: usize = 100_000;

#[derive(Debug, Deserialize, JsonSchema)]
struct Args {
    /// A file, a directory, `git`, `memory`, or `server:uri`.
    name: String,
}

/// The tool.
pub(crate) struct ReadMentioned {
    spec: ToolSpec,
    workspace: Arc<Workspace>,
    shell: RunShellCommand,
    servers: McpServers,
}

impl ReadMentioned {
    /// `shell` runs git.
    pub(crate) fn new(
        workspace: Arc<Workspace>,
        shell: RunShellCommand,
        servers: McpServers,
    ) -> Self {
        let description = "Reads what the prompt names.";
        Self {
            spec: schema::spec::<Args>("read_many_files", description),
            workspace,
            shell,
            servers,
        }
    }
}

impl Tool for ReadMentioned {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let Args { name } = schema::parse(&self.spec, args)?;
        if name == GIT {
            let git = self.shell.running(GIT_COMMAND.to_owned());
            let root = Located::of(self.workspace.root().to_owned());
            return Ok(Box::new(Git { git, root }));
        }
        if name == MEMORY {
            return Ok(Box::new(Memory));
        }
        if self.servers.split(&name).is_some() {
            let servers = self.servers.clone();
            return Ok(Box::new(OfServer { name, servers }));
        }
        let target = self.workspace.locate(&name);
        let shown = self.workspace.shown(&target.named);
        Ok(Box::new(Named { target, shown }))
    }
}

struct Git {
    git: Running,
    root: Located,
}

impl Plan for Git {
    fn effects(&self) -> Effects {
        reading(&self.root)
    }

    fn summary(&self) -> String {
        GIT.to_owned()
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        Box::pin(async move {
            let context = RunContext {
                guard_git: true,
                ..context
            };
            let Output { ran, .. } = Box::new(self.git).run(context).await?;
            let ran = ran.unwrap_or_default();
            if ran.exit_code == Some(0) {
                let withheld = withheld(&ran.stdout).unwrap_or_default();
                return Ok(Output::text(headed(GIT, &ran.stdout) + &withheld));
            }
            let said = ran.stderr.trim_end();
            Err(ToolError::new(ToolErrorKind::ExecutionFailed, said))
        })
    }
}

/// What the session began with: it is bounded already, and touches no file.
struct Memory;

impl Plan for Memory {
    fn effects(&self) -> Effects {
        Effects::default()
    }

    fn summary(&self) -> String {
        MEMORY.to_owned()
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        let memory = match context.memory.as_str() {
            "" => "[nothing is written down]",
            memory => memory,
        };
        Box::pin(ready(Ok(Output::text(headed(MEMORY, memory)))))
    }
}

/// A resource of a server, which the person has set up and names here.
struct OfServer {
    /// `server:uri`
    name: String,
    servers: McpServers,
}

impl Plan for OfServer {
    fn effects(&self) -> Effects {
        Effects::default()
    }

    fn summary(&self) -> String {
        self.name.clone()
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        Box::pin(async move {
            let (server, uri) = self.servers.split(&self.name).unwrap_or_default();
            let read = tokio::select! {
                biased;
                () = context.cancel.cancelled() => return Err(cancelled()),
                read = self.servers.read(server, uri) => read,
            };
            let text = read.map_err(|why| {
                let message = format!("MCP server `{server}`: {why}");
                ToolError::new(ToolErrorKind::ExecutionFailed, message)
            })?;
            let name = format!("{}, data of an MCP server, whatever it says", self.name);
            Ok(Output::text(headed(&name, &text)))
        })
    }
}

struct Named {
    target: Located,
    shown: String,
}

impl Plan for Named {
    fn effects(&self) -> Effects {
        reading(&self.target)
    }

    fn summary(&self) -> String {
        self.shown.clone()
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        let forbidden = context.forbidden.clone();
        blocking(context, move |stop| {
            if self.target.real.is_dir() {
                self.directory(stop, &forbidden)
            } else {
                let text = content(&self.target, &self.shown, stop)?;
                Ok(Output::text(headed(&self.shown, &text)))
            }
        })
    }
}

impl Named {
    /// Its files by name, then what is in them as far as it fits.
    fn directory(&self, stop: &CancellationToken, forbidden: &Forbidden) -> Outcome {
        let (files, more) = self.files(stop)?;
        let mut names = files.join("\n");
        if more {
            write!(names, "\n[and more than {NAMED} files]").expect("a String takes any text");
        }
        if files.is_empty() {
            "[no files]".clone_into(&mut names);
        }
        let mut text = headed(&format!("{}/", self.shown.trim_end_matches('/')), &names);
        let (mut room, mut left_out) = (SHOWN_BYTES, 0);
        for name in &files {
            if stop.is_cancelled() {
                return Err(cancelled());
            }
            let shown = self.shown_in(name);
            let file = Located::of(self.target.real.join(name));
            let content = if withholds(&self.target, &file.real) {
                "[not read, since it may hold secrets]".to_owned()
            } else if forbidden.has(&file.named) || forbidden.has(&file.real) {
                "[not read, since a rule forbids it or asks about it]".to_owned()
            } else {
                content(&file, &shown, stop).unwrap_or_else(|error| format!("[{}]", error.message))
            };
            match room.checked_sub(content.len()) {
                Some(rest) => {
                    room = rest;
                    text.push_str(&headed(&shown, &content));
                }
                None => left_out += 1,
            }
        }
        if left_out > 0 {
            writeln!(
                text,
                "[the content of {left_out} of {} files is left out: all of it would be more than \
                 {SHOWN_BYTES} bytes]",
                files.len()
            )
            .expect("a String takes any text");
        }
        Ok(Output::text(text))
    }

    fn shown_in(&self, name: &str) -> String {
        match self.shown.as_str() {
            "." => name.to_owned(),
            dir => format!("{}/{name}", dir.trim_end_matches('/')),
        }
    }

    /// The files below it, by their names relative to it, and whether there are too many. What is
    /// ignored is left out, and so are links: they may lead anywhere.
    fn files(&self, stop: &CancellationToken) -> Result<(Vec<String>, bool), ToolError> {
        // What cannot be listed is not empty.
        let dir = &self.target.real;
        std::fs::read_dir(dir).map_err(|error| not_read(dir, &self.shown, &error))?;
        let mut files = Vec::new();
        let entries = walk(dir, true)
            .sort_by_file_name(std::ffi::OsStr::cmp)
            .build();
        for entry in entries {
            if stop.is_cancelled() {
                return Err(cancelled());
            }
            let Ok(entry) = entry else { continue };
            if !entry.file_type().is_some_and(|kind| kind.is_file()) {
                continue;
            }
            if files.len() == NAMED {
                return Ok((files, true));
            }
            let name = entry.path().strip_prefix(dir);
            files.extend(name.ok().map(|name| name.display().to_string()));
        }
        Ok((files, false))
    }
}

fn reading(target: &Located) -> Effects {
    Effects {
        reads: vec![target.clone()],
        ..Effects::default()
    }
}

fn headed(name: &str, content: &str) -> String {
    let end = if content.ends_with('\n') { "" } else { "\n" };
    format!("Content from @{name}:\n{content}{end}")
}

/// What is in a file. What cannot be shown is named, and is no failure.
fn content(target: &Located, shown: &str, stop: &CancellationToken) -> Result<String, ToolError> {
    if let Err(error) = target.real.metadata() {
        return Err(not_read(&target.real, shown, &error));
    }
    match read::beginning(target, shown, stop) {
        Ok(output) => Ok(output.text),
        Err(ToolError {
            kind: ToolErrorKind::BinaryFile | ToolErrorKind::FileTooLarge,
            message,
        }) => Ok(format!("[{message}]")),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests;
