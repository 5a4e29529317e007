//! The answer on standard output as it streams; all else on standard error.

use std::io::{self, Write};
use std::time::Duration;

use pollux_tui::todos::{UNBROKEN, todo_lines};
use pollux_types::untrusted::visible;
use pollux_types::{CallStatus, CallView, Event, ToolErrorKind};

use super::{About, End, Report, put};

/// Whoever has to wait for longer than this is told how to leave.
const LONG_WAIT: Duration = Duration::from_secs(10);

/// Prints for people and for pipes.
pub(crate) struct Text<O, E> {
    answer: O,
    beside: E,
    /// The last character of the answer so far.
    last: Option<char>,
    /// A reply has begun and not ended.
    mid_reply: bool,
    /// What came of that reply, where replies are printed whole.
    held: Option<String>,
}

impl<O: Write, E: Write> Text<O, E> {
    pub(crate) fn new(answer: O, beside: E) -> Self {
        Self {
            answer,
            beside,
            last: None,
            mid_reply: false,
            held: None,
        }
    }

    /// The same for an answer that nobody reads along: what turns out to be void is not printed.
    pub(crate) fn whole_replies(self) -> Self {
        Self {
            held: Some(String::new()),
            ..self
        }
    }

    fn say(&mut self, text: &str) -> io::Result<()> {
        self.last = text.chars().last().or(self.last);
        put(&mut self.answer, &visible(text))
    }

    /// Prints what was held back.
    fn release(&mut self) -> io::Result<()> {
        let held = self.held.as_mut().map(std::mem::take);
        self.say(&held.unwrap_or_default())
    }

    /// Ends a line of the answer that has begun.
    fn end_line(&mut self) -> io::Result<()> {
        if self.last.is_some_and(|last| last != '\n') {
            self.last = Some('\n');
            put(&mut self.answer, "\n")?;
        }
        Ok(())
    }

    /// Something beside the answer. Further lines are indented, so that no model and no server can
    /// make up a line of pollux's own.
    fn beside(&mut self, head: &str, text: &str) -> io::Result<()> {
        self.end_line()?;
        let text = visible(text.trim_end()).replace('\n', "\n  ");
        put(&mut self.beside, &format!("{head}{text}\n"))
    }

    /// What came of the reply does not count.
    fn void(&mut self) -> io::Result<()> {
        let begun = std::mem::take(&mut self.mid_reply);
        match &mut self.held {
            Some(held) => held.clear(),
            None if begun => {
                self.beside("note: ", "the answer above broke off and is void")?;
            }
            None => {}
        }
        Ok(())
    }

    fn call(&mut self, view: &CallView) -> io::Result<()> {
        match view.status {
            // What it prints meanwhile comes in updates of its own.
            CallStatus::Executing if view.live.is_none() => {
                self.beside("[tool] ", &format!("{} {}", view.name, view.summary))
            }
            CallStatus::Success => {
                let todos = view.todos.as_deref().unwrap_or_default();
                let lines = todo_lines(todos, UNBROKEN);
                lines
                    .iter()
                    .try_for_each(|line| self.beside("", &line.text()))
            }
            CallStatus::Error | CallStatus::Cancelled => self.beside("[tool] ", &failed(view)),
            CallStatus::Validating
            | CallStatus::AwaitingApproval
            | CallStatus::Scheduled
            | CallStatus::Executing => Ok(()),
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
                match &mut self.held {
                    Some(held) => {
                        held.push_str(text);
                        Ok(())
                    }
                    None => self.say(text),
                }
            }
            Event::ToolCallUpdate(view) => self.call(view),
            Event::Retry {
                attempt,
                attempts,
                wait,
                reason,
            } => {
                self.void()?;
                let seconds = wait.as_secs_f64();
                let when = format!("try {attempt} of {attempts} in {seconds:.0} s");
                let way_out = if *wait > LONG_WAIT {
                    "; Ctrl+C ends it"
                } else {
                    ""
                };
                self.beside("note: ", &format!("{reason}; {when}{way_out}"))
            }
            Event::ModelChanged {
                provider,
                model,
                reason,
            } => {
                self.void()?;
                let line = format!("{reason}; {model} ({provider}) answers from here on");
                self.beside("note: ", &line)
            }
            Event::WasThought if self.held.is_some() => self.void(),
            Event::WasThought => {
                self.beside("note: ", "the words above were a thought, not the answer")
            }
            Event::Notice { message, .. } => self.beside("note: ", message),
            Event::CommandRan(ran) => self.say(&(ran.block() + "\n")),
            Event::Finished { .. } => {
                self.mid_reply = false;
                self.release()
            }
            // Whoever can answer shows the question.
            Event::ApprovalNeeded(_)
            | Event::QuestionsAsked { .. }
            | Event::PromptStarted { .. }
            | Event::Thought { .. }
            | Event::ToolCallRequest(_)
            | Event::Context { .. }
            | Event::ModeChanged { .. }
            | Event::SessionNamed { .. }
            | Event::SessionChanged { .. }
            | Event::PromptEnded(_) => Ok(()),
        }
    }

    fn end(&mut self, end: &End) -> io::Result<()> {
        self.release()?;
        self.end_line()?;
        let broke_off = std::mem::take(&mut self.mid_reply);
        let Some(failure) = &end.failure else {
            return Ok(());
        };
        if broke_off {
            self.beside("note: ", "the answer above is incomplete")?;
        }
        self.beside("error: ", &failure.message)?;
        match &failure.hint {
            Some(hint) => self.beside("hint: ", hint),
            None => Ok(()),
        }
    }
}

/// How a call came to nothing. One that was not allowed has not been shown yet.
fn failed(view: &CallView) -> String {
    let CallView { name, summary, .. } = view;
    let error = view.error.as_ref();
    let message = error.map_or("", |error| error.message.as_str());
    match error.map(|error| error.kind) {
        Some(ToolErrorKind::ApprovalRequired) => {
            let start = format!("`{name}` was ");
            let why = message.strip_prefix(&start).unwrap_or(message);
            format!("{name} {summary}: {why}")
        }
        _ => format!("{name} failed: {}", shortened(message)),
    }
}

/// Lines at the end of a long message that are shown.
const LAST_LINES: usize = 10;

/// The first line and the last ones: what a stopped command has printed may be a flood.
fn shortened(message: &str) -> String {
    let lines: Vec<&str> = message.lines().collect();
    let left_out = lines.len().saturating_sub(1 + LAST_LINES);
    if left_out == 0 {
        return message.to_owned();
    }
    let note = format!("[{left_out} lines left out]");
    let shown = [&lines[..1], &[&note], &lines[1 + left_out..]];
    shown.concat().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_is_shown_by_its_ends() {
        let lines = |count: usize| {
            let lines: Vec<String> = (0..=count).map(|line| line.to_string()).collect();
            lines.join("\n") + "\n"
        };
        for count in 0..=LAST_LINES {
            assert_eq!(shortened(&lines(count)), lines(count));
        }
        let last = "991\n992\n993\n994\n995\n996\n997\n998\n999\n1000";
        let shown = format!("0\n[990 lines left out]\n{last}");
        assert_eq!(shortened(&lines(1000)), shown);
    }
}
