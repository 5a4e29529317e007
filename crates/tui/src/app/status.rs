//! What the prompt says about the session, and what it has cost.

use pollux_types::{ApprovalMode, Before, CallStatus, Event, Mode, Spent};

/// Where, who and how.
#[derive(Clone, Debug, Default)]
pub struct Status {
    /// Building or planning.
    pub mode: Mode,
    /// What may happen without asking.
    pub approval: ApprovalMode,
    /// The working directory.
    pub cwd: String,
    /// The user's home, for shortening.
    pub home: Option<String>,
    /// Who answers.
    pub model: String,
    /// Whose model it is.
    pub provider: String,
    /// Which session this is.
    pub session: String,
    /// How full the conversation is.
    pub tokens: usize,
    /// How much fits, where that is known.
    pub limit: Option<usize>,
    /// What of it comes before the conversation.
    pub before: Before,
}

impl Status {
    /// Who answers in which session.
    pub(crate) fn in_words(&self) -> String {
        let Self {
            model,
            provider,
            session,
            ..
        } = self;
        format!("model: {model} ({provider})\nsession: {session}")
    }

    pub(super) fn note(&mut self, event: &Event) {
        match event {
            Event::Context {
                tokens,
                limit,
                before,
            } => {
                self.tokens = *tokens;
                self.limit = *limit;
                self.before = *before;
            }
            Event::ModeChanged { mode } => self.mode = *mode,
            Event::ModelChanged {
                provider, model, ..
            } => {
                self.provider.clone_from(provider);
                self.model.clone_from(model);
            }
            Event::SessionChanged {
                session,
                provider,
                model,
                ..
            } => {
                self.session = session.to_string();
                self.provider.clone_from(provider);
                self.model.clone_from(model);
            }
            _ => {}
        }
    }
}

/// What has been used since the start.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// By models as `provider/model`.
    pub(crate) spent: Spent,
    pub(crate) calls: usize,
    pub(crate) failed: usize,
}

impl Stats {
    pub(super) fn count(&mut self, event: &Event) {
        match event {
            Event::Finished { usage, .. } => self.spent.add(*usage),
            Event::SessionChanged {
                provider, model, ..
            }
            | Event::ModelChanged {
                provider, model, ..
            } => self.spent.answered_by(&format!("{provider}/{model}")),
            Event::ToolCallUpdate(view) if view.status.is_terminal() => {
                self.calls += 1;
                self.failed += usize::from(view.status == CallStatus::Error);
            }
            _ => {}
        }
    }
}
