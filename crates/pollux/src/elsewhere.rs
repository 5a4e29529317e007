//! Other models and other sessions, for a session that runs.

use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt as _};
use jiff::Timestamp;
use pollux_agent::{Answerer, Instructions, Record, Resumed};
use pollux_model::ModelInfo;
use pollux_store::{Answering, Damage, Found, Header, Home, SessionLog, Settings};
use pollux_tools::{Registry, Workspace};
use pollux_types::{Message, SessionId};

use crate::args::ToolCalls;
use crate::current::Current;
use crate::environment::Environment;
use crate::failure::Failure;
use crate::provider::{self, Chosen, Located, Surroundings, Wanted};
use crate::told::{self, Told};
use crate::wire;

/// What it takes to choose a model, and to open a session.
pub(crate) struct Elsewhere {
    pub(crate) environment: Environment,
    pub(crate) settings: Settings,
    pub(crate) home: Home,
    pub(crate) cwd: PathBuf,
    pub(crate) workspace: Arc<Workspace>,
    pub(crate) tools: Registry,
    pub(crate) tool_calls: Option<ToolCalls>,
    /// Who answers now.
    pub(crate) who: Current<Answering>,
    /// What was read for it.
    pub(crate) told: Current<Told>,
    /// The session that is open.
    pub(crate) open: SessionId,
}

impl Elsewhere {
    fn locate(&self, wanted: Wanted) -> Result<Located, Failure> {
        let surroundings = Surroundings {
            environment: &self.environment,
            settings: &self.settings,
        };
        provider::locate(wanted, surroundings)
    }

    async fn choose(&self, located: Located) -> Result<Answerer, Failure> {
        let chosen = provider::choose(located, &self.settings).await?;
        Ok(self.answerer(chosen))
    }

    /// Who answers, with all that it is told.
    pub(crate) fn answerer(&self, chosen: Chosen) -> Answerer {
        Answerer {
            instructions: self.instructions(chosen.model.info(), &self.told.get()),
            window: self.settings.context.token_limit.or(chosen.window),
            found: chosen.found.is_some(),
            base_url: chosen.base_url,
            model: chosen.model,
            doubt: None,
        }
    }

    fn instructions(&self, model: &ModelInfo, told: &Told) -> Instructions {
        let detail = wire::detail(&self.settings, model);
        told::instructions(detail, &self.cwd, &self.workspace, told, &self.tools)
    }

    async fn reread(&mut self) -> (Instructions, Vec<String>) {
        let (memory, problems) = told::read_memory_aside(&self.home, &self.cwd).await;
        let Answering {
            provider, model, ..
        } = self.who.get();
        let told = Told {
            memory,
            ..self.told.get()
        };
        let instructions = self.instructions(&ModelInfo { provider, model }, &told);
        self.told.set(told);
        (instructions, problems)
    }

    async fn use_model(&mut self, name: &str) -> Result<Answerer, Failure> {
        let wanted = Wanted::instead(&self.who.get(), name, &self.settings, self.tool_calls);
        let located = self.locate(wanted);
        let listed = match &located {
            Ok(Located::At(place)) => place.lists_it(&self.settings).await,
            // Whoever is found has it.
            Ok(Located::Anyone(_)) => Some(true),
            Ok(Located::Offline) | Err(_) => None,
        };
        let chosen = match located {
            Ok(located) => self.choose(located).await,
            Err(failure) => Err(failure),
        };
        // Names of models may have slashes in them too.
        let stranger = provider::stranger(name, &self.settings);
        let is_none = listed == Some(false) || chosen.is_err();
        let (mut answerer, is_strange) = match stranger {
            Some(stranger) if is_none => return Err(stranger),
            stranger => (chosen?, stranger.is_some()),
        };
        let ModelInfo { provider, model } = answerer.model.info();
        answerer.doubt = match listed {
            Some(false) => Some(format!(
                "`{provider}` does not list a model `{model}`; it is asked for all the same"
            )),
            None if is_strange => Some(format!(
                "`{provider}`, which does not list its models, is asked for `{model}`"
            )),
            _ => None,
        };
        self.who.set(answering(&answerer));
        Ok(answerer)
    }

    async fn go_back_to(&mut self, wanted: &str) -> Result<Resumed, Failure> {
        let found = pollux_store::find(&self.home, &self.cwd, wanted);
        let found = found.map_err(|error| Failure::input(error.to_string()))?;
        let id = found.header.id.clone();
        if id == self.open {
            return Err(Failure::input(format!("session `{id}` is this one")));
        }
        let before = match found.header.answering.clone() {
            lost if lost.provider == Answering::LOST => self.who.get(),
            known => known,
        };
        let located = self.locate(Wanted::as_before(&before, self.tool_calls))?;
        let answerer = self.choose(located).await?;
        let (record, damage) = resume(found, &answerer.model.info().provider)?;
        self.who.set(answering(&answerer));
        self.open = id;
        Ok(Resumed {
            answerer,
            record,
            damage: damage.iter().map(wire::told_of_damage).collect(),
        })
    }
}

impl pollux_agent::Elsewhere for Elsewhere {
    fn model<'a>(&'a mut self, name: &'a str) -> BoxFuture<'a, Result<Answerer, String>> {
        async move { self.use_model(name).await.map_err(in_a_line) }.boxed()
    }

    fn begin(&mut self) -> Record {
        let record = begin(&self.home, &self.cwd, self.who.get());
        self.open = record.session.clone();
        record
    }

    fn read_memory(&mut self) -> BoxFuture<'_, (Instructions, Vec<String>)> {
        self.reread().boxed()
    }

    fn resume<'a>(&'a mut self, wanted: &'a str) -> BoxFuture<'a, Result<Resumed, String>> {
        async move { self.go_back_to(wanted).await.map_err(in_a_line) }.boxed()
    }
}

fn answering(answerer: &Answerer) -> Answering {
    let ModelInfo { provider, model } = answerer.model.info().clone();
    Answering {
        provider,
        model,
        base_url: answerer.base_url.clone(),
        found: answerer.found,
    }
}

fn in_a_line(failure: Failure) -> String {
    match failure.hint {
        Some(hint) => format!("{}; {hint}", failure.message),
        None => failure.message,
    }
}

/// A new session. Touches no disk.
pub(crate) fn begin(home: &Home, cwd: &std::path::Path, answering: Answering) -> Record {
    let session = SessionId::new(uuid::Uuid::now_v7().to_string());
    let header = Header {
        version: Header::VERSION,
        id: session.clone(),
        at: Timestamp::now(),
        cwd: cwd.display().to_string(),
        answering,
    };
    Record {
        log: SessionLog::create(home, cwd, header),
        session,
        history: Vec::new(),
        calls: Vec::new(),
    }
}

/// A stored session, for a model of `provider`; and what could not be read of it.
pub(crate) fn resume(found: Found, provider: &str) -> Result<(Record, Vec<Damage>), Failure> {
    let input = |error: &dyn std::fmt::Display| Failure::input(error.to_string());
    let log = SessionLog::open(&found.path).map_err(|error| input(&error))?;
    let replay = pollux_store::replay(&found.path).map_err(|error| input(&error))?;
    let mut history = replay.messages;
    if found.header.answering.provider != provider {
        // What one provider has signed, another refuses.
        history.iter_mut().for_each(Message::forget_signatures);
    }
    let record = Record {
        session: found.header.id,
        log,
        history,
        calls: replay.calls,
    };
    Ok((record, replay.damage))
}

#[cfg(test)]
mod tests;
