//! Chores of the workspace: `cargo xtask <chore>`.
//!
//! One module for each chore; this file only knows their names.

mod bench;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chores of the pollux workspace.
#[derive(Parser)]
#[command(name = "cargo xtask")]
struct Args {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Checks the rules of the workspace that no compiler knows
    Tidy,
    /// Measures pollux against the least that the same work can take
    Bench,
}

fn main() -> anyhow::Result<ExitCode> {
    match Args::parse().chore {
        Chore::Tidy => tidy::run(&workspace()),
        Chore::Bench => bench::run(&workspace()),
    }
}

/// The root of the workspace that this program was built in.
fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("a directory above xtask").to_owned()
}
