//! How full the conversation is.

use pollux_types::{Event, Usage};

use crate::session::Agent;
use crate::size::Sent;

/// What is known of the room that a conversation has, and takes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fill {
    limit: Option<usize>,
    /// How far the guess was off when the server has counted last.
    off: i64,
}

impl Fill {
    pub(crate) fn of(limit: Option<usize>) -> Self {
        Self { limit, off: 0 }
    }

    /// What was counted goes for another conversation.
    pub(crate) fn forget(&mut self) {
        self.off = 0;
    }
}

impl Agent {
    /// Takes note of what a request and its reply, which is recorded, came to.
    pub(crate) async fn count(&mut self, counted: Option<Usage>) {
        if let Some(usage) = counted {
            let guess = self.weigh().whole.estimate;
            self.fill.off = usage.total().cast_signed() - guess.cast_signed();
        }
        self.tell_context().await;
    }

    /// What was added since the server has counted is guessed.
    pub(crate) async fn tell_context(&mut self) {
        let Sent { whole, before, .. } = self.weigh();
        let tokens = whole.estimate.saturating_add_signed(self.fill.off);
        self.emit(Event::Context {
            tokens: usize::try_from(tokens).unwrap_or(usize::MAX),
            limit: self.fill.limit,
            before,
        })
        .await;
    }
}
