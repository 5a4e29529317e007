//! The real binary, as a script would run it.

use std::io::{Read, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use crate::watched::Watched;
use crate::{CommandSpec, PATIENCE, Project, child};

/// A run of the pollux binary in a project, with nothing of the caller's environment but `PATH`.
///
/// ```no_run
/// # use pollux_testkit::{Pollux, Project};
/// # let exe = "pollux";
/// let project = Project::new();
/// // In the tests of the binary, `exe` is `env!("CARGO_BIN_EXE_pollux")`.
/// let ran = Pollux::new(exe, &project).args(["--version"]).run();
/// assert_eq!(ran.code, 0);
/// ```
#[derive(Clone, Debug)]
pub struct Pollux {
    spec: CommandSpec,
    stdin: Stdin,
    deadline: Duration,
}

/// What a program finds on its standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stdin {
    /// Nothing: the end at once.
    Closed,
    /// This text, then the end.
    Text(String),
    /// Nothing, and no end either, as when started from another program that waits.
    Silent,
}

/// How a run went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// The exit code; 128 plus the signal's number if a signal ended it.
    pub code: i32,
    /// All of its standard output.
    pub stdout: String,
    /// All of its standard error.
    pub stderr: String,
}

/// A run that is still going on. Dropping it kills it.
#[derive(Debug)]
pub struct Running {
    pid: u32,
    output: Arc<Watched<Output>>,
    deadline: Duration,
    reaper: Option<JoinHandle<()>>,
    /// Kept for as long as the program may wait for input.
    _stdin: Option<std::process::ChildStdin>,
}

#[derive(Debug, Default)]
struct Output {
    stdout: Stream,
    stderr: Stream,
    code: Option<i32>,
}

#[derive(Debug, Default)]
struct Stream {
    bytes: Vec<u8>,
    ended: bool,
}

impl Pollux {
    /// The binary `exe` in this project, with nothing on its standard input.
    pub fn new(exe: impl Into<PathBuf>, project: &Project) -> Self {
        let spec = CommandSpec::new(exe)
            .cwd(project.path())
            .env("HOME", project.home().to_string_lossy())
            .env("POLLUX_HOME", project.pollux_home().to_string_lossy())
            .env("NO_COLOR", "1");
        Self {
            spec,
            stdin: Stdin::Closed,
            deadline: 3 * PATIENCE,
        }
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: Into<String>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.spec = self.spec.args(args);
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.spec = self.spec.env(name, value);
        self
    }

    /// What it finds on its standard input: a text, or see [`Stdin`].
    #[must_use]
    pub fn stdin(mut self, stdin: impl Into<Stdin>) -> Self {
        self.stdin = stdin.into();
        self
    }

    /// How long it may take; three times [`PATIENCE`] unless said.
    #[must_use]
    pub fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Runs it to its end. If it is not over by the deadline, kills it and panics with its output.
    pub fn run(&self) -> Ran {
        self.start().wait()
    }

    /// Starts it.
    #[expect(clippy::zombie_processes, reason = "it is waited for on a thread")]
    pub fn start(&self) -> Running {
        let stdin = match self.stdin {
            Stdin::Closed => Stdio::null(),
            Stdin::Text(_) | Stdin::Silent => Stdio::piped(),
        };
        let mut process = command(&self.spec)
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", self.spec.program.display()));
        let output = Arc::new(Watched::default());
        collect(process.stdout.take().unwrap(), &output, |all| {
            &mut all.stdout
        });
        collect(process.stderr.take().unwrap(), &output, |all| {
            &mut all.stderr
        });
        let pid = process.id();
        let told = Arc::clone(&output);
        let reaper = child::on_exit(pid, move |code| told.update(|all| all.code = Some(code)));
        Running {
            pid,
            output,
            deadline: self.deadline,
            reaper: Some(reaper),
            _stdin: feed(process.stdin.take(), &self.stdin),
        }
    }

    /// The same run for a [`Terminal`](crate::Terminal), which brings its own input.
    pub fn command_spec(&self) -> CommandSpec {
        self.spec.clone()
    }
}

impl Running {
    /// Presses Ctrl-C.
    pub fn interrupt(&self) -> &Self {
        child::signal_group(self.pid, Signal::INT);
        self
    }

    /// Asks it to end, as a service manager does.
    pub fn terminate(&self) -> &Self {
        child::signal_group(self.pid, Signal::TERM);
        self
    }

    /// Waits until its standard output has this text.
    pub fn wait_for_stdout(&self, text: &str) -> &Self {
        self.wait_for(text, "standard output", |all| &all.stdout)
    }

