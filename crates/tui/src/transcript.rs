//! What was said and done, as lines: those that are finished, and those that still grow.
//!
//! Events go in one by one. What can no longer change is given out once by [`Transcript::settle`];
//! what may still change is in [`Transcript::live`].

mod call;
mod prose;

use pollux_types::untrusted::visible;
use pollux_types::{
    Again, CallId, CallStatus, CallView, Decision, Event, FileChange, PromptEnd, Told,
};

use crate::approval;
use crate::command_block::command_block;
use crate::line::{Line, one_line, untabbed};
use crate::markdown::Markdown;
use crate::screen::Looks;
use crate::style::{Color, Style};
use crate::wrap::{Indent, wrap};
use call::Ended;
use prose::Prose;
use tokio::time::Instant;

/// What people see of a session.
pub struct Transcript {
    settled: Vec<Line>,
    /// Whether the last line that was given out is empty.
    gap: bool,
    /// What the model is saying.
    open: Option<Open>,
    /// The calls of the newest reply that are not settled, in their order.
    calls: Vec<Call>,
    /// The calls that the model has asked for. Others are the person's own, and are told in a block.
    asked: Vec<CallId>,
    /// Changes that were shown when their approval was asked, and need not be shown again.
    shown: Vec<(CallId, FileChange)>,
    /// What the person stops everything with, if they do.
    stopped_by: &'static str,
    /// What the terminal can show.
    looks: Looks,
    width: usize,
    now: Instant,
}

/// A call on its way.
struct Call {
    view: CallView,
    /// When it began to run.
    began: Option<Instant>,
    /// When it ended.
    ended: Option<Instant>,
    /// Its name stands above what it asks.
    named: bool,
}

enum Open {
    Answer(Box<Markdown>),
    Thought(Prose),
}

/// How everything is stopped, unless it is said otherwise.
const ESC: &str = "ESC";

/// What is said when the user has stopped everything, after what has stopped it.
const STOPPED: &str = "Stopped model stream and tool execution; todo state remains unchanged unless a tool had \
     already completed.";

impl Transcript {
    /// With nothing said yet.
    pub fn new(looks: Looks) -> Self {
        Self {
            settled: Vec::new(),
            // The prompt stays where it is when the first message is sent.
            gap: true,
            open: None,
            calls: Vec::new(),
            asked: Vec::new(),
            shown: Vec::new(),
            stopped_by: ESC,
            looks,
            width: 80,
            now: Instant::now(),
        }
    }

    /// Takes in what has happened.
    pub fn event(&mut self, event: Event, width: usize) {
        match event {
            Event::Content { text } => self.content(&text, width),
            Event::Thought {
                subject,
                description,
            } => self.thought(&subject, &description, width),
            Event::WasThought => {
                self.close(width);
                self.note("the words above were a thought, not the answer");
            }
            Event::ToolCallRequest(call) => self.asked.push(call.id),
            Event::ToolCallUpdate(view) => self.call(view, width),
            Event::Finished { .. } => self.close(width),
            Event::Retry {
                attempt,
                attempts,
                reason,
                ..
            } => {
                self.void(width);
                self.note(&format!("{reason}; try {attempt} of {attempts}"));
            }
            Event::ModelChanged {
                provider,
                model,
                reason,
            } => {
                self.void(width);
                self.note(&format!(
                    "{reason}; {model} ({provider}) answers from here on"
                ));
            }
            Event::Notice { message, .. } => self.note(&message),
            // What was stopped before it ran is told by the end of the prompt.
            Event::CommandRan(ran) if ran.denied.as_deref() == Some("cancelled") => {
                self.calls.clear();
            }
            Event::CommandRan(ran) => {
                self.calls.clear();
                self.gap();
                self.settled.extend(command_block(&ran));
            }
            Event::SessionNamed { name } => self.note(&format!(
                "this session is called `{name}` now; `/resume {name}` comes back to it"
            )),
            Event::SessionChanged { again, .. } => self.tell_again(again, width),
            Event::PromptEnded(end) => self.end(end, width),
            Event::PromptStarted { .. }
            | Event::ApprovalNeeded(_)
            | Event::QuestionsAsked { .. }
            | Event::Context { .. }
            | Event::ModeChanged { .. } => {}
        }
    }

    /// Lines that are finished since the last time.
    pub fn settle(&mut self, width: usize) -> Vec<Line> {
        match &mut self.open {
            Some(Open::Answer(answer)) => self.settled.extend(answer.settle(width)),
            Some(Open::Thought(thought)) => self.settled.extend(thought.settle(width)),
            None => {}
        }
        self.gap = self.ends_in_gap();
        std::mem::take(&mut self.settled)
    }

