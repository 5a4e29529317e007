//! Tool calls: one line that says what is done, and what came of it.

use std::time::Duration;

use pollux_types::untrusted::visible;
use pollux_types::{CallStatus, CallView, FileChange, ToolError, ToolErrorKind};

use crate::diff::diff;
use crate::line::{Line, one_line, untabbed};
use crate::style::{Color, Style};
use crate::todos::todo_lines;
use crate::wrap::{Indent, fold, wrap};

/// How many rows of what a command is printing are shown while it runs.
const TAIL_ROWS: usize = 5;
/// How many rows of what a command has printed are shown, from its beginning and its end.
const SHOWN_ROWS: usize = 20;

/// A call that has ended, and what is known of it besides.
pub(super) struct Ended<'a> {
    pub(super) view: &'a CallView,
    /// Its changes were shown before.
    pub(super) shown: bool,
    /// Its name stands above already.
    pub(super) named: bool,
    /// How long it ran.
    pub(super) ran: Option<Duration>,
}

/// A call that has not ended.
pub(super) fn running(view: &CallView, width: usize) -> Vec<Line> {
    let mut lines = head(view, width);
    lines.extend(tail(view, width));
    lines
}

impl Ended<'_> {
    pub(super) fn lines(&self, width: usize) -> Vec<Line> {
        let view = self.view;
        let mut lines = Vec::new();
        if !self.named {
            lines.extend(head(view, width));
        }
        match view.status {
            CallStatus::Success => lines.extend(self.success(width)),
            CallStatus::Cancelled => {
                // What its error says is meant for the model.
                let is_refused = |error: &ToolError| error.kind == ToolErrorKind::Refused;
                let word = if view.error.as_ref().is_some_and(is_refused) {
                    "  refused by you"
                } else {
                    "  cancelled"
                };
                lines.extend(tail(view, width));
                lines.push(Line::new(word, Style::color(Color::YELLOW)));
            }
            _ => {
                let message = view.error.as_ref().map_or("", |error| &error.message);
                let text = format!("error: {message}");
                let red = Style::color(Color::RED);
                let message =
                    indented(&text).flat_map(|line| wrapped(&Line::new(line, red), width));
                lines.extend(cut(message.collect(), width));
            }
        }
        lines
    }

    fn success(&self, width: usize) -> Vec<Line> {
        let view = self.view;
        if let Some(todos) = &view.todos {
            return todo_lines(todos, width);
        }
        if !view.changes.is_empty() {
            let changes = view.changes.iter();
            return changes.flat_map(|change| self.changed(change)).collect();
        }
        let output = view.output.as_deref().unwrap_or_default();
        if view.name == "run_shell_command" {
            return self.command(output, width);
        }
        if view.name == "question" {
            return vec![questions(output)];
        }
        let count = output.trim_end().lines().count();
        let plural = if count == 1 { "" } else { "s" };
        vec![ok(format!("  ok: {count} line{plural}"))]
    }

    fn changed(&self, change: &FileChange) -> Vec<Line> {
        if change.diff.is_empty() {
            return vec![ok("  ok: nothing changed")];
        }
        let mut lines = vec![ok(format!("  ok: +{} -{}", change.added, change.removed))];
        if !self.shown {
            lines.extend(diff(change));
        }
        lines
    }

    /// How a command ended, and what it printed.
    fn command(&self, output: &str, width: usize) -> Vec<Line> {
        let (end, printed) = without_end(output);
        let (words, color) = match end {
            None => ("ok: exit=0".to_owned(), Color::GREEN),
            Some(end) => match end.strip_prefix("exit code ") {
                Some(code) => (format!("failed: exit={code}"), Color::RED),
                None => (format!("failed: {end}"), Color::RED),
            },
        };
        let ran = self.ran.map_or_else(String::new, |ran| {
            format!(" duration={}ms", ran.as_millis())
        });
        let mut lines = vec![Line::new(format!("  {words}{ran}"), Style::color(color))];
        let printed = printed.lines().flat_map(indented).map(Line::plain);
        lines.extend(cut(printed.collect(), width));
        lines
    }
}

/// What the person has put into a prompt with `@`, once it is read.
pub(super) fn attached(view: &CallView) -> Option<Line> {
    let read = view.name == "read_many_files" && view.status == CallStatus::Success;
    let text = view.output.as_deref().filter(|_| read)?;
    // Its first line is a heading.
    let count = text.lines().count().saturating_sub(1);
    let plural = if count == 1 { "" } else { "s" };
    let name = one_line(&view.summary);
    let told = format!("attached: {name} ({count} line{plural})");
    Some(Line::new(told, Style::DIM))
}

/// What came of questions.
fn questions(told: &str) -> Line {
    if told.starts_with("The user has dismissed") {
        return Line::new("  dismissed by you", Style::color(Color::YELLOW));
    }
    if told.starts_with("Nobody can be asked") {
        return Line::new("  nobody was asked", Style::color(Color::YELLOW));
    }
    ok("  ok: answered by you")
}

fn ok(text: impl Into<String>) -> Line {
    Line::new(text, Style::color(Color::GREEN))
}

/// How a command ended if not well, as the tool says behind all that was printed; and the rest.
fn without_end(output: &str) -> (Option<&str>, String) {
    let output = output.trim_end();
    let mut lines: Vec<&str> = output.lines().collect();
    let is_end = |line: &&str| line.starts_with("[exit code ") || line.starts_with("[killed by ");
    let notes = lines.iter().rev().take_while(|line| line.starts_with('['));
    let place = notes.clone().position(is_end);
    let end = place.map(|place| lines.remove(lines.len() - 1 - place));
    let end = end.map(|line| line.trim_matches(['[', ']']));
    (end, lines.join("\n"))
}

