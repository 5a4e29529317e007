//! The answer on standard output as it streams; all else on standard error.

use std::io::{self, Write};

use pollux_types::untrusted::visible;
use pollux_types::{CallStatus, CallView, Event};

use super::{About, End, Report, put};

/// Prints for people and for pipes.
pub(crate) struct Text<O, E> {
    answer: O,
    beside: E,
    /// The last character of the answer so far.
    last: Option<char>,
    /// A reply has begun and not ended.
    mid_reply: bool,
}

impl<O: Write, E: Write> Text<O, E> {
    pub(crate) fn new(answer: O, beside: E) -> Self {
        Self {
            answer,
            beside,
            last: None,
            mid_reply: false,
        }
    }

    /// Ends a line of the answer that has begun.
    pub(crate) fn end_line(&mut self) -> io::Result<()> {
        if self.last.is_some_and(|last| last != '\n') {
            self.last = Some('\n');
            put(&mut self.answer, "\n")?;
        }
        Ok(())
    }

    fn call(&mut self, view: &CallView) -> io::Result<()> {
        let name = visible(&view.name);
        match view.status {
            CallStatus::Executing => {
                self.end_line()?;
                let summary = visible(&view.summary).replace('\n', " ");
                put(&mut self.beside, &format!("[tool] {name} {summary}\n"))
            }
            CallStatus::Error | CallStatus::Cancelled => {
                self.end_line()?;
                let error = view
                    .error
                    .as_ref()
                    .map_or("", |error| error.message.as_str());
                put(
                    &mut self.beside,
                    &format!("[tool] {name} failed: {}\n", visible(error)),
                )
            }
            CallStatus::Validating | CallStatus::Scheduled | CallStatus::Success => Ok(()),
        }
    }
}

impl<O: Write, E: Write> Report for Text<O, E> {
    fn begin(&mut self, _about: &About) -> io::Result<()> {
        Ok(())
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Content { text } => {
                self.mid_reply = true;
                self.last = text.chars().last().or(self.last);
                put(&mut self.answer, &visible(text))
            }
            Event::ToolCallUpdate(view) => self.call(view),
            Event::Notice { message, .. } => {
                self.end_line()?;
                put(&mut self.beside, &format!("note: {}\n", visible(message)))
            }
            Event::Finished { .. } => {
                self.mid_reply = false;
                Ok(())
            }
            Event::PromptStarted { .. }
            | Event::Thought { .. }
            | Event::ToolCallRequest(_)
            | Event::PromptEnded(_) => Ok(()),
        }
    }

    fn end(&mut self, end: &End) -> io::Result<()> {
        self.end_line()?;
        let broke_off = std::mem::take(&mut self.mid_reply);
        let Some(failure) = &end.failure else {
            return Ok(());
        };
        if broke_off {
            put(&mut self.beside, "note: the answer above is incomplete\n")?;
        }
        put(
            &mut self.beside,
            &format!("error: {}\n", visible(&failure.message)),
        )?;
        match &failure.hint {
            Some(hint) => put(&mut self.beside, &format!("hint: {hint}\n")),
            None => Ok(()),
        }
    }
}
