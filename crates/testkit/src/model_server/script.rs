//! Which reply comes next, and what is counted over the life of a server.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use super::reply::{HttpReply, Sending};
use super::request::Recorded;

#[derive(Debug)]
pub(super) struct Script(Mutex<State>);

#[derive(Debug)]
struct State {
    replies: VecDeque<HttpReply>,
    calls: usize,
}

impl Script {
    pub(super) fn new(replies: Vec<HttpReply>) -> Self {
        Self(Mutex::new(State {
            replies: replies.into(),
            calls: 0,
        }))
    }

    pub(super) fn push(&self, reply: HttpReply) {
        self.with(|state| state.replies.push_back(reply));
    }

    /// The next reply, with its turns spelled out for this request.
    pub(super) fn answer(&self, request: &Recorded) -> Sending {
        self.with(|state| {
            let reply = state.replies.pop_front();
            reply
                .unwrap_or_else(|| beyond(request))
                .spell_out(request, &mut state.calls)
        })
    }

    fn with<R>(&self, look: impl FnOnce(&mut State) -> R) -> R {
        look(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn beyond(request: &Recorded) -> HttpReply {
    let message = format!("the script of this mock server has no reply left for {request}");
    HttpReply::text(500, message)
}
