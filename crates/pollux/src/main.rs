//! The program: reads flags and environment, wires the rooms together, and ends with the exit
//! code that scripts rely on.

mod args;
mod checks;
mod current;
mod debug;
mod doctor;
mod editor;
mod elsewhere;
mod environment;
mod failure;
mod headless;
mod input;
mod local;
mod mcp;
mod permissions;
mod policy;
mod probe;
mod provider;
mod repl;
mod sandbox;
mod sessions;
mod signals;
mod told;
mod trust;
mod wire;

use std::io::IsTerminal;
use std::process::ExitCode;

use clap::Parser;
use pollux_exec::{sandbox as sandbox_helper, server as server_helper};
use tokio::runtime::Runtime;

use args::{Args, Subcommand};
use environment::Environment;
use failure::Failure;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    match words.next() {
        Some(word) if word == sandbox_helper::SUBCOMMAND => {
            return sandbox_helper::enter(words).into();
        }
        Some(word) if word == server_helper::SUBCOMMAND => {
            return server_helper::watch(words).into();
        }
        _ => {}
    }
    let args = Args::parse();
    let environment = Environment::of_process();
    match dispatch(args, &environment) {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}

fn dispatch(args: Args, environment: &Environment) -> Result<ExitCode, Failure> {
    match &args.command {
        Some(_) if args.words.is_some() || args.prompt.is_some() => {
            let failure = Failure::usage("a prompt and a subcommand do not go together");
            Err(failure.hint("quote a prompt of several words"))
        }
        Some(Subcommand::Sessions(command)) => sessions::run(command, &args, environment),
        Some(Subcommand::Probe { seconds }) => {
            runtime()?.block_on(probe::run(*seconds, &args, environment))
        }
        Some(Subcommand::Doctor) => runtime()?.block_on(doctor::run(&args, environment)),
        Some(Subcommand::Policy(command)) => policy::run(command, &args, environment),
        Some(Subcommand::Sandbox(command)) => sandbox::run(command, &args, environment),
        Some(Subcommand::Mcp(command)) => mcp::run(command, &args, environment),
        None => converse(args, environment),
    }
}

/// Talks to a model: once, or until the user has enough.
fn converse(args: Args, environment: &Environment) -> Result<ExitCode, Failure> {
    let on_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let runtime = runtime()?;
    if on_terminal && args.prompt.is_none() {
        runtime.block_on(repl::run(args, environment))
    } else {
        runtime.block_on(headless::run(args, environment))
    }
}

/// One thread is enough: the work is waiting, and blocking calls have threads of their own.
pub(crate) fn runtime() -> Result<Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::internal(format!("starting the runtime: {error}")))
}
