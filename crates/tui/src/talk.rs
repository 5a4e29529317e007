//! What either face of the REPL holds: the app, and all whom it deals with.

use std::io;

use futures_util::stream::FuturesUnordered;
use pollux_types::{Command, Event};
use tokio::sync::mpsc::{Receiver, Sender};
use tokio::time::Instant;

use crate::app::{App, Editing, Effect, Input};
use crate::attention::Attention;
use crate::program::{Answering, Edited, Program};
use crate::run::Repl;
use crate::signals::Signals;
use crate::tty::Tty;

pub(crate) struct Talk<'a> {
    pub(crate) app: App,
    pub(crate) tty: Tty,
    pub(crate) signals: Signals,
    pub(crate) events: Receiver<Event>,
    pub(crate) program: &'a dyn Program,
    pub(crate) attention: Attention,
    /// What the program is finding out.
    pub(crate) inquiries: FuturesUnordered<Answering<'a>>,
    /// Who has the terminal, and what for.
    pub(crate) editor: Option<(Editing, Edited<'a>)>,
    commands: Sender<Command>,
    first: Option<String>,
}

impl<'a> Talk<'a> {
    pub(crate) fn new(repl: Repl<'a>, tty: Tty) -> io::Result<Self> {
        Ok(Self {
            app: App::new(repl.start, repl.looks, tty.size()),
            tty,
            signals: Signals::listen()?,
            events: repl.events,
            program: repl.program,
            attention: repl.attention,
            inquiries: FuturesUnordered::new(),
            editor: None,
            commands: repl.commands,
            first: repl.first,
        })
    }

    /// What to do about the message that it begins with.
    pub(crate) fn begin(&mut self) -> Vec<Effect> {
        let first = self.first.take();
        first.map_or_else(Vec::new, |first| self.app.enter(&first))
    }

    pub(crate) fn update(&mut self, input: Input) -> Vec<Effect> {
        self.app.update(input, Instant::now())
    }

    /// Whether somebody else has the terminal.
    pub(crate) fn is_lent(&self) -> bool {
        self.editor.is_some()
    }

    /// Whether the agent has gone, and all that it has said is heard.
    pub(crate) fn has_ended(&self) -> bool {
        self.events.is_closed() && self.events.is_empty()
    }

    /// Does what is the same on each face.
    pub(crate) async fn perform(&mut self, effect: Effect) -> io::Result<()> {
        match effect {
            Effect::Send(command) => {
                // An agent that has gone is noticed by its events ending.
                self.commands.send(command).await.ok();
            }
            Effect::Inquire(inquiry) => self.inquiries.push(self.program.answer(inquiry)),
            Effect::Notify(_) if self.is_lent() => {}
            Effect::Notify(why) => self.attention.call(why)?,
            Effect::Edit(editing) => {
                let edited = self.program.edit(&editing.content, &editing.name);
                self.editor = Some((editing, edited));
            }
            // These each face does in its own way, or not at all.
            Effect::Choose(_)
            | Effect::Copy(_)
            | Effect::ClearScreen
            | Effect::Color(_)
            | Effect::Suspend
            | Effect::Quit
            | Effect::Interrupt => {}
        }
        Ok(())
    }

    /// The editor is closed: what has become of the text.
    pub(crate) async fn edited(&mut self, edited: io::Result<Option<String>>) -> Option<Input> {
        self.signals.forget_keys().await;
        let (editing, _) = self.editor.take()?;
        let edited = edited.map_err(|error| error.to_string());
        Some(Input::Edited(editing, edited))
    }
}
