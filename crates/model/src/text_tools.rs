//! Tools for models that cannot call them natively.
//!
//! [`TextTools`] stands in front of another model. In text mode it tells the model about its tools
//! in words, and puts earlier calls and results into words too, so that the request holds no
//! `tools`. In either mode it reads calls out of the answer's text. A model that writes its calls
//! as text although it was given native tools is talked to in text from then on; and so is one whose
//! server refuses native tools, beginning with the request that it refused.

mod again;
mod guidance;
mod history;
mod listener;
mod words;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pollux_types::{Message, Part, ToolSpec};

use self::again::{Again, Kept};
use self::history::InWords;
use crate::text_calls::TextCalls;
use crate::{Model, ModelInfo, Reply, Request};
use listener::Listener;

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
    worded: Arc<Worded>,
    /// Native tools are not offered.
    text: Arc<AtomicBool>,
    /// The server has answered a request with native tools, so it takes them.
    takes_native: Arc<AtomicBool>,
    /// What counts as a call while native tools are offered.
    beside_native: Beside,
    /// Words around calls are dropped.
    only_calls: bool,
}

/// A model that can be told about its tools in words.
struct Worded {
    inner: Arc<dyn Model>,
    guidance: Guidance,
    /// The conversation as it was told last, to go on from.
    told: Mutex<Told>,
}

/// A conversation without native calls.
struct Told {
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

    /// The same, but an answer with calls in its text consists of nothing but the calls, as with
    /// models that call natively. Its words are not known to be dropped before its end, so they are
    /// not given out before it either.
    #[must_use]
    pub fn only_calls(self) -> Self {
        Self {
            only_calls: true,
            ..self
        }
    }

    fn new(inner: Arc<dyn Model>, guidance: Guidance, text: bool) -> Self {
        let told = Told {
            first: Arc::new(Message::user(vec![])),
            rest: InWords::with(&inner.info().model),
        };
        Self {
            worded: Arc::new(Worded {
                inner,
                guidance,
                told: Mutex::new(told),
            }),
            text: Arc::new(AtomicBool::new(text)),
            takes_native: Arc::default(),
            beside_native: Beside::All,
            only_calls: false,
        }
    }
}

impl Model for TextTools {
    fn info(&self) -> &ModelInfo {
        self.worded.inner.info()
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let learned = self.text.load(Ordering::Relaxed);
        let listener = self.listener(request.tools, learned);
        if learned && !request.tools.is_empty() {
            return listener.listen(self.worded.reply(&request));
        }
        let settled = request.tools.is_empty()
            || self.beside_native == Beside::Nothing
            || self.takes_native.load(Ordering::Relaxed);
        if settled {
            return listener.listen(self.worded.inner.reply(request));
        }
        let again = Again {
            worded: Arc::clone(&self.worded),
            listener: self.listener(request.tools, true),
            request: Kept::of(&request),
            text: Arc::clone(&self.text),
            takes_native: Arc::clone(&self.takes_native),
        };
        again.if_refused(listener.listen(self.worded.inner.reply(request)))
    }
}

impl TextTools {
    /// What reads a reply; `learned` is whether its model knows of no native tools.
    fn listener(&self, tools: &[ToolSpec], learned: bool) -> Listener {
        let reader = match self.beside_native {
            Beside::Tagged if !learned => TextCalls::tagged_only(tools),
            Beside::Nothing => TextCalls::thoughts_only(),
            Beside::All | Beside::Tagged => TextCalls::new(tools),
        };
        let hold = self.only_calls && !tools.is_empty();
        Listener::new(reader, Arc::clone(&self.text), hold)
    }
}

impl Worded {
    /// Sends the request without native tools.
    fn reply(&self, request: &Request<'_>) -> Reply {
        let guidance = guidance::text(request.tools);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let Told { first, rest } = &mut *told;
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
