//! The loop on a screen: keys, events and answers in, effects out, one picture at a time.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{FutureExt as _, LocalBoxFuture};
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use pollux_types::{Command, Event};
use rustix::io::Errno;
use tokio::sync::Notify;
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::{Instant, sleep_until};

use crate::app::{Effect, Input, Start};
use crate::attention::{self, Attention};
use crate::keys::Decoder;
use crate::line::Line;
use crate::panics::Panics;
use crate::program::{Choice, Choices, Program};
use crate::screen::{Looks, Screen};
use crate::signals::{Told, is_job, stop_job};
use crate::talk::Talk;
use crate::tty::Tty;

/// How soon one picture may follow another while text streams in. Keys never wait.
const FRAME: Duration = Duration::from_millis(16);
/// For how long the size has to be the same before something is drawn. Whoever draws for a size that
/// the terminal no longer has leaves rows behind, and tmux tells of a change at most every 250 ms.
const STEADY: Duration = Duration::from_millis(270);
/// How soon something that moves, moves on.
const TICK: Duration = Duration::from_millis(100);

/// What the REPL is made of.
pub struct Repl<'a> {
    /// To the agent.
    pub commands: Sender<Command>,
    /// From the agent.
    pub events: Receiver<Event>,
    /// The program around it.
    pub program: &'a dyn Program,
    /// What it begins with.
    pub start: Start,
    /// What the terminal can do.
    pub looks: Looks,
    /// How the person is called.
    pub attention: Attention,
    /// Told when there is more to suggest.
    pub more: Arc<Notify>,
    /// A message to begin with.
    pub first: Option<String>,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The person has left.
    Done,
    /// It was told to stop: by Ctrl+C, a signal, or because the terminal has gone.
    Stopped,
    /// The agent is no more.
    AgentGone,
}

/// Serves the person until they leave. The terminal is given back whatever happens.
pub async fn run(repl: Repl<'_>) -> io::Result<(End, Receiver<Event>)> {
    // The last thing to go: what a panic has to say is said when the terminal is itself again.
    let _panics = Panics::hold();
    let mut tty = Tty::open()?;
    tty.take()?;
    let mut running = Running::new(repl, tty)?;
    let served = AssertUnwindSafe(running.serve()).catch_unwind().await;
    let left = running.leave();
    let end = served
        .unwrap_or_else(|panic| resume_unwind(panic))
        .or_else(stopped_if_gone)?;
    left.or_else(|error| stopped_if_gone(error).map(drop))?;
    Ok((end, running.talk.events))
}

/// A terminal that has gone is a way to end, and no failure.
pub(crate) fn stopped_if_gone(error: io::Error) -> io::Result<End> {
    match Errno::from_io_error(&error) {
        Some(Errno::IO | Errno::PIPE | Errno::NXIO) => Ok(End::Stopped),
        _ => Err(error),
    }
}

struct Running<'a> {
    talk: Talk<'a>,
    screen: Screen<io::Stdout>,
    /// What can be chosen that the program is asking others for.
    choosing: FuturesUnordered<LocalBoxFuture<'a, (Choices, Vec<Choice>)>>,
    decoder: Decoder,
    more: Arc<Notify>,
    /// When the last picture was drawn.
    drawn: Instant,
    /// Since when the terminal has the size that it has, if it ever had another.
    resized: Option<Instant>,
    /// Lines for the next picture, which was not drawn because the size changed meanwhile.
    settled: Vec<Line>,
}

/// What woke the loop.
enum Woken {
    Bytes(usize),
    Escape,
    Event(Option<Event>),
    Answer(crate::program::Answer),
    Edited(io::Result<Option<String>>),
    Chosen(Choices, Vec<Choice>),
    MoreToSuggest,
    Told(Told),
    /// The terminal has gone.
    Gone,
    /// Time for the next picture.
    Tick,
}

