//! The front end that people keep open: a REPL printed into the terminal's own scrollback.
//!
//! What is settled is printed once and never touched again; below it a few live rows (what is
//! being written, running tools, menus, the prompt) are redrawn as they change. [`screen`] is the
//! only room that writes to the terminal.
//!
//! Not here: the agent. The REPL knows it only by `Command`s and `Event`s.

mod clip;
pub mod history;
pub mod line;
pub mod queue;
pub mod markdown;
pub mod screen;
pub mod style;
pub mod wrap;
