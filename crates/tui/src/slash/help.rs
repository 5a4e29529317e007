//! `/help`: commands and keys.

use pollux_edit::Action;

use super::{ALL, Arguments, Slash, find, unknown};
use crate::app::{App, Effect};
use crate::columns::{Section, in_columns};

pub(super) const COMMAND: Slash = Slash {
    name: "help",
    aliases: &["?"],
    arguments: Arguments::Topic,
    help: "commands and keys; `/help COMMAND` tells more of one, `/help keys` lists all keys",
    examples: &[
        ("/help model", "what there is to know of a command"),
        ("/help keys", "all keys; `ui.keys` changes them"),
    ],
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
            "build", "context", "cost", "memory", "mode", "model", "plan", "provider", "skills",
            "stats", "tools",
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
    let lines = in_columns(&sections, app.width());
    app.print(lines);
    Vec::new()
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
        (
            "@memory",
            "puts what is written down for the model into the message",
        ),
        (
            "@server:uri",
            "puts a resource of an MCP server into the message",
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

/// What needs more than one key, and keys that not every terminal tells apart.
const BESIDES: (&str, &str) = (
    "\\ and Enter",
    "Begin a new line, in every terminal; Shift+Enter where the terminal tells it",
);

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
        let mut rows = app.composer.keys_in_words(actions);
        let newline = actions.iter().position(|action| *action == Action::Newline);
        let after = newline.map_or(rows.len(), |at| (at + 1).min(rows.len()));
        rows.insert(after, (BESIDES.0.to_owned(), BESIDES.1));
        rows
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
    let examples = slash.examples.iter();
    rows.extend(examples.map(|(typed, what)| ((*typed).to_owned(), (*what).to_owned())));
    Section {
        heading: format!("/{}", slash.name),
        rows,
    }
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
        let takes_something = |slash: &&Slash| !matches!(slash.arguments, Arguments::None);
        for slash in ALL.iter().filter(takes_something) {
            let own = format!("/{} ", slash.name);
            let is_own = |(typed, _): &(&str, &str)| typed.starts_with(&own);
            assert!(slash.examples.iter().any(is_own), "how is {own}used?");
        }
        let listed: usize = commands().iter().map(|section| section.rows.len()).sum();
        assert_eq!(listed, ALL.len());
    }
}
