//! What the screen writes, byte by byte, and what terminals make of it.

#![allow(clippy::unwrap_used, reason = "in a test the panic is the report")]

mod it {
    mod audit;
    mod bytes;
    mod dice;
    mod guess;
    mod ledger;
    mod sheet;
    mod steps;
    mod tape;
    mod terminals;
    mod tokens;
}
