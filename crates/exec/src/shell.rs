//! One shell command, from start to an empty process group.
//!
//! A command ends in one of four ways ([`ShellEnd`]); each of them, and dropping the future,
//! leaves no process of its group alive. In a sandbox that goes for all its processes. Without one,
//! those that have left the group on purpose (daemons) are not followed, but they cannot keep a
//! call open either.

mod confined;

use std::convert::Infallible;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStderr, ChildStdout, Command};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::capture::Captured;
use crate::group::Group;
use crate::live::Live;
use crate::sandbox::{Confinement, Denied, Excess};
use confined::{Heard, Helper};

/// How long a process may take to end when asked, and pipes to run dry once it has.
const GRACE: Duration = Duration::from_millis(200);

/// The same where a person has stopped it, and waits.
const SHORT_GRACE: Duration = Duration::from_millis(80);

/// Set for every command, so that nothing opens a pager, an editor or a password prompt.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("POLLUX", "1"),
    ("TERM", "dumb"),
    ("NO_COLOR", "1"),
    ("PAGER", "cat"),
    ("GIT_PAGER", "cat"),
    ("GIT_EDITOR", "true"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("SSH_ASKPASS", "false"),
    ("SSH_ASKPASS_REQUIRE", "force"),
    ("DEBIAN_FRONTEND", "noninteractive"),
];

/// A command to run.
#[derive(Clone, Debug)]
pub struct ShellJob {
    /// For `bash -c`, or `sh -c` where there is no bash.
    pub command: String,
    /// Where it runs.
    pub dir: PathBuf,
    /// How long it may run.
    pub timeout: Duration,
    /// How many bytes of each stream are kept.
    pub output_limit: usize,
    /// Variables that it does not get to see.
    pub hidden_variables: Vec<String>,
    /// Variables that it gets to see besides those of pollux.
    pub variables: Vec<(String, OsString)>,
    /// The sandbox it runs in.
    pub confinement: Confinement,
    /// Where its output is seen while it runs.
    pub live: Live,
}

/// A command that has ended.
#[derive(Clone, Debug)]
pub struct ShellExit {
    /// How.
    pub end: ShellEnd,
    /// What it printed.
    pub stdout: Captured,
    /// What it complained about.
    pub stderr: Captured,
    /// The permission that it was most likely missing, if it failed for want of one.
    pub denied: Option<Denied>,
    /// The limit for which it was ended, if it took too much of the machine.
    pub excess: Option<Excess>,
    /// Protected files that were changed while it ran, and put back.
    pub put_back: Vec<PathBuf>,
    /// Directories in which is kept what was found in their place.
    pub kept_aside: Vec<PathBuf>,
    /// Protected files that were changed while it ran, for good.
    pub damaged: Vec<PathBuf>,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellEnd {
    /// By itself, with this exit code.
    Exited(i32),
    /// By a signal that did not come from here.
    Signalled(i32),
    /// It was killed because its time was up.
    TimedOut,
    /// It was killed because the caller no longer wanted it.
    Cancelled,
}

/// A command that could not be started.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    /// The directory is not there, or cannot be entered.
    #[error("entering `{}`", dir.display())]
    Directory {
        /// Which one.
        dir: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is no shell, or the system has no room for another process.
    #[error("starting a shell")]
    Shell(#[source] io::Error),
    /// The sandbox does not hold, so nothing was run.
    #[error("no sandbox: {0}")]
    Sandbox(String),
}

/// Runs a command and waits until it and all its descendants have ended.
///
/// Dropping the future kills them.
pub async fn run_shell(job: ShellJob, cancel: &CancellationToken) -> Result<ShellExit, SpawnError> {
    let (mut child, leash) = spawn(&job)?;
    let mut pipes = Pipes::of(&mut child, &job);
    let end = tokio::select! {
        biased;
        () = cancel.cancelled() => ShellEnd::Cancelled,
        // Waiting fails only if somebody else has reaped the child: then nobody knows its code.
        status = child.wait() => status.map_or(ShellEnd::Exited(-1), ended),
        () = sleep(job.timeout) => ShellEnd::TimedOut,
        never = pipes.drain_for_ever() => match never {},
    };
    let heard = clear(child, leash, &mut pipes, end).await;
    let stopped = matches!(end, ShellEnd::TimedOut | ShellEnd::Cancelled);
    let end = match (heard.end, &job.confinement) {
        _ if stopped => end,
        (Some(end), _) => end?,
        (None, Confinement::Unconfined(_)) => end,
        (None, Confinement::Confined(_)) => {
            return Err(SpawnError::Sandbox(
                "its helper ended without a word".into(),
            ));
        }
    };
    Ok(ShellExit {
        denied: denied(&job, end, &pipes.stderr.captured),
        end,
        stdout: pipes.stdout.captured,
        stderr: pipes.stderr.captured,
        excess: heard.excess,
        put_back: heard.put_back,
        kept_aside: heard.kept_aside,
        damaged: heard.damaged,
    })
}

fn denied(job: &ShellJob, end: ShellEnd, errors: &Captured) -> Option<Denied> {
    match (&job.confinement, end) {
        (Confinement::Confined(cell), ShellEnd::Exited(code)) if code != 0 => {
            crate::sandbox::likely(&errors.text(), &job.dir, cell.rung(), cell.policy())
        }
        _ => None,
    }
}

/// What holds the processes of a command.
enum Leash {
    Group(Group),
    Helper(Helper),
}

impl Leash {
    fn terminate(&self) {
        match self {
            Self::Group(group) => group.terminate(),
            Self::Helper(helper) => helper.terminate(),
        }
    }
}

/// Empties the group and the pipes. Each step has a bound, so that neither a process that the
/// system cannot kill nor a daemon that holds a pipe can keep the call open.
async fn clear(mut child: Child, leash: Leash, pipes: &mut Pipes, end: ShellEnd) -> Heard {
    if matches!(end, ShellEnd::TimedOut | ShellEnd::Cancelled) {
        leash.terminate();
    }
    let grace = match end {
        ShellEnd::Cancelled => SHORT_GRACE,
        _ => GRACE,
    };
    // A background process may still have a last word for the pipes; after that it goes too.
    let quiet = timeout(grace, async { tokio::join!(child.wait(), pipes.drain()) }).await;
    let (patience, helper) = match leash {
        Leash::Group(group) => {
            group.kill();
            (GRACE, None)
        }
        Leash::Helper(helper) => {
            helper.hang_up();
            (Helper::PATIENCE, Some(helper))
        }
    };
    if quiet.is_err() {
        // What an unkillable process leaves to reap is reaped by tokio.
        timeout(patience, async {
            tokio::join!(child.wait(), pipes.drain())
        })
        .await
        .ok();
    }
    helper.map(Helper::heard).unwrap_or_default()
}

fn ended(status: ExitStatus) -> ShellEnd {
    match (status.code(), status.signal()) {
        (Some(code), _) => ShellEnd::Exited(code),
        (None, signal) => ShellEnd::Signalled(signal.unwrap_or_default()),
    }
}

fn spawn(job: &ShellJob) -> Result<(Child, Leash), SpawnError> {
    // A directory that is not there gives the same error as a shell that is not there.
    enter(&job.dir).map_err(|source| SpawnError::Directory {
        dir: job.dir.clone(),
        source,
    })?;
    if let Confinement::Confined(cell) = &job.confinement {
        let (child, helper) = confined::spawn(job, cell)?;
        return Ok((child, Leash::Helper(helper)));
    }
    let child = shell("bash", job).or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => shell("sh", job),
        _ => Err(error),
    });
    let child = child.map_err(SpawnError::Shell)?;
    let group = Group::led_by(child.id());
    Ok((child, Leash::Group(group)))
}

