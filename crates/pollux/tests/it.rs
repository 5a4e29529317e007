//! The real binary: over pipes and in a real terminal.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "in a test the panic is the report"
)]

mod it {
    mod approvals;
    mod bad_input;
    mod doctor;
    mod failing_servers;
    mod fetching;
    mod gate;
    mod headless;
    mod injection;
    mod local;
    mod mcp;
    mod memory;
    mod mentions;
    mod offline;
    mod plain;
    mod policy;
    mod probe;
    mod protocols;
    mod repl;
    mod serving;
    mod sessions;
    mod skills;
    mod support;
    mod trust;
}
