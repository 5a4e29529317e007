//! One program with its words: what is set, what is opened, what is run.

use super::{Judge, Outcome};
use crate::args::{Arg, UNKNOWN};
use crate::programs::{self, variables};
use crate::syntax::{Assignment, Redirection, RedirectionKind, Simple, Word};
use crate::{Class, Part, parse};

/// Programs that run programs, in one another, beyond which nobody follows.
const MOST_WRAPPERS: usize = 8;

/// Directories whose programs are the system's.
const TRUSTED: [&str; 6] = [
    "/bin",
    "/usr/bin",
    "/usr/local/bin",
    "/sbin",
    "/usr/sbin",
    "/opt/homebrew/bin",
];

/// Where a program's standard input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stdin {
    /// Whatever the shell has.
    Inherited,
    /// The program before it.
    Pipe,
    /// A file of the workspace.
    File,
    /// A text in the command itself.
    Text(String),
}

/// A program about to be run.
#[derive(Clone, Debug)]
pub(crate) struct Call<'a> {
    /// Its name first.
    pub(crate) args: &'a [Arg],
    pub(crate) stdin: Stdin,
    /// The words as they were read, for what is lost in `args`.
    pub(crate) words: &'a [Word],
    /// The whole simple command as written.
    pub(crate) source: &'a str,
}

impl Call<'_> {
    /// Everything after the name.
    pub(crate) fn rest(&self) -> &[Arg] {
        self.args.get(1..).unwrap_or_default()
    }

    /// The texts after the name.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.rest().iter().map(|arg| arg.text.as_str())
    }
}

