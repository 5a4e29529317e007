//! The terminal as a device: raw while the REPL has it, as it was found at all other times.
//!
//! Keys are read without a thread of their own: while an editor or a stopped job's shell has the
//! terminal, nobody here takes bytes away from it.

use std::fs::File;
use std::io::{self, Write as _};

use rustix::fs::{Mode, OFlags};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr, ttyname};
use tokio::net::unix::pipe;

use crate::screen::Size;

/// Pasted text is marked as such, and keys that look alike are told apart where the terminal can:
/// by the way of xterm and tmux, or by that of kitty where both are known.
const ENTER: &str = "\x1b[?2004h\x1b[>4;2m\x1b[>1u";
/// All that may have been switched on is off, the cursor is visible, the looks are plain.
const LEAVE: &str = "\x1b[<u\x1b[>4;0m\x1b[?2004l\x1b[?1004l\x1b[?2026l\x1b[?25h\x1b[0m";

/// The user's terminal. Dropping it gives it back as it was.
pub(crate) struct Tty {
    device: File,
    /// The same device, to wait for. It is read like a pipe.
    bytes: pipe::Receiver,
    found: Termios,
    raw: bool,
}

impl Tty {
    /// The terminal on standard input, opened once more: what is set on this one, such as that
    /// reading does not wait, is not set for the programs that share ours.
    pub(crate) fn open() -> io::Result<Self> {
        let name = ttyname(io::stdin(), Vec::new())?;
        let flags = OFlags::RDWR | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let device = File::from(rustix::fs::open(name, flags, Mode::empty())?);
        let found = tcgetattr(&device)?;
        Ok(Self {
            bytes: pipe::Receiver::from_file_unchecked(device.try_clone()?)?,
            device,
            found,
            raw: false,
        })
    }

    /// How large it is now; the usual size if it does not know.
    pub(crate) fn size(&self) -> Size {
        let size = tcgetwinsize(&self.device);
        let size = size.map_or((0, 0), |size| (size.ws_col, size.ws_row));
        match size {
            (0, _) | (_, 0) => Size {
                width: 80,
                height: 24,
            },
            (width, height) => Size { width, height },
        }
    }

    /// Whether it has gone.
    pub(crate) fn is_gone(&self) -> bool {
        tcgetattr(&self.device).is_err()
    }

    /// Takes the terminal: keys come one by one, and nothing is echoed.
    pub(crate) fn take(&mut self) -> io::Result<()> {
        let mut raw = self.found.clone();
        raw.make_raw();
        tcsetattr(&self.device, OptionalActions::Now, &raw)?;
        self.raw = true;
        write_all(ENTER)
    }

    /// Gives the terminal back as it was found.
    pub(crate) fn give_back(&mut self) -> io::Result<()> {
        if !std::mem::take(&mut self.raw) {
            return Ok(());
        }
        // A terminal that has gone takes no bytes, but its settings are put back all the same.
        let written = write_all(LEAVE);
        tcsetattr(&self.device, OptionalActions::Now, &self.found)?;
        written
    }

    /// Waits for bytes; none means that the terminal has gone.
    pub(crate) async fn read(&self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            self.bytes.readable().await?;
            match self.bytes.try_read(bytes) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
        }
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        // There is nobody left to tell.
        self.give_back().ok();
    }
}

fn write_all(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}
