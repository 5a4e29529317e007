//! What the tests of pollux stand on. Never part of a build that is shipped.
//!
//! Test doubles that behave like the real thing: a model server that speaks HTTP byte by byte as
//! it is told ([`ModelServer`]), an MCP server ([`McpServer`]), a model without any network ([`ScriptedModel`]), a terminal with
//! keys and a screen ([`Terminal`]), a place to work in ([`Project`]) and a way to run the binary
//! there ([`Pollux`]).
//!
//! **Invariant:** nothing here sleeps to wait for something. Every wait is for a condition, has a
//! deadline, and panics at the deadline with a message that shows what was there instead.
//!
//! Not here: what to expect. Assertions and fixtures belong beside the code that they test.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "in a test the panic is the report; passing errors on would only hide its place"
)]

mod binary;
mod child;
mod command_spec;
mod gate;
mod mcp_server;
mod model_server;
mod project;
mod scripted_model;
mod terminal;
mod watched;

pub use binary::{Pollux, Ran, Running, Stdin};
pub use command_spec::CommandSpec;
pub use gate::Gate;
pub use mcp_server::McpServer;
pub use model_server::{Defect, End, HttpReply, ModelServer, Protocol, Recorded, Step, Turn};
pub use project::Project;
pub use scripted_model::{AskedRequest, ScriptedModel, ScriptedReply};
pub use terminal::Terminal;
/// What tests of a [`Terminal`] look at, and what they send.
pub use {rustix::process::Signal, vt100};

use std::time::Duration;

/// How long any wait lasts before it panics: far longer than what is waited for ever takes, so
/// that a slow machine does not fail a test, and short enough to sit through once.
pub const PATIENCE: Duration = Duration::from_secs(10);