impl<'a> Running<'a> {
    fn new(repl: Repl<'a>, tty: Tty) -> io::Result<Self> {
        Ok(Self {
            screen: Screen::new(io::stdout(), tty.size(), repl.looks),
            choosing: FuturesUnordered::new(),
            decoder: Decoder::default(),
            more: Arc::clone(&repl.more),
            drawn: Instant::now(),
            resized: None,
            settled: Vec::new(),
            talk: Talk::new(repl, tty)?,
        })
    }

    async fn serve(&mut self) -> io::Result<End> {
        self.draw()?;
        let effects = self.talk.begin();
        if let Some(end) = self.perform(effects).await? {
            return Ok(end);
        }
        let mut bytes = vec![0; 1 << 16];
        let mut due = None;
        loop {
            let woken = self.wait(&mut bytes, due).await?;
            let from_agent = matches!(woken, Woken::Event(_));
            if let Some(end) = self.take(woken, &bytes).await? {
                return Ok(end);
            }
            self.fit();
            due = self.waits_until(from_agent);
            if due.is_some() {
                continue;
            }
            self.draw()?;
            let tick = self.talk.app.is_busy().then(|| Instant::now() + TICK);
            due = tick.or(self.talk.app.listens_at());
            due = self.waits_until(false).or(due);
            due.take_if(|_| self.talk.is_lent());
        }
    }

    /// While the editor has the terminal, the agent is listened to, and nobody else: keys are the
    /// editor's, and whoever wants pollux to end waits for it too.
    async fn wait(&mut self, bytes: &mut [u8], due: Option<Instant>) -> io::Result<Woken> {
        let now = Instant::now();
        let escape = self.decoder.undecided_until();
        let (lent, ended) = (self.talk.is_lent(), self.talk.has_ended());
        let talk = &mut self.talk;
        Ok(tokio::select! {
            biased;
            told = talk.signals.next(), if !lent => Woken::Told(told),
            read = talk.tty.read(bytes), if !lent => match read {
                Ok(count) if count > 0 => Woken::Bytes(count),
                _ => Woken::Gone,
            },
            Some(edited) = async { Some(talk.editor.as_mut()?.1.as_mut().await) } => {
                Woken::Edited(edited)
            }
            () = sleep_until(escape.unwrap_or(now)), if escape.is_some() => Woken::Escape,
            () = self.more.notified() => Woken::MoreToSuggest,
            Some(answer) = talk.inquiries.next() => Woken::Answer(answer),
            Some((of, choices)) = self.choosing.next() => Woken::Chosen(of, choices),
            () = sleep_until(due.unwrap_or(now)), if due.is_some() => Woken::Tick,
            event = talk.events.recv(), if !(lent && ended) => Woken::Event(event),
        })
    }

