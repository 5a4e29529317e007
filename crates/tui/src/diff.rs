//! Changes of files, as lines.
use crate::line::Line;
pub(crate) fn diff(change: &pollux_types::FileChange) -> Vec<Line> {
    change
        .diff
        .lines()
        .map(|l| Line::plain(pollux_types::untrusted::visible(l).into_owned()))
        .collect()
}
