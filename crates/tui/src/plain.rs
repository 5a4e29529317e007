//! The loop for those who want plain lines: screen readers, and terminals that can do nothing else.
//!
//! It turns the same app, and shows it differently: the terminal stays as it was found, in its
//! own line mode. What is settled is printed once, without looks; what only moves is left out. When
//! something is to be typed, a prompt is printed, and the line that comes is given to the app.

use std::io::{self, Write as _};
use std::time::Duration;

use futures_util::stream::StreamExt as _;
use pollux_types::Event;
use tokio::sync::mpsc::Receiver;
use tokio::time::{Instant, sleep_until};

use crate::app::{Effect, Input, Purpose};
use crate::line::Line;
use crate::panics::Panics;
use crate::program;
use crate::run::{End, Repl, stopped_if_gone};
use crate::signals::{Told, is_job, stop_job};
use crate::style::Style;
use crate::talk::Talk;
use crate::tty::Tty;

/// Nobody is asked for a message before nothing has happened for so long: a prompt stays where it is
/// printed, and what comes after it would part it from what is typed.
const CALM: Duration = Duration::from_millis(30);
/// After so long without a word it is said that pollux works; then after twice as long, and so on.
const QUIET: Duration = Duration::from_secs(2);
/// What a line is gone on with after.
const GOES_ON: &str = "> ";

/// Serves the person until they leave.
pub async fn run(repl: Repl<'_>) -> io::Result<(End, Receiver<Event>)> {
    let _panics = Panics::hold();
    let mut running = Running::new(repl)?;
    let end = running.serve().await.or_else(stopped_if_gone)?;
    let left = running.leave();
    left.or_else(|error| stopped_if_gone(error).map(drop))?;
    Ok((end, running.talk.events))
}

struct Running<'a> {
    talk: Talk<'a>,
    /// Bytes of a line that has not ended.
    bytes: Vec<u8>,
    /// Lines of a message that goes on.
    begun: String,
    /// The line that is left open for somebody to type after.
    open: Option<Line>,
    /// When something last happened.
    happened: Instant,
    /// When something was last printed or typed, and how long it may be quiet after that.
    printed: Instant,
    quiet: Duration,
}

/// What woke the loop.
enum Woken {
    Bytes(usize),
    /// No more lines come.
    NoMore,
    Told(Told),
    Event(Option<Event>),
    Answer(program::Answer),
    Edited(io::Result<Option<String>>),
    Tick,
}

impl<'a> Running<'a> {
    fn new(repl: Repl<'a>) -> io::Result<Self> {
        let mut talk = Talk::new(repl, Tty::open()?)?;
        talk.app = talk.app.plain();
        let now = Instant::now();
        Ok(Self {
            talk,
            bytes: Vec::new(),
            begun: String::new(),
            open: None,
            happened: now,
            printed: now,
            quiet: QUIET,
        })
    }

    async fn serve(&mut self) -> io::Result<End> {
        let effects = self.talk.begin();
        if let Some(end) = self.perform(effects).await? {
            return Ok(end);
        }
        let mut bytes = vec![0; 1 << 12];
        loop {
            self.show(Instant::now())?;
            let woken = self.wait(&mut bytes).await;
            if !matches!(woken, Woken::Tick) {
                self.happened = Instant::now();
            }
            if let Some(end) = self.take(woken, &bytes).await? {
                return Ok(end);
            }
        }
    }

    /// While the editor has the terminal, the agent is listened to, and nobody else.
    async fn wait(&mut self, bytes: &mut [u8]) -> Woken {
        let now = Instant::now();
        let (lent, ended) = (self.talk.is_lent(), self.talk.has_ended());
        let due = self.due(now).filter(|_| !lent);
        let talk = &mut self.talk;
        tokio::select! {
            biased;
            told = talk.signals.next(), if !lent => Woken::Told(told),
            () = sleep_until(due.unwrap_or(now)), if due.is_some() => Woken::Tick,
            read = talk.tty.read(bytes), if !lent => match read {
                Ok(count) if count > 0 => Woken::Bytes(count),
                Ok(_) if !talk.tty.is_gone() => Woken::NoMore,
                _ => Woken::Told(Told::Stop),
            },
            Some(edited) = async { Some(talk.editor.as_mut()?.1.as_mut().await) } => {
                Woken::Edited(edited)
            }
            Some(answer) = talk.inquiries.next() => Woken::Answer(answer),
            event = talk.events.recv(), if !(lent && ended) => Woken::Event(event),
        }
    }

    /// When there is something to print although nothing happens.
    fn due(&self, now: Instant) -> Option<Instant> {
        let asks = self.prompt().map(|_| self.happened + CALM);
        let works = self
            .talk
            .app
            .at_work(now)
            .map(|_| self.printed + self.quiet);
        [asks, works, self.talk.app.listens_at()]
            .into_iter()
            .flatten()
            .min()
    }

