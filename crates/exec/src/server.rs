//! A program that is talked to through pipes for as long as it is wanted.
//!
//! It runs behind a helper, which is this program again ([`SUBCOMMAND`]), in a session of their own.
//! When pollux lets go of it, also by dying, the helper ends it and all that it has started, but for
//! what has left the group on purpose.

mod watch;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use tokio::io::AsyncReadExt as _;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::capture::Captured;

pub use watch::watch;

/// How pollux calls itself to start one.
pub const SUBCOMMAND: &str = "serve-exec";

/// How much is kept of what it complains about.
const COMPLAINTS: usize = 8 * 1024;

/// How long to read what a program that has gone has left to read.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// A program to start.
#[derive(Clone, Debug)]
pub struct ServerJob {
    /// The program of which this is a part, which watches over it.
    pub helper: PathBuf,
    /// The program.
    pub program: OsString,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// Where it runs.
    pub dir: PathBuf,
    /// Variables that it does not get to see.
    pub hidden_variables: Vec<String>,
    /// Variables that it gets to see besides those of pollux.
    pub variables: Vec<(String, OsString)>,
}

/// A program that was started. Dropping it has it end.
#[derive(Debug)]
pub struct Server {
    helper: Child,
    complaints: Complaints,
    reading: JoinSet<()>,
}

/// What a program has written to its standard error: the beginning and the end of it.
#[derive(Clone, Debug)]
struct Complaints(Arc<Mutex<Captured>>);

/// What the program writes, and what it reads.
pub type Pipes = (ChildStdout, ChildStdin);

impl Server {
    /// Starts it. A program that cannot be started ends at once, and its complaints say why.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place where programs that stay are started"
    )]
    pub fn start(job: ServerJob) -> io::Result<(Self, Pipes)> {
        let mut command = Command::new(job.helper);
        for name in &job.hidden_variables {
            command.env_remove(name);
        }
        let mut helper = command
            .arg(SUBCOMMAND)
            .arg(std::process::id().to_string())
            .arg(job.program)
            .args(job.args)
            .current_dir(&job.dir)
            .envs(job.variables)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let pipes = helper.stdout.take().zip(helper.stdin.take());
        let pipes = pipes.zip(helper.stderr.take());
        let (pipes, stderr) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        let complaints = Complaints(Arc::new(Mutex::new(Captured::new(COMPLAINTS))));
        let mut reading = JoinSet::new();
        reading.spawn(complaints.clone().take_from(stderr));
        let server = Self {
            helper,
            complaints,
            reading,
        };
        Ok((server, pipes))
    }

    /// What it has complained about so far.
    pub fn complaints(&self) -> String {
        self.complaints.lock().text()
    }

    /// Waits until it is gone, and has said all that it had to say.
    pub async fn gone(&mut self) {
        // Waiting fails only if somebody else has reaped it: then it is gone.
        self.helper.wait().await.ok();
        // What it has said is in the pipe by now, whose end may never come: what has left the group
        // may hold it open.
        let end = async { while self.reading.join_next().await.is_some() {} };
        timeout(LAST_WORDS, end).await.ok();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Once it is reaped it has no number any more, which others might have.
        let helper = self.helper.id().and_then(|id| i32::try_from(id).ok());
        if let Some(helper) = helper.and_then(Pid::from_raw) {
            kill_process(helper, Signal::TERM).ok();
        }
    }
}

impl Complaints {
    async fn take_from(self, mut source: ChildStderr) {
        let mut chunk = vec![0; 4096];
        while let Ok(count @ 1..) = source.read(&mut chunk).await {
            self.lock().push(&chunk[..count]);
        }
    }

    /// Whoever panicked has left bytes that are whole.
    fn lock(&self) -> MutexGuard<'_, Captured> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A shell stands in for the helper: it runs the script that is called like the subcommand.
    fn started(dir: &tempfile::TempDir, script: &str) -> (Server, Pipes) {
        fs::write(dir.path().join(SUBCOMMAND), script).unwrap();
        let job = ServerJob {
            helper: "sh".into(),
            program: "program".into(),
            args: vec!["argument".into()],
            dir: dir.path().to_owned(),
            hidden_variables: vec!["HOME".to_owned()],
            variables: vec![("GIVEN".to_owned(), "value".into())],
        };
        Server::start(job).unwrap()
    }

    #[tokio::test]
    async fn the_helper_is_told_who_wants_what() {
        let dir = tempfile::tempdir().unwrap();
        let (mut server, (mut output, _input)) =
            started(&dir, "echo \"$@ $GIVEN ${HOME-hidden}\"; echo oops >&2");
        let mut said = String::new();
        output.read_to_string(&mut said).await.unwrap();
        let own = std::process::id();
        assert_eq!(said, format!("{own} program argument value hidden\n"));
        server.gone().await;
        assert_eq!(server.complaints(), "oops\n");
    }

    #[tokio::test]
    async fn what_left_the_group_keeps_nobody_waiting() {
        let dir = tempfile::tempdir().unwrap();
        // It ends when its input does, and holds the pipe until then.
        let (mut server, (_output, input)) =
            started(&dir, "exec 3<&0; cat <&3 >&2 & echo oops >&2");
        let gone = timeout(Duration::from_secs(10), server.gone());
        gone.await.expect("it waits for the end of the pipe");
        assert_eq!(server.complaints(), "oops\n");
        drop(input);
    }
}
