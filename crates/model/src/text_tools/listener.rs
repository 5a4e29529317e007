//! Telling words, thoughts and calls apart in one reply.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use futures_util::{StreamExt, stream};
use pollux_types::{CallId, FinishReason, FunctionCall};

use super::words::Words;
use crate::deltas::Deltas;
use crate::text_calls::{Found, TextCalls};
use crate::{Delta, ModelError, Reply};

/// Reads one reply's text.
pub(super) struct Listener {
    reader: TextCalls,
    text: Arc<AtomicBool>,
    words: Words,
    /// Words that wait for the end, where they may be dropped.
    held: Option<String>,
    /// Calls found in the text; given out at the end, and only if there are no native ones.
    found: Vec<FunctionCall>,
    native: bool,
    out: Deltas,
    /// Told once everything that came before it has been given out.
    failed: Option<ModelError>,
}

impl Listener {
    pub(super) fn new(reader: TextCalls, text: Arc<AtomicBool>, hold: bool) -> Self {
        Self {
            reader,
            text,
            words: Words::default(),
            held: hold.then(String::new),
            found: Vec::new(),
            native: false,
            out: Deltas::default(),
            failed: None,
        }
    }

    pub(super) fn listen(self, reply: Reply) -> Reply {
        Box::pin(stream::unfold(
            (self, reply),
            |(mut listener, mut reply)| async move {
                let item = listener.next(&mut reply).await?;
                Some((item, (listener, reply)))
            },
        ))
    }

    async fn next(&mut self, reply: &mut Reply) -> Option<Result<Delta, ModelError>> {
        loop {
            if let Some(delta) = self.out.pop() {
                return Some(Ok(delta));
            }
            if let Some(error) = self.failed.take() {
                return Some(Err(error));
            }
            let taken = match reply.next().await? {
                Ok(delta) => self.take(delta),
                Err(error) => {
                    // What was held back is all that will come of it.
                    self.read(None);
                    self.release();
                    Err(error)
                }
            };
            self.failed = taken.err();
        }
    }

    fn take(&mut self, delta: Delta) -> Result<(), ModelError> {
        match delta {
            Delta::Text(text) if !self.native => self.read(Some(&text)),
            Delta::Call(_) | Delta::BrokenCall { .. } => {
                if !self.native {
                    self.settle_for_native();
                }
                self.out.push(delta);
            }
            Delta::Finish { reason, detail } => return self.finish(reason, detail),
            other => self.out.push(other),
        }
        Ok(())
    }

    /// Reads on, or to the end.
    fn read(&mut self, text: Option<&str>) {
        let mut found = Vec::new();
        match text {
            Some(text) => self.reader.feed(text, &mut found),
            None => self.reader.end(&mut found),
        }
        for found in found {
            match found {
                Found::Text(text) => {
                    let text = self.words.say(&text);
                    self.say(text);
                }
                Found::Thought(text) => {
                    self.words.break_off();
                    self.out.push(Delta::Thought {
                        text,
                        signature: None,
                    });
                }
                Found::WasThought => {
                    self.words = Words::default();
                    self.words.break_off();
                    self.found.clear();
                    self.was_thought();
                }
                Found::Call { name, args } => {
                    self.words.break_off();
                    self.found.push(FunctionCall {
                        id: next_id(),
                        name,
                        args,
                        signature: None,
                    });
                }
            }
        }
    }

    fn say(&mut self, text: String) {
        match &mut self.held {
            Some(held) => held.push_str(&text),
            None if text.is_empty() => {}
            None => self.out.push(Delta::Text(text)),
        }
    }

    /// What was held is given out, and nothing is held any more.
    fn release(&mut self) {
        let held = self.held.take().unwrap_or_default();
        self.say(held);
    }

    fn was_thought(&mut self) {
        match &mut self.held {
            Some(held) if held.is_empty() => {}
            Some(held) => {
                let (text, signature) = (std::mem::take(held), None);
                self.out.push(Delta::Thought { text, signature });
            }
            None => self.out.push(Delta::WasThought),
        }
    }

    /// Native calls have come: they count, and what looks like a call beside them does not.
    fn settle_for_native(&mut self) {
        self.end_words();
        self.release();
        self.native = true;
        for call in std::mem::take(&mut self.found) {
            let problem = "written as text beside native calls; call it natively".to_owned();
            self.out.push(Delta::BrokenCall { call, problem });
        }
    }

    fn end_words(&mut self) {
        self.read(None);
        let rest = self.words.end();
        self.say(rest);
    }

    fn finish(&mut self, reason: FinishReason, detail: Option<String>) -> Result<(), ModelError> {
        if self.native {
            self.out.finish([], reason, detail);
            return Ok(());
        }
        self.end_words();
        let found = std::mem::take(&mut self.found);
        if found.is_empty() {
            self.release();
        }
        if found.is_empty() && !self.words.spoke {
            return Err(ModelError::empty().at_the_end(reason));
        }
        let reason = match reason {
            FinishReason::Stop if !found.is_empty() => FinishReason::ToolCalls,
            reason => reason,
        };
        if !found.is_empty() && !self.text.swap(true, Ordering::Relaxed) {
            self.out.push(Delta::LearnedTextCalls);
        }
        let calls = found.into_iter().map(Delta::Call);
        self.out.finish(calls, reason, detail);
        Ok(())
    }
}

/// Names that no other call of this process has.
fn next_id() -> CallId {
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    CallId::new(format!("text-hijack-{count}"))
}