    async fn take(&mut self, woken: Woken, bytes: &[u8]) -> io::Result<Option<End>> {
        match woken {
            Woken::Bytes(count) => self.typed(&bytes[..count]).await,
            Woken::NoMore => Ok(Some(End::Done)),
            Woken::Told(Told::Stop) => Ok(Some(End::Stopped)),
            Woken::Told(Told::Suspend) => self.perform(vec![Effect::Suspend]).await,
            Woken::Event(None) if !self.talk.is_lent() => Ok(Some(End::AgentGone)),
            Woken::Event(Some(event)) => self.update(Input::Agent(event)).await,
            Woken::Answer(answer) => self.update(Input::Told(answer)).await,
            Woken::Edited(edited) => self.edited(edited).await,
            Woken::Told(Told::Resized) | Woken::Event(None) | Woken::Tick => Ok(None),
        }
    }

    /// Takes what was typed, a line at a time.
    async fn typed(&mut self, bytes: &[u8]) -> io::Result<Option<End>> {
        self.bytes.extend_from_slice(bytes);
        while let Some(at) = self.bytes.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.bytes.drain(..=at).collect();
            let line = String::from_utf8_lossy(&line[..at]).into_owned();
            self.open = None;
            self.heard_of(Instant::now());
            if let Some(end) = self.line(&line).await? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// A message goes on after a backslash, as everywhere; an answer is a line.
    async fn line(&mut self, line: &str) -> io::Result<Option<End>> {
        let answers = self.talk.app.is_asking();
        if let Some(line) = line.strip_suffix('\\').filter(|_| !answers) {
            self.begun += line;
            self.begun.push('\n');
            return Ok(None);
        }
        let line = if answers {
            line.to_owned()
        } else {
            std::mem::take(&mut self.begun) + line
        };
        let effects = self.talk.app.read(&line, Instant::now());
        self.perform(effects).await
    }

    async fn update(&mut self, input: Input) -> io::Result<Option<End>> {
        let effects = self.talk.update(input);
        self.perform(effects).await
    }

    async fn perform(&mut self, effects: Vec<Effect>) -> io::Result<Option<End>> {
        for effect in effects {
            match effect {
                Effect::Suspend if is_job()? => {
                    stop_job()?;
                    self.open = None;
                }
                Effect::Quit => return Ok(Some(End::Done)),
                Effect::Interrupt => return Ok(Some(End::Stopped)),
                // There is no screen, no colour, no menu and no clipboard.
                effect => self.talk.perform(effect).await?,
            }
        }
        Ok(None)
    }

    /// The editor is closed. A message that was written there is sent.
    async fn edited(&mut self, edited: io::Result<Option<String>>) -> io::Result<Option<End>> {
        let Some(edited) = self.talk.edited(edited).await else {
            return Ok(None);
        };
        let is_message =
            matches!(&edited, Input::Edited(editing, _) if editing.purpose == Purpose::Message);
        if let Some(end) = self.update(edited).await? {
            return Ok(Some(end));
        }
        match self.talk.app.take_draft().filter(|_| is_message) {
            Some(message) => {
                let effects = self.talk.app.enter(&message);
                self.perform(effects).await
            }
            None => Ok(None),
        }
    }

    /// Prints what is settled, and then what is to be typed after, or that something goes on.
    fn show(&mut self, now: Instant) -> io::Result<()> {
        if self.talk.is_lent() {
            return Ok(());
        }
        self.talk.app.resize(self.talk.tty.size());
        self.talk.app.drop_draft();
        let settled = self.talk.app.settled(now);
        if !settled.is_empty() {
            self.print(&settled, now)?;
        }
        let calm = self.talk.app.is_asking() || now >= self.happened + CALM;
        if let Some(mut prompt) = self.prompt().filter(|_| calm) {
            let open = prompt.pop();
            self.print(&prompt, now)?;
            put(&open.as_ref().map(Line::text).unwrap_or_default())?;
            self.open = open;
        }
        if let Some(line) = self.talk.app.at_work(now)
            && now >= self.printed + self.quiet
        {
            let longer = self.quiet * 2;
            self.print(&[line], now)?;
            self.quiet = longer;
        }
        Ok(())
    }

    /// What is to be printed for somebody to type after, unless it stands there. Answers that are on
    /// their way come first.
    fn prompt(&self) -> Option<Vec<Line>> {
        let mut prompt = self
            .talk
            .app
            .wanted()
            .filter(|_| self.talk.inquiries.is_empty())?;
        if !self.begun.is_empty() && !self.talk.app.is_asking() {
            prompt = vec![Line::new(GOES_ON, Style::PLAIN)];
        }
        (self.open.as_ref() != prompt.last()).then_some(prompt)
    }

    fn print(&mut self, lines: &[Line], now: Instant) -> io::Result<()> {
        let begin = if self.open.take().is_some() { "\n" } else { "" };
        let lines = lines.iter().map(|line| line.text() + "\n");
        put(&(begin.to_owned() + &lines.collect::<String>()))?;
        self.heard_of(now);
        Ok(())
    }

    /// Somebody has said something: it is not quiet.
    fn heard_of(&mut self, now: Instant) {
        self.printed = now;
        self.quiet = QUIET;
    }

    /// Prints what was being said, and ends the line.
    fn leave(&mut self) -> io::Result<()> {
        self.talk.app.break_off();
        let now = Instant::now();
        let settled = self.talk.app.settled(now);
        self.print(&settled, now)
    }
}

fn put(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}