    /// What stands after them for now; running `calls` only if they are wanted.
    pub fn live(&self, width: usize, calls: bool) -> Vec<Line> {
        let mut lines = match &self.open {
            Some(Open::Answer(answer)) => answer.tail(width),
            Some(Open::Thought(thought)) => thought.tail(width),
            None => Vec::new(),
        };
        if !calls {
            return lines;
        }
        let calls = self.calls.iter().map(|call| &call.view);
        let running = calls.filter(|view| !view.status.is_terminal());
        lines.extend(running.flat_map(|view| call::running(view, width)));
        lines
    }

    /// Whether answers have colours.
    pub(crate) fn has_color(&self) -> bool {
        self.looks.color
    }

    /// The next answers have colours, or none.
    pub(crate) fn set_color(&mut self, color: bool) {
        self.looks.color = color;
    }

    /// What time it is.
    pub fn at(&mut self, now: Instant) {
        self.now = now;
    }

    /// What runs, each in a line.
    pub(crate) fn running(&self) -> Vec<String> {
        let running = self
            .calls
            .iter()
            .filter(|call| !call.view.status.is_terminal());
        let lines =
            running.map(|call| one_line(&format!("{} {}", call.view.name, call.view.summary)));
        lines.collect()
    }

    /// Somebody has typed a line below the last one, and the terminal shows it.
    pub(crate) fn was_typed_after(&mut self) {
        self.gap = false;
    }

    /// How wide the screen is.
    pub fn fit(&mut self, width: usize) {
        self.width = width;
    }

    /// Prints text of pollux's own, broken between words.
    pub fn tell(&mut self, text: &str) {
        let text = visible(text.trim_end());
        let lines = text.lines().map(|line| Line::plain(untabbed(line)));
        let rows = lines.flat_map(|line| wrap(&line, self.width, &Indent::default()));
        self.settled.extend(rows);
    }

    /// Prints lines of pollux's own.
    pub fn say(&mut self, lines: impl IntoIterator<Item = Line>) {
        self.settled.extend(lines);
    }

    /// The person stops everything with this.
    pub(crate) fn stop_by(&mut self, what: &'static str) {
        self.stopped_by = what;
    }

    /// What is to be approved, and why. If it is a change, it need not be shown again when done.
    pub fn propose(&mut self, call: &CallId, lines: Vec<Line>, change: Option<&FileChange>) {
        self.gap();
        self.settled.extend(lines);
        let change = change.map(|change| (call.clone(), change.clone()));
        self.shown.extend(change);
    }

    /// What the person has answered.
    pub fn answered(&mut self, decision: &Decision) {
        let answer = match decision {
            Decision::Approve => "approved by you".to_owned(),
            Decision::Always(remember) => {
                format!("always, by you: {}", approval::in_words(remember))
            }
            Decision::Refuse => "refused by you".to_owned(),
            Decision::Modify(_) => "changed by you".to_owned(),
        };
        self.labelled("  ", &answer, Style::color(Color::YELLOW));
    }

    /// Questions follow: the call that asks them is named above them.
    pub fn ask(&mut self, width: usize) {
        self.gap();
        let asks = |call: &&mut Call| call.view.name == "question" && !call.named;
        if let Some(call) = self.calls.iter_mut().find(asks) {
            call.named = true;
            self.settled.extend(call::head(&call.view, width));
        }
    }

    /// An empty line, unless there is one.
    pub fn gap(&mut self) {
        if !self.ends_in_gap() {
            self.settled.push(Line::default());
        }
    }

    fn ends_in_gap(&self) -> bool {
        self.settled
            .last()
            .map_or(self.gap, |line| line.width() == 0)
    }

    /// Something that is neither an answer nor an error.
    pub fn note(&mut self, text: &str) {
        self.labelled("note: ", text, Style::color(Color::YELLOW));
    }

    /// Something that went wrong, and what to do about it.
    pub fn error(&mut self, message: &str, hint: Option<&str>) {
        self.labelled("error: ", message, Style::color(Color::RED));
        if let Some(hint) = hint {
            self.labelled("hint: ", hint, Style::PLAIN);
        }
    }

    /// Further lines are indented, so that nobody can make up a line of pollux's own.
    fn labelled(&mut self, label: &str, text: &str, style: Style) {
        let text = visible(text.trim_end());
        let lines = text.split('\n').enumerate().map(|(number, text)| {
            let label = if number == 0 { label } else { "  " };
            Line::new(format!("{label}{}", untabbed(text)), style)
        });
        let indent = Indent {
            first: Line::default(),
            rest: Line::plain("  "),
        };
        let rows = lines.flat_map(|line| wrap(&line, self.width, &indent));
        self.settled.extend(rows);
    }

    fn content(&mut self, text: &str, width: usize) {
        if !matches!(self.open, Some(Open::Answer(_))) {
            if text.trim().is_empty() {
                return;
            }
            self.close(width);
            self.gap();
            self.settled.push(heading("[ANSWER]"));
            self.open = Some(Open::Answer(Box::new(Markdown::new(self.looks))));
        }
        if let Some(Open::Answer(answer)) = &mut self.open {
            answer.push(text);
        }
    }