/// The line that names a call, broken between words.
pub(super) fn head(view: &CallView, width: usize) -> Vec<Line> {
    // Both may be what a model has made up.
    let name = format!("[tool] {}", one_line(&view.name));
    let summary = format!(" {}", one_line(&view.summary));
    let head = Line::new(name, Style::color(Color::BLUE)).with(summary, Style::PLAIN);
    wrapped(&head, width)
}

fn wrapped(line: &Line, width: usize) -> Vec<Line> {
    let indent = Indent {
        first: Line::default(),
        rest: Line::plain("  "),
    };
    wrap(line, width, &indent)
}

/// The newest of what a call prints, or has printed when it was stopped.
fn tail(view: &CallView, width: usize) -> Vec<Line> {
    let live = view.live.as_deref().unwrap_or_default();
    let rows: Vec<String> = indented(live).collect();
    let newest = &rows[rows.len().saturating_sub(TAIL_ROWS)..];
    let lines = newest.iter().map(|row| Line::new(row, Style::DIM));
    lines.map(|line| line.clipped(width)).collect()
}

/// Lines that take too many rows without those in the middle.
fn cut(lines: Vec<Line>, width: usize) -> Vec<Line> {
    let rows: Vec<Line> = lines.iter().flat_map(|line| fold(line, width)).collect();
    let more = rows.len().saturating_sub(SHOWN_ROWS);
    if more == 0 {
        return lines;
    }
    let (beginning, rest) = rows.split_at(SHOWN_ROWS / 2);
    let note = Line::new(format!("  ... {more} more rows"), Style::DIM);
    let end = rest[more..].iter().cloned();
    let kept = beginning.iter().cloned();
    kept.chain([note]).chain(end).collect()
}

fn indented(text: &str) -> impl Iterator<Item = String> {
    let text = visible(text).into_owned();
    let lines: Vec<String> = text
        .lines()
        .map(|line| format!("  {}", untabbed(line)))
        .collect();
    lines.into_iter()
}

#[cfg(test)]
mod tests {
    use pollux_types::CallId;

    use super::*;

    fn command(output: &str) -> CallView {
        CallView {
            id: CallId::new("1"),
            name: "run_shell_command".into(),
            summary: "make".into(),
            status: CallStatus::Success,
            live: None,
            output: Some(output.into()),
            error: None,
            changes: Vec::new(),
            todos: None,
        }
    }

    fn lines(view: &CallView) -> Vec<Line> {
        let ended = Ended {
            view,
            shown: false,
            named: false,
            ran: Some(Duration::from_millis(34)),
        };
        ended.lines(40)
    }

    fn text(view: &CallView) -> String {
        let lines = lines(view);
        lines.iter().map(|line| line.text() + "\n").collect()
    }

    #[test]
    fn a_command_that_failed_says_so_in_red() {
        let failed = command("one\n[exit code 1]\ntwo\n[exit code 3]\n[the sandbox says no]\n");
        insta::assert_snapshot!(text(&failed), @"
        [tool] run_shell_command make
          failed: exit=3 duration=34ms
          one
          [exit code 1]
          two
          [the sandbox says no]
        ");
        assert_eq!(lines(&failed)[1].spans[0].style, Style::color(Color::RED));
        let killed = command("[killed by signal 9]\n");
        assert!(text(&killed).contains("\n  failed: killed by signal 9 duration=34ms\n"));
        let well = command("[exit code 1]\nfine\n");
        assert!(text(&well).contains("\n  ok: exit=0 duration=34ms\n  [exit code 1]\n  fine\n"));
        assert_eq!(lines(&well)[1].spans[0].style, Style::color(Color::GREEN));
    }

    #[test]
    fn of_much_output_the_beginning_and_the_end_are_shown() {
        let numbers: Vec<String> = (1..=60).map(|number: u8| number.to_string()).collect();
        let text = text(&command(&numbers.join("\n")));
        assert!(
            text.contains("\n  10\n  ... 40 more rows\n  51\n"),
            "{text}"
        );
        assert!(text.ends_with("  60\n"), "{text}");
        let long = command(&("a".repeat(50_000) + "z"));
        let lines = lines(&long);
        assert_eq!(lines.len(), 2 + SHOWN_ROWS + 1);
        assert!(lines.iter().all(|line| line.width() <= 40));
        assert!(lines[lines.len() - 1].text().ends_with('z'));
    }

    #[test]
    fn what_a_stopped_command_had_printed_stays() {
        let stopped = CallView {
            status: CallStatus::Cancelled,
            live: Some("one\ntwo\n".into()),
            output: None,
            ..command("")
        };
        insta::assert_snapshot!(text(&stopped), @"
        [tool] run_shell_command make
          one
          two
          cancelled
        ");
    }

    #[test]
    fn errors_are_broken_between_words() {
        let message = "the file is not there, and nothing like it is there either";
        let failed = CallView {
            status: CallStatus::Error,
            error: Some(ToolError::new(ToolErrorKind::FileNotFound, message)),
            summary: "a summary that is longer than one row".into(),
            ..command("")
        };
        insta::assert_snapshot!(text(&failed), @"
        [tool] run_shell_command a summary that
          is longer than one row
          error: the file is not there, and
          nothing like it is there either
        ");
    }
}
