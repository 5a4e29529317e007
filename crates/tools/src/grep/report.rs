//! What a model reads of a search.

use std::io;

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};

use crate::lines::{cut, one_line};

/// Characters shown of one line.
const LINE_CHARS: usize = 500;
/// How far before a match a long line is shown.
const LEAD: usize = 100;
/// Bytes shown in all, give or take a line.
const OUTPUT_BYTES: usize = 60_000;

/// The matches found so far, as text. One more than the limit has to be met to know that there
/// are more.
pub(super) struct Report<'m> {
    matcher: &'m RegexMatcher,
    limit: usize,
    text: String,
    count: usize,
    limited: bool,
    file: File,
}

/// Where the file at hand began, to undo it.
#[derive(Default)]
struct File {
    path: String,
    start: usize,
    count: usize,
    binary: bool,
}

impl<'m> Report<'m> {
    pub(super) fn new(matcher: &'m RegexMatcher, limit: usize) -> Self {
        Self {
            matcher,
            limit,
            text: String::new(),
            count: 0,
            limited: false,
            file: File::default(),
        }
    }

    pub(super) fn begin(&mut self, path: &str) {
        self.file = File {
            path: one_line(path),
            start: self.text.len(),
            count: self.count,
            binary: false,
        };
    }

    /// A file that turns out to be binary has no lines, not even those before its first zero.
    pub(super) fn end(&mut self) {
        if self.file.binary {
            self.text.truncate(self.file.start);
            self.count = self.file.count;
            self.limited = false;
        }
    }

    pub(super) fn limited(&self) -> bool {
        self.limited
    }

    /// The whole text, or nothing if nothing was found.
    pub(super) fn finish(mut self) -> Option<String> {
        if self.limited {
            let count = self.count.to_string();
            let advice = " matches; narrow the search or raise max_matches]\n";
            self.text.extend(["\n[stopped after ", &count, advice]);
        }
        (self.count > 0).then_some(self.text)
    }

    fn push(&mut self, number: Option<u64>, mark: &str, line: &[u8], hit: usize) {
        if self.text.len() == self.file.start {
            let gap = if self.text.is_empty() { "" } else { "\n" };
            self.text.extend([gap, &self.file.path, "\n"]);
        }
        let number = number.unwrap_or_default().to_string();
        self.text
            .extend([&number, mark, " ", &excerpt(line, hit), "\n"]);
    }
}

impl Sink for &mut Report<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.limited = self.count >= self.limit || self.text.len() >= OUTPUT_BYTES;
        if self.limited {
            return Ok(false);
        }
        self.count += 1;
        let line = found.bytes();
        let hit = self.matcher.find(line).ok().flatten();
        self.push(
            found.line_number(),
            ":",
            line,
            hit.map_or(0, |hit| hit.start()),
        );
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        self.push(context.line_number(), "-", context.bytes(), 0);
        Ok(true)
    }

    fn context_break(&mut self, _: &Searcher) -> io::Result<bool> {
        self.text.push_str("--\n");
        Ok(true)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        self.file.binary = true;
        Ok(true)
    }
}

/// The part of a line that shows the match at byte `hit`.
fn excerpt(line: &[u8], hit: usize) -> String {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let from = if hit < LINE_CHARS { 0 } else { hit - LEAD };
    let is_start = |&at: &usize| line[at] & 0b1100_0000 != 0b1000_0000;
    let from = (from..line.len()).find(is_start).unwrap_or(from);
    let to = line.len().min(from + LINE_CHARS * 4 + 4);
    let mut text = String::from_utf8_lossy(&line[from..to]).into_owned();
    cut(&mut text, LINE_CHARS, line.len() - to);
    if from > 0 {
        format!("… {text}")
    } else {
        text
    }
}
