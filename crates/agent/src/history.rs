//! The conversation so far: all of it, and the part that is sent.

use std::collections::HashSet;
use std::sync::Arc;

use pollux_types::{CallId, FunctionResponse, Message, Part, Response, Role};

/// What a call is told whose result never came.
pub(crate) const INTERRUPTED: &str = "Interrupted: pollux ended before this call had a result. It may or may \
                           not have taken effect; check before you repeat it.";

/// What the model is told to have said where it was interrupted.
const NO_ANSWER: &str = "[interrupted]";

/// Everything that was said, in order. It only grows.
///
/// Each call and each response is recorded when it happens, so the chain of a multi-step answer is
/// whole by construction, and nothing needs to be taken out twice.
#[derive(Debug)]
pub(crate) struct History {
    messages: Vec<Arc<Message>>,
    call_ids: HashSet<CallId>,
    /// Stands where the model was to speak and did not: many servers refuse a conversation in which
    /// the same side speaks twice.
    no_answer: Arc<Message>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            messages: Vec::new(),
            call_ids: HashSet::new(),
            no_answer: Arc::new(Message::model(vec![Part::text(NO_ANSWER)])),
        }
    }
}

impl History {
    /// Goes on with a stored conversation. Calls without a result get one that says so, results
    /// without a call are dropped: providers refuse either.
    pub(crate) fn resume(messages: Vec<Message>) -> Self {
        let mut history = Self::default();
        let mut open: Vec<(CallId, String)> = Vec::new();
        for mut message in messages {
            drop_unasked(&mut message, &mut open);
            if !open.is_empty() {
                let missing = interrupted(&mut open);
                if message.responses().next().is_some() {
                    message.parts.splice(0..0, missing.parts);
                } else {
                    history.push(missing);
                }
            }
            open.extend(
                message
                    .calls()
                    .map(|call| (call.id.clone(), call.name.clone())),
            );
            history.push(message);
        }
        if !open.is_empty() {
            history.push(interrupted(&mut open));
        }
        history
    }

    /// How many prompts there were.
    pub(crate) fn prompts(&self) -> usize {
        let is_prompt = |message: &&Arc<Message>| {
            message.role == Role::User && message.parts.iter().any(|part| part.as_text().is_some())
        };
        self.messages.iter().filter(is_prompt).count()
    }

    /// Everything, oldest first.
    pub(crate) fn all(&self) -> impl DoubleEndedIterator<Item = &Message> {
        self.messages.iter().map(|message| &**message)
    }

    /// Whether what was said last only brings results.
    pub(crate) fn ends_with_results(&self) -> bool {
        let last = self.messages.last();
        last.is_some_and(|message| message.responses().next().is_some())
    }

    /// Appends a message. What the model adds to its own words continues its message.
    pub(crate) fn push(&mut self, message: Message) {
        self.call_ids
            .extend(message.calls().map(|call| call.id.clone()));
        match self.messages.last_mut() {
            Some(last) if last.role == Role::Model && message.role == Role::Model => {
                let last = Arc::make_mut(last);
                message.parts.into_iter().for_each(|part| last.push(part));
            }
            _ => self.messages.push(Arc::new(message)),
        }
    }

    /// Drops what only the provider it came from understands.
    pub(crate) fn forget_signatures(&mut self) {
        self.messages
            .iter_mut()
            .for_each(|message| Arc::make_mut(message).forget_signatures());
    }

    /// What is sent: a user message and the answers to it stand or fall together. A message that
    /// brings tool results stays, since its calls stay too.
    pub(crate) fn curated(&self) -> Vec<&Arc<Message>> {
        let mut sent = Vec::with_capacity(self.messages.len());
        let mut rest = self.messages.as_slice();
        while let Some((first, tail)) = rest.split_first() {
            let answers = tail.iter().take_while(|m| m.role == Role::Model).count();
            let (answers, next) = match first.role {
                Role::User => tail.split_at(answers),
                Role::Model => (std::slice::from_ref(first), tail),
            };
            let valid = answers.iter().all(|message| message.is_valid());
            if first.role == Role::User && (valid || first.responses().next().is_some()) {
                if sent
                    .last()
                    .is_some_and(|last: &&Arc<Message>| last.role == Role::User)
                {
                    sent.push(&self.no_answer);
                }
                sent.push(first);
            }
            if valid {
                sent.extend(answers);
            }
            rest = next;
        }
        sent
    }

    /// An id that no call of this session has: the one the model gave, if it is free.
    pub(crate) fn free_id(&self, wanted: &CallId, name: &str, taken: &[CallId]) -> CallId {
        let is_free = |id: &CallId| {
            !id.as_str().is_empty() && !self.call_ids.contains(id) && !taken.contains(id)
        };
        if is_free(wanted) {
            return wanted.clone();
        }
        let stem = if wanted.as_str().is_empty() {
            name
        } else {
            wanted.as_str()
        };
        let mut ids = (1..).map(|n| CallId::new(format!("{stem}-{n}")));
        ids.find(is_free).unwrap_or_else(|| wanted.clone())
    }
}

/// Keeps only the responses that answer an open call, which is open no more.
fn drop_unasked(message: &mut Message, open: &mut Vec<(CallId, String)>) {
    message.parts.retain(|part| match part {
        Part::FunctionResponse(response) => {
            let at = open.iter().position(|(id, _)| *id == response.id);
            at.map(|at| open.remove(at)).is_some()
        }
        _ => true,
    });
}

fn interrupted(open: &mut Vec<(CallId, String)>) -> Message {
    let part = |(id, name): (CallId, String)| {
        let response = Response::Error(INTERRUPTED.to_owned());
        Part::FunctionResponse(FunctionResponse { id, name, response })
    };
    Message::user(open.drain(..).map(part).collect())
}

#[cfg(test)]
mod tests;
