//! The seconds until the next try, on a line that is rewritten as they pass.

use std::io::{self, IsTerminal as _, Stderr};
use std::time::Duration;

use pollux_types::Event;
use tokio::time::{Instant, sleep_until};

use crate::headless::{LONG_WAIT, put};

/// Counts on standard error, if that is a terminal; elsewhere it does nothing, and needs no timer.
pub(crate) struct Countdown {
    out: Stderr,
    until: Option<Instant>,
}

/// To the beginning of the line, and nothing is left of it.
const CLEAR: &str = "\r\x1b[K";

impl Countdown {
    pub(crate) fn new() -> Self {
        Self {
            out: io::stderr(),
            until: None,
        }
    }

    /// Whatever happens next ends the wait. To be called before it is printed.
    pub(crate) fn end(&mut self) -> io::Result<()> {
        match self.until.take() {
            Some(_) => put(&mut self.out, CLEAR),
            None => Ok(()),
        }
    }

    /// Begins to count if this is a long wait. To be called after it was printed.
    pub(crate) fn begin(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Retry { wait, .. } if *wait > LONG_WAIT && self.out.is_terminal() => {
                self.until = Some(Instant::now() + *wait);
                self.show()
            }
            _ => Ok(()),
        }
    }

    /// Returns when there is another second to show.
    pub(crate) async fn tick(&self) {
        match self.until {
            Some(until) => {
                let left = until.saturating_duration_since(Instant::now());
                let whole = Duration::from_secs(seconds(left).saturating_sub(1));
                sleep_until(until - whole.min(left)).await;
            }
            None => std::future::pending().await,
        }
    }

    /// Writes down what is left.
    pub(crate) fn show(&mut self) -> io::Result<()> {
        let Some(until) = self.until else {
            return Ok(());
        };
        let left = seconds(until.saturating_duration_since(Instant::now()));
        if left == 0 {
            return self.end();
        }
        put(&mut self.out, &format!("{CLEAR}next try in {left} s"))
    }
}

/// Seconds that have begun count whole.
fn seconds(left: Duration) -> u64 {
    left.as_secs() + u64::from(left.subsec_nanos() > 0)
}
