//! Recorded conversations.

pub(crate) mod entry;
pub(crate) mod list;
pub(crate) mod log;
pub(crate) mod replay;

#[cfg(test)]
mod tests;
