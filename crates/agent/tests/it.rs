//! The agent without a screen and without a network.

#![allow(clippy::unwrap_used, reason = "in a test the panic is the report")]

mod it {
    mod again;
    mod approving;
    mod cancelling;
    mod elsewhere;
    mod fallback;
    mod foreign;
    mod hostile;
    mod memory;
    mod mentions;
    mod offering;
    mod own_commands;
    mod planning;
    mod questions;
    mod recording;
    mod retrying;
    mod support;
    mod todos;
    mod turns;
    mod watching;
}
