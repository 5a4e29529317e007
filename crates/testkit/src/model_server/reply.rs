//! What the server sends for one request, down to the byte and the moment.

use std::time::Duration;

use serde_json::Value;

use super::request::Recorded;
use super::turn::{Protocol, Turn};
use crate::Gate;

/// A scripted reply.
///
/// ```
/// # use pollux_testkit::{Gate, HttpReply};
/// let gate = Gate::new();
/// let reply = HttpReply::sse().chunk("data: 1\n\n").gate(&gate).chunk("data: 2").cut();
/// ```
///
/// The body goes out with `transfer-encoding: chunked`; if the test sets a `content-length`
/// header the bytes go out as they are, and the test answers for the length.
#[derive(Clone, Debug)]
pub struct HttpReply {
    status: u16,
    headers: Vec<(String, String)>,
    steps: Vec<Step>,
    chunk_size: Option<usize>,
    end: End,
}

/// One step in sending a body.
#[derive(Clone, Debug)]
pub enum Step {
    /// Sends these bytes as one chunk, at once.
    Chunk(Vec<u8>),
    /// Waits until the test opens the gate.
    Gate(Gate),
    /// Waits for a time. A gate is better wherever the test can tell the moment.
    Delay(Duration),
    /// Sends what a model says. Spelled out only for the request that it answers, since ids and
    /// usage depend on it.
    Turn(Protocol, Turn),
}

/// How a reply ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// As it should; the connection can be used again.
    Eof,
    /// The connection is closed before the reply is complete.
    Cut,
    /// The connection is reset before the reply is complete.
    Reset,
    /// Nothing more comes, and the connection stays open until the client leaves.
    Stall,
}

impl HttpReply {
    /// A reply of this status with an empty body.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            steps: Vec::new(),
            chunk_size: None,
            end: End::Eof,
        }
    }

    /// No reply at all: the connection is closed without a word.
    pub fn hang_up() -> Self {
        Self::status(0).cut()
    }

    /// An event stream, so far empty.
    pub fn sse() -> Self {
        Self::status(200).header("content-type", "text/event-stream")
    }

    /// A JSON document.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "tests write json!(..) in place"
    )]
    pub fn json(status: u16, value: Value) -> Self {
        Self::status(status)
            .header("content-type", "application/json")
            .chunk(value.to_string())
    }

    /// Plain text.
    pub fn text(status: u16, text: impl Into<String>) -> Self {
        Self::status(status)
            .header("content-type", "text/plain; charset=utf-8")
            .chunk(text.into())
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Adds bytes that are sent as one chunk.
    #[must_use]
    pub fn chunk(self, bytes: impl Into<Vec<u8>>) -> Self {
        self.step(Step::Chunk(bytes.into()))
    }

    /// Adds one event with this JSON as its data.
    #[must_use]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "tests write json!(..) in place"
    )]
    pub fn event(self, data: Value) -> Self {
        self.chunk(format!("data: {data}\n\n"))
    }

    /// Waits here until the test opens the gate.
    #[must_use]
    pub fn gate(self, gate: &Gate) -> Self {
        self.step(Step::Gate(gate.clone()))
    }

    /// Waits here for a time.
    #[must_use]
    pub fn delay(self, time: Duration) -> Self {
        self.step(Step::Delay(time))
    }

    /// Adds any step.
    #[must_use]
    pub fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// Sends all bytes of the body in chunks of `size`, wherever that splits them. What was held
    /// back by a gate or a delay still is.
    #[must_use]
    pub fn rechunk(mut self, size: usize) -> Self {
        assert!(size > 0, "a chunk holds at least one byte");
        self.chunk_size = Some(size);
        self
    }

    /// Closes the connection after the steps, before the reply is complete.
    #[must_use]
    pub fn cut(self) -> Self {
        self.end(End::Cut)
    }

    /// Resets the connection after the steps, before the reply is complete.
    #[must_use]
    pub fn reset(self) -> Self {
        self.end(End::Reset)
    }

    /// Goes silent after the steps and keeps the connection open.
    #[must_use]
    pub fn stall(self) -> Self {
        self.end(End::Stall)
    }

    /// Ends the reply this way.
    #[must_use]
    pub fn end(mut self, end: End) -> Self {
        self.end = end;
        self
    }

    /// What is really sent in answer to this request. `calls` counts the tool calls so far.
    pub(super) fn spell_out(self, request: &Recorded, calls: &mut usize) -> Sending {
        let mut steps = Vec::new();
        for step in self.steps {
            match step {
                Step::Turn(protocol, turn) => steps.extend(turn.steps(protocol, request, calls)),
                step => steps.push(step),
            }
        }
        if let Some(size) = self.chunk_size {
            steps = rechunked(steps, size);
        }
        let raw = self
            .headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        Sending {
            head: match self.status {
                0 => Vec::new(),
                status => head(status, &self.headers, raw),
            },
            chunked: !raw,
            steps,
            end: self.end,
        }
    }
}

/// A reply without any choices left.
#[derive(Debug)]
pub(super) struct Sending {
    pub(super) head: Vec<u8>,
    pub(super) chunked: bool,
    pub(super) steps: Vec<Step>,
    pub(super) end: End,
}

impl Sending {
    /// `bytes` as they go over the wire.
    pub(super) fn frame(&self, bytes: &[u8]) -> Vec<u8> {
        // An empty chunk would end the body.
        if !self.chunked || bytes.is_empty() {
            return bytes.to_vec();
        }
        [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
    }
}

fn head(status: u16, headers: &[(String, String)], raw: bool) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(status));
    for (name, value) in headers {
        head.extend([name, ": ", value, "\r\n"]);
    }
    if !raw {
        head.push_str("transfer-encoding: chunked\r\n");
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// Clients ignore the phrase; it is for whoever reads a dump.
fn reason(status: u16) -> &'static str {
    match status {
        200..=299 => "OK",
        400..=499 => "Client Error",
        500..=599 => "Server Error",
        _ => "Other",
    }
}

/// Joins chunks that follow each other and splits them anew.
fn rechunked(steps: Vec<Step>, size: usize) -> Vec<Step> {
    let mut done = Vec::new();
    let mut bytes = Vec::new();
    for step in steps {
        match step {
            Step::Chunk(more) => bytes.extend(more),
            wait => {
                done.extend(split(&mut bytes, size));
                done.push(wait);
            }
        }
    }
    done.extend(split(&mut bytes, size));
    done
}

fn split(bytes: &mut Vec<u8>, size: usize) -> Vec<Step> {
    let bytes = std::mem::take(bytes);
    bytes
        .chunks(size)
        .map(|piece| Step::Chunk(piece.to_vec()))
        .collect()
}
