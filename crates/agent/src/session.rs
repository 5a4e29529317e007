//! A session: takes commands one at a time, and owns history and log.

use std::borrow::Cow;
use std::sync::Arc;

use jiff::Timestamp;
use pollux_model::{Model, ModelInfo};
use pollux_store::{Answering, Entry, SessionLog};
use pollux_tools::{McpServers, Registry};
use pollux_types::event::{Failure, FailureKind};
use pollux_types::{CallView, Command, Event, Message, PromptEnd, SessionId, Todo};
use tokio::sync::mpsc::{self, Receiver, Sender, UnboundedReceiver, UnboundedSender};
use tokio_util::sync::CancellationToken;
use tracing::info;

use crate::batch::Batch;
use crate::context::Fill;
use crate::elsewhere::{Answerer, Elsewhere, Record};
use crate::history::History;
use crate::inbox::{Inbox, Work};
use crate::mode::Offered;
use crate::models::Models;
use crate::policy::Policy;
use crate::prompt::Instructions;
use crate::retry::RetryPolicy;
use crate::schedule::Ready;
use crate::size::Scale;

/// Everything a session is made of.
pub struct Setup {
    /// Who answers.
    pub answerer: Answerer,
    /// Who answers in its place when it fails, in this order.
    pub fallback: Vec<Arc<dyn Model>>,
    /// What may be called.
    pub tools: Registry,
    /// What the person does past the model.
    pub typed_tools: Registry,
    /// Servers whose resources a prompt may name.
    pub servers: McpServers,
    /// What may happen without asking.
    pub policy: Policy,
    /// Somebody is there to be asked.
    pub asks: bool,
    /// Where nobody is asked, questions pass, unless they are about something dangerous.
    pub auto_approve: bool,
    /// Requests to the model for one prompt, at most.
    pub max_turns: usize,
    /// How failed requests are tried again.
    pub retry: RetryPolicy,
    /// What was said, and where it is recorded.
    pub record: Record,
    /// Other models and other sessions.
    pub elsewhere: Box<dyn Elsewhere>,
    /// The clock.
    pub now: fn() -> Timestamp,
}

impl Setup {
    /// Requests to the model for one prompt, unless the user says otherwise.
    pub const MAX_TURNS: usize = 100;
}

/// A running session.
pub struct Agent {
    pub(crate) session: SessionId,
    pub(crate) models: Models,
    pub(crate) tools: Registry,
    pub(crate) typed_tools: Registry,
    pub(crate) servers: McpServers,
    pub(crate) instructions: Instructions,
    pub(crate) offered: Offered,
    pub(crate) policy: Policy,
    pub(crate) asks: bool,
    pub(crate) auto_approve: bool,
    /// The calls that are on their way.
    pub(crate) batch: Batch<Ready>,
    pub(crate) interactions: UnboundedReceiver<Command>,
    /// The other end of it.
    said: UnboundedSender<Command>,
    pub(crate) max_turns: usize,
    pub(crate) retry: RetryPolicy,
    pub(crate) history: History,
    pub(crate) scale: Scale,
    pub(crate) prompt_count: usize,
    /// Calls of the person's own so far.
    pub(crate) typed_count: usize,
    /// What the model has set out to do.
    pub(crate) todos: Vec<Todo>,
    pub(crate) fill: Fill,
    pub(crate) events: Sender<Event>,
    pub(crate) log: SessionLog,
    /// The model that answers from now on, until the log says so.
    pub(crate) unrecorded: Option<Answering>,
    pub(crate) elsewhere: Box<dyn Elsewhere>,
    pub(crate) now: fn() -> Timestamp,
}

impl Agent {
    /// A session that tells what happens through `events`.
    pub fn new(setup: Setup, events: Sender<Event>) -> Self {
        let todos = setup.record.todos();
        let history = History::resume(setup.record.history);
        let Answerer {
            model,
            instructions,
            window,
            ..
        } = setup.answerer;
        let (said, interactions) = mpsc::unbounded_channel();
        Self {
            prompt_count: history.prompts(),
            session: setup.record.session,
            models: Models::new(model, setup.fallback, setup.now),
            offered: Offered::of(&instructions, &setup.tools),
            tools: setup.tools,
            typed_tools: setup.typed_tools,
            servers: setup.servers,
            instructions,
            policy: setup.policy,
            asks: setup.asks,
            auto_approve: setup.auto_approve,
            batch: Batch::default(),
            interactions,
            said,
            max_turns: setup.max_turns,
            retry: setup.retry,
            history,
            scale: Scale::default(),
            typed_count: 0,
            todos,
            events,
            fill: Fill::of(window),
            log: setup.record.log,
            unrecorded: None,
            elsewhere: setup.elsewhere,
            now: setup.now,
        }
    }

