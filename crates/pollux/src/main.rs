//! pollux.
fn main() {}
