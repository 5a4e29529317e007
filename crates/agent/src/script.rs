//! What a command would do, as far as its text tells.

use std::path::PathBuf;

use pollux_shell::{Context, Memory, Named, Part, Reason};
use pollux_tools::{Found, Script};
use pollux_types::Remember;

pub(crate) use pollux_shell::Class;

/// What was found out about a command.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) class: Class,
    /// Why it is not harmless, the worst first.
    pub(crate) reasons: Vec<String>,
    /// The programs it starts.
    pub(crate) programs: Vec<Program>,
    /// There is no more to it than these programs.
    pub(crate) is_all: bool,
    /// Each program by its name alone, those that other programs run too.
    pub(crate) calls: Vec<Vec<String>>,
    /// These are all: what it runs can be told from its text.
    pub(crate) is_told: bool,
    /// The files that it names, as far as they are followed.
    pub(crate) named: Vec<Named>,
    pub(crate) found: Found,
    /// What could be allowed for good.
    pub(crate) always: Vec<Remember>,
    /// Files outside of the project that it says it writes.
    pub(crate) opens: Vec<PathBuf>,
}

/// A program that a command starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) argv: Vec<String>,
    /// How many of these words stand for it, if an answer can be kept about those alone.
    pub(crate) prefix: Option<usize>,
    /// There is nothing to it but its arguments, which are known: no file is opened and no variable
    /// set for it, and nothing is put in when it runs.
    pub(crate) is_plain: bool,
    /// It needs nobody's permission.
    pub(crate) only_reads: bool,
}

/// Reads a command; runs nothing.
pub(crate) fn read(script: &Script, context: &Context) -> Reading {
    let reading = pollux_shell::read(&script.command, context);
    // Beside a danger, what is merely worth a question only distracts.
    let worst = |reason: &&Reason| reason.class == reading.class;
    let reasons = reading.reasons.iter().filter(worst);
    let mut reasons: Vec<String> = reasons
        .map(|reason| match reason.about.as_str() {
            "" => format!("it {}", reason.text),
            about => format!("it {} (`{about}`)", reason.text),
        })
        .collect();
    if reasons.is_empty() {
        reasons.push("it runs a command".to_owned());
    }
    let is_fixed = reading.memory != Memory::Never;
    Reading {
        class: reading.class,
        reasons,
        always: always(&script.command, reading.memory),
        is_all: reading.beside == Class::ReadOnly,
        opens: reading.opens,
        calls: reading.programs,
        is_told: reading.is_told,
        named: reading.named,
        found: Found::default(),
        programs: reading
            .parts
            .into_iter()
            .map(|part| program(part, is_fixed))
            .collect(),
    }
}

impl Reading {
    /// It is worse than its text says. Nothing of this can be kept: what is on the disk changes.
    pub(crate) fn is_worse(&mut self, class: Class, reason: String) {
        if class > self.class {
            self.class = class;
            self.reasons.clear();
        }
        self.always.clear();
        if class == self.class && !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        }
    }
}

fn program(part: Part, is_fixed: bool) -> Program {
    Program {
        prefix: part.prefix().map(<[String]>::len),
        only_reads: part.class == Class::ReadOnly,
        is_plain: is_fixed && part.redirections.is_empty() && part.assignments.is_empty(),
        argv: part.argv,
    }
}

fn always(command: &str, memory: Memory) -> Vec<Remember> {
    let exactly = Remember::Command(command.to_owned());
    match memory {
        Memory::Never => vec![],
        Memory::Exact => vec![exactly],
        Memory::Prefix(words) => vec![exactly, Remember::Prefix(words)],
    }
}
