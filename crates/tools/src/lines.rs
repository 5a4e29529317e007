//! Lines of text in bounded memory: a line may be as long as its file.

use std::borrow::Cow;
use std::io::{self, BufRead};

use memchr::memchr;

/// A line without its end, as much of it as was to be kept.
#[derive(Debug, Default)]
pub(crate) struct Line {
    pub(crate) bytes: Vec<u8>,
    /// How many bytes were not kept.
    pub(crate) dropped: usize,
    /// Whether a newline followed.
    pub(crate) ended: bool,
}

/// A line made fit to be shown.
pub(crate) struct Shown {
    pub(crate) text: String,
    /// Whether some of it was not UTF-8.
    pub(crate) lossy: bool,
}

/// Reads the next line, keeping at most `keep` bytes of it; `false` at the end of the source.
pub(crate) fn next_line(
    source: &mut dyn BufRead,
    keep: usize,
    line: &mut Line,
) -> io::Result<bool> {
    line.bytes.clear();
    line.dropped = 0;
    line.ended = false;
    let mut any = false;
    while !line.ended {
        let buffer = match source.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        if buffer.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = memchr(b'\n', buffer);
        line.ended = end.is_some();
        let content = &buffer[..end.unwrap_or(buffer.len())];
        let kept = content.len().min(keep - line.bytes.len());
        line.bytes.extend_from_slice(&content[..kept]);
        line.dropped += content.len() - kept;
        let used = content.len() + usize::from(line.ended);
        source.consume(used);
    }
    Ok(true)
}

impl Line {
    /// At most `chars` characters, with a mark where the rest was cut off.
    pub(crate) fn shown(&self, chars: usize) -> Shown {
        let mut bytes = self.bytes.as_slice();
        if self.dropped > 0 {
            bytes = whole_characters(bytes);
        } else if self.ended {
            bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        }
        let text = String::from_utf8_lossy(bytes);
        let lossy = matches!(text, Cow::Owned(_));
        let mut text = text.into_owned();
        let unkept = self.dropped + self.bytes.len() - bytes.len();
        cut(&mut text, chars, if self.dropped > 0 { unkept } else { 0 });
        Shown { text, lossy }
    }
}

/// Cuts `text` after `chars` characters and says so; `more` bytes are already missing.
pub(crate) fn cut(text: &mut String, chars: usize, more: usize) {
    let end = text
        .char_indices()
        .nth(chars)
        .map_or(text.len(), |(at, _)| at);
    let more = more + text.len() - end;
    if more > 0 {
        text.truncate(end);
        text.extend(["… [", &more.to_string(), " more bytes]"]);
    }
}

/// `text` on one line, so that a newline in a file's name cannot look like another file.
pub(crate) fn one_line(text: &str) -> String {
    text.replace('\n', "\\n")
}

/// `bytes` without a character at the end that a cut has split.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    // A character has at most three bytes behind its first.
    let is_first = |at: &usize| bytes[*at] & 0b1100_0000 != 0b1000_0000;
    let last = (bytes.len().saturating_sub(4)..bytes.len())
        .rev()
        .find(is_first);
    match last.map(|at| (at, std::str::from_utf8(&bytes[at..]))) {
        Some((at, Err(error))) if error.error_len().is_none() => &bytes[..at],
        _ => bytes,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, keep: usize) -> Vec<String> {
        // A small buffer, so that lines go across its edges.
        let mut source = io::BufReader::with_capacity(3, text.as_bytes());
        let mut line = Line::default();
        let mut all = Vec::new();
        while next_line(&mut source, keep, &mut line).unwrap() {
            all.push(line.shown(4).text + if line.ended { "|" } else { "" });
        }
        all
    }

    #[test]
    fn ends_of_lines() {
        assert_eq!(lines("ab\n\nc\r\nd", 99), ["ab|", "|", "c|", "d"]);
        assert_eq!(lines("", 99), [""; 0]);
        assert_eq!(lines("\n", 99), ["|"]);
    }

    #[test]
    fn a_long_line_is_cut_between_characters() {
        assert_eq!(lines("abcdef\n", 99), ["abcd… [2 more bytes]|"]);
        assert_eq!(lines("漢字漢字漢\n", 99), ["漢字漢字… [3 more bytes]|"]);
        assert_eq!(lines("a漢字\nb", 5), ["a漢… [3 more bytes]|", "b"]);
        let long = Line {
            bytes: "漢".repeat(9).into_bytes()[..26].to_vec(),
            dropped: 1,
            ended: true,
        };
        let shown = long.shown(99);
        assert_eq!(shown.text, format!("{}… [3 more bytes]", "漢".repeat(8)));
        assert!(!shown.lossy);
    }
}
