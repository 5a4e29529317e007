//! Words: what is expanded in them, and what that may run or give away.

use super::Judge;
use crate::args::{Arg, Surroundings, arguments};
use crate::paths::is_secret_variable;
use crate::programs::{self, variables};
use crate::syntax::{Command, Piece, Script, Word};
use crate::{braces, parse};

impl Judge<'_> {
    /// The arguments that `word` becomes. Notes what keeps it from being known.
    pub(crate) fn expand(&mut self, word: &Word) -> Vec<Arg> {
        let args = self.pattern(word);
        for arg in &args {
            if arg.is_glob && !starts_plain(&arg.text) {
                self.is_fixed = false;
                self.ask("takes file names that could be flags", &word.source);
            }
        }
        args
    }

    /// The text of a word that is always one, as far as it is known.
    pub(super) fn pattern_text(&self, word: &Word) -> String {
        let home = self
            .context
            .home
            .as_ref()
            .map(|home| home.to_string_lossy());
        let around = Surroundings {
            home: home.as_deref(),
            cwd: None,
        };
        let args = arguments(word, around);
        args.iter().map(|arg| arg.text.as_str()).collect()
    }

    /// The same where no file names are looked for.
    pub(super) fn pattern(&mut self, word: &Word) -> Vec<Arg> {
        self.pieces(&word.pieces, &word.source);
        let home = self
            .context
            .home
            .as_ref()
            .map(|home| home.to_string_lossy());
        let cwd = self.places.first().cloned();
        let around = Surroundings {
            home: home.as_deref(),
            cwd: cwd.as_deref().filter(|_| self.places.len() == 1),
        };
        if let Some(words) = braces::expand(word) {
            self.dynamic("is spelled with braces", &word.source);
            words
                .iter()
                .flat_map(|word| arguments(word, around))
                .collect()
        } else {
            if braces::has_any(word) {
                self.dynamic("is spelled with braces", &word.source);
            }
            arguments(word, around)
        }
    }

    fn dynamic(&mut self, text: &str, about: &str) {
        self.is_fixed = false;
        self.ask(text, about);
    }

    pub(super) fn pieces(&mut self, pieces: &[Piece], about: &str) {
        for piece in pieces {
            match piece {
                Piece::Bare(_) | Piece::Quoted(_) => {}
                Piece::Ansi(_) => self.dynamic("is spelled with escapes", about),
                Piece::Variable { name, inner, .. } => {
                    if is_secret_variable(name) {
                        self.danger(format!("uses the secret in ${name}"), about);
                    }
                    self.dynamic("depends on a variable", about);
                    // `${NAME=value}` and `${NAME:=value}`.
                    let after = inner.first().and_then(Piece::letters).unwrap_or_default();
                    if after.trim_start_matches(':').starts_with('=') {
                        variables::assigned(self, name, "", about);
                    }
                    self.pieces(inner, about);
                    self.subscripts(inner, about);
                }
                Piece::Substitution(script) | Piece::Process(script) => {
                    self.dynamic("depends on what another command prints", about);
                    self.subshell(script);
                }
                Piece::Arithmetic(inner) => {
                    self.dynamic("calculates, which may run commands", about);
                    self.calculates(inner, about);
                    self.pieces(inner, about);
                    self.subscripts(inner, about);
                }
            }
        }
    }

    /// Text that bash evaluates as a name or a number runs the commands in its subscripts, quotes
    /// or not.
    fn subscripts(&mut self, pieces: &[Piece], about: &str) {
        for piece in pieces {
            if let Some(text) = piece.letters() {
                self.evaluated(text, about);
            }
        }
    }

    /// Arithmetic can set variables.
    pub(super) fn calculates(&mut self, pieces: &[Piece], about: &str) {
        for text in pieces.iter().filter_map(Piece::letters) {
            variables::calculated(self, text, about);
        }
    }

    /// Looks at a text that bash evaluates as a name or as arithmetic.
    pub(crate) fn evaluated(&mut self, text: &str, about: &str) {
        if !text.contains(['$', '`']) {
            return;
        }
        let (word, problem) = parse::expansions(text, self.depth + 1);
        if let Some(problem) = problem {
            self.problem(problem, about);
        }
        let runs = |piece: &Piece| matches!(piece, Piece::Substitution(_) | Piece::Process(_));
        if word.pieces.iter().any(runs) {
            self.danger("runs a command hidden in a subscript", about);
        }
        self.depth += 1;
        if self.depth < parse::DEEPEST {
            self.pieces(&word.pieces, about);
        }
        self.depth -= 1;
    }
}

/// Whether a word with globs begins with something that no flag begins with.
fn starts_plain(text: &str) -> bool {
    !text.starts_with(['-', '*', '?', '[', '{', crate::args::UNKNOWN])
}

/// Whether a shell or an interpreter is run anywhere in `script`.
pub(super) fn has_shell(script: &Script) -> bool {
    any_word(script, &programs::is_interpreter)
}

/// Whether a word of `script` is such a name, wherever it stands.
fn any_word(script: &Script, is: &dyn Fn(&str) -> bool) -> bool {
    let pipelines = script.entries.iter().flat_map(|entry| {
        std::iter::once(&entry.first).chain(entry.rest.iter().map(|(_, pipeline)| pipeline))
    });
    pipelines
        .flat_map(|pipeline| &pipeline.stages)
        .any(|command| in_command(command, is))
}

fn in_command(command: &Command, is: &dyn Fn(&str) -> bool) -> bool {
    match command {
        Command::Simple(simple) => simple.words.iter().any(|word| {
            let name = word.plain().unwrap_or_default();
            is(name.rsplit('/').next().unwrap_or_default()) || in_pieces(&word.pieces, is)
        }),
        Command::Compound(compound) => compound.bodies.iter().any(|body| any_word(body, is)),
        Command::Function { body, .. } => in_command(body, is),
    }
}

pub(crate) fn in_pieces(pieces: &[Piece], is: &dyn Fn(&str) -> bool) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Substitution(script) | Piece::Process(script) => any_word(script, is),
        Piece::Variable { inner, .. } | Piece::Arithmetic(inner) => in_pieces(inner, is),
        _ => false,
    })
}
