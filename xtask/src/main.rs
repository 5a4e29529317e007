//! Chores of the workspace: `cargo xtask <chore>`.
//!
//! One module for each chore; this file only knows their names.

mod bench;
mod shell;
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
    /// Tries to make dangerous commands look better, and measures how long reading takes
    Shell {
        /// How many commands to try
        #[arg(default_value_t = 100_000)]
        count: usize,
    },
}

fn main() -> anyhow::Result<ExitCode> {
    match Args::parse().chore {
        Chore::Tidy => tidy::run(&workspace()),
        Chore::Bench => bench::run(&workspace()),
        Chore::Shell { count } => Ok(shell::run(count)),
    }
}

/// The root of the workspace that this program was built in.
fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("a directory above xtask").to_owned()
}
