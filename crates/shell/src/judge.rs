//! The walk over a command that finds out what it would do.
//!
//! Reasons are only ever added: the class of a command is that of its worst part, and nothing a
//! later part does can lower it.

mod compound;
mod files;
mod simple;
mod table;
mod words;

use std::collections::BTreeSet;

use crate::args::UNKNOWN;
use crate::hidden::{Trick, trick};
use crate::paths::Place;
use crate::syntax::{Command, Entry, Link, Pipeline, Problem, Script, Word};
use crate::{Class, Context, Named, Part, Reading, Reason, parse, remember};

pub(crate) use simple::{Call, Stdin};
pub(crate) use words::in_pieces;

/// Longer commands cannot be taken in at a glance.
const MOST_LETTERS: usize = 10_000;
/// Nor can commands of more parts,
const MOST_PARTS: usize = 64;
/// or nested deeper.
const MOST_LEVELS: usize = 8;
/// So many blanks in a row push what follows out of sight.
const MOST_BLANKS: usize = 60;

/// Directories in which a shell may be, beyond which nobody follows.
const MOST_PLACES: usize = 8;

/// Reads a whole command.
pub(crate) fn command(text: &str, context: &Context) -> Reading {
    let mut judge = Judge::new(context);
    judge.letters(text);
    judge.start();
    judge.text(text, text);
    if judge.parts.len() > MOST_PARTS {
        judge.flag(Class::Ask, format!("has more than {MOST_PARTS} parts"), "");
    }
    let mut reasons = judge.reasons;
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.class));
    let class = reasons
        .first()
        .map_or(Class::ReadOnly, |reason| reason.class);
    let memory = remember::memory(class, &judge.parts, judge.is_fixed);
    Reading {
        class,
        reasons,
        parts: judge.parts,
        beside: judge.beside,
        programs: judge.programs,
        named: judge.named,
        memory,
        is_told: judge.untold == 0,
        opens: judge.opens.into_iter().map(Into::into).collect(),
    }
}

/// The directories in which the shell may be at some point.
pub(crate) type Places = BTreeSet<String>;

/// Where the shell may be after a command, by how that ended.
#[derive(Clone)]
struct Outcome {
    success: Places,
    failure: Places,
}

impl Outcome {
    fn same(places: &Places) -> Self {
        Self {
            success: places.clone(),
            failure: places.clone(),
        }
    }

    fn either(self) -> Places {
        &self.success | &self.failure
    }
}

/// What has been found out so far.
pub(crate) struct Judge<'a> {
    pub(crate) context: &'a Context,
    reasons: Vec<Reason>,
    parts: Vec<Part>,
    programs: Vec<Vec<String>>,
    named: Vec<Named>,
    /// The worst that is known about the part that is being looked at.
    current: Class,
    /// How many parts deep this is: programs in substitutions are parts within parts.
    parts_deep: usize,
    /// The worst that is known about how parts are put together.
    beside: Class,
    /// Where the shell may be.
    pub(crate) places: Places,
    /// Functions that the command defines.
    functions: BTreeSet<String>,
    /// How deep in substitutions and strings that are run this is.
    depth: usize,
    /// How many programs deep that run another one.
    wrapped: usize,
    /// Whether the arguments come from elsewhere, as below `xargs`.
    pub(crate) is_fed: bool,
    /// Whether running it again would do the same: no wrapper, no interpreter, nothing expanded.
    pub(crate) is_fixed: bool,
    /// How often something runs that cannot be told from the text.
    untold: usize,
    /// Names of files that the command may have fetched from the network.
    fetched: BTreeSet<String>,
    /// Files outside of the workspace that are opened to be written.
    opens: BTreeSet<String>,
    /// Whether what the program before prints is the environment.
    pub(crate) is_environment: bool,
    /// Where the shell is after the program that is being looked at, if that moves it.
    pub(crate) places_after: Option<Places>,
    /// The function whose body is being looked at.
    within: Option<String>,
}

impl<'a> Judge<'a> {
    fn new(context: &'a Context) -> Self {
        Self {
            context,
            reasons: Vec::new(),
            parts: Vec::new(),
            programs: Vec::new(),
            named: Vec::new(),
            current: Class::ReadOnly,
            parts_deep: 0,
            beside: Class::ReadOnly,
            places: Places::from([context.cwd.to_string_lossy().into_owned()]),
            functions: BTreeSet::new(),
            depth: 0,
            wrapped: 0,
            is_fed: false,
            is_fixed: true,
            untold: 0,
            fetched: BTreeSet::new(),
            opens: BTreeSet::new(),
            is_environment: false,
            places_after: None,
            within: None,
        }
    }

    /// Notes why the command is not harmless. The same is said once.
    pub(crate) fn flag(&mut self, class: Class, text: impl Into<String>, about: &str) {
        self.current = self.current.max(class);
        if self.parts_deep == 0 {
            self.beside = self.beside.max(class);
        }
        let reason = Reason {
            class,
            text: text.into(),
            about: about.to_owned(),
        };
        if self.reasons.len() < MOST_PARTS && !self.reasons.contains(&reason) {
            self.reasons.push(reason);
        } else if self.worst() < class {
            // Too many to tell, but never too many to count.
            self.reasons.push(reason);
        }
    }

