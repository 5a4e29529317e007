//! Being told to stop.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that end a run: Ctrl+C, a terminal that goes away, a polite kill.
pub(crate) struct Signals([Signal; 3]);

impl Signals {
    pub(crate) fn listen() -> std::io::Result<Self> {
        let kinds = [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            SignalKind::hangup(),
        ];
        let [interrupt, terminate, hangup] = kinds.map(signal);
        Ok(Self([interrupt?, terminate?, hangup?]))
    }

    /// Returns when one arrives.
    pub(crate) async fn stop(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }
}
