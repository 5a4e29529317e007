//! What the REPL wants to know of the world.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use pollux_store::Settings;
use pollux_tui::program::{Answer, Answering, Choice, Choices, Choosing, Edited, Inquiry, Program};
use pollux_types::{Command, Mode};
use tokio::task::spawn_blocking;

use super::models::{self, Lists};
use super::{changes, cost, init, memory};
use crate::args::Args;
use crate::current::Current;
use crate::editor;
use crate::environment::Environment;
use crate::permissions::RuleFiles;
use crate::provider::Surroundings;
use crate::told::{Cost, Told};
use crate::wire::{self, Callable, Plan, Started};
use crate::{doctor, provider, sandbox, sessions};

/// This program, here and now.
pub(super) struct Here<'a> {
    args: &'a Args,
    environment: &'a Environment,
    rule_files: RuleFiles,
    settings: Settings,
    cwd: PathBuf,
    editor: String,
    /// What is known once the session has started.
    session: RefCell<Option<Known>>,
    /// What servers have.
    lists: Lists,
}

/// What a session tells about itself at its start.
struct Known {
    who: Current<pollux_store::Answering>,
    told: Current<Told>,
    tools: Vec<Callable>,
}

impl<'a> Here<'a> {
    pub(super) fn new(args: &'a Args, environment: &'a Environment, plan: &Plan<'_>) -> Self {
        Self {
            args,
            environment,
            rule_files: plan.rule_files().clone(),
            settings: plan.settings().clone(),
            cwd: plan.cwd().to_owned(),
            editor: editor::of(environment),
            session: RefCell::new(None),
            lists: Lists::default(),
        }
    }

    /// Takes in what a session that has started tells about itself.
    pub(super) fn learn(&self, started: &Started) {
        *self.session.borrow_mut() = Some(Known {
            who: started.who.clone(),
            told: started.told.clone(),
            tools: started.tools.clone(),
        });
    }

    /// Who answers, once that is settled.
    fn answering(&self) -> Option<pollux_store::Answering> {
        let known = self.session.borrow();
        known.as_ref().map(|known| known.who.get())
    }

    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            environment: self.environment,
            settings: &self.settings,
        }
    }

    async fn models(&self) -> String {
        match self.answering() {
            Some(answering) => self.lists.report(&answering, self.surroundings()).await,
            None => String::new(),
        }
    }

    fn known_models(&self) -> Vec<Choice> {
        match self.answering() {
            Some(answering) => self.lists.known(&answering, self.surroundings()),
            None => named(provider::known_models(&self.settings, self.environment)),
        }
    }

    fn about(&self) -> String {
        let place = self.answering().and_then(|answering| answering.base_url);
        let place = place.map_or_else(String::new, |url| format!("server: {url}\n"));
        format!(
            "{place}pollux {} ({} {})\ndirectory: {}\n",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH,
            self.cwd.display()
        )
    }

    fn context(&self) -> String {
        let known = self.session.borrow();
        let Some(cost) = known.as_ref().map(|known| known.told.get().cost) else {
            return String::new();
        };
        let Cost {
            system,
            memory,
            tools,
        } = cost;
        let told = cost.sum();
        format!(
            "before the conversation: about {told} tokens (instructions {system}, memory {memory}, \
             tools {tools})\n"
        )
    }

    fn memory(&self, words: &str) -> Answer {
        let known = self.session.borrow();
        let told = known.as_ref().map(|known| known.told.get());
        let memory = told.map(|told| told.memory).unwrap_or_default();
        match self.environment.home() {
            Ok(home) => memory::answer(words, &memory, &home, &self.cwd),
            Err(failure) => Answer {
                text: failure.message,
                ..Answer::default()
            },
        }
    }

    fn tools(&self, mode: Mode) -> String {
        let known = self.session.borrow();
        let tools = known.iter().flat_map(|known| &known.tools);
        let offered = tools.filter(|tool| mode == Mode::Build || !tool.edits);
        offered.fold(String::new(), |mut text, tool| {
            let Callable {
                name, description, ..
            } = tool;
            let first = description.lines().next().unwrap_or_default();
            writeln!(text, "{name:<20} {first}").expect("a String takes any text");
            text
        })
    }

    fn settings(&self) -> String {
        let Ok(home) = self.environment.home() else {
            return String::new();
        };
        match wire::settings_file(self.environment, &home) {
            Err(failure) => failure.message,
            Ok(file) => match std::fs::read_to_string(&file) {
                Ok(text) => format!("{}:\n{text}", file.display()),
                Err(_) => format!("{}: not there, so all is as usual", file.display()),
            },
        }
    }

    fn permissions(&self, words: &str) -> Answer {
        let (text, changed) = self.rule_files.serve(words);
        Answer {
            text,
            then: changed.then_some(Command::ReadRules),
            ..Answer::default()
        }
    }

    async fn doctor(&self) -> String {
        doctor::report(self.args, self.environment).await
    }
}

impl Program for Here<'_> {
    fn answer(&self, inquiry: Inquiry) -> Answering<'_> {
        Box::pin(async move {
            let text = match inquiry {
                Inquiry::Permissions(words) => return self.permissions(&words),
                Inquiry::Diff { path, edits } => {
                    return changes::report(&self.cwd, &path, edits).await;
                }
                Inquiry::Memory(words) => return self.memory(&words),
                Inquiry::Init => return init::answer(&self.cwd),
                Inquiry::About => self.about(),
                Inquiry::Bug => {
                    self.about() + "Please add what you did, what came, and what you expected.\n"
                }
                Inquiry::Context => self.context(),
                Inquiry::Cost(spent) => cost::report(&spent, &self.settings.prices),
                Inquiry::Doctor => self.doctor().await,
                Inquiry::Export { session, words } => {
                    sessions::save_as(&session, &words, &self.cwd, self.environment)
                        .unwrap_or_else(|failure| failure.message)
                }
                Inquiry::Models => self.models().await,
                Inquiry::Providers => models::providers(self.surroundings()),
                Inquiry::Sandbox => sandbox::report(self.args, self.environment),
                Inquiry::Sessions => sessions::report(self.args, self.environment),
                Inquiry::Settings => self.settings(),
                Inquiry::Tools(mode) => self.tools(mode),
            };
            Answer {
                text,
                ..Answer::default()
            }
        })
    }

    fn edit(&self, content: &str, name: &str) -> Edited<'_> {
        let (editor, content, name) = (self.editor.clone(), content.to_owned(), name.to_owned());
        // Somebody may write for an hour, and the session goes on.
        let edited = spawn_blocking(move || editor::edited(&editor, &content, &name));
        Box::pin(async { edited.await.map_err(io::Error::other)? })
    }

    fn choices(&self, of: Choices) -> Vec<Choice> {
        match of {
            Choices::Models => self.known_models(),
            Choices::Providers => named(provider::known_providers(&self.settings)),
            Choices::Sessions => sessions::choices(self.args, self.environment),
        }
    }

    fn more_choices(&self, of: Choices) -> Option<Choosing<'_>> {
        let answering = self.answering().filter(|_| of == Choices::Models)?;
        let lack = self.lists.lack(&answering, self.surroundings());
        lack.then(|| -> Choosing<'_> {
            Box::pin(async move {
                self.lists.ask(&answering, self.surroundings()).await;
                self.known_models()
            })
        })
    }
}

fn named(names: Vec<String>) -> Vec<Choice> {
    let choice = |word| Choice {
        word,
        description: String::new(),
    };
    names.into_iter().map(choice).collect()
}