    pub(crate) fn ask(&mut self, text: impl Into<String>, about: &str) {
        self.flag(Class::Ask, text, about);
    }

    pub(crate) fn danger(&mut self, text: impl Into<String>, about: &str) {
        self.flag(Class::Dangerous, text, about);
    }

    /// Something runs that cannot be told from the text: no rule can be about it.
    pub(crate) fn cannot_tell(&mut self) {
        self.is_fixed = false;
        self.untold += 1;
    }

    fn worst(&self) -> Class {
        let classes = self.reasons.iter().map(|reason| reason.class);
        classes.max().unwrap_or(Class::ReadOnly)
    }

    /// What can be said about the letters alone.
    fn letters(&mut self, text: &str) {
        let tricks: Vec<Trick> = text.chars().filter_map(trick).collect();
        if tricks.contains(&Trick::Hides) {
            self.danger(
                "has control or invisible characters that hide what it does",
                "",
            );
        }
        if tricks.contains(&Trick::Blank) {
            self.ask("has characters that look like spaces and are none", "");
        }
        if text.chars().count() > MOST_LETTERS {
            self.ask(format!("is longer than {MOST_LETTERS} characters"), "");
        }
        let mut blanks = 0;
        for c in text.trim().chars() {
            blanks = if c.is_whitespace() { blanks + 1 } else { 0 };
            if blanks > MOST_BLANKS {
                self.ask("has a long gap that pushes what follows out of sight", "");
                break;
            }
        }
    }

    /// What can be said about where it starts: many programs read that, though nothing names it.
    fn start(&mut self) {
        let dir = self.context.cwd.to_string_lossy();
        match self.reading(".") {
            Place::Inside => {}
            Place::Secret => self.danger("runs in a place that holds secrets", &dir),
            _ => self.ask("runs outside of the workspace", &dir),
        }
    }

    /// Looks at `text` as a script of its own; `about` is what it was found in.
    pub(crate) fn text(&mut self, text: &str, about: &str) -> Places {
        let (script, deepest) = parse::script(text, self.depth);
        if deepest > MOST_LEVELS {
            self.ask(format!("is nested more than {MOST_LEVELS} levels deep"), "");
        }
        if let Some(problem) = script.problem {
            self.problem(problem, about);
        }
        self.script(&script)
    }

    /// What comes after a problem is not seen at all.
    pub(crate) fn problem(&mut self, problem: Problem, about: &str) {
        self.cannot_tell();
        match problem {
            Problem::Syntax(why) => self.ask(format!("cannot be read: {why}"), ""),
            // Nothing honest is that deep.
            Problem::TooDeep => self.danger("is nested too deep to be read", shortened(about)),
        }
    }

    /// Looks at commands that run in a shell of their own: where they go changes nothing here.
    pub(crate) fn subshell(&mut self, script: &Script) {
        let places = self.places.clone();
        self.depth += 1;
        self.script(script);
        self.depth -= 1;
        self.places = places;
    }

    /// Looks at commands one after the other; says where the shell may be after them.
    fn script(&mut self, script: &Script) -> Places {
        for entry in &script.entries {
            let places = self.places.clone();
            let after = self.entry(entry).either();
            self.places = if entry.background { places } else { after };
            if self.places.len() > MOST_PLACES {
                // It may be anywhere, and asking is all that is left.
                self.places = Places::from([UNKNOWN.to_string()]);
                self.ask("changes the directory too often to follow", "cd");
            }
            if entry.background {
                self.ask("is left running in the background", "&");
            }
        }
        self.places.clone()
    }

    fn entry(&mut self, entry: &Entry) -> Outcome {
        let mut outcome = self.pipeline(&entry.first);
        for (link, next) in &entry.rest {
            match link {
                Link::And => {
                    self.places = outcome.success;
                    let then = self.pipeline(next);
                    outcome.success = then.success;
                    outcome.failure = &outcome.failure | &then.failure;
                }
                Link::Or => {
                    self.places = outcome.failure;
                    let then = self.pipeline(next);
                    outcome.success = &outcome.success | &then.success;
                    outcome.failure = then.failure;
                }
            }
        }
        outcome
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Outcome {
        if let [only] = pipeline.stages.as_slice() {
            return self.command(only, Stdin::Inherited);
        }
        let places = self.places.clone();
        let outer = std::mem::replace(&mut self.is_environment, prints_environment(pipeline));
        for (at, stage) in pipeline.stages.iter().enumerate() {
            let stdin = if at == 0 {
                Stdin::Inherited
            } else {
                Stdin::Pipe
            };
            self.command(stage, stdin);
            // Each stage has a shell of its own.
            self.places.clone_from(&places);
        }
        self.is_environment = outer;
        Outcome::same(&places)
    }
}

/// Whether the first program of `pipeline` prints all variables.
fn prints_environment(pipeline: &Pipeline) -> bool {
    let Some(Command::Simple(simple)) = pipeline.stages.first() else {
        return false;
    };
    let name = simple.words.first().and_then(Word::plain);
    matches!(
        name.as_deref(),
        Some("env" | "printenv" | "set" | "export" | "declare")
    )
}

/// The beginning of a text that may be very long.
fn shortened(text: &str) -> &str {
    let end = text.char_indices().nth(80).map_or(text.len(), |(at, _)| at);
    &text[..end]
}
