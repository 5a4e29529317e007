//! A place where something scripted waits for the test.

use std::sync::Arc;

use crate::PATIENCE;
use crate::watched::Watched;

/// Holds a scripted reply until the test opens it. Clones are the same gate.
///
/// This is how a test looks at a half-finished reply: wait until the gate is reached, look, open.
/// An open gate stays open.
#[derive(Clone, Debug, Default)]
pub struct Gate(Arc<Watched<State>>);

#[derive(Debug, Default)]
struct State {
    reached: bool,
    open: bool,
}

impl Gate {
    /// A closed gate.
    pub fn new() -> Self {
        Self::default()
    }

    /// Lets everything through from now on.
    pub fn open(&self) {
        self.0.update(|state| state.open = true);
    }

    /// Whether anything has come to the gate yet.
    pub fn is_reached(&self) -> bool {
        self.0.with(|state| state.reached)
    }

    /// Blocks until something has come to the gate; panics if nothing does in time.
    ///
    /// Blocks the whole thread: an asynchronous test uses [`Gate::reached`].
    pub fn wait_reached(&self) {
        let reached = self.0.wait(PATIENCE, |state| state.reached.then_some(()));
        reached.expect("nothing came to the gate in time");
    }

    /// As [`Gate::wait_reached`], for asynchronous tests.
    pub async fn reached(&self) {
        let reached = self.0.wait_async(|state| state.reached.then_some(()));
        reached.await.expect("nothing came to the gate in time");
    }

    /// Comes to the gate and waits until it is open.
    pub(crate) async fn pass(&self) {
        self.0.update(|state| state.reached = true);
        self.0.until(|state| state.open.then_some(())).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_gate_holds_until_it_is_opened_and_stays_open() {
        let gate = Gate::new();
        let mut waiting = std::pin::pin!(gate.pass());
        assert!(!gate.is_reached());
        assert!(futures_util::poll!(waiting.as_mut()).is_pending());
        assert!(gate.is_reached());
        gate.reached().await;

        gate.clone().open();
        waiting.await;
        gate.pass().await;
    }

    #[test]
    fn a_thread_can_wait_for_a_task_at_the_gate() {
        let gate = Gate::new();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .build()
                    .unwrap();
                runtime.block_on(gate.pass());
            });
            gate.wait_reached();
            gate.open();
        });
    }
}
