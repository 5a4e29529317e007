//! What the system tells: another size, to the background, the end.

use std::io;

use futures_util::future::FutureExt as _;
use rustix::process::{getpgrp, getsid, kill_current_process_group};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// The terminal has another size.
    Resized,
    /// To the background.
    Suspend,
    /// The end.
    Stop,
}

pub(crate) struct Signals {
    resized: Signal,
    suspended: Signal,
    interrupted: Signal,
    terminated: Signal,
    hung_up: Signal,
}

impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            resized: signal(SignalKind::window_change())?,
            suspended: signal(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()))?,
            // In raw mode it comes from elsewhere: there the key is a key.
            interrupted: signal(SignalKind::interrupt())?,
            terminated: signal(SignalKind::terminate())?,
            hung_up: signal(SignalKind::hangup())?,
        })
    }

    /// Ctrl+C and Ctrl+Z were for the program that had the terminal.
    pub(crate) async fn forget_keys(&mut self) {
        // The runtime hears of signals while nobody runs.
        tokio::task::yield_now().await;
        for key in [&mut self.interrupted, &mut self.suspended] {
            while let Some(Some(())) = key.recv().now_or_never() {}
        }
    }

    pub(crate) async fn next(&mut self) -> Told {
        tokio::select! {
            _ = self.resized.recv() => Told::Resized,
            _ = self.suspended.recv() => Told::Suspend,
            _ = self.interrupted.recv() => Told::Stop,
            _ = self.terminated.recv() => Told::Stop,
            _ = self.hung_up.recv() => Told::Stop,
        }
    }
}

/// Whether there is a shell that can let this job go on: jobs have a group of their own.
pub(crate) fn is_job() -> io::Result<bool> {
    Ok(getsid(None)? != getpgrp())
}

/// Stops this job, as Ctrl+Z does with any other, until the shell lets it go on.
pub(crate) fn stop_job() -> io::Result<()> {
    Ok(kill_current_process_group(rustix::process::Signal::STOP)?)
}
