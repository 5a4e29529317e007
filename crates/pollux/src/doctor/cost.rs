//! What every request costs before anybody has said a word.

use std::sync::Arc;

use pollux_agent::Detail;
use pollux_store::Settings;
use pollux_tools::Workspace;

use super::failed;
use crate::args::Args;
use crate::checks::Check;
use crate::environment::working_directory;
use crate::failure::Failure;
use crate::wire;

pub(super) fn check(args: &Args, settings: &Settings) -> Check {
    let name = "prompt";
    match measure(args, settings) {
        Ok([full, lean]) => Check::ok(
            name,
            format!("about {full} tokens before the conversation, {lean} for small models"),
        ),
        Err(failure) => failed(name, failure),
    }
}

fn measure(args: &Args, settings: &Settings) -> Result<[u64; 2], Failure> {
    let cwd = working_directory(args)?;
    let workspace = Workspace::new(&cwd, &args.include_directories)
        .map_err(|error| Failure::input(error.to_string()))?;
    let workspace = Arc::new(workspace);
    Ok([Detail::Full, Detail::Lean].map(|detail| {
        let (told, _) = wire::standing(&cwd, &workspace, settings, detail);
        told.system_tokens() + told.tool_tokens()
    }))
}
