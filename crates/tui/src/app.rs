//! The REPL as a state: what happens goes in, what is to be done comes out.
//!
//! Nothing here waits, reads or writes: `run.rs` does. So every situation can be tested by feeding
//! it.

mod dialog;
mod plain;
mod status;
mod submit;
mod view;

use pollux_edit::Key;
use pollux_types::{
    ApprovalMode, CallId, CallStatus, Command, Event, FileChange, Mode, PromptEnd, Todo, TodoStatus,
};
use tokio::time::Instant;

use crate::columns::{Section, in_columns};
use crate::composer::{Composer, Pressed};
use crate::diff::diff;
use crate::draft::Draft;
use crate::keys::Typed;
use crate::line::{Line, one_line};
use crate::program::{Answer, Choice, Choices, Inquiry};
use crate::queue::Queue;
use crate::screen::Looks;
use crate::screen::Size;
use crate::slash;
use crate::style::Style;
use crate::transcript::Transcript;
use dialog::Dialog;
pub use status::{Stats, Status};

/// Something that happened.
#[derive(Debug)]
pub enum Input {
    /// Somebody typed.
    Typed(Typed),
    /// The agent tells something.
    Agent(Event),
    /// The program has answered.
    Told(Answer),
    /// The program has named what can be chosen.
    Choices {
        /// What was asked for.
        of: Choices,
        /// What there is.
        choices: Vec<Choice>,
        /// Whether others are asked for more.
        looking: bool,
    },
    /// The others have answered: this is all.
    AllChoices(Choices, Vec<Choice>),
    /// There is more to suggest.
    More,
    /// The editor is done with this; `None` if nothing was changed.
    Edited(Editing, Result<Option<String>, String>),
}

/// Something to do.
#[derive(Debug, PartialEq)]
pub enum Effect {
    /// Tell the agent.
    Send(Command),
    /// Ask the program.
    Inquire(Inquiry),
    /// Ask the program what can be chosen.
    Choose(Choices),
    /// Put a text into the clipboard.
    Copy(String),
    /// Let the person edit a text.
    Edit(Editing),
    /// Begin on a clean screen.
    ClearScreen,
    /// Draw in colours from now on, or in none.
    Color(bool),
    /// Stop, and let the shell have the terminal.
    Suspend,
    /// Call the person, who may be elsewhere.
    Notify(&'static str),
    /// Leave.
    Quit,
    /// Leave at once, whatever is going on.
    Interrupt,
}

/// A text to edit.
#[derive(Debug, PartialEq)]
pub struct Editing {
    /// What is there now.
    pub content: String,
    /// What the file is called.
    pub name: String,
    /// What becomes of it.
    pub purpose: Purpose,
}

/// What becomes of an edited text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It is the message.
    Message,
    /// It is what this call is to write.
    Proposal(CallId),
}

/// What the REPL begins with.
pub struct Start {
    /// Where, who, how.
    pub status: Status,
    /// Where messages are written.
    pub composer: Composer,
}

/// The REPL.
pub struct App {
    pub(crate) status: Status,
    pub(crate) stats: Stats,
    pub(crate) composer: Composer,
    /// The newest answer, as it was written.
    pub(crate) last_answer: String,
    /// What the model has set out to do.
    pub(crate) todos: Vec<Todo>,
    /// What was edited in this session.
    pub(crate) edits: Vec<FileChange>,
    /// What a command of the person's own has printed, if nothing was answered since.
    pub(crate) last_output: Option<String>,
    transcript: Transcript,
    dialog: Option<Dialog>,
    queue: Queue,
    /// A message that the agent has not taken up yet: if it never does, it goes back.
    sent: Option<Draft>,
    /// When a key last went on with a message that is not sent.
    wrote: Option<Instant>,
    /// The newest session in which something was said.
    kept: Option<String>,
    /// It is printed line by line.
    plain: bool,
    /// The terminal shows what is being entered.
    echoed: bool,
    now: Instant,
    /// Since when the agent is busy, and with what.
    busy: Option<Busy>,
    size: Size,
}

/// What is being waited for.
#[derive(Clone, Debug)]
struct Busy {
    since: Instant,
    /// What the model thinks about.
    subject: String,
    /// What it is at, by the list that it has written meanwhile.
    task: String,
    /// Characters of the reply so far.
    characters: usize,
    /// When a failed request is sent again.
    retry_at: Option<Instant>,
    /// It has been told to stop.
    cancelled: bool,
}

