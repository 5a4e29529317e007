//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use pollux_types::{ApprovalMode, Mode};

use crate::failure::Failure;
use crate::sessions::Format;

/// A terminal coding agent: reads, edits and runs a project with any model.
///
/// With `-p`, or where input or output is no terminal, pollux answers once and exits. Otherwise it
/// stays open and talks: `/help` there tells how.
#[derive(Debug, Parser)]
#[command(name = "pollux", version, disable_help_subcommand = true)]
pub(crate) struct Args {
    /// The first message.
    #[arg(value_name = "PROMPT")]
    pub(crate) words: Option<String>,

    /// Answer this prompt and exit; piped input is appended to it.
    #[arg(short, long, value_name = "TEXT", conflicts_with = "words")]
    pub(crate) prompt: Option<String>,

    /// The model; `provider/model` names both.
    #[arg(short, long, value_name = "NAME", global = true)]
    pub(crate) model: Option<String>,

    /// Who serves the model: gemini, openai (and all that speak like it), anthropic, offline, or a
    /// name from the settings.
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) provider: Option<String>,

    /// Where that provider listens.
    #[arg(long, value_name = "URL", global = true)]
    pub(crate) base_url: Option<String>,

    /// How tools are called: natively, as text for models that cannot, or whatever works.
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) tool_calls: Option<ToolCalls>,

    /// What the session is for: doing things, or only looking and planning.
    #[arg(long, value_enum, default_value = "build", value_name = "MODE")]
    pub(crate) mode: ModeArg,

    /// What is allowed: reading only, edits too, or everything.
    #[arg(long, value_enum, value_name = "MODE")]
    pub(crate) approval_mode: Option<ApprovalArg>,

    /// Ask only about what is dangerous: the same as `--approval-mode yolo`.
    #[arg(short = 'y', conflicts_with = "approval_mode")]
    pub(crate) yolo: bool,

    /// Whether commands run in a sandbox: where it works, never, or always.
    #[arg(long, value_enum, value_name = "MODE", global = true)]
    pub(crate) sandbox: Option<SandboxArg>,

    /// How to print the answer of a run that answers once.
    #[arg(short, long, value_enum, default_value = "text", value_name = "FORMAT")]
    pub(crate) output_format: OutputFormat,

    /// Go on with a session: `latest`, an id, a name, or a number of `pollux sessions list`.
    #[arg(short, long, num_args = 0..=1, default_missing_value = "latest", value_name = "SESSION")]
    pub(crate) resume: Option<String>,

    /// Go on with the latest session.
    #[arg(short, long = "continue", conflicts_with = "resume")]
    pub(crate) continue_latest: bool,

    /// Ask the model at most so many times for one prompt.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_turns: Option<u32>,

    /// On a terminal: plain lines, no colours and nothing that moves, as screen readers want it.
    #[arg(long)]
    pub(crate) plain: bool,

    /// Further directories that belong to the project.
    #[arg(long, value_name = "DIR,..", value_delimiter = ',')]
    pub(crate) include_directories: Vec<PathBuf>,

    /// Work in this directory.
    #[arg(short = 'C', long, value_name = "DIR", global = true)]
    pub(crate) cwd: Option<PathBuf>,

    #[command(flatten)]
    trust: TrustArgs,

    /// Set something for this run, such as `retry.max_attempts=1`; may be repeated.
    #[arg(long, value_name = "KEY=VALUE", global = true)]
    pub(crate) config: Vec<String>,

    #[command(subcommand)]
    pub(crate) command: Option<Subcommand>,
}

/// Whether what the folder brings counts.
#[derive(Clone, Copy, Debug, clap::Args)]
struct TrustArgs {
    /// For this run, trust this folder: read the settings and all else that it brings.
    #[arg(long, global = true, conflicts_with = "no_trust")]
    trust: bool,

    /// For this run, read nothing that this folder brings.
    #[arg(long, global = true)]
    no_trust: bool,
}

impl Args {
    /// What the user has allowed beforehand; `setting` counts where no flag is given.
    pub(crate) fn approval(&self, setting: Option<&str>) -> Result<ApprovalMode, Failure> {
        let chosen = match (self.approval_mode, setting) {
            _ if self.yolo => ApprovalArg::Yolo,
            (Some(chosen), _) => chosen,
            (None, None) => ApprovalArg::Default,
            (None, Some(word)) => ApprovalArg::from_str(word, false).map_err(|_| {
                Failure::config(format!("approval.mode: `{word}` is no approval mode"))
                    .hint("there are: default, auto-edit, yolo")
            })?,
        };
        Ok(match chosen {
            ApprovalArg::Default => ApprovalMode::Default,
            ApprovalArg::AutoEdit => ApprovalMode::AutoEdit,
            ApprovalArg::Yolo => ApprovalMode::Yolo,
        })
    }

    /// What the session is for.
    pub(crate) fn mode(&self) -> Mode {
        match self.mode {
            ModeArg::Build => Mode::Build,
            ModeArg::Plan => Mode::Plan,
        }
    }

