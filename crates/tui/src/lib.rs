//! The front end that people keep open: a REPL printed into the terminal's own scrollback.
//!
//! What is settled is printed once and never touched again; below it a few live rows (what is
//! being written, running tools, menus, the prompt) are redrawn as they change. [`screen`] is the
//! only room that writes to the terminal, but for what is outside its text area ([`attention`]) and
//! how it is set up (`tty`).
//!
//! Read [`run`] first: the loop on one screen. [`app`] is the state it turns.
//!
//! Not here: the agent. The REPL knows it only by `Command`s and `Event`s.

pub mod app;
pub mod approval;
pub mod attention;
mod clip;
mod columns;
pub mod command_block;
pub mod complete;
pub mod completer;
pub mod composer;
pub mod diff;
pub mod draft;
pub mod highlight;
pub mod history;
mod keys;
pub mod line;
pub mod markdown;
mod panics;
pub mod plain;
pub mod program;
pub mod question;
pub mod queue;
pub mod run;
pub mod screen;
mod signals;
pub mod slash;
pub mod style;
mod talk;
pub mod todos;
pub mod transcript;
mod tty;
pub mod wrap;

pub use panics::newest_panic;
pub use pollux_edit::Keymap;