    /// Adds to history and log. From here on it survives the end of the process.
    pub(crate) fn record(&mut self, message: Message) -> Result<(), Failure> {
        let written = self.write(&message, Vec::new());
        if written.is_ok() {
            self.history.push(message);
        }
        written
    }

    /// The same for what has happened already, with what people saw of it: it is part of the conversation even where it could
    /// not be written, or calls would be left without an answer.
    pub(crate) fn record_done(
        &mut self,
        message: Message,
        calls: Vec<CallView>,
    ) -> Result<(), Failure> {
        let written = self.write(&message, calls);
        self.history.push(message);
        written
    }

    /// The log is that of the provider that was chosen: what another has signed would make it
    /// refuse the session later.
    fn write(&mut self, message: &Message, calls: Vec<CallView>) -> Result<(), Failure> {
        let mut message = Cow::Borrowed(message);
        if !self.models.at_home() {
            message.to_mut().forget_signatures();
        }
        let at = (self.now)();
        let changed = self.unrecorded.clone();
        let changed = changed.map(|answering| Entry::Model { at, answering });
        let entries: Vec<Entry<'_>> = changed
            .into_iter()
            .chain((!calls.is_empty()).then_some(Entry::Calls { at, calls }))
            .chain([Entry::Message { at, message }])
            .collect();
        let written = self.log.append(&entries);
        written.map_err(|error| not_stored(&error))?;
        self.unrecorded = None;
        Ok(())
    }

    /// Waits until all that was recorded survives a power cut too.
    pub(crate) async fn settle(&self) -> Result<(), Failure> {
        let Some(sync) = self.log.unsynced() else {
            return Ok(());
        };
        let waited = tokio::task::spawn_blocking(|| sync.wait()).await;
        match waited {
            Ok(synced) => synced.map_err(|error| not_stored(&error)),
            Err(error) => Err(not_stored(&error)),
        }
    }

    /// Does what is asked for.
    async fn serve(&mut self, work: Work, cancel: &CancellationToken) {
        self.heed();
        let end = match work {
            Work::Answer(prompt) => self.answer(prompt, cancel).await,
            Work::Run { command, raw } => self.run_command(command, raw, cancel).await,
            Work::UseModel(name) => return self.use_model(&name).await,
            Work::NewSession => return self.new_session().await,
            Work::Resume(wanted) => return self.resume(&wanted).await,
            Work::Name(name) => return self.name_session(&name).await,
            Work::ReadMemory => return self.reload_memory().await,
        };
        let end = end.unwrap_or_else(PromptEnd::Error);
        self.emit(Event::PromptEnded(end)).await;
    }

    /// Takes in what was said while nothing was asked, if anything was.
    pub(crate) fn heed(&mut self) -> bool {
        let mut heard = false;
        while let Ok(said) = self.interactions.try_recv() {
            self.take_in(&said);
            heard = true;
        }
        heard
    }

    /// Answers to no question are none.
    pub(crate) fn take_in(&mut self, said: &Command) {
        match said {
            Command::Allow(mode) => self.policy.approval = *mode,
            Command::Mode(mode) => self.enter(*mode),
            Command::ReadRules => self.policy.rules.read_again(),
            _ => {}
        }
    }

    /// Says in the log which session it is from here on.
    pub(crate) fn log_opening(&self) {
        let ModelInfo { provider, model } = self.models.current().info();
        info!(session = %self.session, provider, model, "session opened");
    }

    pub(crate) async fn emit(&self, event: Event) {
        // A front end that has gone is noticed by its commands ending.
        self.events.send(event).await.ok();
    }
}

fn not_stored(error: &dyn std::error::Error) -> Failure {
    Failure {
        kind: FailureKind::Store,
        message: error.to_string(),
        hint: None,
    }
}

/// Serves commands until the front end shuts down or goes away.
pub async fn run(mut agent: Agent, commands: Receiver<Command>) {
    let mut inbox = Inbox::new(commands, agent.said.clone(), agent.events.clone());
    agent.log_opening();
    agent.tell_context().await;
    while let Some(work) = inbox.next().await {
        let cancel = CancellationToken::new();
        inbox.attend(agent.serve(work, &cancel), &cancel).await;
    }
}
