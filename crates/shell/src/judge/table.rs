//! Programs that are described by a table.

use super::{Call, Judge, Stdin};
use crate::args::Arg;
use crate::options::{Effect, Given, Parsed};
use crate::programs::{Floor, Operands, Program};

impl Judge<'_> {
    pub(crate) fn table(&mut self, program: &Program, call: &Call<'_>) {
        let parsed = program.options.parse(call.rest());
        match program.floor {
            Floor::None => {}
            Floor::Ask(why) => self.ask(why, call.source),
            Floor::Danger(why) => self.danger(why, call.source),
        }
        let is_strict = program.floor == Floor::None;
        for given in &parsed.options {
            match given.effect {
                Effect::Endangers => self.danger(program.peril, call.source),
                _ => self.option(given, is_strict),
            }
        }
        self.operands(program.operands, &parsed, call);
        let feeds_itself = call.stdin == Stdin::Inherited && !self.is_fed;
        if program.waits && feeds_itself && parsed.operands.len() < program.operands.needed() {
            self.ask("waits for input", call.source);
        }
        if let Some(rule) = program.rule {
            rule(self, call, &parsed);
        }
    }

    /// One option, by its effect.
    pub(crate) fn option(&mut self, given: &Given<'_>, is_strict: bool) {
        let Given {
            value, effect, arg, ..
        } = given;
        let value = value.as_deref().unwrap_or_default();
        match effect {
            Effect::Harmless => {}
            Effect::Reads => self.reads_text(value, &arg.source),
            Effect::Writes => {
                self.ask("writes a file that a flag names", &arg.source);
                self.writes_text(value, &arg.source);
            }
            Effect::Asks => self.ask("does more than read with this flag", &arg.source),
            Effect::Runs => self.danger("runs a program that a flag names", &arg.source),
            Effect::Endangers => self.danger("has a dangerous flag", &arg.source),
            Effect::Unknown if is_strict => {
                self.ask("has a flag that is not known here", &arg.source);
            }
            Effect::Unknown => {
                let attached = Arg {
                    text: value.to_owned(),
                    ..(*arg).clone()
                };
                self.hands_over(&attached);
            }
        }
    }

    fn operands(&mut self, operands: Operands, parsed: &Parsed<'_>, call: &Call<'_>) {
        let given = &parsed.operands;
        match operands {
            Operands::Text => {}
            Operands::Files | Operands::Outputs => {
                for arg in given {
                    self.reads(arg);
                }
                if operands == Operands::Outputs && given.len() > 1 {
                    self.ask("writes to its second file", &given[1].source);
                    self.writes_text(&given[1].text, &given[1].source);
                }
            }
            Operands::PatternAndFiles => {
                let by_option = parsed.has("-e --regexp -f --file --files --type-list");
                for arg in given.iter().skip(usize::from(!by_option)) {
                    self.reads(arg);
                }
            }
            Operands::Names => {
                for arg in given {
                    self.looks_at(arg);
                }
            }
            Operands::None => {
                if let Some(arg) = given.first() {
                    self.ask("has an argument that is not known here", &arg.source);
                }
            }
            Operands::Written => {
                for arg in given {
                    self.writes_text(&arg.text, &arg.source);
                }
            }
            Operands::SourcesAndTarget => {
                if let Some((target, sources)) = given.split_last() {
                    for arg in sources {
                        self.reads(arg);
                    }
                    self.writes_text(&target.text, &target.source);
                }
            }
            Operands::Anything => self.anything(call),
        }
    }
}
