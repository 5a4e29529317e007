//! Tool calls: one line that says what is done, and what came of it.

use pollux_types::untrusted::visible;
use pollux_types::{CallStatus, CallView};

use crate::diff::diff;
use crate::line::{Line, one_line, untabbed};
use crate::style::{Color, Style};
use crate::todos::todo_lines;

/// How many rows of what a command is printing are shown while it runs.
const TAIL_ROWS: usize = 5;
/// How many lines of what a command has printed are shown.
const SHOWN_LINES: usize = 20;

/// A call that has not ended.
pub(super) fn running(view: &CallView, width: usize) -> Vec<Line> {
    let mut lines = vec![head(view)];
    let live = visible(view.live.as_deref().unwrap_or_default());
    let rows: Vec<&str> = live.lines().collect();
    let newest = &rows[rows.len().saturating_sub(TAIL_ROWS)..];
    lines.extend(newest.iter().map(|row| {
        let row = format!("  {}", untabbed(row));
        Line::new(row, Style::DIM).clipped(width)
    }));
    lines
}

/// A call that has ended. Its changes are left out if they were `shown` before.
pub(super) fn ended(view: &CallView, shown: bool, width: usize) -> Vec<Line> {
    let mut lines = vec![head(view)];
    match view.status {
        CallStatus::Success => lines.extend(success(view, shown, width)),
        CallStatus::Cancelled => {
            // What its error says is meant for the model.
            lines.push(Line::new("  cancelled", Style::color(Color::YELLOW)));
        }
        _ => {
            let message = view.error.as_ref().map_or("", |error| &error.message);
            let text = format!("error: {message}");
            lines.extend(indented(&text).map(|line| Line::new(line, Style::color(Color::RED))));
        }
    }
    lines
}

fn head(view: &CallView) -> Line {
    // Both may be what a model has made up.
    let name = format!("[tool] {}", one_line(&view.name));
    let summary = format!(" {}", one_line(&view.summary));
    Line::new(name, Style::color(Color::BLUE)).with(summary, Style::PLAIN)
}

fn success(view: &CallView, shown: bool, width: usize) -> Vec<Line> {
    if let Some(todos) = &view.todos {
        return todo_lines(todos, width);
    }
    let green = Style::color(Color::GREEN);
    let output = view.output.as_deref().unwrap_or_default();
    if !view.changes.is_empty() {
        let changes = view.changes.iter();
        return changes
            .flat_map(|change| {
                let counts = format!("  ok: +{} -{}", change.added, change.removed);
                let counts = Line::new(counts, green);
                let details = if shown { Vec::new() } else { diff(change) };
                std::iter::once(counts).chain(details)
            })
            .collect();
    }
    let printed: Vec<&str> = output.trim_end().lines().collect();
    if view.name != "run_shell_command" {
        let plural = if printed.len() == 1 { "" } else { "s" };
        return vec![Line::new(
            format!("  ok: {} line{plural}", printed.len()),
            green,
        )];
    }
    let head = printed.iter().take(SHOWN_LINES);
    let mut lines: Vec<Line> = head
        .flat_map(|line| indented(line).map(Line::plain).collect::<Vec<_>>())
        .collect();
    if printed.len() > SHOWN_LINES {
        let more = printed.len() - SHOWN_LINES;
        lines.push(Line::new(format!("  ... {more} more lines"), Style::DIM));
    }
    lines
}

fn indented(text: &str) -> impl Iterator<Item = String> {
    let text = visible(text).into_owned();
    let lines: Vec<String> = text
        .lines()
        .map(|line| format!("  {}", untabbed(line)))
        .collect();
    lines.into_iter()
}
