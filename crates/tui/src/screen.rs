//! What is on the screen, and the shortest way to change it.
//!
//! Pollux draws on the terminal's main screen, without scroll regions and without the mouse: what
//! is settled is printed once, long lines whole, and belongs to the terminal from then on. Below
//! it the live area is redrawn where it changes, in one write.

mod canvas;
mod looks;
mod pen;
mod plain;
mod row;

use std::io::{self, Write};

pub use looks::{Looks, Rewrap};

use crate::line::Line;
use canvas::Canvas;
use plain::Plain;

/// The size of the terminal in cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

/// A place in the live area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Which of its lines, counted from 0.
    pub row: usize,
    /// Which column, counted from 0.
    pub column: usize,
}

/// What the screen is to show from now on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    /// Lines that are finished since the last time. They are printed once.
    pub settled: Vec<Line>,
    /// What stands below them. None of these lines is wider than the screen, and there are fewer
    /// than the screen has rows; what does not fit is cut.
    pub live: Vec<Line>,
    /// Where the cursor is to be; hidden if nowhere.
    pub cursor: Option<Position>,
}

/// The terminal. Nobody else writes to it between the first `draw` and `leave`.
#[derive(Debug)]
pub struct Screen<W> {
    out: W,
    way: Way,
    buffer: Vec<u8>,
}

/// How things get onto the terminal.
#[derive(Debug)]
enum Way {
    Drawn(Canvas),
    Plain { plain: Plain, size: Size },
}

/// A change of at most this many bytes reaches the terminal whole, and needs no marks around it.
const SMALL: usize = 96;

impl<W: Write> Screen<W> {
    /// A terminal with nothing drawn on it yet.
    pub fn new(out: W, size: Size, looks: Looks) -> Self {
        Self {
            out,
            way: Way::Drawn(Canvas::new(size, looks)),
            buffer: Vec::new(),
        }
    }

    /// A terminal that only takes text: no colours, no cursor movement. Settled lines are printed,
    /// and of the live area the row of the cursor, as it grows; if it changes otherwise it is
    /// printed again on the next line.
    pub fn plain(out: W, size: Size) -> Self {
        let plain = Plain::default();
        Self {
            out,
            way: Way::Plain { plain, size },
            buffer: Vec::new(),
        }
    }

    /// Shows `view` with at most one write, and none if it is there already.
    pub fn draw(&mut self, view: View) -> io::Result<()> {
        debug_assert!(view.is_clean(), "control characters in {view:?}");
        self.change(|way, out| match way {
            Way::Drawn(canvas) => canvas.draw(view, out),
            Way::Plain { plain, .. } => plain.draw(&view, out),
        })
    }

    /// The terminal has another size now; the next draw fits the live area into it.
    pub fn resize(&mut self, size: Size) {
        match &mut self.way {
            Way::Drawn(canvas) => canvas.resize(size),
            Way::Plain { size: known, .. } => *known = size,
        }
    }

    /// The terminal says that its size has changed. Whatever the size is now, it may have been
    /// another meanwhile: the next draw draws all of the live area.
    pub fn resized(&mut self) {
        if let Way::Drawn(canvas) = &mut self.way {
            canvas.doubt();
        }
    }

    /// Takes the live area away, and leaves the cursor visible below what is settled: for the
    /// shell, or for another program. The next draw begins there.
    pub fn leave(&mut self) -> io::Result<()> {
        self.change(|way, out| match way {
            Way::Drawn(canvas) => canvas.leave(out),
            Way::Plain { plain, .. } => plain.leave(out),
        })
    }

    /// Scrolls what is settled out of sight, into the scrollback, and draws the live area at the
    /// top.
    pub fn clear(&mut self) -> io::Result<()> {
        self.change(|way, out| match way {
            Way::Drawn(canvas) => canvas.clear(out),
            Way::Plain { .. } => {}
        })
    }

    /// How large the terminal is.
    pub fn size(&self) -> Size {
        match &self.way {
            Way::Drawn(canvas) => canvas.size(),
            Way::Plain { size, .. } => *size,
        }
    }

    fn change(&mut self, change: impl FnOnce(&mut Way, &mut Vec<u8>)) -> io::Result<()> {
        self.buffer.clear();
        self.buffer.extend_from_slice(self.way.opening());
        let opening = self.buffer.len();
        change(&mut self.way, &mut self.buffer);
        let bytes = match self.buffer.len() - opening {
            0 => return Ok(()),
            1..=SMALL => &self.buffer[opening..],
            _ => {
                self.buffer.extend_from_slice(self.way.closing());
                &self.buffer
            }
        };
        self.out.write_all(bytes)?;
        self.out.flush()
    }
}

impl Way {
    /// What goes before a large change, so that nobody sees it half done.
    fn opening(&self) -> &'static [u8] {
        match self {
            Self::Drawn(canvas) => canvas.opening().as_bytes(),
            Self::Plain { .. } => b"",
        }
    }

    /// What goes after it.
    fn closing(&self) -> &'static [u8] {
        match self {
            Self::Drawn(canvas) => canvas.closing().as_bytes(),
            Self::Plain { .. } => b"",
        }
    }
}

impl View {
    /// Whether its lines keep their promise: no control characters.
    fn is_clean(&self) -> bool {
        let mut spans = self
            .settled
            .iter()
            .chain(&self.live)
            .flat_map(|line| &line.spans);
        !spans.any(|span| span.text.contains(char::is_control))
    }
}
