//! `/help`: commands and keys.

use pollux_edit::Action;
use unicode_width::UnicodeWidthStr as _;

use super::{ALL, Arguments, Slash, find, unknown};
use crate::app::{App, Effect};
use crate::line::Line;
use crate::style::{Color, Style};
use crate::wrap::{Indent, wrap};

pub(super) const COMMAND: Slash = Slash {
    name: "help",
    aliases: &["?"],
    arguments: Arguments::Topic,
    help: "commands and keys; `/help COMMAND` tells more of one, `/help keys` lists all keys",
    run,
};

/// What `/help` tells of besides commands.
pub(crate) const KEYS: &str = "keys";

/// What belongs together. What is in none of these stands at the end.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Conversation",
        &[
            "cancel", "clear", "copy", "diff", "editor", "export", "new", "quit", "resume", "save",
            "sessions",
        ],
    ),
    (
        "Who answers, and how",
        &[
            "build", "context", "cost", "mode", "model", "plan", "provider", "stats", "tools",
        ],
    ),
    ("What may happen", &["approve", "permissions", "sandbox"]),
];

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
    let what = what.trim_start_matches('/');
    let sections = match (what, find(what)) {
        ("", _) => {
            let mut sections = commands();
            sections.push(in_a_message());
            sections.push(keys(app, MAIN));
            sections
        }
        (KEYS, _) => vec![keys(app, Action::ALL)],
        (_, Some(slash)) => vec![one(slash)],
        (name, None) => {
            app.complain(&unknown(name), "`/help keys` lists the keys");
            return Vec::new();
        }
    };
    let width = app.width();
    let column = column(&sections, width);
    for (at, section) in sections.iter().enumerate() {
        if at > 0 {
            app.print(vec![Line::default()]);
        }
        app.print(section.lines(column, width));
    }
    Vec::new()
}

/// A heading, and two columns below it.
struct Section {
    heading: String,
    rows: Vec<(String, String)>,
}

fn commands() -> Vec<Section> {
    let is_grouped = |slash: &&Slash| GROUPS.iter().any(|(_, names)| names.contains(&slash.name));
    let section = |heading: &str, slashes: Vec<&Slash>| Section {
        heading: heading.to_owned(),
        rows: slashes
            .into_iter()
            .map(|slash| (usage(slash), slash.help.to_owned()))
            .collect(),
    };
    let groups = GROUPS.iter().map(|(heading, names)| {
        let of = |slash: &&Slash| names.contains(&slash.name);
        section(heading, ALL.iter().filter(of).collect())
    });
    let rest = ALL.iter().filter(|slash| !is_grouped(slash)).collect();
    groups.chain([section("Pollux itself", rest)]).collect()
}

fn in_a_message() -> Section {
    let rows = [
        ("@path", "puts a file or directory into the message"),
        (
            "@git",
            "puts what has changed since the last commit into the message",
        ),
        ("!command", "runs a command of your own; the model sees it"),
    ];
    Section {
        heading: "In a message".to_owned(),
        rows: rows
            .map(|(left, right)| (left.to_owned(), right.to_owned()))
            .into(),
    }
}

/// What the terminal does with keys where lines are plain.
const PLAIN: &[(&str, &str)] = &[
    ("Enter", "sends the line; while pollux works it waits"),
    ("\\ and Enter", "goes on in another line"),
    (
        "Esc and Enter",
        "stop everything that runs, and so does /cancel",
    ),
    ("Ctrl+C", "leave at once; so does Ctrl+D with nothing typed"),
    ("Ctrl+Z", "to the background"),
];

fn keys(app: &App, actions: &[Action]) -> Section {
    let rows = if app.is_plain() {
        let rows = PLAIN.iter();
        rows.map(|(keys, what)| ((*keys).to_owned(), *what))
            .collect()
    } else {
        app.composer.keys_in_words(actions)
    };
    Section {
        heading: "Keys".to_owned(),
        rows: rows
            .into_iter()
            .map(|(keys, what)| (keys, what.to_owned()))
            .collect(),
    }
}