impl App {
    /// A REPL at its beginning.
    pub fn new(start: Start, looks: Looks, size: Size) -> Self {
        Self {
            status: start.status,
            stats: Stats::default(),
            composer: start.composer,
            last_answer: String::new(),
            todos: Vec::new(),
            edits: Vec::new(),
            last_output: None,
            transcript: Transcript::new(looks),
            dialog: None,
            queue: Queue::default(),
            sent: None,
            wrote: None,
            kept: None,
            plain: false,
            echoed: false,
            now: Instant::now(),
            busy: None,
            size,
        }
    }

    /// Takes in what has happened, and says what to do.
    pub fn update(&mut self, input: Input, now: Instant) -> Vec<Effect> {
        self.now = now;
        self.transcript.at(now);
        match input {
            Input::Typed(Typed::Key(key)) if self.dialog.is_some() => self.press_in_dialog(key),
            Input::Typed(Typed::Key(key)) => {
                let pressed = self.write(key);
                let mut effects = self.pressed(pressed);
                effects.extend(self.composer.asks().map(Effect::Choose));
                effects
            }
            Input::Typed(Typed::Paste(text)) => {
                match &mut self.dialog {
                    Some(dialog) if dialog.listens() => dialog.paste(&text),
                    _ => {
                        self.composer.paste(&text);
                        self.wrote = Some(now);
                    }
                }
                Vec::new()
            }
            Input::Agent(event) => self.heard(event),
            Input::Told(Answer {
                changes,
                rows,
                text,
                then,
                message,
            }) => {
                for change in &changes {
                    self.transcript.say(diff(change));
                    self.transcript.gap();
                }
                self.say_in_columns(&rows);
                self.say(&text);
                self.transcript.gap();
                let sent =
                    message.map_or_else(Vec::new, |message| self.send(message.as_str().into()));
                then.map(Effect::Send).into_iter().chain(sent).collect()
            }
            Input::Choices {
                of,
                choices,
                looking,
            } => {
                self.composer.told(of, choices, looking);
                Vec::new()
            }
            Input::AllChoices(of, choices) => {
                self.composer.told_all(of, choices);
                Vec::new()
            }
            Input::More => {
                self.composer.more();
                Vec::new()
            }
            Input::Edited(editing, edited) => self.edited(&editing, edited),
        }
    }

    /// The terminal has another size.
    pub fn resize(&mut self, size: Size) {
        self.size = size;
        self.transcript.fit(usize::from(size.width));
    }

    /// Takes a message as if it was typed.
    pub fn enter(&mut self, text: &str) -> Vec<Effect> {
        self.composer.set(text);
        self.submit()
    }

    /// What the window is called.
    pub fn title(&self) -> String {
        let name = self.status.cwd.rsplit('/').next().unwrap_or_default();
        let state = match (&self.dialog, &self.busy) {
            (Some(_), _) => "asks",
            (None, Some(_)) => "working",
            (None, None) => "ready",
        };
        format!("pollux: {name} ({state})")
    }

    /// Whether time passing changes what is shown.
    pub fn is_busy(&self) -> bool {
        self.busy.is_some() && self.dialog.is_none()
    }

    /// When a question begins to listen, which changes what is shown.
    pub fn listens_at(&self) -> Option<Instant> {
        self.dialog.as_ref()?.listens_at(self.wrote)
    }

    /// Nothing more comes: what was being said stays as it is, and so does what waits to be said.
    pub(crate) fn break_off(&mut self) {
        self.transcript.break_off(usize::from(self.size.width));
        for draft in self.take_queue() {
            self.transcript.note(&format!("not sent: {}", draft.text));
        }
        if self.kept.is_some() {
            let told = "the session is kept: `pollux -c` goes on with it";
            self.transcript.say([Line::new(told, Style::DIM)]);
        }
    }

    /// Prints lines of text.
    pub(crate) fn say(&mut self, text: &str) {
        self.transcript.tell(text);
    }

    /// Prints pairs side by side, as far as there is room for that.
    fn say_in_columns(&mut self, rows: &[(String, String)]) {
        let rows = rows.iter();
        let rows = rows.map(|(left, right)| (one_line(left), one_line(right)));
        let section = Section {
            heading: String::new(),
            rows: rows.collect(),
        };
        self.print(in_columns(&[section], self.width()));
    }

