//! A value that threads and tasks can wait for.
//!
//! Tests are synchronous or asynchronous, and what they watch runs on another thread either way;
//! so a [`Watched`] wakes both kinds of waiter, and both waits have a deadline.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;

use crate::PATIENCE;

#[derive(Debug, Default)]
pub(crate) struct Watched<T> {
    value: Mutex<T>,
    threads: Condvar,
    tasks: Notify,
}

impl<T> Watched<T> {
    pub(crate) fn new(value: T) -> Self {
        Self {
            value: Mutex::new(value),
            threads: Condvar::new(),
            tasks: Notify::new(),
        }
    }

    /// Looks at the value, or changes it without waking anybody.
    pub(crate) fn with<R>(&self, look: impl FnOnce(&mut T) -> R) -> R {
        look(&mut self.lock())
    }

    /// Changes the value and wakes whoever waits.
    pub(crate) fn update<R>(&self, change: impl FnOnce(&mut T) -> R) -> R {
        let result = change(&mut self.lock());
        self.threads.notify_all();
        self.tasks.notify_waiters();
        result
    }

    /// Blocks until `want` gives something; `None` if the deadline passes first.
    pub(crate) fn wait<R>(
        &self,
        deadline: Duration,
        mut want: impl FnMut(&mut T) -> Option<R>,
    ) -> Option<R> {
        let mut found = None;
        let not_yet = |value: &mut T| {
            found = want(value);
            found.is_none()
        };
        let waited = self
            .threads
            .wait_timeout_while(self.lock(), deadline, not_yet);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
        found
    }

    /// As [`Watched::wait`], without blocking the thread.
    pub(crate) async fn wait_async<R>(&self, want: impl FnMut(&mut T) -> Option<R>) -> Option<R> {
        tokio::time::timeout(PATIENCE, self.until(want)).await.ok()
    }

    /// As [`Watched::wait_async`], for as long as it takes.
    pub(crate) async fn until<R>(&self, mut want: impl FnMut(&mut T) -> Option<R>) -> R {
        loop {
            // Listening starts before the look, or a change in between would go unnoticed.
            let mut changed = std::pin::pin!(self.tasks.notified());
            changed.as_mut().enable();
            if let Some(found) = self.with(&mut want) {
                return found;
            }
            changed.await;
        }
    }

    /// A panic elsewhere is reported where it happened; here the value is still good to read.
    fn lock(&self) -> MutexGuard<'_, T> {
        self.value.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
