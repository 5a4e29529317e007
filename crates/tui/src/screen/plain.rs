//! Drawing without moving the cursor: for terminals that cannot, and for screen readers.
//!
//! Settled lines are printed, in no look at all. Of the live area only the cursor's row is shown,
//! the prompt: what comes to its end is printed as it comes, so that people see what they type;
//! any other change begins a new line with all of it. Without a cursor there is no prompt.

use super::View;
use super::pen::clean;

/// What stands on the last line.
#[derive(Debug, Default)]
pub(super) struct Plain {
    prompt: String,
}

impl Plain {
    pub(super) fn draw(&mut self, view: &View, out: &mut Vec<u8>) {
        if !view.settled.is_empty() {
            self.leave(out);
        }
        for line in &view.settled {
            out.extend_from_slice(clean(&line.text()).as_bytes());
            out.extend_from_slice(b"\r\n");
        }
        let row = view.cursor.and_then(|cursor| view.live.get(cursor.row));
        let prompt = row
            .map(|row| clean(&row.text()).into_owned())
            .unwrap_or_default();
        if !prompt.starts_with(&self.prompt) {
            self.leave(out);
        }
        out.extend_from_slice(&prompt.as_bytes()[self.prompt.len()..]);
        self.prompt = prompt;
    }

    /// Ends the line of the prompt.
    pub(super) fn leave(&mut self, out: &mut Vec<u8>) {
        if !self.prompt.is_empty() {
            out.extend_from_slice(b"\r\n");
            self.prompt.clear();
        }
    }
}
