//! One text put in the place of another, and not a byte touched around it.
//!
//! A model does not see whether a line ends in LF or CRLF, so both count as the same when the
//! old text is looked for, and the new text gets the ends that the file has there.

use memchr::{memchr, memchr_iter, memmem};

use crate::endings::{to_crlf, to_lf};

/// A file after the edit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Spliced {
    pub(crate) text: Vec<u8>,
    /// The line, counted from 1, where each replacement begins.
    pub(crate) lines: Vec<usize>,
}

/// Why there was no edit.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Miss {
    /// The old text is not there; perhaps its first line is, at this line.
    Absent(Option<usize>),
    /// It is there this often, and was to be there once.
    Ambiguous(usize),
}

/// Replaces `old`, which is not empty: its only occurrence, or every one.
pub(crate) fn splice(text: &[u8], old: &str, new: &str, every: bool) -> Result<Spliced, Miss> {
    let plain = Plain::of(text);
    let wanted = to_lf(old.as_bytes());
    let hits: Vec<usize> = memmem::find_iter(&plain.text, &wanted).collect();
    let Some(&first) = hits.first() else {
        return Err(Miss::Absent(first_line(&plain.text, &wanted)));
    };
    // Occurrences may overlap: then it is not clear which one is meant.
    let unique = memmem::find(&plain.text[first + 1..], &wanted).is_none();
    if !every && !unique {
        return Err(Miss::Ambiguous(hits.len().max(2)));
    }
    let mut result = Spliced {
        text: Vec::with_capacity(text.len() + new.len()),
        lines: Vec::new(),
    };
    let (mut done, mut line) = (0, 1);
    for hit in hits {
        let (start, end) = (plain.origin(hit), plain.origin(hit + wanted.len()));
        result.text.extend_from_slice(&text[done..start]);
        line += newlines(&text[done..start]);
        result.lines.push(line);
        let new = ended_like(text, start..end, old, new);
        line += newlines(&new);
        result.text.extend_from_slice(&new);
        done = end;
    }
    result.text.extend_from_slice(&text[done..]);
    Ok(result)
}

/// A text with LF for CRLF, and the way back to where its bytes came from.
struct Plain {
    text: Vec<u8>,
    /// Where in `text` there is an LF that was a CRLF.
    shortened: Vec<usize>,
}

impl Plain {
    fn of(text: &[u8]) -> Self {
        let crlf = memmem::find_iter(text, b"\r\n").enumerate();
        Self {
            text: to_lf(text),
            shortened: crlf.map(|(earlier, at)| at - earlier).collect(),
        }
    }

    fn origin(&self, at: usize) -> usize {
        at + self.shortened.partition_point(|&shortened| shortened < at)
    }
}

/// `new` with the ends of lines that the replaced part of `text` has, or else its first line.
fn ended_like(text: &[u8], part: std::ops::Range<usize>, old: &str, new: &str) -> Vec<u8> {
    let part = &text[part];
    let sample = if part.contains(&b'\n') { part } else { text };
    let crlf = memchr(b'\n', sample).is_some_and(|at| at > 0 && sample[at - 1] == b'\r');
    if crlf {
        to_crlf(new.as_bytes())
    } else if old.contains("\r\n") {
        to_lf(new.as_bytes())
    } else {
        new.as_bytes().to_vec()
    }
}

/// The line of `text` that has the first line of `wanted`, spaces around it aside.
fn first_line(text: &[u8], wanted: &[u8]) -> Option<usize> {
    let lines = wanted.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let first = lines.into_iter().find(|line| !line.is_empty())?;
    let at = memmem::find(text, first)?;
    Some(1 + newlines(&text[..at]))
}

fn newlines(text: &[u8]) -> usize {
    memchr_iter(b'\n', text).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn spliced(text: &str, old: &str, new: &str) -> String {
        let result = splice(text.as_bytes(), old, new, true).unwrap();
        String::from_utf8(result.text).unwrap()
    }

    #[test]
    fn new_text_ends_its_lines_as_the_file_does() {
        assert_eq!(
            spliced("a\r\nb\r\nc", "a\nb", "x\ny\nz"),
            "x\r\ny\r\nz\r\nc"
        );
        assert_eq!(spliced("a\r\nb", "b", "x\ny"), "a\r\nx\r\ny");
        assert_eq!(spliced("a\nb", "b", "x\r\ny"), "a\nx\r\ny");
        assert_eq!(spliced("a\nb\n", "a\r\nb\r\n", "x\r\n"), "x\n");
        assert_eq!(spliced("a\r\nb\nc\n", "b\nc", "x\ny"), "a\r\nx\ny\n");
        assert_eq!(spliced("a\r\nb", "\nb", ""), "a");
    }

    #[test]
    fn every_occurrence_says_its_line() {
        let result = splice(b"x\ny\nx", "x", "1\n2", true).unwrap();
        assert_eq!(result.text, b"1\n2\ny\n1\n2");
        assert_eq!(result.lines, [1, 4]);
    }

    #[test]
    fn a_miss_says_why() {
        let miss = |text: &str, old| splice(text.as_bytes(), old, "", false).unwrap_err();
        assert_eq!(miss("a\n  b\n", "\n b\nc"), Miss::Absent(Some(2)));
        assert_eq!(miss("a", "b"), Miss::Absent(None));
        assert_eq!(miss("b b b", "b"), Miss::Ambiguous(3));
        assert_eq!(miss("aaa", "aa"), Miss::Ambiguous(2));
    }

    proptest! {
        /// Whatever surrounds a match, of whatever bytes, comes out as it went in.
        #[test]
        fn bytes_outside_the_match_stay(
            before in prop::collection::vec(prop::sample::select(b"ab\r\n\xff\xc3".to_vec()), 0..30),
            after in prop::collection::vec(prop::sample::select(b"ab\r\n\xff\xc3".to_vec()), 0..30),
            crlf in any::<bool>(),
        ) {
            let end: &[u8] = if crlf { b"\r\n" } else { b"\n" };
            let text = [&before, b"<1".as_slice(), end, b"2>", &after].concat();
            let result = splice(&text, "<1\n2>", "[3\n4]", false).unwrap().text;
            prop_assert_eq!(result, [&before, b"[3".as_slice(), end, b"4]", &after].concat());
        }
    }
}
