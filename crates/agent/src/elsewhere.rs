//! Where else a conversation can go: to another model, or on in another session.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use pollux_model::{Model, ModelInfo};
use pollux_store::{Answering, Entry, SessionLog, session_name};
use pollux_types::event::NoticeKind;
use pollux_types::{CallView, Event, Message, SessionId};

use crate::context::Fill;
use crate::history::History;
use crate::mode::Offered;
use crate::prompt::Instructions;
use crate::session::Agent;
use crate::size::Scale;

/// What a session needs from outside to leave for something else. Where that fails, the text says
/// why, and nothing has changed.
pub trait Elsewhere: Send + Sync {
    /// The model of this name: `model` or `provider/model`.
    fn model<'a>(&'a mut self, name: &'a str) -> BoxFuture<'a, Result<Answerer, String>>;

    /// A new session, in which nothing was said yet.
    fn begin(&mut self) -> Record;

    /// What the model is told from now on, with memory as it is on disk; and what is wrong with that.
    fn read_memory(&mut self) -> BoxFuture<'_, (Instructions, Vec<String>)>;

    /// A stored session, with the model it was talking to: an id, a number of the list, or `latest`.
    fn resume<'a>(&'a mut self, wanted: &'a str) -> BoxFuture<'a, Result<Resumed, String>>;
}

/// Who answers, and what it is told before the conversation.
pub struct Answerer {
    /// The model.
    pub model: Arc<dyn Model>,
    /// What it is told.
    pub instructions: Instructions,
    /// How many tokens a conversation may have, where that is known.
    pub window: Option<usize>,
    /// Where it is, if not where its provider usually is.
    pub base_url: Option<String>,
    /// Nobody has chosen that place: it was found.
    pub found: bool,
    /// Why it may not answer, where somebody should know.
    pub doubt: Option<String>,
}

/// What was said, and where more of it is recorded.
pub struct Record {
    /// The name of the session.
    pub session: SessionId,
    /// Where it is recorded.
    pub log: SessionLog,
    /// What was said before, when a session is resumed.
    pub history: Vec<Message>,
    /// What people saw of the calls in it.
    pub calls: Vec<CallView>,
}

/// A stored session that goes on.
pub struct Resumed {
    /// Who goes on with it.
    pub answerer: Answerer,
    /// What was said.
    pub record: Record,
    /// What could not be read of it, a line each.
    pub damage: Vec<String>,
}

impl Agent {
    /// Has another model answer from now on.
    pub(crate) async fn use_model(&mut self, name: &str) {
        let answerer = match self.elsewhere.model(name).await {
            Ok(answerer) => answerer,
            Err(why) => return self.not_done(why).await,
        };
        let before = self.models.current().info().provider.clone();
        let ModelInfo { provider, model } = answerer.model.info().clone();
        self.unrecorded = Some(Answering {
            provider,
            model,
            base_url: answerer.base_url.clone(),
            found: answerer.found,
        });
        let doubt = answerer.doubt.clone();
        self.listen_to(answerer);
        let reason = "as you asked".to_owned();
        self.tell_of_change(&before, reason).await;
        if let Some(message) = doubt {
            let kind = NoticeKind::ModelUnlisted;
            self.emit(Event::Notice { kind, message }).await;
        }
        self.tell_context().await;
    }

    /// Leaves this session for a new one.
    pub(crate) async fn new_session(&mut self) {
        let record = self.elsewhere.begin();
        self.go_on_with(record).await;
        self.read_memory().await;
        self.tell_context().await;
    }

    /// Leaves this session for a stored one.
    pub(crate) async fn resume(&mut self, wanted: &str) {
        let Resumed {
            answerer,
            record,
            damage,
        } = match self.elsewhere.resume(wanted).await {
            Ok(resumed) => resumed,
            Err(why) => return self.not_done(why).await,
        };
        self.listen_to(answerer);
        self.go_on_with(record).await;
        for message in damage {
            let kind = NoticeKind::SessionDamaged;
            self.emit(Event::Notice { kind, message }).await;
        }
        self.read_memory().await;
        self.tell_context().await;
    }

    /// Gives this session a name, in its log.
    pub(crate) async fn name_session(&mut self, name: &str) {
        match self.named(name) {
            Ok(name) => self.emit(Event::SessionNamed { name }).await,
            Err(why) => self.not_done(why).await,
        }
    }

    fn named(&mut self, name: &str) -> Result<String, String> {
        let name = session_name(name)?;
        if self.log.is_empty() {
            return Err("nothing has been said in this session yet, so it has no name".to_owned());
        }
        let entry = Entry::Name {
            at: (self.now)(),
            name: name.into(),
        };
        let written = self.log.append(&[entry]);
        written.map_err(|error| error.to_string())?;
        Ok(name.to_owned())
    }

    fn listen_to(&mut self, answerer: Answerer) {
        self.models.choose(answerer.model);
        self.tell_from_now_on(answerer.instructions);
        self.fill = Fill::of(answerer.window);
    }

    /// The model is told this before the conversation.
    pub(crate) fn tell_from_now_on(&mut self, instructions: Instructions) {
        self.offered = Offered::of(&instructions, &self.tools);
        self.instructions = instructions;
        self.scale = Scale::default();
    }

    async fn go_on_with(&mut self, record: Record) {
        let (again, todos) = (record.again(&self.tools), record.todos());
        let Record {
            session,
            log,
            history,
            ..
        } = record;
        self.todos.clone_from(&todos);
        self.history = History::resume(history);
        self.prompt_count = self.history.prompts();
        self.session = session.clone();
        self.log = log;
        self.unrecorded = None;
        self.scale = Scale::default();
        self.fill.forget();
        self.log_opening();
        let ModelInfo { provider, model } = self.models.current().info().clone();
        self.emit(Event::SessionChanged {
            session,
            provider,
            model,
            again,
            todos,
        })
        .await;
    }

    async fn not_done(&self, message: String) {
        let kind = NoticeKind::NotDone;
        self.emit(Event::Notice { kind, message }).await;
    }
}
