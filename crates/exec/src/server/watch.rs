//! The helper of a program that stays: it sees that nothing of it is left behind.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::{Pid, Signal, getpgrp, kill_process_group, setsid};
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::timeout;

/// How long the program may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(1);

/// The exit code where nothing was started, as shells have it.
const NOT_STARTED: u8 = 127;

/// Runs a program until it ends, or until whoever wanted it lets go of it or is gone: all that the
/// hidden subcommand does. The first of `words` is the number of the process that wants it. Ends
/// this process too, and returns only where nothing was started.
pub fn watch(words: impl IntoIterator<Item = OsString>) -> u8 {
    let (said, is_started) = match run(words.into_iter()) {
        Ok(said) => (said, true),
        Err(error) => (error.to_string(), false),
    };
    // Together with what the program has complained about; perhaps nobody reads that any more.
    writeln!(io::stderr(), "{said}").ok();
    if is_started {
        // All that it has started, and this process.
        kill_process_group(getpgrp(), Signal::KILL).ok();
    }
    NOT_STARTED
}

/// What there is to say of its end.
fn run(words: impl Iterator<Item = OsString>) -> io::Result<String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(attend(words))
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the helper that was started for it"
)]
async fn attend(mut words: impl Iterator<Item = OsString>) -> io::Result<String> {
    // A group of its own, and no terminal to ask somebody on.
    setsid()?;
    let mut released = signal(SignalKind::terminate())?;
    let parent = words.next().ok_or(io::ErrorKind::InvalidInput)?;
    let program = words.next().ok_or(io::ErrorKind::InvalidInput)?;
    tie_to(&parent)?;
    let started = Command::new(&program).args(words).spawn();
    let mut child = started.map_err(|error| {
        io::Error::other(format!("`{}` was not started: {error}", program.display()))
    })?;
    let ended = tokio::select! {
        ended = child.wait() => ended?,
        _ = released.recv() => match asked_to_end(&mut child).await {
            Some(ended) => ended,
            None => return Ok("it did not end by itself".to_owned()),
        },
    };
    Ok(described(ended))
}

/// Asks all processes of the group to end, and waits for a while.
async fn asked_to_end(child: &mut Child) -> Option<ExitStatus> {
    kill_process_group(getpgrp(), Signal::TERM).ok();
    let ended = timeout(GRACE, child.wait()).await;
    ended.ok()?.ok()
}

/// When the process that wants the program dies, it is as if it had let go of it.
#[cfg(target_os = "linux")]
fn tie_to(parent: &OsString) -> io::Result<()> {
    use rustix::process::{getppid, set_parent_process_death_signal};
    set_parent_process_death_signal(Some(Signal::TERM))?;
    // It may have died before that.
    let found = getppid().map(Pid::as_raw_nonzero);
    if found.map(|found| found.to_string().into()).as_ref() == Some(parent) {
        Ok(())
    } else {
        Err(io::Error::other("nobody wants it any more"))
    }
}

#[cfg(not(target_os = "linux"))]
fn tie_to(_parent: &OsString) -> io::Result<()> {
    Ok(())
}

fn described(ended: ExitStatus) -> String {
    match (ended.code(), ended.signal()) {
        (Some(code), _) => format!("it ended with exit code {code}"),
        (None, signal) => format!("it was ended by signal {}", signal.unwrap_or_default()),
    }
}
