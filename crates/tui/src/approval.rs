//! Asking whether a call may run: what is shown, what can be typed, and what it means.

use pollux_types::untrusted::visible_command;
use pollux_types::{ApprovalRequest, Decision, FileChange, Page, Proposal, Remember};
use unicode_width::UnicodeWidthStr as _;

use crate::diff::diff;
use crate::line::Line;
use crate::style::{Color, Style};
use crate::wrap::{Indent, fold, wrap};

/// What the person has typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// This is to happen.
    Decision(Decision),
    /// Change the proposal in an editor.
    Edit,
    /// Not understood.
    Unclear,
}

/// The question as it is shown on a screen of `width` columns. Every byte of what would happen is in
/// it. **Invariant:** no row of that begins where rows begin that pollux says itself, so that nothing
/// proposed can pass for a reason or for a question.
pub fn shown(request: &ApprovalRequest, width: usize) -> Vec<Line> {
    let asking = Style::color(Color::YELLOW);
    let mut lines = vec![Line::new(
        format!("[approve] {}", spelled(&request.tool)),
        asking,
    )];
    match &request.proposal {
        Proposal::Edit { change, .. } if change.diff.is_empty() => {
            let path = &change.path;
            lines.push(indented(&format!(
                "writes {path}, which would stay as it is"
            )));
        }
        Proposal::Edit { change, .. } => {
            let rows = diff(change).into_iter();
            lines.extend(rows.flat_map(|line| folded("", line, width)));
        }
        Proposal::Exec {
            command,
            dir,
            parts,
        } => lines.extend(execution(command, dir, parts, width)),
        Proposal::Read { path } => lines.push(indented(&format!("reads {path}"))),
        Proposal::Fetch { pages } => {
            lines.extend(pages.iter().flat_map(|page| fetched(page, width)));
        }
        Proposal::Other { summary } => lines.push(indented(summary)),
    }
    if !request.printed.is_empty() {
        lines.push(indented("it has printed, at the end:"));
        let printed = request.printed.split('\n').map(visible_command);
        lines.extend(printed.flat_map(|text| folded("  | ", Line::new(text, Style::DIM), width)));
    }
    let (mark, style) = if request.dangerous {
        ("DANGER", Style::color(Color::RED).bold())
    } else {
        ("why", asking)
    };
    let reasons = request.reasons.iter();
    let reasons = reasons.map(|reason| Line::new(format!("{mark}: {}", spelled(reason)), style));
    let always = request.always.iter().enumerate().map(|(number, remember)| {
        let words = in_words(remember);
        let word = match (number, request.always.len()) {
            (0, 1) => "always".to_owned(),
            (0, _) => "always, a1".to_owned(),
            (number, _) => format!("a{}", number + 1),
        };
        Line::plain(format!("{word}: from now on allow {words}"))
    });
    let once = request.once.iter();
    let once = once.map(|why| Line::plain(format!("no `always`: {}", spelled(why))));
    let said = reasons.chain(always).chain(once);
    lines.extend(said.flat_map(|line| wrap(&line, width, &hanging())));
    lines
}

fn hanging() -> Indent {
    Indent {
        first: Line::plain("  "),
        rest: Line::plain("    "),
    }
}

fn execution(command: &str, dir: &str, parts: &[String], width: usize) -> Vec<Line> {
    let texts = command.split('\n').map(visible_command);
    let mut lines: Vec<Line> = texts
        .flat_map(|text| folded("  $ ", Line::new(text, Style::BOLD), width))
        .collect();
    if dir != "." {
        lines.push(indented(&format!("in {dir}")));
    }
    if parts.len() > 1 {
        let parts: Vec<_> = parts.iter().map(|part| visible_command(part)).collect();
        let runs = Line::plain(spelled(&format!("runs: {}", parts.join("; "))));
        lines.extend(wrap(&runs, width, &hanging()));
    }
    lines
}

fn fetched(page: &Page, width: usize) -> Vec<Line> {
    let mut lines = folded("  ", Line::new(spelled(&page.url), Style::BOLD), width);
    lines.push(indented(&format!("host: {}", page.host)));
    lines
}