    /// Waits until its standard error has this text.
    pub fn wait_for_stderr(&self, text: &str) -> &Self {
        self.wait_for(text, "standard error", |all| &all.stderr)
    }

    fn wait_for(&self, text: &str, place: &str, stream: fn(&Output) -> &Stream) -> &Self {
        let found = self.output.wait(self.deadline, |all| {
            let stream = stream(all);
            let has_text = stream.text().contains(text);
            (has_text || stream.ended).then_some(has_text)
        });
        let found = found == Some(true);
        assert!(found, "no {text:?} on {place}; {}", self.so_far());
        self
    }

    /// Waits for its end, and for that of everything that shares its output.
    pub fn wait(self) -> Ran {
        let ran = self.output.wait(self.deadline, |all| all.ran());
        ran.unwrap_or_else(|| panic!("not over in {:?}; {}", self.deadline, self.so_far()))
    }

    fn so_far(&self) -> String {
        self.output.with(|all| {
            let state = match all.code {
                Some(code) => format!("it exited with code {code}"),
                None => "it still runs".into(),
            };
            let (stdout, stderr) = (all.stdout.text(), all.stderr.text());
            format!("{state}\n--- stdout\n{stdout}\n--- stderr\n{stderr}\n---")
        })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.output.with(|all| all.ran().is_none()) {
            child::signal_group(self.pid, Signal::KILL);
        }
        if let Some(Err(panicked)) = self.reaper.take().map(JoinHandle::join)
            && !std::thread::panicking()
        {
            std::panic::resume_unwind(panicked);
        }
    }
}

impl Ran {
    /// Checks the exit code; panics with the output if it is another.
    #[expect(clippy::return_self_not_must_use, reason = "the check is the point")]
    pub fn exited(self, code: i32) -> Self {
        assert!(
            self.code == code,
            "expected exit code {code}, got {self:#?}"
        );
        self
    }

    /// The standard output as one JSON document; panics if it is none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("no JSON on standard output: {error}\n{self:#?}"))
    }

    /// The standard output as one JSON document on each line; panics if a line is none.
    pub fn json_lines(&self) -> Vec<Value> {
        let line = |line: &str| {
            serde_json::from_str(line)
                .unwrap_or_else(|error| panic!("no JSON: {error}\n{line}\n{self:#?}"))
        };
        self.stdout.lines().map(line).collect()
    }

    /// Of a run with `-o stream-json`: the errors of its calls by type, empty for those without.
    pub fn tool_errors(&self) -> Vec<String> {
        let lines = self.json_lines().into_iter();
        let results = lines.filter(|line| line["type"] == "tool_result");
        let kinds = results.map(|line| {
            let kind = line["error"]["type"].as_str();
            kind.unwrap_or_default().to_owned()
        });
        kinds.collect()
    }
}

impl From<&str> for Stdin {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Stdin {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl Output {
    /// The result, once the process has ended and both streams are at their end.
    fn ran(&self) -> Option<Ran> {
        let code = self
            .code
            .filter(|_| self.stdout.ended && self.stderr.ended)?;
        Some(Ran {
            code,
            stdout: self.stdout.text(),
            stderr: self.stderr.text(),
        })
    }
}

impl Stream {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the program under test is not a program that pollux starts"
)]
fn command(spec: &CommandSpec) -> Command {
    let mut command = Command::new(&spec.program);
    command
        .args(&spec.args)
        .env_clear()
        .envs(&spec.env)
        .current_dir(&spec.cwd);
    command
}

/// Reads a stream to its end on a thread, which ends with the stream.
fn collect(
    mut from: impl Read + Send + 'static,
    output: &Arc<Watched<Output>>,
    stream: fn(&mut Output) -> &mut Stream,
) {
    let output = Arc::clone(output);
    std::thread::spawn(move || {
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = from.read(&mut buffer) {
            let bytes = &buffer[..count];
            output.update(|all| stream(all).bytes.extend_from_slice(bytes));
        }
        output.update(|all| stream(all).ended = true);
    });
}

/// Writes the text on a thread, since a program may write before it reads; gives the pipe back if
/// it is to stay open.
fn feed(pipe: Option<std::process::ChildStdin>, stdin: &Stdin) -> Option<std::process::ChildStdin> {
    let Stdin::Text(text) = stdin else {
        return pipe;
    };
    let (mut pipe, text) = (pipe?, text.clone());
    std::thread::spawn(move || {
        // A program may end without reading all of its input.
        drop(pipe.write_all(text.as_bytes()));
    });
    None
}

#[cfg(test)]
mod tests;
