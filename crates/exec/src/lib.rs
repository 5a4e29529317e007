//! Running programs.
//!
//! Everything that starts a process is here, so that what must hold for all of them holds in one
//! place: a sandbox, a process group of their own, no terminal to wait for, bounded output, an end that
//! leaves nothing behind.
//!
//! **Invariant:** memory is bounded whatever a program prints, and no process of its group
//! outlives the future that runs it.
//!
//! Not here: what may be run (the agent's policy) and how a model is told about it (the tools).

mod capture;
mod editor;
mod git;
mod group;
mod live;
pub mod sandbox;
mod secrets;
pub mod server;
mod shell;

pub use capture::Captured;
pub use editor::edit;
pub use git::{HardenedGit, Printed};
pub use live::{Live, Watcher};
pub use secrets::is_hidden;
pub use shell::{ShellEnd, ShellExit, ShellJob, SpawnError, run_shell};
