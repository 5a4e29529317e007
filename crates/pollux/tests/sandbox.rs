//! The sandbox with the real helper: what gets out of it, and what works in it.
//!
//! Every test runs in each rung that this machine has.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "in a test the panic is the report, and this one starts programs of its own"
)]

mod sandbox {
    mod commands;
    mod escapes;
    mod limits;
    mod network;
    mod offers;
    mod processes;
    mod protected;
    mod support;
    mod unavailable;
    mod workloads;
}
