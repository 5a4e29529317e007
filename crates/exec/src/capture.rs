//! What a program printed, in bounded memory.
//!
//! The beginning says what was started, the end says how it went, so both are kept and the
//! middle is only counted: `head + omitted + tail` is always the exact total.

use std::borrow::Cow;
use std::collections::VecDeque;

/// One stream's output: all of it up to a limit, beyond that its beginning and its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captured {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
    limit: usize,
}

impl Captured {
    /// Keeps at most `limit` bytes.
    pub fn new(limit: usize) -> Self {
        Self {
            head: Vec::new(),
            tail: VecDeque::new(),
            total: 0,
            limit,
        }
    }

    /// Takes the next bytes of the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = (self.limit / 2).saturating_sub(self.head.len());
        let (head, rest) = bytes.split_at(room.min(bytes.len()));
        self.head.extend_from_slice(head);
        let keep = self.limit - self.limit / 2;
        let rest = &rest[rest.len().saturating_sub(keep)..];
        let overflow = (self.tail.len() + rest.len()).saturating_sub(keep);
        self.tail.drain(..overflow);
        self.tail.extend(rest);
    }

    /// How many bytes the stream had.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many of them were not kept.
    pub fn omitted(&self) -> u64 {
        self.total - self.head.len() as u64 - self.tail.len() as u64
    }

    /// Whether the stream said nothing.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The output as it is, if all of it was kept.
    pub fn whole(&self) -> Option<Vec<u8>> {
        (self.omitted() == 0).then(|| self.bytes(0, self.head.len() + self.tail.len()))
    }

    /// The kept output as text. Bytes that are not UTF-8 become replacement characters; a line
    /// of its own says how much was left out.
    pub fn text(&self) -> String {
        self.text_within(self.limit)
    }

    /// Like [`text`](Self::text), with at most `limit` bytes of the output.
    pub fn text_within(&self, limit: usize) -> String {
        let kept = self.head.len() + self.tail.len();
        if self.omitted() == 0 && kept <= limit {
            return into_text(self.head.iter().chain(&self.tail).copied().collect());
        }
        // Where bytes were omitted both halves are full, so neither reaches across the gap.
        let limit = limit.min(kept);
        let mut head = self.bytes(0, limit / 2);
        let mut tail = self.bytes(kept - (limit - limit / 2), kept);
        head.truncate(head.len() - unfinished(&head));
        tail.drain(..continued(&tail));
        let left_out = self.total - head.len() as u64 - tail.len() as u64;
        seamed(into_text(head), left_out, &into_text(tail))
    }

    /// The first half of what may be kept, as text: what comes before any gap.
    pub fn beginning(&self) -> String {
        let mut head = self.head.clone();
        if self.goes_on() {
            head.truncate(head.len() - unfinished(&head));
        }
        into_text(head)
    }

    /// Whether there is more than its [`beginning`](Self::beginning).
    pub fn goes_on(&self) -> bool {
        self.total > self.head.len() as u64
    }

    fn bytes(&self, start: usize, end: usize) -> Vec<u8> {
        let kept = self.head.iter().chain(&self.tail);
        kept.skip(start).take(end - start).copied().collect()
    }
}

fn seamed(mut text: String, left_out: u64, tail: &str) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.extend(["[", &left_out.to_string(), " bytes left out]\n", tail]);
    text
}

fn into_text(bytes: Vec<u8>) -> String {
    match String::from_utf8_lossy(&bytes) {
        Cow::Owned(text) => text,
        Cow::Borrowed(_) => String::from_utf8(bytes).expect("a lossless conversion is valid"),
    }
}

/// How many bytes at the end begin a character that the cut has split.
pub(crate) fn unfinished(bytes: &[u8]) -> usize {
    let lead = bytes
        .iter()
        .rev()
        .take(4)
        .position(|&b| !is_continuation(b));
    match lead {
        Some(back) if char_len(bytes[bytes.len() - 1 - back]) > back + 1 => back + 1,
        _ => 0,
    }
}

/// How many bytes at the start end a character that the cut has split.
pub(crate) fn continued(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take(3)
        .take_while(|&&b| is_continuation(b))
        .count()
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// The length of the character that `lead` begins; 1 for what begins none.
fn char_len(lead: u8) -> usize {
    match lead {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    }
}

#[cfg(test)]
mod tests;