    /// Whether answers have colours.
    pub(crate) fn has_color(&self) -> bool {
        self.transcript.has_color()
    }

    /// Answers have colours from now on, or none.
    pub(crate) fn set_color(&mut self, color: bool) {
        self.transcript.set_color(color);
    }

    /// How many columns there are.
    pub(crate) fn width(&self) -> usize {
        usize::from(self.size.width)
    }

    /// Prints lines.
    pub(crate) fn print(&mut self, lines: Vec<Line>) {
        self.transcript.say(lines);
    }

    /// Says what went wrong, and what to do.
    pub(crate) fn complain(&mut self, message: &str, hint: &str) {
        self.transcript.error(message, Some(hint));
    }

    /// The message so far, to be edited elsewhere.
    pub(crate) fn compose_in_editor(&mut self) -> Editing {
        Editing {
            content: self.composer.expanded(),
            name: "message.md".to_owned(),
            purpose: Purpose::Message,
        }
    }

    /// Goes on with the draft.
    fn write(&mut self, key: Key) -> Pressed {
        let pressed = self.composer.press(key, self.width());
        let goes_on = pressed == Pressed::Nothing && !self.composer.is_empty();
        self.wrote = goes_on.then_some(self.now);
        pressed
    }

    fn pressed(&mut self, pressed: Pressed) -> Vec<Effect> {
        match pressed {
            Pressed::Nothing => Vec::new(),
            Pressed::Submit => self.submit(),
            Pressed::Cancel => self.cancel(),
            Pressed::Older => {
                self.older();
                Vec::new()
            }
            Pressed::Newer => {
                self.newer();
                Vec::new()
            }
            Pressed::SwitchMode => {
                let other = match self.status.mode {
                    Mode::Build => Mode::Plan,
                    Mode::Plan => Mode::Build,
                };
                slash::enter(self, other)
            }
            Pressed::CycleApproval => self.cycle_approval(),
            Pressed::ToggleYolo => {
                let other = match self.status.approval {
                    ApprovalMode::Yolo => ApprovalMode::Default,
                    _ => ApprovalMode::Yolo,
                };
                slash::allow(self, other)
            }
            Pressed::Editor => vec![Effect::Edit(self.compose_in_editor())],
            Pressed::ClearScreen => vec![Effect::ClearScreen],
            Pressed::Suspend => vec![Effect::Suspend],
            Pressed::Quit => vec![Effect::Quit],
            Pressed::Interrupt => vec![Effect::Interrupt],
        }
    }

    /// The next approval mode.
    fn cycle_approval(&mut self) -> Vec<Effect> {
        let next = match self.status.approval {
            ApprovalMode::Default => ApprovalMode::AutoEdit,
            ApprovalMode::AutoEdit => ApprovalMode::Yolo,
            ApprovalMode::Yolo => ApprovalMode::Default,
        };
        slash::allow(self, next)
    }

    /// Everything stops; with nothing to stop, what is typed goes.
    pub(crate) fn cancel(&mut self) -> Vec<Effect> {
        if let Some(busy) = &mut self.busy {
            busy.cancelled = true;
            return vec![Effect::Send(Command::Cancel)];
        }
        self.composer.clear();
        self.queue.let_go();
        Vec::new()
    }

    /// The same by something else than a key.
    pub(crate) fn cancel_by(&mut self, what: &'static str) -> Vec<Effect> {
        let effects = self.cancel();
        if !effects.is_empty() {
            self.transcript.stop_by(what);
        }
        effects
    }

    /// Back through the messages that wait, then through those that were sent.
    fn older(&mut self) {
        if !self.composer.is_empty() && !self.queue.is_in_hand() {
            return self.composer.older();
        }
        let written = self.composer.take();
        match self.queue.take_older(written) {
            Some(draft) => self.composer.put_back(&draft),
            None => self.composer.older(),
        }
    }

    fn newer(&mut self) {
        if !self.queue.is_in_hand() {
            return self.composer.newer();
        }
        let written = self.composer.take();
        if let Some(draft) = self.queue.take_newer(written) {
            self.composer.put_back(&draft);
        }
    }