/// The rows of a line that is not pollux's, each with a mark where the screen has broken it.
fn folded(mark: &str, line: Line, width: usize) -> Vec<Line> {
    // Nothing that a shell would read.
    const BROKEN: &str = "  … ";
    let marked = |mark: &str, row: Line| {
        let mut line = Line::plain(mark);
        line.spans.extend(row.spans);
        line
    };
    let rows = fold(&line, width.saturating_sub(BROKEN.width()).max(8));
    if rows.len() == 1 || line.width() + mark.len() <= width {
        return vec![marked(mark, line)];
    }
    let rows = rows.into_iter().enumerate();
    let rows = rows.map(|(at, row)| marked(if at == 0 { mark } else { BROKEN }, row));
    rows.collect()
}

fn indented(text: &str) -> Line {
    Line::plain(format!("  {}", spelled(text)))
}

/// Text in one line, of which every break can be seen.
fn spelled(text: &str) -> String {
    visible_command(text).replace('\n', "\\n")
}

/// The change that is proposed, if it is one.
pub fn change(request: &ApprovalRequest) -> Option<&FileChange> {
    match &request.proposal {
        Proposal::Edit { change, .. } => Some(change),
        _ => None,
    }
}

/// What would be written or run, and the name of a file for it, for whoever wants to change it
/// first.
pub fn editable(request: &ApprovalRequest) -> Option<(&str, &str)> {
    match &request.proposal {
        Proposal::Edit {
            content: Some(content),
            change,
        } => {
            let name = change.path.rsplit('/').next().unwrap_or("proposal");
            Some((content, name))
        }
        // What is dangerous is answered with yes or no.
        Proposal::Exec { command, .. } if !request.dangerous => Some((command, "command.sh")),
        _ => None,
    }
}

/// What is asked, and what can be typed.
pub fn choices(request: &ApprovalRequest) -> String {
    let what = match request.proposal {
        Proposal::Edit { .. } => "write",
        Proposal::Read { .. } => "read",
        Proposal::Fetch { .. } => "fetch",
        Proposal::Exec { .. } | Proposal::Other { .. } => "run",
    };
    format!("{what} it? [{}] ", words(request).join("/"))
}

/// The words that are answers.
pub fn words(request: &ApprovalRequest) -> Vec<&'static str> {
    let mut choices = vec!["y", "n"];
    if !request.always.is_empty() {
        choices.push("always");
    }
    if editable(request).is_some() {
        choices.push("e");
    }
    choices
}

/// What an answer means.
pub fn understood(line: &str, request: &ApprovalRequest) -> Answer {
    let line = line.trim().to_lowercase();
    let always = |number: usize| match request.always.get(number.wrapping_sub(1)) {
        Some(remember) => Answer::Decision(Decision::Always(remember.clone())),
        None => Answer::Unclear,
    };
    match line.as_str() {
        "y" | "yes" => Answer::Decision(Decision::Approve),
        "n" | "no" => Answer::Decision(Decision::Refuse),
        "a" | "always" => always(1),
        "e" | "edit" if editable(request).is_some() => Answer::Edit,
        other => match other.strip_prefix('a').map(str::parse) {
            Some(Ok(number)) => always(number),
            _ => Answer::Unclear,
        },
    }
}

/// What is allowed by this.
pub(crate) fn in_words(remember: &Remember) -> String {
    match remember {
        Remember::Command(_) => "exactly this command in this directory".to_owned(),
        Remember::Prefix(words) => {
            let words = spelled(&words.join(" "));
            format!("`{words}` in this directory, with names and options that run nothing else")
        }
        Remember::Edits(path) => format!("changes to `{}`", spelled(path)),
        Remember::Reads(path) => format!("reading `{}`", spelled(path)),
        Remember::Host(host) => format!("every address of `{}`", spelled(host)),
        Remember::Tool(tool) => format!("every call of `{}`", spelled(tool)),
    }
}

#[cfg(test)]
mod tests;
