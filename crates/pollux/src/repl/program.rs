//! What the REPL wants to know of the world.

use std::cell::RefCell;
use std::io;
use std::path::PathBuf;

use pollux_store::settings::{self, Listed, ProjectSettings};
use pollux_store::{Found, Settings};
use pollux_tools::McpServers;
use pollux_tui::program::{Answer, Answering, Choice, Choices, Choosing, Edited, Inquiry, Program};
use pollux_types::{Command, Mode, Skill};
use tokio::task::spawn_blocking;

use super::models::{self, Lists};
use super::{changes, cost, init, memory, skills};
use crate::args::Args;
use crate::current::Current;
use crate::editor;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::permissions::RuleFiles;
use crate::provider::Surroundings;
use crate::told::Told;
use crate::wire::{self, Callable, Plan, Started};
use crate::{doctor, mcp, provider, sandbox, sessions};

/// This program, here and now.
pub(super) struct Here<'a> {
    args: &'a Args,
    environment: &'a Environment,
    rule_files: RuleFiles,
    settings: Settings,
    project_settings: Option<ProjectSettings>,
    cwd: PathBuf,
    editor: String,
    /// What is known once the session has started.
    session: RefCell<Option<Known>>,
    /// What servers of models have.
    lists: Lists,
    /// MCP servers.
    servers: McpServers,
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
            project_settings: plan.project_settings().cloned(),
            cwd: plan.cwd().to_owned(),
            editor: editor::of(environment),
            session: RefCell::new(None),
            lists: Lists::default(),
            servers: plan.servers().clone(),
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

    /// Whether nobody has ever said anything here, or does now.
    pub(super) fn is_first(&self) -> bool {
        let home = self.environment.home();
        self.args.words.is_none() && home.is_ok_and(|home| home.is_unused())
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

    fn skills(&self) -> Vec<Skill> {
        let known = self.session.borrow();
        let skills = known.as_ref().map(|known| known.told.get().skills);
        skills.unwrap_or_default()
    }

    /// What is written down, and adding to it, which takes the disk a moment.
    async fn memory(&self, words: String) -> Answer {
        let known = self.session.borrow().as_ref().map(|known| known.told.get());
        let memory = known.unwrap_or_default().memory;
        let cwd = self.cwd.clone();
        let answered = match self.environment.home() {
            Ok(home) => {
                let answer = move || memory::answer(&words, &memory, &home, &cwd);
                spawn_blocking(answer)
                    .await
                    .map_err(|error| error.to_string())
            }
            Err(failure) => Err(failure.message),
        };
        answered.unwrap_or_else(|text| Answer {
            text,
            ..Answer::default()
        })
    }

    fn tools(&self, mode: Mode) -> Vec<(String, String)> {
        let known = self.session.borrow();
        let tools = known.iter().flat_map(|known| &known.tools);
        let offered = tools.filter(|tool| mode == Mode::Build || !tool.edits);
        let rows = offered.map(|tool| {
            let first = tool.description.lines().next().unwrap_or_default();
            (tool.name.clone(), first.to_owned())
        });
        rows.collect()
    }

    /// What is set and by whom, and how to change it.
    fn settings(&self) -> Answer {
        let file = self.environment.home();
        let file = file.and_then(|home| wire::settings_file(self.environment, &home));
        let file = match file {
            Ok(file) => file,
            Err(failure) => {
                return Answer {
                    text: failure.message,
                    ..Answer::default()
                };
            }
        };
        let project = self.project_settings.as_ref();
        let set = settings::listed(&file, project, &self.args.config).into_iter();
        let set = set.map(|Listed { setting, place }| (setting, place));
        let rows: Vec<_> = self.chosen_for_this_run().chain(set).collect();
        let nothing = if rows.is_empty() {
            "nothing is set, so all is as usual\n"
        } else {
            ""
        };
        let file = file.display();
        let text = format!(
            "{nothing}To change something for good, write it into {file}; for one run, start with \
             `--config KEY=VALUE`, for example `--config ui.vim=true`. Settings are read at the start."
        );
        Answer {
            rows,
            text,
            ..Answer::default()
        }
    }

    /// What wins over settings.
    fn chosen_for_this_run(&self) -> impl Iterator<Item = (String, String)> {
        let Args {
            model, provider, ..
        } = self.args;
        let flags = [("--provider", provider), ("--model", model)];
        let flags = flags.into_iter().filter_map(|(name, value)| {
            let value = value.as_ref()?;
            Some((format!("{name} {value}"), "a flag".to_owned()))
        });
        let variables = ["POLLUX_PROVIDER", "POLLUX_MODEL", "POLLUX_CONFIG"];
        let variables = variables.into_iter().filter_map(|name| {
            let value = self.environment.var(name)?;
            Some((format!("{name}={value}"), "a variable".to_owned()))
        });
        flags.chain(variables)
    }

    /// The sessions of this project, newest first; reading them takes a moment.
    async fn stored(&self) -> Result<Vec<Found>, Failure> {
        let home = self.environment.home()?;
        let cwd = self.cwd.clone();
        let read = spawn_blocking(move || pollux_store::list(&home, &cwd)).await;
        let read = read.map_err(io::Error::other).flatten();
        read.map_err(|error| Failure::internal(error.to_string()))
    }

    async fn sessions(&self) -> Answer {
        match self.stored().await {
            Ok(found) => Answer {
                rows: sessions::rows(&found),
                text: sessions::how_to_go_on(&found).to_owned(),
                ..Answer::default()
            },
            Err(failure) => Answer {
                text: failure.message,
                ..Answer::default()
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

    fn more_resources(&self) -> Option<Choosing<'_>> {
        let lack = self.servers.lack();
        lack.then(|| -> Choosing<'_> {
            self.servers.ask();
            Box::pin(async {
                self.servers.answered().await;
                mcp::choices(&self.servers)
            })
        })
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
                Inquiry::Skills(words) => return skills::answer(&words, &self.skills()),
                Inquiry::Memory(words) => return self.memory(words).await,
                Inquiry::Init => return init::answer(&self.cwd),
                Inquiry::About => self.about(),
                Inquiry::Bug => {
                    self.about() + "Please add what you did, what came, and what you expected.\n"
                }
                Inquiry::Cost(spent) => cost::report(&spent, &self.settings.prices),
                Inquiry::Doctor => self.doctor().await,
                Inquiry::Export { session, words } => {
                    sessions::save_as(&session, &words, &self.cwd, self.environment)
                        .unwrap_or_else(|failure| failure.message)
                }
                Inquiry::Mcp(words) => mcp::answer(&self.servers, &words).await,
                Inquiry::Models => self.models().await,
                Inquiry::Providers => return in_rows(models::providers(self.surroundings())),
                Inquiry::Sandbox => sandbox::report(self.args, self.environment),
                Inquiry::Sessions => return self.sessions().await,
                Inquiry::Settings => return self.settings(),
                Inquiry::Tools(mode) => return in_rows(self.tools(mode)),
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
            Choices::Skills => skills::choices(&self.skills()),
            // They are on the disk: nobody waits for it with a key in hand.
            Choices::Sessions => Vec::new(),
            Choices::Resources => mcp::choices(&self.servers),
        }
    }

    fn more_choices(&self, of: Choices) -> Option<Choosing<'_>> {
        if of == Choices::Resources {
            return self.more_resources();
        }
        if of == Choices::Sessions {
            return Some(Box::pin(async {
                let found = self.stored().await.unwrap_or_default();
                sessions::choices(&found)
            }));
        }
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

fn in_rows(rows: Vec<(String, String)>) -> Answer {
    Answer {
        rows,
        ..Answer::default()
    }
}

fn named(names: Vec<String>) -> Vec<Choice> {
    let choice = |word| Choice {
        word,
        description: String::new(),
    };
    names.into_iter().map(choice).collect()
}
