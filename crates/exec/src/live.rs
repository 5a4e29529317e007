//! The newest output of a running command, for whoever watches it.
//!
//! What is printed goes into a small buffer, whoever watches looks at it now and then: however much
//! a command prints, nothing piles up, and where it prints nothing, nothing happens.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::capture::{continued, unfinished};

/// Bytes that are shown at most.
const SHOWN_BYTES: usize = 4096;
/// Lines that are shown at most.
const SHOWN_LINES: usize = 20;
/// How often at most something new is shown: nobody reads faster.
const PACE: Duration = Duration::from_millis(50);

/// Where a command's output can be seen while it runs. Costs next to nothing if nobody looks.
#[derive(Clone, Debug, Default)]
pub struct Live(watch::Sender<Tail>);

/// Looks at the output of a command.
#[derive(Debug)]
pub struct Watcher {
    tail: watch::Receiver<Tail>,
    /// Something is there to be shown, at this time.
    due: Option<Instant>,
    /// When something was shown last, and what.
    last: Option<(Instant, String)>,
}

impl Live {
    /// Takes the next bytes of either stream.
    pub fn push(&self, bytes: &[u8]) {
        if !self.0.is_closed() {
            self.0.send_modify(|tail| tail.push(bytes));
        }
    }

    /// Looks on from here.
    pub fn watch(&self) -> Watcher {
        Watcher {
            tail: self.0.subscribe(),
            due: None,
            last: None,
        }
    }
}

impl Watcher {
    /// The newest lines once they have changed; `None` when no more will come. May be given up and
    /// called again.
    pub async fn next(&mut self) -> Option<String> {
        loop {
            if self.due.is_none() {
                self.tail.changed().await.ok()?;
            }
            let soonest = self
                .last
                .as_ref()
                .map_or_else(Instant::now, |(at, _)| *at + PACE);
            sleep_until(*self.due.get_or_insert(soonest)).await;
            self.due = None;
            let text = self.tail.borrow_and_update().text();
            let changed = self.last.as_ref().is_none_or(|(_, last)| *last != text);
            self.last = Some((Instant::now(), text.clone()));
            if changed {
                return Some(text);
            }
        }
    }
}

/// The end of what was printed.
#[derive(Debug, Default)]
struct Tail(Vec<u8>);

impl Tail {
    fn push(&mut self, bytes: &[u8]) {
        let newest = &bytes[bytes.len().saturating_sub(SHOWN_BYTES)..];
        if newest.len() == SHOWN_BYTES {
            self.0.clear();
        }
        self.0.extend_from_slice(newest);
        // Not each time, so that every byte is looked at twice at most.
        if self.0.len() > 2 * SHOWN_BYTES {
            let mut lines = overwritten(&self.0);
            lines.drain(..lines.len().saturating_sub(SHOWN_BYTES));
            self.0 = lines;
        }
    }

    fn text(&self) -> String {
        let mut bytes = overwritten(&self.0);
        bytes.retain(|&byte| byte != b'\r');
        bytes.truncate(bytes.len() - unfinished(&bytes));
        bytes.drain(..continued(&bytes));
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_end_matches('\n');
        let mut breaks = text.rmatch_indices('\n');
        let lines = breaks.nth(SHOWN_LINES - 1).map_or(0, |(at, _)| at + 1);
        let cut = text.ceil_char_boundary(text.len().saturating_sub(SHOWN_BYTES));
        text[lines.max(cut)..].to_owned()
    }
}

/// Lines as a terminal shows them: what comes after a carriage return takes the place of what was
/// before it. One at the end has nothing to show yet.
fn overwritten(bytes: &[u8]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let is_end = |&byte: &u8| byte == b'\r' || byte == b'\n';
        let end = line.iter().rposition(|byte| !is_end(byte)).unwrap_or(0);
        let start = line[..end].iter().rposition(|&byte| byte == b'\r');
        shown.extend_from_slice(&line[start.map_or(0, |at| at + 1)..]);
    }
    shown
}

#[cfg(test)]
mod tests;