    /// All that waits, and what is in hand of it.
    fn take_queue(&mut self) -> Vec<Draft> {
        if self.queue.is_in_hand() {
            let written = self.composer.take();
            self.queue.put_back(written);
        }
        std::iter::from_fn(|| self.queue.take_oldest()).collect()
    }

    fn heard(&mut self, event: Event) -> Vec<Effect> {
        self.stats.count(&event);
        if let Event::SessionChanged { session, again, .. } = &event {
            self.change_session(session.as_str(), again.told.is_empty());
        }
        self.status.note(&event);
        let stopping = self.busy.as_ref().is_some_and(|busy| busy.cancelled);
        self.follow(&event);
        let ended = match &event {
            Event::ApprovalNeeded(request) => return self.ask(request.clone()),
            Event::QuestionsAsked { questions } => return self.ask_questions(questions.clone()),
            // Whoever stops it means what waits too, also where it has just ended by itself.
            Event::PromptEnded(end) => Some(stopping || *end == PromptEnd::UserCancelled),
            _ => None,
        };
        let width = usize::from(self.size.width);
        let told = matches!(
            event,
            Event::Notice { .. } | Event::ModelChanged { .. } | Event::SessionNamed { .. }
        );
        self.transcript.event(event, width);
        if told && self.busy.is_none() {
            self.transcript.gap();
        }
        match ended {
            Some(cancelled) => self.next_in_queue(cancelled),
            None => Vec::new(),
        }
    }

    /// Keeps track of what is being waited for.
    fn follow(&mut self, event: &Event) {
        match event {
            Event::PromptStarted { .. } => {
                self.last_answer.clear();
                self.last_output = None;
                self.sent = None;
                self.kept = Some(self.status.session.clone());
                self.busy.get_or_insert(Busy::since(self.now));
            }
            Event::PromptEnded(_) => {
                self.busy = None;
                self.dialog = None;
            }
            Event::Content { text } => self.last_answer.push_str(text),
            // What came so far was no answer, or does not count.
            Event::ToolCallRequest(_) | Event::Retry { .. } | Event::WasThought => {
                self.last_answer.clear();
            }
            Event::ModelChanged { .. } if self.busy.is_some() => self.last_answer.clear(),
            Event::SessionChanged { todos, .. } => self.todos.clone_from(todos),
            Event::ToolCallUpdate(view) => {
                if view.status == CallStatus::Success {
                    self.edits.extend_from_slice(&view.changes);
                }
                self.settled_elsewhere(view);
                if let Some(todos) = &view.todos {
                    self.todos.clone_from(todos);
                }
            }
            Event::CommandRan(ran) => {
                self.last_output = Some(format!("{}{}", ran.stdout, ran.stderr));
            }
            _ => {}
        }
        if let Some(busy) = &mut self.busy {
            busy.follow(event, self.now);
        }
    }

    /// Another session is talked to: where it is a new one, the old one can be found again.
    fn change_session(&mut self, session: &str, is_new: bool) {
        self.edits.clear();
        let is_first = self.status.session.is_empty();
        if !is_new {
            self.kept = Some(session.to_owned());
        } else if !is_first {
            let back = self.kept.as_ref().map_or_else(String::new, |old| {
                format!("; `/resume {old}` goes back to the old one")
            });
            self.transcript
                .note(&format!("a new session has begun{back}"));
            self.transcript.gap();
        }
    }
}

impl Busy {
    fn since(since: Instant) -> Self {
        Self {
            since,
            subject: String::new(),
            task: String::new(),
            characters: 0,
            retry_at: None,
            cancelled: false,
        }
    }

    fn follow(&mut self, event: &Event, now: Instant) {
        self.retry_at = None;
        match event {
            Event::Content { text } => self.characters += text.len(),
            Event::Thought {
                subject,
                description,
            } => {
                self.characters += description.len();
                if !subject.is_empty() {
                    self.subject.clone_from(subject);
                }
            }
            Event::Retry { wait, .. } => self.retry_at = Some(now + *wait),
            Event::ToolCallUpdate(view) => {
                if let Some(todos) = &view.todos {
                    self.task = current(todos);
                }
            }
            _ => {}
        }
    }
}

/// What is in progress, if anything is.
fn current(todos: &[Todo]) -> String {
    let current = todos
        .iter()
        .find(|todo| todo.status == TodoStatus::InProgress);
    current.map_or_else(String::new, |todo| todo.description.clone())
}

#[cfg(test)]
mod tests;
