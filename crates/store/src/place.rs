//! Where something stands in a file, for people to find it.

use std::path::Path;

/// A line of a file.
pub(crate) fn at(file: &Path, line: usize) -> String {
    format!("{}:{line}", file.display())
}

/// The line with this byte, counted from 1.
pub(crate) fn line_at(source: &str, byte: usize) -> usize {
    let before = source.bytes().take(byte);
    before.filter(|byte| *byte == b'\n').count() + 1
}

/// The line where a file stops being what was expected.
pub(crate) fn line_of_error(source: &str, error: &toml::de::Error) -> usize {
    error.span().map_or(1, |span| line_at(source, span.start))
}

/// What the parser says, on one line.
pub(crate) fn in_one_line(message: &str) -> String {
    message.trim_end().replace('\n', " ")
}
