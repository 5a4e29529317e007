//! What is known about programs, a file for each family.
//!
//! Most are a row of data: which flags are harmless, which write, which run something, and what
//! the other arguments are. A program with a language of its own has a rule instead. What is not
//! here is asked about.

mod archives;
mod build;
mod builtins;
pub(crate) mod conditions;
mod databases;
mod editors;
mod files;
mod find;
mod git;
mod interpreters;
mod network;
mod remote;
mod search;
mod sed;
mod system;
mod text;
pub(crate) mod variables;
mod wrappers;
mod writers;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::judge::{Call, Judge};
use crate::options::{NONE, Options, Parsed};

pub(crate) use editors::is_full_screen;
pub(crate) use interpreters::is_interpreter;
pub(crate) use network::is_network;

/// A program, or several that are alike.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    /// Its names, with spaces between.
    pub(crate) names: &'static str,
    pub(crate) options: Options,
    pub(crate) operands: Operands,
    /// What it does whatever its arguments are.
    pub(crate) floor: Floor,
    /// What it does with one of its dangerous flags.
    pub(crate) peril: &'static str,
    /// Whether it waits for input if it has too few arguments.
    pub(crate) waits: bool,
    /// What the table cannot say.
    pub(crate) rule: Option<fn(&mut Judge<'_>, &Call<'_>, &Parsed<'_>)>,
}

/// The least that is said about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Floor {
    /// It only reads.
    None,
    /// It is asked about, for this reason.
    Ask(&'static str),
    /// It is dangerous, for this reason.
    Danger(&'static str),
}

/// What the arguments of a program are that are no options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operands {
    /// Text, whatever it looks like.
    Text,
    /// Files that are read.
    Files,
    /// A file that is read, and one that is written.
    Outputs,
    /// A pattern, then files that are read.
    PatternAndFiles,
    /// Files of which only the name, the size and the like are read.
    Names,
    /// There should be none.
    None,
    /// Files that are written.
    Written,
    /// Files that are read, and then one that is written.
    SourcesAndTarget,
    /// Nobody knows.
    Anything,
}

impl Operands {
    /// How many arguments keep a filter from reading its standard input.
    pub(crate) fn needed(self) -> usize {
        if self == Self::PatternAndFiles { 2 } else { 1 }
    }
}

/// Reads the files it is given.
const READER: Program = Program {
    names: "",
    options: NONE,
    operands: Operands::Files,
    floor: Floor::None,
    peril: "has a dangerous flag",
    waits: false,
    rule: None,
};

/// Reads the files it is given, or standard input.
const FILTER: Program = Program {
    waits: true,
    ..READER
};

/// Does something about which there is no more to know than why it is asked about.
const ASKED: Program = Program {
    operands: Operands::Anything,
    floor: Floor::Ask("changes something"),
    ..READER
};

/// A rule for programs with a language of their own.
type Rule = fn(&mut Judge<'_>, &Call<'_>);

/// How a program is judged.
#[derive(Clone, Copy)]
enum Entry {
    Table(&'static Program),
    Rule(Rule),
}

static TABLES: [&[Program]; 10] = [
    archives::PROGRAMS,
    build::PROGRAMS,
    databases::PROGRAMS,
    editors::PROGRAMS,
    files::PROGRAMS,
    network::PROGRAMS,
    search::PROGRAMS,
    system::PROGRAMS,
    text::PROGRAMS,
    writers::PROGRAMS,
];

static RULES: [&[(&str, Rule)]; 11] = [
    archives::RULES,
    build::RULES,
    builtins::RULES,
    find::RULES,
    git::RULES,
    interpreters::RULES,
    network::RULES,
    remote::RULES,
    sed::RULES,
    system::RULES,
    wrappers::RULES,
];

static BY_NAME: LazyLock<HashMap<&'static str, Entry>> = LazyLock::new(|| {
    let tables = TABLES.iter().flat_map(|family| family.iter());
    let tables = tables.map(|program| (program.names, Entry::Table(program)));
    let rules = RULES.iter().flat_map(|family| family.iter());
    let rules = rules.map(|(names, rule)| (*names, Entry::Rule(*rule)));
    tables
        .chain(rules)
        .flat_map(|(names, entry)| names.split_whitespace().map(move |name| (name, entry)))
        .collect()
});

/// Looks at a call of the program `name`.
pub(crate) fn judge(judge: &mut Judge<'_>, name: &str, call: &Call<'_>) {
    let family = name.split('.').next().unwrap_or(name);
    match BY_NAME.get(name) {
        Some(Entry::Table(program)) => judge.table(program, call),
        Some(Entry::Rule(rule)) => rule(judge, call),
        None if family == "mkfs" || family == "fsck" => {
            judge.danger("changes a whole disk", call.source);
        }
        None if is_interpreter(name) => interpreters::interpreter(judge, call),
        None => {
            judge.ask("runs a program that is not known here", name);
            judge.anything(call);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_program_is_described_twice() {
        let tables = TABLES.iter().flat_map(|family| family.iter());
        let rules = RULES.iter().flat_map(|family| family.iter());
        let names = tables
            .map(|program| program.names)
            .chain(rules.map(|(names, _)| *names));
        let mut seen = std::collections::BTreeSet::new();
        for name in names.flat_map(str::split_whitespace) {
            assert!(seen.insert(name), "{name} is described twice");
        }
    }
}
