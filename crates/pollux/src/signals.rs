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
/// reads. The first signal asks for an orderly end; a second one, or too long a wait, is the end.
pub(crate) struct Signals {
    stops: mpsc::Receiver<()>,
}

impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        let (sender, stops) = mpsc::channel(1);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let mut heard = {
            let _context = runtime.enter();
            Heard::new()?
        };
        std::thread::Builder::new()
            .name("signals".into())
            .spawn(move || runtime.block_on(watch(&mut heard, &sender)))?;
        Ok(Self { stops })
    }

    /// Returns when one arrives.
    pub(crate) async fn stop(&mut self) {
        if self.stops.recv().await.is_none() {
            // Nobody listens any more; nothing will come.
            std::future::pending::<()>().await;
        }
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

    async fn next(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}

#[expect(clippy::exit, reason = "the orderly way did not lead to an end")]
async fn watch(heard: &mut Heard, sender: &mpsc::Sender<()>) {
    heard.next().await;
    sender.send(()).await.ok();
    tokio::time::timeout(PATIENCE, heard.next()).await.ok();
    std::process::exit(Exit::Cancelled.code().into())
}
