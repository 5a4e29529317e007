//! Which reply comes next, and what is counted over the life of a server.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use super::reply::{HttpReply, Sending};
use super::request::Recorded;

#[derive(Debug)]
pub(super) struct Script(Mutex<State>);

#[derive(Debug)]
struct State {
    replies: VecDeque<HttpReply>,
    responder: Option<Responder>,
    calls: usize,
}

/// Answers what the script does not.
struct Responder(Box<dyn Fn(&Recorded) -> HttpReply + Send>);

impl fmt::Debug for Responder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Responder")
    }
}

impl Script {
    pub(super) fn new(replies: Vec<HttpReply>) -> Self {
        Self(Mutex::new(State {
            replies: replies.into(),
            responder: None,
            calls: 0,
        }))
    }

    /// A script without an end: each reply depends on its request.
    pub(super) fn responding(answer: impl Fn(&Recorded) -> HttpReply + Send + 'static) -> Self {
        let script = Self::new(Vec::new());
        script.with(|state| state.responder = Some(Responder(Box::new(answer))));
        script
    }

    pub(super) fn push(&self, reply: HttpReply) {
        self.with(|state| state.replies.push_back(reply));
    }

    /// The next reply, with its turns spelled out for this request.
    pub(super) fn answer(&self, request: &Recorded) -> Sending {
        self.with(|state| {
            let reply = match (state.replies.pop_front(), &state.responder) {
                (Some(reply), _) => reply,
                (None, Some(Responder(answer))) => answer(request),
                (None, None) => beyond(request),
            };
            reply.spell_out(request, &mut state.calls)
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
