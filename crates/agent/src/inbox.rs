//! Commands as they come: what is said at once, and what waits for its turn.

use std::collections::VecDeque;

use pollux_types::{Command, Event, Mode, Part, PromptEnd};
use tokio::sync::mpsc::{Receiver, Sender, UnboundedSender};
use tokio_util::sync::CancellationToken;

/// What is done one after the other.
#[derive(Debug)]
pub(crate) enum Work {
    Answer(Vec<Part>),
    Run { command: String, raw: String },
    UseModel(String),
    NewSession,
    Resume(String),
    Name(String),
    ReadMemory,
}

impl Work {
    /// Whether its end is told. All else is a setting: it is made whatever becomes of the prompts.
    fn is_prompt(&self) -> bool {
        matches!(self, Self::Answer(_) | Self::Run { .. })
    }
}

/// The front end's side of a session.
pub(crate) struct Inbox {
    commands: Receiver<Command>,
    /// Where it goes that does not wait: what a person says while something is done, or nothing.
    said: UnboundedSender<Command>,
    queue: VecDeque<Work>,
    /// Nobody has shut down yet.
    open: bool,
    events: Sender<Event>,
    /// The mode that the front end is to be told of.
    mode: Option<Mode>,
    /// How many prompts were cancelled before their turn, of which the front end is to be told.
    dropped: usize,
}

impl Inbox {
    pub(crate) fn new(
        commands: Receiver<Command>,
        said: UnboundedSender<Command>,
        events: Sender<Event>,
    ) -> Self {
        Self {
            commands,
            said,
            queue: VecDeque::new(),
            open: true,
            events,
            mode: None,
            dropped: 0,
        }
    }

    /// What is to be done next; `None` once there will be no more.
    pub(crate) async fn next(&mut self) -> Option<Work> {
        let nothing = CancellationToken::new();
        while self.open {
            if self.dropped > 0 {
                self.dropped -= 1;
                self.tell(Event::PromptEnded(PromptEnd::UserCancelled))
                    .await;
            } else if self.queue.is_empty() || self.mode.is_some() {
                self.turn(&nothing).await;
            } else {
                break;
            }
        }
        self.queue.pop_front().filter(|_| self.open)
    }

    /// Tells the front end, and goes on listening to it meanwhile.
    async fn tell(&mut self, event: Event) {
        let events = self.events.clone();
        // A front end that has gone is noticed by its commands ending.
        let told = async move { events.send(event).await.ok() };
        self.attend(told, &CancellationToken::new()).await;
    }

    /// Goes on taking commands while `work` is done. Cancelling lets the work end by itself, so
    /// that what it has done is recorded.
    pub(crate) async fn attend<T>(
        &mut self,
        work: impl Future<Output = T>,
        cancel: &CancellationToken,
    ) -> T {
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                () = self.turn(cancel), if self.open => {}
            }
        }
    }

    /// Takes a command, or tells of the mode as soon as somebody listens: nobody waits for that.
    async fn turn(&mut self, cancel: &CancellationToken) {
        let command = tokio::select! {
            biased;
            room = self.events.reserve(), if self.mode.is_some() => {
                if let (Some(mode), Ok(room)) = (self.mode.take(), room) {
                    room.send(Event::ModeChanged { mode });
                }
                return;
            }
            command = self.commands.recv() => command,
        };
        self.take(command, cancel);
    }

    fn take(&mut self, command: Option<Command>, cancel: &CancellationToken) {
        match command {
            Some(Command::Submit(prompt)) => self.queue.push_back(Work::Answer(prompt)),
            Some(Command::Run { command, raw }) => {
                self.queue.push_back(Work::Run { command, raw });
            }
            Some(Command::UseModel(name)) => self.queue.push_back(Work::UseModel(name)),
            Some(Command::NewSession) => self.queue.push_back(Work::NewSession),
            Some(Command::Resume(wanted)) => self.queue.push_back(Work::Resume(wanted)),
            Some(Command::NameSession(name)) => self.queue.push_back(Work::Name(name)),
            Some(Command::ReadMemory) => self.queue.push_back(Work::ReadMemory),
            Some(
                said @ (Command::Decide { .. }
                | Command::Answer(_)
                | Command::Allow(_)
                | Command::Mode(_)
                | Command::ReadRules),
            ) => {
                if let Command::Mode(mode) = said {
                    self.mode = Some(mode);
                }
                // The session hears it until it ends.
                self.said.send(said).ok();
            }
            Some(Command::Cancel) => {
                let waiting = self.queue.len();
                self.queue.retain(|work| !work.is_prompt());
                self.dropped += waiting - self.queue.len();
                cancel.cancel();
            }
            Some(Command::Shutdown) | None => {
                self.open = false;
                cancel.cancel();
            }
        }
    }
}
