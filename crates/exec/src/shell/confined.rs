//! A command behind the sandbox's helper.
//!
//! Both hold one end of a socket: over it the command is asked to end, and the helper tells how it
//! went. Hanging up, also by dying, makes the helper end everything.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use tokio::process::Child;

use super::{ShellEnd, ShellJob, SpawnError, quiet};
use crate::sandbox::report::Report;
use crate::sandbox::{Cell, END, Excess};

/// Where there is a bash, if anywhere.
const BASH: &[&str] = &[
    "/bin/bash",
    "/usr/bin/bash",
    "/usr/local/bin/bash",
    "/run/current-system/sw/bin/bash",
];

/// The caller's end of the socket.
pub(super) struct Helper(UnixStream);

/// What the helper said.
#[derive(Default)]
pub(super) struct Heard {
    /// How the command ended, or why it was not started.
    pub(super) end: Option<Result<ShellEnd, SpawnError>>,
    /// The limit for which it was ended.
    pub(super) excess: Option<Excess>,
    pub(super) put_back: Vec<PathBuf>,
    pub(super) kept_aside: Vec<PathBuf>,
    pub(super) damaged: Vec<PathBuf>,
}

/// Starts the helper, and through it the job's command.
pub(super) fn spawn(job: &ShellJob, cell: &Cell) -> Result<(Child, Helper), SpawnError> {
    if job.command.contains('\0') {
        return Err(SpawnError::Shell(std::io::ErrorKind::InvalidInput.into()));
    }
    let started =
        |error: std::io::Error| SpawnError::Sandbox(format!("starting its helper: {error}"));
    let (ours, theirs) = UnixStream::pair().map_err(started)?;
    ours.set_nonblocking(true).map_err(started)?;
    let has_bash = BASH.iter().any(|bash| Path::new(bash).exists());
    let shell = if has_bash { "bash" } else { "sh" };
    let command = vec![shell.into(), "-c".into(), job.command.clone().into()];
    let (helper, args) = cell.helper(job.dir.clone(), command, true);
    let mut helper = quiet(&helper, job);
    helper.args(args).envs(cell.variables());
    helper.stdin(Stdio::from(OwnedFd::from(theirs)));
    Ok((helper.spawn().map_err(started)?, Helper(ours)))
}

impl Helper {
    /// How long it may take to end everything. It gives up by itself before that.
    pub(super) const PATIENCE: Duration = Duration::from_secs(3);

    /// Asks the command to end.
    pub(super) fn terminate(&self) {
        // If it does not listen, it has ended.
        (&self.0).write_all(&[END]).ok();
    }

    /// Has everything ended at once.
    pub(super) fn hang_up(&self) {
        self.0.shutdown(Shutdown::Write).ok();
    }

    /// What it said, now that it is gone.
    pub(super) fn heard(mut self) -> Heard {
        let mut said = Vec::new();
        // An error means that there is no more.
        self.0.read_to_end(&mut said).ok();
        let mut heard = Heard::default();
        for line in String::from_utf8_lossy(&said).lines() {
            match Report::parse(line) {
                Some(Report::Exited(code)) => heard.end = Some(Ok(ShellEnd::Exited(code))),
                Some(Report::Signalled(signal)) => {
                    heard.end = Some(Ok(ShellEnd::Signalled(signal)));
                }
                Some(Report::Failed(why)) => heard.end = Some(Err(SpawnError::Sandbox(why))),
                // Until something else is said.
                Some(Report::Started) => heard.end = Some(Ok(ShellEnd::Signalled(9))),
                Some(Report::Exceeded(excess)) => {
                    heard.excess = Some(excess);
                    heard.end = Some(Ok(ShellEnd::Signalled(9)));
                }
                Some(Report::PutBack(path)) => heard.put_back.push(path),
                Some(Report::KeptAside(path)) => heard.kept_aside.push(path),
                Some(Report::Changed(path)) => heard.damaged.push(path),
                None => {}
            }
        }
        heard
    }
}
