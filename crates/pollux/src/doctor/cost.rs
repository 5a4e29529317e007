//! What every request costs before anybody has said a word.

use std::sync::Arc;

use pollux_agent::Detail;
use pollux_store::skills;
use pollux_tools::{Sandbox, ShellLimits, Workspace};

use super::failed;
use crate::args::Args;
use crate::checks::Check;
use crate::environment::{Environment, working_directory};
use crate::failure::Failure;
use crate::told::{self, Told};
use crate::trust;
use crate::wire;

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
    let home = environment.home()?;
    let limits = ShellLimits::default();
    let tools = wire::tools(&workspace, limits, &Sandbox::off(), &home);
    let (memory, _) = told::read_memory(&home, &cwd);
    let folder = trust::unasked(args, environment).unwrap_or_default();
    let (skills, _) = skills::read(&home, folder.belongings());
    let tools = tools.skilled(skills.clone());
    let read = Told { memory, skills };
    Ok([Detail::Full, Detail::Lean].map(|detail| {
        let told = told::instructions(detail, &cwd, &workspace, &read, &tools);
        told.size().total()
    }))
}
