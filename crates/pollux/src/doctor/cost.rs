//! What every request costs before anybody has said a word.

use std::sync::Arc;

use pollux_agent::Detail;
use pollux_tools::{Reach, Registry, Sandbox, ShellLimits, Workspace};

use super::failed;
use crate::args::Args;
use crate::checks::Check;
use crate::environment::working_directory;
use crate::failure::Failure;
use crate::wire;

pub(super) fn check(args: &Args) -> Check {
    let name = "prompt";
    match measure(args) {
        Ok([full, lean]) => Check::ok(
            name,
            format!("about {full} tokens before the conversation, {lean} for small models"),
        ),
        Err(failure) => failed(name, failure),
    }
}

fn measure(args: &Args) -> Result<[u64; 2], Failure> {
    let cwd = working_directory(args)?;
    let workspace = Workspace::new(&cwd, &args.include_directories)
        .map_err(|error| Failure::input(error.to_string()))?;
    let workspace = Arc::new(workspace);
    let shared = Arc::clone(&workspace);
    let reach = Reach::new(pollux_model::http_client);
    let tools = Registry::builtin(shared, ShellLimits::default(), Sandbox::off(), reach);
    Ok([Detail::Full, Detail::Lean].map(|detail| {
        let told = wire::instructions(detail, &cwd, &workspace, &tools);
        told.system_tokens() + told.tool_tokens()
    }))
}
