//! `/help`: commands and keys.

use pollux_edit::Action;

use super::{ALL, Arguments, Slash};
use crate::app::{App, Effect};
use crate::line::Line;
use crate::style::{Color, Style};
use crate::wrap::{Indent, wrap};

pub(super) const COMMAND: Slash = Slash {
    name: "help",
    aliases: &["?"],
    arguments: Arguments::Words(&["keys"]),
    help: "commands and keys; `/help keys` lists all keys",
    run,
};

/// The keys that are not guessed.
const MAIN: &[Action] = &[
    Action::Newline,
    Action::Cancel,
    Action::Quit,
    Action::Complete,
    Action::TogglePlan,
    Action::CycleApprovalMode,
    Action::HistorySearch,
    Action::OpenExternalEditor,
    Action::ExpandPaste,
    Action::ClearScreen,
    Action::Suspend,
];

fn run(app: &mut App, what: &str) -> Vec<Effect> {
    let all = what == "keys";
    let keys = app
        .composer
        .keys_in_words(if all { Action::ALL } else { MAIN });
    let mut lines = if all { Vec::new() } else { commands() };
    lines.push(heading("Keys"));
    lines.extend(keys.iter().map(|(keys, what)| row(keys, what)));
    let width = app.width();
    app.print(lines.iter().flat_map(|line| fitted(line, width)).collect());
    Vec::new()
}

fn heading(text: &str) -> Line {
    Line::new(text, Style::BOLD)
}

fn commands() -> Vec<Line> {
    let mut lines = vec![heading("Commands")];
    lines.extend(ALL.iter().map(|slash| row(&usage(slash), slash.help)));
    lines.push(Line::default());
    lines.push(heading("In a message"));
    lines.push(row("@path", "puts a file or directory into the message"));
    lines.push(row(
        "!command",
        "runs a command of your own; the model sees it",
    ));
    lines.push(Line::default());
    lines
}

/// Where the second column begins.
const COLUMN: usize = 33;

fn row(left: &str, right: &str) -> Line {
    let left = Line::new(format!("  {left:<30} "), Style::color(Color::CYAN));
    left.with(right, Style::PLAIN)
}

/// The second column stays one, or goes below the first where there is no room for both.
fn fitted(line: &Line, width: usize) -> Vec<Line> {
    let [left, right] = &line.spans[..] else {
        return vec![line.clone()];
    };
    let below = width < 2 * COLUMN;
    let indent = Line::plain(" ".repeat(if below { 6 } else { COLUMN }));
    let first = Line {
        spans: vec![left.clone()],
    };
    let (head, first) = if below {
        (
            Some(Line::new(left.text.trim_end(), left.style)),
            indent.clone(),
        )
    } else {
        (None, first)
    };
    let indent = Indent {
        first,
        rest: indent,
    };
    let right = Line {
        spans: vec![right.clone()],
    };
    head.into_iter()
        .chain(wrap(&right, width, &indent))
        .collect()
}

/// A command with what may follow it.
fn usage(slash: &Slash) -> String {
    let mut names = vec![slash.name];
    names.extend(slash.aliases);
    let names: Vec<String> = names.iter().map(|name| format!("/{name}")).collect();
    let arguments = match slash.arguments {
        Arguments::None => String::new(),
        Arguments::Words(words) => format!(" {}", words.join("|")),
        Arguments::Known(_) => " NAME".to_owned(),
        Arguments::Free(name) => format!(" {name}"),
    };
    format!("{}{arguments}", names.join(", "))
}
