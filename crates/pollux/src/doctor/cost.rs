//! What every request costs before anybody has said a word.

use std::sync::Arc;

use pollux_agent::Detail;
use pollux_tools::{Reach, Registry, Sandbox, ShellLimits, Workspace};

use super::failed;
use crate::args::Args;
use crate::checks::Check;
use crate::environment::{Environment, working_directory};
use crate::failure::Failure;
use crate::told::{self, Cost};

pub(super) fn check(args: &Args, environment: &Environment) -> Check {
    let name = "prompt";
    match measure(args, environment) {
        Ok([full, lean]) => Check::ok(
            name,
            format!("about {full} tokens before the conversation, {lean} for small models"),
        ),
        Err(failure) => failed(name, failure),
    }
}

fn measure(args: &Args, environment: &Environment) -> Result<[u64; 2], Failure> {
    let cwd = working_directory(args)?;
    let workspace = Workspace::new(&cwd, &args.include_directories)
        .map_err(|error| Failure::input(error.to_string()))?;
    let workspace = Arc::new(workspace);
    let shared = Arc::clone(&workspace);
    let reach = Reach::new(pollux_model::http_client);
    let tools = Registry::builtin(shared, ShellLimits::default(), Sandbox::off(), reach);
    let home = environment.home().ok();
    let (memory, _) = home
        .map(|home| told::read_memory(&home, &cwd))
        .unwrap_or_default();
    Ok([Detail::Full, Detail::Lean].map(|detail| {
        let told = told::instructions(detail, &cwd, &workspace, &memory, &tools);
        Cost::of(&told).sum()
    }))
}