    /// Whether to trust the folder, if that was said.
    pub(crate) fn trust(&self) -> Option<bool> {
        let TrustArgs { trust, no_trust } = self.trust;
        (trust || no_trust).then_some(trust)
    }

    /// The session to go on with.
    pub(crate) fn resumed(&self) -> Option<&str> {
        if self.continue_latest {
            Some("latest")
        } else {
            self.resume.as_deref()
        }
    }
}

/// What pollux does besides talking to a model.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Subcommand {
    /// Recorded conversations of this project.
    #[command(subcommand)]
    Sessions(SessionsCommand),
    /// Find out what a server can do, and print the settings for it.
    Probe {
        /// About how long it may take in all; a slow model needs more.
        #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..=3600))]
        seconds: u64,
    },
    /// Check settings, server and surroundings, and say how to mend what is broken.
    Doctor,
    /// What pollux thinks of commands.
    #[command(subcommand)]
    Policy(PolicyCommand),
    /// The sandbox in which commands run.
    #[command(subcommand)]
    Sandbox(SandboxCommand),
    /// Servers whose resources `@server:uri` puts into a prompt.
    #[command(subcommand)]
    Mcp(McpCommand),
}

/// What can be done with MCP servers.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum McpCommand {
    /// Connect to all of them, and tell how they stand.
    List,
    /// Add one to your settings: a program to start, or an address.
    Add {
        /// What to call it.
        #[arg(value_name = "NAME")]
        name: String,
        /// Where it listens, if it is not a program to start.
        #[arg(
            long,
            value_name = "URL",
            required_unless_present = "program",
            conflicts_with = "program"
        )]
        url: Option<String>,
        /// A variable for the program; `${NAME}` stands for one of yours. May be repeated.
        #[arg(long, value_name = "NAME=VALUE", conflicts_with = "url")]
        env: Vec<String>,
        /// A header to send to the address, likewise.
        #[arg(long, value_name = "NAME=VALUE", requires = "url")]
        header: Vec<String>,
        /// The program and its arguments.
        #[arg(last = true, value_name = "CMD")]
        program: Vec<String>,
    },
    /// Take one out of your settings.
    Remove {
        /// Which one.
        #[arg(value_name = "NAME")]
        name: String,
    },
}

/// What can be done with the sandbox.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum SandboxCommand {
    /// Tell which ways of confining commands work here, and what commands may touch.
    Status {
        /// List all that is protected.
        #[arg(long)]
        all: bool,
    },
    /// Run a program in it, with its exit code; 44 if there is no sandbox.
    Run {
        /// Confine it in this way: namespaces or landlock.
        #[arg(long, value_name = "RUNG")]
        rung: Option<String>,
        /// The program and its arguments.
        #[arg(required = true, last = true, value_name = "CMD")]
        command: Vec<OsString>,
    },
}

/// What can be done with sessions.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum SessionsCommand {
    /// List them, newest first.
    List,
    /// Print one: `latest`, an id, or a number of the list.
    Show {
        /// Which one.
        #[arg(value_name = "SESSION")]
        session: String,
    },
    /// Print one as a document, thoughts left out.
    Export {
        /// Which one.
        #[arg(value_name = "SESSION")]
        session: String,
        /// Markdown, a page by itself, or the lines as they were recorded.
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Delete one for good, unless it is open.
    Delete {
        /// Which one.
        #[arg(value_name = "SESSION")]
        session: String,
    },
}

/// What can be asked about commands.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum PolicyCommand {
    /// Say what a shell command would do, without running it.
    ///
    /// With `--json` and no command, reads lines {"command": ..} from standard input.
    Check {
        /// The command, as one word.
        #[arg(value_name = "COMMAND")]
        shell: Option<String>,
        /// Print one JSON object a line: command, class, reasons.
        #[arg(long)]
        json: bool,
    },
}

/// Values of `--mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModeArg {
    /// Everything is offered.
    Build,
    /// Looking only: no edits, and commands that do more than read are asked about.
    Plan,
}

/// Values of `--approval-mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ApprovalArg {
    /// Reading inside the project is allowed; the rest is asked, or refused where nobody can be.
    Default,
    /// Edits inside the project too.
    AutoEdit,
    /// Everything is allowed but what is dangerous.
    Yolo,
}

/// Values of `--sandbox`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SandboxArg {
    /// Where it works.
    Auto,
    /// Never.
    Off,
    /// Always: where it does not work nothing runs.
    Strict,
}

/// Values of `--tool-calls`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolCalls {
    /// Natively, until the model writes a call as text.
    Auto,
    /// Natively only.
    Native,
    /// As text only.
    Text,
}

/// Values of `--output-format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// The answer, as it comes.
    Text,
    /// One JSON object at the end.
    Json,
    /// One JSON object a line, as things happen.
    StreamJson,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }
}
