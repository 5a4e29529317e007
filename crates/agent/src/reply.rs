//! Listening to one reply of the model.

use std::collections::BTreeSet;

use futures_util::StreamExt;
use pollux_model::{Delta, ErrorKind, ModelError, Reply};
use pollux_types::event::NoticeKind;
use pollux_types::{CallId, Event, FinishReason, FunctionCall, Message, Part, Usage, tokens};
use tokio::sync::mpsc::Sender;
use tokio_util::sync::CancellationToken;

use crate::history::History;
use crate::size::words;
use crate::thought;

/// What came of one request.
#[derive(Debug)]
pub(crate) struct Said {
    /// The message, as far as it came.
    pub(crate) message: Message,
    /// The calls to run; none unless the reply is complete.
    pub(crate) asked: Vec<Asked>,
    pub(crate) end: ReplyEnd,
    /// What it cost, where the reply is complete and the server has counted.
    pub(crate) counted: Option<Usage>,
}

impl Said {
    /// A reply of which nothing came.
    pub(crate) fn nothing(end: ReplyEnd) -> Self {
        Self {
            message: Message::model(vec![]),
            asked: vec![],
            end,
            counted: None,
        }
    }
}

/// A call that is asked for.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) call: FunctionCall,
    /// Why it cannot be run as written.
    pub(crate) problem: Option<String>,
    /// It was the person who asked, and not the model.
    pub(crate) typed: bool,
}

#[derive(Debug)]
pub(crate) enum ReplyEnd {
    Complete,
    Cancelled,
    Failed(ModelError),
}

impl ReplyEnd {
    /// For the log.
    pub(crate) fn in_a_word(&self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Cancelled => "cancelled",
            Self::Failed(_) => "failed",
        }
    }
}

/// Takes in the whole reply and passes its words on as they come. `sent` guesses what the request
/// cost, in case the server does not say.
pub(crate) async fn listen(
    mut reply: Reply,
    history: &History,
    events: &Sender<Event>,
    cancel: &CancellationToken,
    sent: u64,
) -> Said {
    let mut listener = Listener {
        history,
        message: Message::model(vec![]),
        asked: vec![],
        usage: Usage::default(),
        sources: BTreeSet::new(),
        counted: None,
    };
    let end = loop {
        let item = tokio::select! {
            biased;
            () = cancel.cancelled() => break ReplyEnd::Cancelled,
            item = reply.next() => item,
        };
        match item {
            Some(Ok(Delta::Finish { reason, detail })) => {
                listener.count(sent);
                for event in listener.finish(reason, detail) {
                    events.send(event).await.ok();
                }
                break ReplyEnd::Complete;
            }
            Some(Ok(delta)) => {
                if let Some(event) = listener.take(delta) {
                    events.send(event).await.ok();
                }
            }
            Some(Err(error)) => break ReplyEnd::Failed(error),
            None => {
                let error = ModelError::new(ErrorKind::StreamTruncated, "the reply has no end");
                break ReplyEnd::Failed(error);
            }
        }
    };
    listener.into_said(end)
}

struct Listener<'a> {
    history: &'a History,
    message: Message,
    asked: Vec<Asked>,
    usage: Usage,
    /// What the answer repeats, each but once.
    sources: BTreeSet<String>,
    counted: Option<Usage>,
}

impl Listener<'_> {
    fn take(&mut self, delta: Delta) -> Option<Event> {
        match delta {
            Delta::Text(text) => {
                self.message.push(Part::text(text.as_str()));
                Some(Event::Content { text })
            }
            Delta::Thought { text, signature } => {
                let before = match self.message.parts.last() {
                    Some(Part::Thought { text, .. }) => text.as_str(),
                    _ => "",
                };
                let event = (!text.is_empty()).then(|| thought::event(before, &text));
                self.message.push(Part::Thought { text, signature });
                event
            }
            Delta::Call(call) => Some(self.ask(call, None)),
            Delta::BrokenCall { call, problem } => Some(self.ask(call, Some(problem))),
            Delta::Usage(usage) => {
                self.usage = usage;
                None
            }
            Delta::Citation { title, uri } => {
                self.sources.insert(match title {
                    Some(title) => format!("({title}) {uri}"),
                    None => uri,
                });
                None
            }
            Delta::WasThought => {
                self.message.text_was_thought();
                Some(Event::WasThought)
            }
            Delta::LearnedTextCalls => Some(Event::Notice {
                kind: NoticeKind::TextToolCalls,
                message: "This model calls no tools natively; it is told about them in words from \
                          now on, and its calls are read from its text."
                    .to_owned(),
            }),
            Delta::Finish { .. } => None,
        }
    }

    fn ask(&mut self, mut call: FunctionCall, problem: Option<String>) -> Event {
        let taken: Vec<CallId> = self
            .asked
            .iter()
            .map(|asked| asked.call.id.clone())
            .collect();
        call.id = self.history.free_id(&call.id, &call.name, &taken);
        self.message.push(Part::FunctionCall(call.clone()));
        self.asked.push(Asked {
            call: call.clone(),
            problem,
            typed: false,
        });
        Event::ToolCallRequest(call)
    }

    /// Guesses what nobody has counted.
    fn count(&mut self, sent: u64) {
        if self.usage.is_known() {
            self.counted = Some(self.usage);
        } else {
            self.usage.input = sent;
            for part in &self.message.parts {
                let written = tokens::estimate(&words(part));
                self.usage.output += written;
                if matches!(part, Part::Thought { .. }) {
                    self.usage.thoughts += written;
                }
            }
        }
    }

    /// The end of the reply, with a word to the person where the end is not a good one.
    fn finish(&self, reason: FinishReason, detail: Option<String>) -> Vec<Event> {
        let why = detail
            .as_deref()
            .map(|detail| format!(" ({detail})"))
            .unwrap_or_default();
        let message = match reason {
            FinishReason::Length => Some("The answer was cut off at the output limit.".to_owned()),
            FinishReason::ContentFilter => Some(format!(
                "The provider withheld the rest of the answer{why}."
            )),
            FinishReason::Unknown => Some(format!("The answer ended for an unknown reason{why}.")),
            FinishReason::Stop | FinishReason::ToolCalls => None,
        };
        let notice = message.map(|message| Event::Notice {
            kind: NoticeKind::AnswerCut,
            message,
        });
        let sources = self.sources.iter().map(|source| Event::Notice {
            kind: NoticeKind::Citation,
            message: format!("Source: {source}"),
        });
        let finished = Event::Finished {
            reason,
            detail,
            usage: self.usage,
        };
        sources.chain([finished]).chain(notice).collect()
    }

    /// A reply without its end asks for nothing.
    fn into_said(self, end: ReplyEnd) -> Said {
        let Self {
            mut message,
            mut asked,
            counted,
            ..
        } = self;
        if !matches!(end, ReplyEnd::Complete) {
            asked.clear();
            message
                .parts
                .retain(|part| !matches!(part, Part::FunctionCall(_)));
        }
        Said {
            message,
            asked,
            end,
            counted,
        }
    }
}
