//! What is on the screen, and the shortest way to change it.
//!
//! Pollux draws on the terminal's main screen, without scroll regions and without the mouse: what
//! is settled is printed once, long lines whole, and belongs to the terminal from then on. Below
//! it the live area is redrawn where it changes, in one write.

mod canvas;
mod looks;
mod pen;
mod row;

use std::io::{self, Write};

pub use looks::{Looks, Rewrap};

use crate::line::Line;
use canvas::Canvas;

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
    canvas: Canvas,
    buffer: Vec<u8>,
}

/// A change of at most this many bytes reaches the terminal whole, and needs no marks around it.
const SMALL: usize = 96;

impl<W: Write> Screen<W> {
    /// A terminal with nothing drawn on it yet.
    pub fn new(out: W, size: Size, looks: Looks) -> Self {
        Self {
            out,
            canvas: Canvas::new(size, looks),
            buffer: Vec::new(),
        }
    }

    /// Shows `view` with at most one write, and none if it is there already.
    pub fn draw(&mut self, view: View) -> io::Result<()> {
        debug_assert!(view.is_clean(), "control characters in {view:?}");
        self.change(|canvas, out| canvas.draw(view, out))
    }

    /// The terminal has another size now; the next draw fits the live area into it.
    pub fn resize(&mut self, size: Size) {
        self.canvas.resize(size);
    }

    /// What is drawn from now on has colours, or none.
    pub fn set_color(&mut self, color: bool) {
        self.canvas.set_color(color);
    }

    /// The terminal says that its size has changed. Whatever the size is now, it may have been
    /// another meanwhile: the next draw draws all of the live area.
    pub fn resized(&mut self) {
        self.canvas.doubt();
    }

    /// Takes the live area away, and leaves the cursor visible below what is settled: for the
    /// shell, or for another program. The next draw begins there.
    pub fn leave(&mut self) -> io::Result<()> {
        self.change(Canvas::leave)
    }

    /// Scrolls what is settled out of sight, into the scrollback, and draws the live area at the
    /// top.
    pub fn clear(&mut self) -> io::Result<()> {
        self.change(Canvas::clear)
    }

    /// How large the terminal is.
    pub fn size(&self) -> Size {
        self.canvas.size()
    }

    fn change(&mut self, change: impl FnOnce(&mut Canvas, &mut Vec<u8>)) -> io::Result<()> {
        self.buffer.clear();
        self.buffer
            .extend_from_slice(self.canvas.opening().as_bytes());
        let opening = self.buffer.len();
        change(&mut self.canvas, &mut self.buffer);
        let bytes = match self.buffer.len() - opening {
            0 => return Ok(()),
            1..=SMALL => &self.buffer[opening..],
            _ => {
                self.buffer
                    .extend_from_slice(self.canvas.closing().as_bytes());
                &self.buffer
            }
        };
        self.out.write_all(bytes)?;
        self.out.flush()
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
