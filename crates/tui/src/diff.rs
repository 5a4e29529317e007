//! Changes of files, as lines.

use pollux_types::FileChange;
use pollux_types::untrusted::visible;

use crate::line::{Line, one_line, untabbed};
use crate::style::{Color, Style};

/// How many lines are shown of one change.
const MOST_LINES: usize = 2_000;

/// The lines of a unified diff: all of it, unless nobody could read it.
pub fn diff(change: &FileChange) -> Vec<Line> {
    if change.diff.is_empty() {
        return Vec::new();
    }
    let text = change.diff.strip_suffix('\n').unwrap_or(&change.diff);
    // Where every line ends like this, also before, it says nothing; where some do, it may be all that
    // differs.
    let mut body = text.split('\n').filter(|line| is_body(line));
    let was_there = body.clone().any(|line| line.starts_with([' ', '-']));
    let hides_returns = was_there && body.all(|line| line.ends_with('\r'));
    let mut in_hunk = false;
    let mut all = text.split('\n');
    let shown = all.by_ref().take(MOST_LINES).map(|line| {
        in_hunk |= line.starts_with("@@");
        let style = if in_hunk { look(line) } else { Style::DIM };
        let line = line
            .strip_suffix('\r')
            .filter(|_| hides_returns)
            .unwrap_or(line);
        Line::new(untabbed(&visible(line)), style)
    });
    let mut lines: Vec<Line> = shown.collect();
    let more = all.count();
    if more > 0 {
        let note = format!("... {more} more lines of {}", one_line(&change.path));
        lines.push(Line::new(note, Style::DIM));
    }
    lines
}

fn look(line: &str) -> Style {
    match line.as_bytes().first() {
        Some(b'+') => Style::color(Color::GREEN),
        Some(b'-') => Style::color(Color::RED),
        Some(b' ') | None => Style::PLAIN,
        Some(_) => Style::DIM,
    }
}

/// Whether this is a line of the file rather than a word about the change.
fn is_body(line: &str) -> bool {
    line.starts_with([' ', '+', '-']) && !line.starts_with("+++ ") && !line.starts_with("--- ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(diff: &str) -> Vec<(String, Style)> {
        let change = FileChange {
            path: "src/a.rs".into(),
            diff: diff.into(),
            added: 0,
            removed: 0,
        };
        let lines = super::diff(&change);
        lines
            .iter()
            .map(|line| (line.text(), line.spans[0].style))
            .collect()
    }

    fn text(diff: &str) -> String {
        let lines: Vec<String> = shown(diff).into_iter().map(|(text, _)| text).collect();
        lines.join("\n")
    }

    #[test]
    fn lines_look_like_what_they_do() {
        let diff = "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,3 +1,3 @@ fn\n one\n--- two\n+\tthree\u{202e}\n\\ No newline\n";
        let green = Style::color(Color::GREEN);
        let red = Style::color(Color::RED);
        let expected = [
            ("--- a/src/a.rs", Style::DIM),
            ("+++ b/src/a.rs", Style::DIM),
            ("@@ -1,3 +1,3 @@ fn", Style::DIM),
            (" one", Style::PLAIN),
            ("--- two", red),
            ("+    three\\u{202e}", green),
            ("\\ No newline", Style::DIM),
        ];
        let expected = expected.map(|(text, style)| (text.to_owned(), style));
        assert_eq!(shown(diff), expected);
    }

    #[test]
    fn a_change_of_line_ends_can_be_seen() {
        insta::assert_snapshot!(text("@@ -1 +1 @@\n-a\r\n+a\n"), @r"
        @@ -1 +1 @@
        -a\r
        +a
        ");
        insta::assert_snapshot!(text("@@ -0,0 +1 @@\n+a\r\n"), @r"
        @@ -0,0 +1 @@
        +a\r
        ");
        insta::assert_snapshot!(text("--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\r\n+b\r\n"), @"
        --- a/f
        +++ b/f
        @@ -1 +1 @@
        -a
        +b
        ");
    }

    #[test]
    fn what_nobody_could_read_is_counted() {
        let diff = "@@ -0,0 +1,2500 @@\n".to_owned() + &"+x\n".repeat(2_500);
        let lines = shown(&diff);
        assert_eq!(lines.len(), MOST_LINES + 1);
        assert_eq!(lines[MOST_LINES].0, "... 501 more lines of src/a.rs");
        assert_eq!(shown("@@ -0,0 +1 @@\n+x\n").len(), 2);
    }
}
