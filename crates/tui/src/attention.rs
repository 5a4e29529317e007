//! Calling a person who looks elsewhere: the window's title, a notification, the clipboard.

use std::io::{self, Write as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::line::one_line;

/// How somebody is called who may be elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Call {
    /// Not at all.
    #[default]
    Off,
    /// By the terminal's bell.
    Bell,
    /// By a notification of iTerm2 and those like it.
    Osc9,
    /// By a notification of rxvt and those like it.
    Osc777,
}

/// What is outside the text area of a terminal.
#[derive(Debug)]
pub struct Attention {
    call: Call,
    /// Titles can be set.
    titles: bool,
    title: String,
}

impl Attention {
    /// `titles` says whether the window has one.
    pub fn new(call: Call, titles: bool) -> Self {
        Self {
            call,
            titles,
            title: String::new(),
        }
    }

    /// Says something to a person who is not looking.
    pub(crate) fn call(&self, why: &str) -> io::Result<()> {
        match self.call {
            Call::Off => Ok(()),
            Call::Bell => put("\x07"),
            Call::Osc9 => put(&format!("\x1b]9;{why}\x1b\\")),
            Call::Osc777 => put(&format!("\x1b]777;notify;pollux;{why}\x1b\\")),
        }
    }

    /// Sets the window's title, if it is another.
    pub(crate) fn title(&mut self, title: String) -> io::Result<()> {
        if !self.titles || title == self.title {
            return Ok(());
        }
        // The one that is there is kept by the terminal.
        let keep = if self.title.is_empty() {
            "\x1b[22;0t"
        } else {
            ""
        };
        let set = format!("{keep}\x1b]2;{}\x1b\\", one_line(&title));
        self.title = title;
        put(&set)
    }

    /// Gives back the title that was there; where the terminal did not keep it, none is left.
    pub(crate) fn leave(&mut self) -> io::Result<()> {
        if self.title.is_empty() {
            return Ok(());
        }
        self.title.clear();
        put("\x1b]2;\x1b\\\x1b[23;0t")
    }
}

/// Puts a text into the clipboard, also through ssh.
pub(crate) fn copy(text: &str) -> io::Result<()> {
    put(&format!("\x1b]52;c;{}\x1b\\", STANDARD.encode(text)))
}

fn put(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}
