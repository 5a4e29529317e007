//! The kill ring: what was cut out, newest first.

use std::collections::VecDeque;

/// As many cuts as are kept.
const MOST: usize = 32;

/// What was cut out.
#[derive(Clone, Debug, Default)]
pub(crate) struct KillRing(VecDeque<String>);

/// On which side of the cursor a cut was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

impl KillRing {
    /// Keeps `text`; as a part of the newest cut if it `goes_on`.
    pub(crate) fn add(&mut self, text: &str, side: Side, goes_on: bool) {
        match (self.0.front_mut().filter(|_| goes_on), side) {
            (Some(newest), Side::Left) => newest.insert_str(0, text),
            (Some(newest), Side::Right) => newest.push_str(text),
            (None, _) => {
                self.0.truncate(MOST - 1);
                self.0.push_front(text.to_owned());
            }
        }
    }

    /// The newest cut.
    pub(crate) fn newest(&self) -> Option<&str> {
        self.0.front().map(String::as_str)
    }

    /// Makes the newest cut the oldest, and gives what is newest then.
    pub(crate) fn rotate(&mut self) -> Option<&str> {
        let newest = self.0.pop_front()?;
        self.0.push_back(newest);
        self.newest()
    }
}
