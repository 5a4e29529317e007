//! The helper of a program that stays: it sees that nothing of it is left behind.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::Duration;

use rustix::process::{Pid, Signal, getpgrp, getppid, kill_process_group, setsid};
use tokio::process::{Child, Command};
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{sleep, timeout};

/// How long the program may take to end when it is asked to.
const GRACE: Duration = Duration::from_secs(1);

/// How often to look whether whoever wants the program is there.
const LOOKS: Duration = Duration::from_secs(1);

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
    let parent = words.next().as_deref().and_then(process_named);
    let parent = parent.ok_or(io::ErrorKind::InvalidInput)?;
    let program = words.next().ok_or(io::ErrorKind::InvalidInput)?;
    if !is_child_of(parent) {
        return Err(io::Error::other("nobody wants it any more"));
    }
    let started = Command::new(&program).args(words).spawn();
    let mut child = started.map_err(|error| {
        io::Error::other(format!("`{}` was not started: {error}", program.display()))
    })?;
    let ended = tokio::select! {
        ended = child.wait() => Some(ended?),
        _ = released.recv() => asked_to_end(&mut child).await,
        () = orphaned(parent) => asked_to_end(&mut child).await,
    };
    Ok(ended.map_or("it did not end by itself".to_owned(), described))
}

/// Asks all processes of the group to end, and waits for a while.
async fn asked_to_end(child: &mut Child) -> Option<ExitStatus> {
    kill_process_group(getpgrp(), Signal::TERM).ok();
    let ended = timeout(GRACE, child.wait()).await;
    ended.ok()?.ok()
}

/// Returns when this process is not, or no longer, the child of `parent`. The signal that Linux sends
/// at the death of a parent is not what is wanted: it is sent when the *thread* ends that started the
/// child, and threads come and go while pollux lives. To look now and then is good enough: the input
/// of the program ends with pollux too, so most have ended before, and it works everywhere.
async fn orphaned(parent: Pid) {
    while is_child_of(parent) {
        sleep(LOOKS).await;
    }
}

fn is_child_of(parent: Pid) -> bool {
    getppid() == Some(parent)
}

fn process_named(word: &OsStr) -> Option<Pid> {
    Pid::from_raw(word.to_str()?.parse().ok()?)
}

fn described(ended: ExitStatus) -> String {
    match (ended.code(), ended.signal()) {
        (Some(code), _) => format!("it ended with exit code {code}"),
        (None, signal) => format!("it was ended by signal {}", signal.unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use std::process::id;

    use rustix::process::getpid;

    use super::*;

    /// How a shell ends that runs `script`.
    #[expect(
        clippy::disallowed_methods,
        reason = "a program that ends by itself, waited for"
    )]
    fn ended(script: &str) -> ExitStatus {
        let shell = std::process::Command::new("sh")
            .args(["-c", script])
            .status();
        shell.unwrap()
    }

    #[test]
    fn an_end_is_described() {
        assert_eq!(described(ended("exit 3")), "it ended with exit code 3");
        assert_eq!(described(ended("kill -9 $$")), "it was ended by signal 9");
    }

    #[test]
    fn whoever_wants_it_is_named_by_a_number() {
        let own = id().to_string();
        assert_eq!(process_named(own.as_ref()), Some(getpid()));
        for wrong in ["", "0", "x", "99999999999"] {
            assert_eq!(process_named(wrong.as_ref()), None, "{wrong}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_has_their_parent_is_no_orphan() {
        let orphaned = orphaned(getppid().unwrap());
        assert!(timeout(10 * LOOKS, orphaned).await.is_err());
    }

    #[tokio::test]
    async fn the_child_of_another_is_an_orphan() {
        orphaned(getpid()).await;
    }
}
