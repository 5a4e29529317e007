//! Being told to stop.

use std::io;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::mpsc;

use crate::failure::Exit;

/// How long an orderly end may take before it is cut short.
const PATIENCE: Duration = Duration::from_secs(3);

/// The signals that end a run: Ctrl+C, a terminal that goes away, a polite kill.
///
/// They are heard on a thread of their own, since whoever prints may be stuck in a pipe that nobody
/// reads. The first signal asks for an orderly end; a second one, or too long a wait, is the end,
/// unless somebody says that the first was heeded and the run goes on.
pub(crate) struct Signals {
    stops: mpsc::Receiver<Stop>,
    heeded: mpsc::Sender<()>,
}

/// What is to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// What is going on: Ctrl+C.
    Work,
    /// The program.
    Program,
}

impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        let (sender, stops) = mpsc::channel(1);
        let (heeded, mut calmed) = mpsc::channel(1);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let mut heard = {
            let _context = runtime.enter();
            Heard::new()?
        };
        std::thread::Builder::new()
            .name("signals".into())
            .spawn(move || runtime.block_on(watch(&mut heard, &sender, &mut calmed)))?;
        Ok(Self { stops, heeded })
    }

    /// Returns when one arrives.
    pub(crate) async fn stop(&mut self) -> Stop {
        match self.stops.recv().await {
            Some(stop) => stop,
            // Nobody listens any more; nothing will come.
            None => std::future::pending().await,
        }
    }

    /// What was to stop is stopping, and the run goes on: the next signal is a first one again.
    pub(crate) fn heed(&mut self) {
        // It is full only if the last one was not even read.
        self.heeded.try_send(()).ok();
    }
}

struct Heard([Signal; 3]);

impl Heard {
    fn new() -> io::Result<Self> {
        let kinds = [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            SignalKind::hangup(),
        ];
        let [interrupt, terminate, hangup] = kinds.map(signal);
        Ok(Self([interrupt?, terminate?, hangup?]))
    }

    async fn next(&mut self) -> Stop {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => Stop::Work,
            _ = terminate.recv() => Stop::Program,
            _ = hangup.recv() => Stop::Program,
        }
    }
}

#[expect(clippy::exit, reason = "the orderly way did not lead to an end")]
async fn watch(heard: &mut Heard, sender: &mpsc::Sender<Stop>, calmed: &mut mpsc::Receiver<()>) {
    loop {
        let stop = heard.next().await;
        sender.send(stop).await.ok();
        tokio::select! {
            biased;
            Some(()) = calmed.recv() => {}
            _ = tokio::time::timeout(PATIENCE, heard.next()) => {
                std::process::exit(Exit::Cancelled.code().into())
            }
        }
    }
}