impl Judge<'_> {
    pub(super) fn simple(&mut self, simple: &Simple, stdin: Stdin) -> Outcome {
        let outer = std::mem::replace(&mut self.current, Class::ReadOnly);
        let at = self.parts.len();
        self.parts_deep += 1;
        self.parts.push(Part {
            class: Class::ReadOnly,
            argv: Vec::new(),
            assignments: sources(simple.assignments.iter().map(|one| &one.word.source)),
            redirections: sources(simple.redirections.iter().map(|one| &one.source)),
        });
        let args: Vec<Arg> = simple
            .words
            .iter()
            .flat_map(|word| self.expand(word))
            .collect();
        for assignment in &simple.assignments {
            self.assignment(assignment, args.is_empty());
        }
        let mut stdin = stdin;
        for redirection in &simple.redirections {
            if let Some(other) = self.redirection(redirection) {
                stdin = other;
            }
        }
        self.parts[at].argv = args.iter().map(shown).collect();
        let places = self.places.clone();
        let call = Call {
            args: &args,
            stdin,
            words: &simple.words,
            source: &simple.source,
        };
        self.places_after = None;
        self.fetches(&args, simple);
        if !args.is_empty() {
            self.call(&call);
        }
        // Other files another time; what only reads is not asked about, so nothing is kept of it.
        if self.current > Class::ReadOnly && args.iter().any(|arg| arg.is_glob) {
            self.is_fixed = false;
        }
        self.parts[at].class = self.current;
        self.current = outer.max(self.current);
        self.parts_deep -= 1;
        match self.places_after.take() {
            Some(success) => Outcome {
                success,
                failure: places,
            },
            None => Outcome::same(&places),
        }
    }

    /// A program and its arguments, on its own or inside another one.
    pub(crate) fn call(&mut self, call: &Call<'_>) {
        let Some(first) = call.args.first() else {
            return;
        };
        let name = last_name(&shown(first)).to_owned();
        let rest = call.rest().iter().map(shown);
        self.programs.push([name].into_iter().chain(rest).collect());
        if !first.is_known() || first.is_glob || first.is_output {
            self.cannot_tell();
            self.ask("runs a program whose name is not fixed", &first.source);
            self.anything(call);
            return;
        }
        let Some(name) = self.program_name(first) else {
            return self.anything(call);
        };
        if self.within.as_deref() == Some(name) {
            self.danger("calls itself without end", call.source);
        }
        if self.functions.contains(name) {
            self.cannot_tell();
            self.ask("runs a function that the command defines", name);
            return self.anything(call);
        }
        programs::judge(self, name, call);
    }

    /// Remembers which files a program may have fetched from the network.
    fn fetches(&mut self, args: &[Arg], simple: &Simple) {
        if !args.iter().any(|arg| programs::is_network(&arg.text)) {
            return;
        }
        let targets = simple
            .redirections
            .iter()
            .map(|one| one.target.source.as_str());
        let texts = args.iter().map(|arg| arg.text.as_str()).chain(targets);
        self.fetched
            .extend(texts.map(|text| last_name(text).to_owned()));
    }

    /// A file that is run: worse if it was fetched a moment ago.
    pub(crate) fn runs_file(&mut self, file: &str, about: &str) {
        if self.fetched.contains(last_name(file)) {
            self.danger("runs what was fetched from the network", about);
        }
    }

    /// The name to look `first` up by, if it is a program of the system.
    fn program_name<'b>(&mut self, first: &'b Arg) -> Option<&'b str> {
        let text = first.text.as_str();
        let Some((dir, name)) = text.rsplit_once('/') else {
            return Some(text);
        };
        if TRUSTED.contains(&dir) {
            return Some(name);
        }
        self.ask(
            "runs a program that does not belong to the system",
            &first.source,
        );
        self.runs_file(text, &first.source);
        None
    }

    /// A program about which nothing is known, but that its files may be.
    pub(crate) fn anything(&mut self, call: &Call<'_>) {
        for arg in call.rest() {
            self.hands_over(arg);
        }
    }

    /// The program that another one runs: `args` are its name and its arguments.
    pub(crate) fn inner(&mut self, args: &[Arg], call: &Call<'_>) {
        self.is_fixed = false;
        if self.wrapped >= MOST_WRAPPERS {
            self.danger("runs a program through too many others", call.source);
            return;
        }
        self.wrapped += 1;
        self.call(&Call {
            args,
            stdin: call.stdin.clone(),
            words: call.words,
            source: call.source,
        });
        self.wrapped -= 1;
    }

    /// A text that is run as commands.
    pub(crate) fn code(&mut self, text: &str, about: &str) {
        self.is_fixed = false;
        if text.contains(UNKNOWN) {
            self.cannot_tell();
            self.ask("runs commands that are not fixed", about);
        }
        if self.depth + 1 >= parse::DEEPEST || self.wrapped >= MOST_WRAPPERS {
            self.danger("is nested too deep to be read", about);
            return;
        }
        let places = self.places.clone();
        self.depth += 1;
        self.wrapped += 1;
        // What is not known stands for one word, as a variable would.
        self.text(&text.replace(UNKNOWN, "$_"), about);
        self.wrapped -= 1;
        self.depth -= 1;
        self.places = places;
    }

    fn assignment(&mut self, assignment: &Assignment, alone: bool) {
        let Assignment { name, word, array } = assignment;
        self.pieces(&word.pieces, &word.source);
        for word in array {
            self.expand(word);
        }
        let has_subscript = word.source[name.len()..].starts_with('[');
        if has_subscript {
            self.evaluated(&word.source, &word.source);
        }
        let value = word.source.split_once('=').map_or("", |(_, value)| value);
        variables::assigned(self, name, value, &word.source);
        if alone || has_subscript || !array.is_empty() {
            self.ask("sets a variable for the commands after it", &word.source);
        }
    }

    /// A file that is opened; says what it does to standard input.
    pub(super) fn redirection(&mut self, redirection: &Redirection) -> Option<Stdin> {
        let about = redirection.source.as_str();
        if let Some(name) = &redirection.variable {
            self.ask("sets a variable for the commands after it", about);
            variables::assigned(self, name, "", about);
        }
        if let RedirectionKind::HereDoc { body } = &redirection.kind {
            let body = body.get().cloned().unwrap_or_default();
            self.pieces(&body.pieces, about);
            return Some(Stdin::Text(self.pattern_text(&body)));
        }
        let args = self.expand(&redirection.target);
        let text: String = args.iter().map(|arg| arg.text.as_str()).collect();
        match &redirection.kind {
            RedirectionKind::HereDoc { .. } | RedirectionKind::Duplicate => None,
            RedirectionKind::HereString => Some(Stdin::Text(text)),
            RedirectionKind::Read if super::files::is_socket(&text) => {
                self.danger("opens a network connection", about);
                None
            }
            RedirectionKind::Read => {
                self.reads_text(&text, about);
                Some(Stdin::File)
            }
            RedirectionKind::Write => {
                if !matches!(text.as_str(), "/dev/null" | "/dev/stdout" | "/dev/stderr") {
                    self.ask("writes to a file", about);
                    self.opens_text(&text, about);
                }
                None
            }
        }
    }
}

/// What comes after the last slash.
fn last_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// An argument for people: what is not known is left as it was written.
fn shown(arg: &Arg) -> String {
    if arg.is_known() {
        arg.text.clone()
    } else {
        arg.source.clone()
    }
}

fn sources<'s>(all: impl Iterator<Item = &'s String>) -> Vec<String> {
    all.cloned().collect()
}