fn enter(dir: &Path) -> io::Result<()> {
    if std::fs::metadata(dir)?.is_dir() {
        Ok(())
    } else {
        Err(io::ErrorKind::NotADirectory.into())
    }
}

fn shell(program: &str, job: &ShellJob) -> io::Result<Child> {
    let mut command = quiet(program.as_ref(), job);
    command.arg("-c").arg(&job.command).stdin(Stdio::null());
    command.process_group(0).spawn()
}

/// A program in the job's directory and environment, whose output is read.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place where commands of models are started"
)]
fn quiet(program: &Path, job: &ShellJob) -> Command {
    let mut command = Command::new(program);
    for name in &job.hidden_variables {
        command.env_remove(name);
    }
    command
        .current_dir(&job.dir)
        .envs(ENVIRONMENT.iter().copied())
        .envs(job.variables.iter().map(|(name, value)| (name, value)))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Both output streams of a child.
struct Pipes {
    stdout: Pipe<ChildStdout>,
    stderr: Pipe<ChildStderr>,
}

impl Pipes {
    fn of(child: &mut Child, job: &ShellJob) -> Self {
        Self {
            stdout: Pipe::new(child.stdout.take(), job),
            stderr: Pipe::new(child.stderr.take(), job),
        }
    }

    /// Reads both until nobody holds them open. May be given up and taken up again.
    async fn drain(&mut self) {
        tokio::join!(self.stdout.drain(), self.stderr.drain());
    }

    async fn drain_for_ever(&mut self) -> Infallible {
        self.drain().await;
        std::future::pending().await
    }
}

struct Pipe<R> {
    source: Option<R>,
    captured: Captured,
    live: Live,
}

impl<R: AsyncRead + Unpin> Pipe<R> {
    fn new(source: Option<R>, job: &ShellJob) -> Self {
        Self {
            source,
            captured: Captured::new(job.output_limit),
            live: job.live.clone(),
        }
    }

    async fn drain(&mut self) {
        let mut chunk = vec![0; 16 * 1024];
        while let Some(source) = &mut self.source {
            match source.read(&mut chunk).await {
                Ok(0) | Err(_) => self.source = None,
                Ok(count) => {
                    self.captured.push(&chunk[..count]);
                    self.live.push(&chunk[..count]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
