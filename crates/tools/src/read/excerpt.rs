//! The lines of a window, bounded.

use std::io::{self, BufRead};

use tokio_util::sync::CancellationToken;

use super::Window;
use crate::lines::{Line, next_line};

/// Characters shown of one line.
const LINE_CHARS: usize = 2000;
/// Bytes shown in all.
const OUTPUT_BYTES: usize = 100_000;

/// The lines of a window, as far as they fit.
#[derive(Debug, Default)]
pub(super) struct Excerpt {
    text: String,
    /// The last line in `text`.
    last: usize,
    /// Lines read so far; all of the file unless `more`.
    pub(super) seen: usize,
    more: bool,
    lossy: bool,
}

impl Excerpt {
    /// Reads the window, and on to the end of the source if all its lines are to be counted.
    pub(super) fn of(
        source: &mut dyn BufRead,
        window: Window,
        count_all: bool,
        stop: &CancellationToken,
    ) -> io::Result<Self> {
        let mut excerpt = Self::default();
        let mut line = Line::default();
        while next_line(source, LINE_CHARS * 4, &mut line)? {
            excerpt.seen += 1;
            let wanted = (window.first..=window.last).contains(&excerpt.seen);
            let full = wanted && !excerpt.push(&line);
            if full || excerpt.seen > window.last {
                excerpt.more = !count_all;
            }
            if excerpt.more || (excerpt.seen.is_multiple_of(4096) && stop.is_cancelled()) {
                break;
            }
        }
        Ok(excerpt)
    }

    /// Takes the line in unless it no longer fits; then nothing after it is taken either.
    fn push(&mut self, line: &Line) -> bool {
        if self.last != 0 && self.last + 1 != self.seen {
            return false;
        }
        let shown = line.shown(LINE_CHARS);
        if self.text.len() + shown.text.len() > OUTPUT_BYTES && self.last != 0 {
            return false;
        }
        self.text.push_str(&shown.text);
        if line.ended {
            self.text.push('\n');
        }
        self.lossy |= shown.lossy;
        self.last = self.seen;
        true
    }

    /// What a model reads; `first` is the first line that was wanted.
    pub(super) fn render(self, first: usize) -> String {
        if self.seen == 0 {
            return "(empty file)".into();
        }
        let (last, seen) = (self.last, self.seen);
        let next = last + 1;
        let head = match (first, last) {
            _ if self.more => format!("[lines {first}-{last}; read on with start_line={next}]\n"),
            (1, last) if last == seen => String::new(),
            (_, last) if last == seen => format!("[lines {first}-{last} of {seen}]\n"),
            _ => format!("[lines {first}-{last} of {seen}; read on with start_line={next}]\n"),
        };
        let note = if self.lossy {
            "[not all UTF-8: other bytes are shown as \u{fffd}]\n"
        } else {
            ""
        };
        head + note + &self.text
    }
}
