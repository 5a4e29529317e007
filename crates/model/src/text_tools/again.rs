//! Asking again in words where a server refuses native tools.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::{StreamExt, stream};
use pollux_types::{Message, ToolSpec};

use super::Worded;
use super::listener::Listener;
use crate::{Delta, ErrorKind, Reply, Request};

/// What it takes to ask again.
pub(super) struct Again {
    pub(super) worded: Arc<Worded>,
    pub(super) listener: Listener,
    pub(super) request: Kept,
    /// Native tools are not offered.
    pub(super) text: Arc<AtomicBool>,
    /// The server takes them.
    pub(super) takes_native: Arc<AtomicBool>,
}

impl Again {
    /// The reply, or another one in words if native tools are refused.
    pub(super) fn if_refused(self, mut reply: Reply) -> Reply {
        let asked = async move {
            match reply.next().await {
                Some(Err(error)) if error.kind == ErrorKind::NoTools => {
                    self.text.store(true, Ordering::Relaxed);
                    let learned = stream::iter([Ok(Delta::LearnedTextCalls)]);
                    learned.chain(self.in_words()).left_stream()
                }
                first => {
                    let answered = matches!(first, Some(Ok(_)));
                    self.takes_native.fetch_or(answered, Ordering::Relaxed);
                    stream::iter(first).chain(reply).right_stream()
                }
            }
        };
        Box::pin(stream::once(asked).flatten())
    }

    fn in_words(self) -> Reply {
        let Kept {
            system,
            tools,
            messages,
        } = &self.request;
        let reply = self.worded.reply(&Request {
            system,
            tools,
            messages: messages.iter().collect(),
        });
        self.listener.listen(reply)
    }
}

/// A request that outlives its sender.
pub(super) struct Kept {
    system: String,
    tools: Vec<ToolSpec>,
    messages: Vec<Arc<Message>>,
}

impl Kept {
    pub(super) fn of(request: &Request<'_>) -> Self {
        Self {
            system: request.system.to_owned(),
            tools: request.tools.to_vec(),
            messages: request.messages.iter().copied().cloned().collect(),
        }
    }
}