    async fn take(&mut self, woken: Woken, bytes: &[u8]) -> io::Result<Option<End>> {
        let typed = match woken {
            Woken::Bytes(count) => self.decoder.read(&bytes[..count], Instant::now()),
            Woken::Escape => self.decoder.decide(),
            Woken::Event(None) if self.talk.is_lent() => return Ok(None),
            Woken::Event(None) => return Ok(Some(End::AgentGone)),
            Woken::Edited(edited) => return self.edited(edited).await,
            Woken::Event(Some(event)) => return self.hear(event).await,
            Woken::Answer(answer) => return self.update(Input::Told(answer)).await,
            Woken::Chosen(of, choices) => {
                return self.update(Input::AllChoices(of, choices)).await;
            }
            Woken::MoreToSuggest => return self.update(Input::More).await,
            // Every picture fits the terminal.
            Woken::Told(Told::Resized) => {
                self.screen.resized();
                self.resized = Some(Instant::now());
                return Ok(None);
            }
            Woken::Tick => return Ok(None),
            Woken::Told(Told::Suspend) => return self.perform(vec![Effect::Suspend]).await,
            Woken::Told(Told::Stop) | Woken::Gone => return Ok(Some(End::Stopped)),
        };
        for typed in typed {
            if let Some(end) = self.update(Input::Typed(typed)).await? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// This event, and all that have come with it: they are shown together.
    async fn hear(&mut self, event: Event) -> io::Result<Option<End>> {
        let mut next = Some(event);
        while let Some(event) = next {
            if let Some(end) = self.update(Input::Agent(event)).await? {
                return Ok(Some(end));
            }
            next = self.talk.events.try_recv().ok();
        }
        Ok(None)
    }

    async fn update(&mut self, input: Input) -> io::Result<Option<End>> {
        let effects = self.talk.update(input);
        self.perform(effects).await
    }

    async fn perform(&mut self, effects: Vec<Effect>) -> io::Result<Option<End>> {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Choose(of) => {
                    let more = self.talk.program.more_choices(of);
                    let named = Input::Choices {
                        of,
                        choices: self.talk.program.choices(of),
                        looking: more.is_some(),
                    };
                    effects.extend(self.talk.update(named));
                    let more = more.map(|more| more.map(move |all| (of, all)).boxed_local());
                    self.choosing.extend(more);
                }
                Effect::Copy(text) => attention::copy(&text)?,
                Effect::ClearScreen => {
                    self.draw()?;
                    self.screen.clear()?;
                }
                Effect::Color(color) => self.screen.set_color(color),
                Effect::Suspend => self.suspend()?,
                Effect::Quit => return Ok(Some(End::Done)),
                Effect::Interrupt => return Ok(Some(End::Stopped)),
                effect => {
                    if matches!(effect, Effect::Edit(_)) {
                        self.hand_over()?;
                    }
                    self.talk.perform(effect).await?;
                }
            }
        }
        Ok(None)
    }

    fn draw(&mut self) -> io::Result<()> {
        if self.talk.is_lent() {
            return Ok(());
        }
        let now = Instant::now();
        self.drawn = now;
        self.fit();
        self.talk.attention.title(self.talk.app.title())?;
        let mut view = self.talk.app.view(now);
        self.settled.append(&mut view.settled);
        // It takes its time, and so may be for a size that is gone.
        if self.talk.tty.size() == self.screen.size() {
            view.settled = std::mem::take(&mut self.settled);
            self.screen.draw(view)?;
        }
        self.fit();
        Ok(())
    }

    /// The terminal belongs to somebody else, until it is taken again.
    fn hand_over(&mut self) -> io::Result<()> {
        self.screen.leave()?;
        self.talk.tty.give_back()
    }

    /// When the next picture may be drawn, if not now.
    fn waits_until(&self, from_agent: bool) -> Option<Instant> {
        let frame = from_agent.then(|| self.drawn + FRAME);
        let steady = self.resized.map(|resized| resized + STEADY);
        frame.max(steady).filter(|at| Instant::now() < *at)
    }

    /// The terminal may have another size before anybody says so.
    fn fit(&mut self) {
        let size = self.talk.tty.size();
        if size != self.screen.size() {
            self.resized = Some(Instant::now());
        }
        self.talk.app.resize(size);
        self.screen.resize(size);
    }

    /// To the background, with the terminal as it was found meanwhile.
    fn suspend(&mut self) -> io::Result<()> {
        if !is_job()? {
            return Ok(());
        }
        self.hand_over()?;
        let stopped = stop_job();
        self.talk.tty.take()?;
        stopped
    }

    /// The editor is closed.
    async fn edited(&mut self, edited: io::Result<Option<String>>) -> io::Result<Option<End>> {
        self.talk.tty.take()?;
        match self.talk.edited(edited).await {
            Some(edited) => self.update(edited).await,
            None => Ok(None),
        }
    }

    /// The last picture without its live part, of which only what was being said stays.
    fn leave(&mut self) -> io::Result<()> {
        self.talk.app.break_off();
        let mut view = self.talk.app.view(Instant::now());
        view.settled.splice(..0, self.settled.drain(..));
        let left = self.screen.draw(view);
        let left = left.and_then(|()| self.screen.leave());
        let left = left.and_then(|()| self.talk.attention.leave());
        let given_back = self.talk.tty.give_back();
        left.and(given_back)
    }
}
