//! Control flow, groups, functions and tests.

use super::simple::Stdin;
use super::{Judge, Outcome};
use crate::programs::{conditions, variables};
use crate::syntax::{Command, Compound, CompoundKind, Word};

impl Judge<'_> {
    pub(super) fn command(&mut self, command: &Command, stdin: Stdin) -> Outcome {
        match command {
            Command::Simple(simple) => self.simple(simple, stdin),
            Command::Compound(compound) => self.compound(compound, &stdin),
            Command::Function { name, body } => self.function(name, body),
        }
    }

    fn compound(&mut self, compound: &Compound, stdin: &Stdin) -> Outcome {
        let places = self.places.clone();
        self.is_fixed &= compound.kind == CompoundKind::Test;
        for redirection in &compound.redirections {
            self.redirection(redirection);
        }
        self.compound_words(compound);
        match compound.kind {
            CompoundKind::While => self.ask("may go on without end", "while"),
            CompoundKind::Select => self.ask("waits for an answer", "select"),
            CompoundKind::Coproc => self.ask("is left running in the background", "coproc"),
            CompoundKind::CountingFor | CompoundKind::Arithmetic => {
                self.ask("calculates, which may run commands", "((..))");
            }
            _ => {}
        }
        for body in &compound.bodies {
            self.script(body);
        }
        // What a body reads comes from before it; a shell in there is caught by its own rule only
        // if it knows, so a pipe into a group counts as one into each of its shells.
        if *stdin == Stdin::Pipe && compound.bodies.iter().any(super::words::has_shell) {
            self.danger("feeds what a command prints to an interpreter", "|");
        }
        let moved = self.places != places;
        let repeats = matches!(
            compound.kind,
            CompoundKind::While
                | CompoundKind::For
                | CompoundKind::CountingFor
                | CompoundKind::Select
        );
        if moved && repeats {
            self.ask("changes the directory again and again", "cd");
        }
        let after = match compound.kind {
            CompoundKind::Subshell | CompoundKind::Coproc => places.clone(),
            _ => &places | &self.places,
        };
        self.places = after;
        // A group may have ended anywhere in the middle.
        Outcome::same(&self.places)
    }

    fn compound_words(&mut self, compound: &Compound) {
        match compound.kind {
            CompoundKind::Test => {
                let args: Vec<_> = compound
                    .words
                    .iter()
                    .flat_map(|word| self.pattern(word))
                    .collect();
                conditions::double(self, &args);
            }
            CompoundKind::Case => {
                for word in &compound.words {
                    self.pattern(word);
                }
            }
            _ => {
                for word in &compound.words {
                    self.expand(word);
                }
            }
        }
        if matches!(
            compound.kind,
            CompoundKind::CountingFor | CompoundKind::Arithmetic
        ) {
            for word in &compound.words {
                self.calculates(&word.pieces, &word.source);
            }
        }
        let sets = matches!(compound.kind, CompoundKind::For | CompoundKind::Select);
        if let Some(name) = compound.words.first().filter(|_| sets) {
            variables::counted(self, &name.plain().unwrap_or_default());
        }
    }

    fn function(&mut self, name: &Word, body: &Command) -> Outcome {
        let places = self.places.clone();
        let name = name.plain().unwrap_or_default();
        self.is_fixed = false;
        self.ask("defines a function, which may stand for any command", &name);
        self.functions.insert(name.clone());
        let outer = self.within.replace(name);
        self.command(body, Stdin::Inherited);
        self.within = outer;
        if self.places != places {
            self.ask("changes the directory in a function", "cd");
        }
        let both = &places | &self.places;
        self.places = both;
        Outcome::same(&self.places)
    }
}
