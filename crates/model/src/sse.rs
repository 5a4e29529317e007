//! Cutting a reply's bytes into events.
//!
//! Works on raw bytes: lines may end in LF, CRLF or CR, and a network read may end anywhere, also
//! inside a character or between CR and LF. A body that is no event stream at all (servers that
//! ignore `stream`, proxies that answer with a page) is recognised by its first byte and handed
//! over whole. One protocol sends a JSON document a line instead of events.
//!
//! Own code rather than a crate: real servers send single newlines between events, no newline at
//! the end, plain JSON or HTML instead of a stream, and each of these needs a typed answer.

use memchr::memchr2;

use crate::{ErrorKind, ModelError};

/// No honest event is longer; more would be kept in memory for nothing.
const MAX_EVENT: usize = 32 * 1024 * 1024;

/// What the reader found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame<'a> {
    /// The data of one event; several data lines are joined with newlines.
    Data(&'a [u8]),
    /// The data of an event that calls itself `error`.
    Error(&'a [u8]),
    /// The whole body, which is a JSON document and no event stream.
    Body(&'a [u8]),
}

/// Takes bytes as they come and gives out frames. The same bytes give the same frames however
/// they are cut into reads.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    kind: Kind,
    /// An unfinished line, or the whole body so far.
    rest: Vec<u8>,
    /// Data of the event being read, its lines joined.
    data: Vec<u8>,
    data_lines: usize,
    is_error: bool,
    /// The last byte was CR: an LF right after it belongs to the same line end.
    after_cr: bool,
    saw_field: bool,
    asked_for: Asked,
}

/// What the server was asked to send.
#[derive(Debug, Default, PartialEq, Eq)]
enum Asked {
    #[default]
    Events,
    /// A JSON document a line.
    Lines,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Kind {
    /// Nothing but white space and a byte-order mark so far.
    #[default]
    Unknown,
    Events,
    /// One document.
    Json,
    Lines,
}

impl Reader {
    /// For servers that send a JSON document a line, and no events.
    pub(crate) fn of_lines() -> Self {
        Self {
            asked_for: Asked::Lines,
            ..Self::default()
        }
    }

    /// Reads on; calls `each` for every frame that is now complete.
    pub(crate) fn feed(
        &mut self,
        mut bytes: &[u8],
        each: &mut impl FnMut(Frame<'_>) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        if self.kind == Kind::Unknown {
            let Some(found) = self.recognise(bytes)? else {
                return Ok(());
            };
            bytes = found;
        }
        if self.kind == Kind::Json {
            return self.keep(bytes);
        }
        if self.rest.is_empty() {
            return self.lines(bytes, each);
        }
        // Join the unfinished line with its end before looking for more lines.
        let Some(end) = memchr2(b'\n', b'\r', bytes) else {
            return self.keep(bytes);
        };
        let cut = end + 1;
        self.keep(&bytes[..cut])?;
        let line = std::mem::take(&mut self.rest);
        self.lines(&line, each)?;
        self.lines(&bytes[cut..], each)
    }

    /// The body has ended: gives out what is still pending.
    pub(crate) fn end(
        &mut self,
        each: &mut impl FnMut(Frame<'_>) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        let rest = std::mem::take(&mut self.rest);
        match self.kind {
            Kind::Unknown => Ok(()),
            Kind::Json => each(Frame::Body(&rest)),
            Kind::Lines => self.line(&rest, each),
            Kind::Events => {
                self.line(&rest, each)?;
                self.dispatch(each)?;
                if self.saw_field {
                    Ok(())
                } else {
                    Err(not_sse(&rest))
                }
            }
        }
    }

    /// Decides what the body is by its first meaningful byte; what is to be read from there on.
    fn recognise<'a>(&mut self, bytes: &'a [u8]) -> Result<Option<&'a [u8]>, ModelError> {
        // A byte-order mark may itself be split, so it is collected in `rest`.
        let mut at = 0;
        while at < bytes.len() {
            let mark_so_far = self.rest.len();
            match bytes[at] {
                byte if mark_so_far < 3 && byte == b"\xef\xbb\xbf"[mark_so_far] => {
                    self.rest.push(byte);
                }
                b' ' | b'\t' | b'\r' | b'\n' => {}
                b'{' if self.asked_for == Asked::Lines => self.kind = Kind::Lines,
                b'{' | b'[' => self.kind = Kind::Json,
                b'<' => return Err(not_sse(&bytes[at..])),
                _ => self.kind = Kind::Events,
            }
            if self.kind != Kind::Unknown {
                self.rest.clear();
                return Ok(Some(&bytes[at..]));
            }
            at += 1;
        }
        Ok(None)
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), ModelError> {
        if self.rest.len() + self.data.len() + bytes.len() > MAX_EVENT {
            let message = format!("the server sent an event of more than {MAX_EVENT} bytes");
            return Err(ModelError::new(ErrorKind::LineTooLong, message));
        }
        self.rest.extend_from_slice(bytes);
        Ok(())
    }

    fn lines(
        &mut self,
        mut bytes: &[u8],
        each: &mut impl FnMut(Frame<'_>) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        if self.after_cr && !bytes.is_empty() {
            self.after_cr = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(at) = memchr2(b'\n', b'\r', bytes) {
            self.line(&bytes[..at], each)?;
            let is_cr = bytes[at] == b'\r';
            bytes = &bytes[at + 1..];
            if is_cr {
                self.after_cr = bytes.is_empty();
                bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
            }
        }
        self.keep(bytes)
    }

    fn line(
        &mut self,
        line: &[u8],
        each: &mut impl FnMut(Frame<'_>) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        if self.kind == Kind::Lines {
            let data = line.trim_ascii();
            return if data.is_empty() {
                Ok(())
            } else {
                each(Frame::Data(data))
            };
        }
        if line.is_empty() {
            return self.dispatch(each);
        }
        let colon = memchr::memchr(b':', line);
        let (field, value) = match colon {
            Some(0) => {
                // A comment: a keep-alive.
                self.saw_field = true;
                return Ok(());
            }
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                if self.data_lines > 0 {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
                self.data_lines += 1;
            }
            b"event" => self.is_error = value == b"error",
            b"id" | b"retry" => {}
            _ => return Ok(()),
        }
        self.saw_field = true;
        Ok(())
    }

    fn dispatch(
        &mut self,
        each: &mut impl FnMut(Frame<'_>) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        let is_error = std::mem::take(&mut self.is_error);
        if std::mem::take(&mut self.data_lines) == 0 {
            return Ok(());
        }
        let outcome = match self.data.trim_ascii() {
            b"" => Ok(()),
            data if is_error => each(Frame::Error(data)),
            data => each(Frame::Data(data)),
        };
        self.data.clear();
        outcome
    }
}

fn not_sse(body: &[u8]) -> ModelError {
    let start: String = String::from_utf8_lossy(body).chars().take(120).collect();
    let message = format!(
        "the server answered with something that is no event stream: `{}`; check the base URL",
        start.trim()
    );
    ModelError::new(ErrorKind::NotSse, message)
}

#[cfg(test)]
mod tests;
