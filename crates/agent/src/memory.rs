//! Memory: what is written down for the model, and stands in front of every conversation.
//!
//! It is read when a session begins, and again only when somebody says so: whatever changes in front
//! of a conversation costs the provider's cache.

use pollux_types::Event;
use pollux_types::event::NoticeKind;

use crate::session::Agent;

impl Agent {
    /// Reads it again, and tells what is wrong with it.
    pub(crate) async fn read_memory(&mut self) {
        let (instructions, problems) = self.elsewhere.read_memory().await;
        if instructions != self.instructions {
            self.tell_from_now_on(instructions);
        }
        for message in problems {
            self.note_on_memory(message).await;
        }
    }

    /// The same for a person who wants to know what came of it.
    pub(crate) async fn reload_memory(&mut self) {
        self.read_memory().await;
        let tokens = self.instructions.size().memory;
        let message = match tokens {
            0 => "memory is read again: there is none".to_owned(),
            tokens => format!("memory is read again: about {tokens} tokens"),
        };
        self.note_on_memory(message).await;
        self.tell_context().await;
    }

    async fn note_on_memory(&self, message: String) {
        let kind = NoticeKind::Memory;
        self.emit(Event::Notice { kind, message }).await;
    }
}
