//! Tools for models that cannot call them natively.
//!
//! [`TextTools`] stands in front of another model. In text mode it tells the model about its tools
//! in words, and puts earlier calls and results into words too, so that the request holds no
//! `tools`. In either mode it reads calls out of the answer's text. A model that writes its calls
//! as text although it was given native tools is talked to in text from then on.

mod guidance;
mod history;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{StreamExt, stream};
use pollux_types::{CallId, FinishReason, FunctionCall, Message, Part};

use self::history::InWords;
use crate::deltas::Deltas;
use crate::text_calls::{Found, TextCalls};
use crate::{Delta, Model, ModelError, ModelInfo, Reply, Request};

/// Where a model is told about its tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guidance {
    /// In front of the system text.
    System,
    /// As the first thing the user says, for providers whose system text is something else.
    FirstUser,
}

/// A model that is understood when it writes calls as text.
pub struct TextTools {
    inner: Arc<dyn Model>,
    guidance: Guidance,
    /// Native tools are not offered.
    text: Arc<AtomicBool>,
    /// What counts as a call while native tools are offered.
    beside_native: Beside,
    /// The conversation as it was told last, to go on from.
    worded: Mutex<Worded>,
}

/// A conversation without native calls.
struct Worded {
    /// What the user says first about tools, where the system text is not the place for it.
    first: Arc<Message>,
    rest: InWords,
}

/// What in an answer's text is a call although native tools were offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    /// Everything that reads like one.
    All,
    /// Only what stands between tags made for it: a fence may be an example.
    Tagged,
    /// Nothing. Thoughts are told apart all the same.
    Nothing,
}

impl TextTools {
    /// Begins with native tools, and learns. For servers that may have any model.
    pub fn auto(inner: Arc<dyn Model>, guidance: Guidance) -> Self {
        Self::new(inner, guidance, false)
    }

    /// The same for servers whose models most likely know native tools: it takes more than a block
    /// of JSON to be taken for a call.
    pub fn careful(inner: Arc<dyn Model>, guidance: Guidance) -> Self {
        Self {
            beside_native: Beside::Tagged,
            ..Self::new(inner, guidance, false)
        }
    }

    /// Never offers native tools.
    pub fn text(inner: Arc<dyn Model>, guidance: Guidance) -> Self {
        Self::new(inner, guidance, true)
    }

    /// Offers native tools only, and tells thoughts from words.
    pub fn native(inner: Arc<dyn Model>) -> Self {
        Self {
            beside_native: Beside::Nothing,
            ..Self::new(inner, Guidance::System, false)
        }
    }

    fn new(inner: Arc<dyn Model>, guidance: Guidance, text: bool) -> Self {
        let rest = InWords::with(&inner.info().model);
        Self {
            inner,
            guidance,
            text: Arc::new(AtomicBool::new(text)),
            beside_native: Beside::All,
            worded: Mutex::new(Worded {
                first: Arc::new(Message::user(vec![])),
                rest,
            }),
        }
    }
}

impl Model for TextTools {
    fn info(&self) -> &ModelInfo {
        self.inner.info()
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let learned = self.text.load(Ordering::Relaxed);
        let reader = match self.beside_native {
            Beside::Tagged if !learned => TextCalls::tagged_only(request.tools),
            Beside::Nothing => TextCalls::thoughts_only(),
            Beside::All | Beside::Tagged => TextCalls::new(request.tools),
        };
        let listener = Listener::new(reader, Arc::clone(&self.text));
        let reply = if learned && !request.tools.is_empty() {
            self.in_words(&request)
        } else {
            self.inner.reply(request)
        };
        listener.listen(reply)
    }
}

impl TextTools {
    /// Sends the request without native tools.
    fn in_words(&self, request: &Request<'_>) -> Reply {
        let guidance = guidance::text(request.tools);
        let mut worded = self.worded.lock().unwrap_or_else(PoisonError::into_inner);
        let Worded { first, rest } = &mut *worded;
        let mut messages: Vec<&Arc<Message>> = rest.of(&request.messages).collect();
        let system = match self.guidance {
            Guidance::System => format!("{guidance}\n\n{}", request.system),
            Guidance::FirstUser => {
                if first.parts.first().and_then(Part::as_text) != Some(&guidance) {
                    *first = Arc::new(Message::user(vec![Part::text(guidance)]));
                }
                messages.insert(0, first);
                request.system.to_owned()
            }
        };
        self.inner.reply(Request {
            system: &system,
            tools: &[],
            messages,
        })
    }
}

/// The prose of an answer, without the gaps that calls and thoughts leave in it.
#[derive(Debug, Default)]
struct Words {
    spoke: bool,
    /// Ends of lines that may turn out to stand before a call.
    held: String,
    /// Something was taken out since the last words.
    broken: bool,
}

impl Words {
    /// What to say now that `text` has come.
    fn say(&mut self, text: &str) -> String {
        let text = if self.broken { text.trim_start() } else { text };
        let spoken = text.trim_end().len();
        let end = text[spoken..]
            .find('\n')
            .map_or(text.len(), |at| spoken + at);
        if spoken == 0 {
            self.held.push_str(text);
            return String::new();
        }
        let gap = match (self.broken, self.spoke) {
            (false, _) => std::mem::take(&mut self.held),
            (true, true) => "\n\n".to_owned(),
            (true, false) => String::new(),
        };
        text[end..].clone_into(&mut self.held);
        self.broken = false;
        self.spoke = true;
        gap + &text[..end]
    }

    /// A call or a thought stands here.
    fn break_off(&mut self) {
        self.held.clear();
        self.broken = true;
    }

    /// What is left to say.
    fn end(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

/// Reads one reply's text.
struct Listener {
    reader: TextCalls,
    text: Arc<AtomicBool>,
    words: Words,
    /// Calls found in the text; given out at the end, and only if there are no native ones.
    found: Vec<FunctionCall>,
    native: bool,
    out: Deltas,
    /// Told once everything that came before it has been given out.
    failed: Option<ModelError>,
}

impl Listener {
    fn new(reader: TextCalls, text: Arc<AtomicBool>) -> Self {
        Self {
            reader,
            text,
            words: Words::default(),
            found: Vec::new(),
            native: false,
            out: Deltas::default(),
            failed: None,
        }
    }

    fn listen(self, reply: Reply) -> Reply {
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
                    if !text.is_empty() {
                        self.out.push(Delta::Text(text));
                    }
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
                    self.out.push(Delta::WasThought);
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

    /// Native calls have come: they count, and what looks like a call beside them does not.
    fn settle_for_native(&mut self) {
        self.end_words();
        self.native = true;
        for call in std::mem::take(&mut self.found) {
            let problem = "written as text beside native calls; call it natively".to_owned();
            self.out.push(Delta::BrokenCall { call, problem });
        }
    }

    fn end_words(&mut self) {
        self.read(None);
        let rest = self.words.end();
        if !rest.is_empty() {
            self.out.push(Delta::Text(rest));
        }
    }

    fn finish(&mut self, reason: FinishReason, detail: Option<String>) -> Result<(), ModelError> {
        if self.native {
            self.out.finish([], reason, detail);
            return Ok(());
        }
        self.end_words();
        let found = std::mem::take(&mut self.found);
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