/// All that there is to say of a command.
fn one(slash: &Slash) -> Section {
    let mut rows = vec![(usage(slash), slash.help.to_owned())];
    let also = slash.aliases.iter();
    rows.extend(also.map(|name| (format!("/{name}"), "the same".to_owned())));
    Section {
        heading: format!("/{}", slash.name),
        rows,
    }
}

/// The widest first column; what is wider stands on a line of its own.
const WIDEST: usize = 32;

/// Where the second column begins; `None` if there is no room for it beside the first.
fn column(sections: &[Section], width: usize) -> Option<usize> {
    let rows = sections.iter().flat_map(|section| &section.rows);
    let widths = rows.map(|(left, _)| left.width());
    let widest = widths.filter(|width| *width <= WIDEST).max().unwrap_or(0);
    let column = widest + 4;
    (2 * column <= width).then_some(column)
}

impl Section {
    fn lines(&self, column: Option<usize>, width: usize) -> Vec<Line> {
        let heading = Line::new(&self.heading, Style::BOLD);
        let rows = self.rows.iter();
        let rows = rows.flat_map(|(left, right)| row(left, right, column, width));
        std::iter::once(heading).chain(rows).collect()
    }
}

/// The second column stays one, or goes below the first where there is no room for both.
fn row(left: &str, right: &str, column: Option<usize>, width: usize) -> Vec<Line> {
    let style = Style::color(Color::MAGENTA);
    let right = Line::plain(right);
    let beside = column.filter(|column| left.width() + 4 <= *column);
    let rest = Line::plain(" ".repeat(column.unwrap_or(6)));
    if let Some(column) = beside {
        let first = Line::new(format!("  {left:<0$}", column - 2), style);
        return wrap(&right, width, &Indent { first, rest });
    }
    let inside = Indent {
        first: Line::plain("  "),
        rest: Line::plain("    "),
    };
    let below = Indent {
        first: rest.clone(),
        rest,
    };
    let mut lines = wrap(&Line::new(left, style), width, &inside);
    lines.extend(wrap(&right, width, &below));
    lines
}

/// A command with what may follow it.
fn usage(slash: &Slash) -> String {
    let arguments = match slash.arguments {
        Arguments::None => String::new(),
        Arguments::Words(words) => format!(" [{}]", words.join("|")),
        Arguments::WordThen(words, then) => format!(" [{}] {then}", words.join("|")),
        Arguments::Known(_) => " [NAME]".to_owned(),
        Arguments::Path => " [PATH]".to_owned(),
        Arguments::Topic => format!(" [COMMAND|{KEYS}]"),
        Arguments::Free(name) => format!(" {name}"),
    };
    format!("/{}{arguments}", slash.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_name_commands_and_each_once() {
        let names: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| *names)
            .copied()
            .collect();
        for (at, name) in names.iter().enumerate() {
            assert_eq!(find(name).map(|slash| slash.name), Some(*name));
            assert!(!names[..at].contains(name), "{name} stands twice");
        }
        let listed: usize = commands().iter().map(|section| section.rows.len()).sum();
        assert_eq!(listed, ALL.len());
    }

    /// Two rows, at a width.
    fn shown(width: usize) -> String {
        let row = |left: &str, right: &str| (left.to_owned(), right.to_owned());
        let section = Section {
            heading: "Commands".into(),
            rows: vec![
                row(
                    "/mode [build|plan]",
                    "everything is offered, or looking only",
                ),
                row("/something [with|very|many|words]", "is told below"),
            ],
        };
        let column = column(std::slice::from_ref(&section), width);
        let lines = section.lines(column, width);
        assert!(lines.iter().all(|line| line.width() <= width));
        let lines: Vec<String> = lines.iter().map(Line::text).collect();
        lines.join("\n")
    }

    #[test]
    fn columns_stay_columns() {
        insta::assert_snapshot!(shown(70), @"
        Commands
          /mode [build|plan]  everything is offered, or looking only
          /something [with|very|many|words]
                              is told below
        ");
        insta::assert_snapshot!(shown(50), @"
        Commands
          /mode [build|plan]  everything is offered, or
                              looking only
          /something [with|very|many|words]
                              is told below
        ");
        insta::assert_snapshot!(shown(30), @"
        Commands
          /mode [build|plan]
              everything is offered,
              or looking only
          /something
            [with|very|many|words]
              is told below
        ");
    }
}