    fn thought(&mut self, subject: &str, description: &str, width: usize) {
        if !matches!(self.open, Some(Open::Thought(_))) {
            self.close(width);
            self.gap();
            self.settled.push(Line::new("[THINK]", Style::DIM.bold()));
            let style = Style {
                italic: true,
                ..Style::DIM
            };
            self.open = Some(Open::Thought(Prose::new(style)));
        }
        if let Some(Open::Thought(thought)) = &mut self.open {
            if !subject.is_empty() {
                thought.start_line();
                thought.push(subject);
            }
            thought.push(description);
        }
    }

    /// Nothing is added to what is being said.
    fn close(&mut self, width: usize) {
        let rest = match self.open.take() {
            Some(Open::Answer(mut answer)) => answer.finish(width),
            Some(Open::Thought(mut thought)) => thought.finish(width),
            None => return,
        };
        self.settled.extend(rest);
    }

    /// Nothing more comes: what stands there for now stays.
    pub(crate) fn break_off(&mut self, width: usize) {
        self.close(width);
        let live = self.live(width, true);
        self.settled.extend(live);
        self.calls.clear();
    }

    /// What was being said does not count.
    fn void(&mut self, width: usize) {
        if self.open.is_some() {
            self.close(width);
            self.note("the answer above broke off and is void");
        }
    }

    /// Calls are settled in the order in which they were asked for.
    fn call(&mut self, view: CallView, width: usize) {
        self.close(width);
        self.keep(view);
        while self
            .calls
            .first()
            .is_some_and(|call| call.view.status.is_terminal())
        {
            let Call {
                view,
                began,
                ended,
                named,
            } = self.calls.remove(0);
            if !self.asked.contains(&view.id) {
                self.settled.extend(call::attached(&view));
                continue;
            }
            let shown = |(of, change): &(CallId, FileChange)| {
                *of == view.id && view.changes.contains(change)
            };
            let ended = Ended {
                view: &view,
                shown: self.shown.iter().any(shown),
                named,
                ran: began.zip(ended).map(|(began, ended)| ended - began),
            };
            self.settled.extend(ended.lines(width));
        }
    }

    /// Takes in how a call stands now.
    fn keep(&mut self, mut view: CallView) {
        let place = self.calls.iter().position(|call| call.view.id == view.id);
        let (began, ended) = match view.status {
            CallStatus::Executing => (Some(self.now), None),
            status => (None, status.is_terminal().then_some(self.now)),
        };
        let Some(place) = place else {
            return self.calls.push(Call {
                view,
                began,
                ended,
                named: false,
            });
        };
        let call = &mut self.calls[place];
        if view.status == CallStatus::Cancelled {
            // What it had printed may be all there is to know of it.
            view.live = call.view.live.take();
        }
        *call = Call {
            view,
            began: call.began.or(began),
            ended,
            named: call.named,
        };
    }

    fn end(&mut self, end: PromptEnd, width: usize) {
        let broke_off = self.open.is_some();
        self.close(width);
        self.calls.clear();
        self.asked.clear();
        self.shown.clear();
        match end {
            PromptEnd::Completed => {}
            PromptEnd::UserCancelled => {
                self.gap();
                let style = Style::color(Color::YELLOW);
                let by = format!("Cancelled by {}", self.stopped_by);
                let lines = [&by, STOPPED].map(|line| Line::new(line, style));
                let rows = lines
                    .iter()
                    .flat_map(|line| wrap(line, width, &Indent::default()));
                self.settled.extend(rows);
            }
            PromptEnd::MaxTurns { limit } => {
                let message = format!("stopped after {limit} requests to the model");
                self.error(
                    &message,
                    Some("say `go on` to continue, or raise `agent.max_turns`"),
                );
            }
            PromptEnd::Error(failure) => {
                if broke_off {
                    self.note("the answer above is incomplete");
                }
                self.error(&failure.message, failure.hint.as_deref());
            }
        }
        self.stopped_by = ESC;
        self.gap();
    }

    /// What was said and done in a session that is gone on with.
    fn tell_again(&mut self, again: Again, width: usize) {
        let Again { left_out, told } = again;
        if left_out > 0 {
            self.note(&format!("{left_out} earlier messages are not shown again"));
        }
        let anything = !told.is_empty();
        for told in told {
            match told {
                Told::Prompt(text) => {
                    self.close(width);
                    self.gap();
                    let text = visible(&text);
                    let lines = text.lines().map(|line| format!("> {}", untabbed(line)));
                    self.settled.extend(lines.map(Line::plain));
                    self.gap();
                }
                Told::Event(event) => self.event(*event, width),
            }
        }
        self.close(width);
        self.asked.clear();
        if anything {
            self.gap();
        }
    }
}

fn heading(text: &str) -> Line {
    Line::new(text, Style::BOLD)
}
