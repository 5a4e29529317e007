//! The debug log: off unless `debug.log` says otherwise.
//!
//! A handful of lines a prompt: what was asked for, what went out and came back, what was tried again,
//! what ran. Keys and what tools read are not in it; what the person says is.

use std::sync::Mutex;

use pollux_store::{DebugLog, Home, Settings};
use tracing::Level;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{fmt, registry};

/// Whose lines are written: libraries may say more than is good for anybody.
const OWN: &str = "pollux";

/// Begins to write, if that is wanted; what is wrong if it cannot.
pub(crate) fn begin(settings: &Settings, home: &Home) -> Option<String> {
    if !settings.debug.log {
        return None;
    }
    let log = match DebugLog::open(home) {
        Ok(log) => log,
        Err(error) => return Some(format!("`debug.log`: {error}")),
    };
    let lines = fmt::layer().with_ansi(false).with_writer(Mutex::new(log));
    let own = Targets::new().with_target(OWN, Level::DEBUG);
    // Whoever has begun already writes the same.
    registry().with(lines).with(own).try_init().ok();
    None
}
