//! `run_shell_command`: a command, and what it printed.
//!
//! A command that fails is an answer, not a failure of the tool: the model reads the exit code
//! and goes on. Only what could not be started, ran out of time or was stopped is an error.

use std::error::Error as _;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use pollux_exec::sandbox::{Cell, Confinement, Denied, Grant, Made, Sandbox, Unconfined};
use pollux_exec::{HardenedGit, ShellEnd, ShellExit, ShellJob, SpawnError, run_shell};
use pollux_types::{ToolError, ToolErrorKind, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::failure::{cancelled, not_read};
use crate::schema::{self, refusal};
use crate::{
    BadArgs, Effects, Outcome, Output, Plan, Preview, RunContext, Script, Tool, Workspace,
};

mod typed;

/// Bytes of output that a model reads.
const SHOWN_BYTES: usize = 40_000;
/// No command may ask for more time than this.
const LONGEST: Duration = Duration::from_hours(1);

/// What a command may take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellLimits {
    /// How long it may run unless the call says otherwise.
    pub timeout: Duration,
    /// How many bytes of each of its output streams are kept in memory.
    pub output_limit: usize,
    /// Variables that it does not get to see.
    pub hidden_variables: Vec<String>,
}

impl Default for ShellLimits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_mins(2),
            output_limit: 1 << 20,
            hidden_variables: Vec::new(),
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Args {
    /// For `bash -c`.
    #[serde(alias = "cmd", alias = "script")]
    command: String,
    /// What it is for, in a few words.
    #[serde(default, rename = "description")]
    #[expect(
        dead_code,
        reason = "for the person who reads the call; the tool needs it not"
    )]
    purpose: Option<String>,
    /// Where it runs; the project if left out.
    #[serde(
        default,
        alias = "dir",
        alias = "directory",
        alias = "directory_path",
        alias = "path"
    )]
    dir_path: Option<String>,
    /// How long it may run instead.
    #[serde(default, alias = "timeout", deserialize_with = "schema::count")]
    timeout_ms: Option<usize>,
    #[serde(default, deserialize_with = "schema::flag")]
    #[schemars(skip)]
    is_background: Option<bool>,
}

/// The tool.
pub(crate) struct RunShellCommand {
    spec: ToolSpec,
    workspace: Arc<Workspace>,
    limits: ShellLimits,
    sandbox: Sandbox,
    /// For commands that the person types.
    typed: bool,
}

impl RunShellCommand {
    pub(crate) fn new(workspace: Arc<Workspace>, limits: ShellLimits, sandbox: Sandbox) -> Self {
        let description = format!(
            "Runs a shell command without a terminal or input and returns its output. It and its \
             background processes are ended after {} s.",
            limits.timeout.as_secs()
        );
        let spec = schema::spec::<Args>("run_shell_command", &description);
        Self {
            spec,
            workspace,
            limits,
            sandbox,
            typed: false,
        }
    }

    /// The same for commands that the person types: its [`Output`] tells all there is to tell. Of
    /// each stream the beginning counts, and no more of it than a model is to read.
    pub(crate) fn typed(
        workspace: Arc<Workspace>,
        mut limits: ShellLimits,
        sandbox: Sandbox,
    ) -> Self {
        // Half of what is kept is the beginning.
        limits.output_limit = 2 * limits.output_limit.min(SHOWN_BYTES);
        Self {
            typed: true,
            ..Self::new(workspace, limits, sandbox)
        }
    }

    /// A command in the project, with the usual limits.
    pub(crate) fn running(&self, command: String) -> Running {
        let dir = self.workspace.root().to_owned();
        Running {
            shown: self.workspace.shown(&dir),
            command,
            dir,
            timeout: self.limits.timeout,
            limits: self.limits.clone(),
            sandbox: self.sandbox.clone(),
            typed: self.typed,
            revised: false,
        }
    }
}

impl Tool for RunShellCommand {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["bash", "shell", "run"]
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let args: Args = schema::parse(&self.spec, args)?;
        if args.command.trim().is_empty() {
            return Err(refusal(&self.spec, "`command` is empty"));
        }
        if args.is_background == Some(true) {
            return Err(refusal(
                &self.spec,
                "`is_background`: nothing can stay running",
            ));
        }
        let dir = args.dir_path.as_deref().unwrap_or_default();
        let dir = self.workspace.locate(dir).real;
        let asked = args.timeout_ms.map(|ms| allowed(ms as u64));
        Ok(Box::new(Running {
            timeout: asked.unwrap_or(self.limits.timeout),
            shown: self.workspace.shown(&dir),
            dir,
            ..self.running(args.command)
        }))
    }
}

/// A command that is to run.
#[derive(Clone)]
pub(crate) struct Running {
    command: String,
    dir: PathBuf,
    shown: String,
    timeout: Duration,
    limits: ShellLimits,
    sandbox: Sandbox,
    typed: bool,
    /// The person has put it in the place of another.
    revised: bool,
}

impl Plan for Running {
    fn effects(&self) -> Effects {
        Effects {
            script: Some(Script {
                command: self.command.clone(),
                dir: self.dir.clone(),
            }),
            ..Effects::default()
        }
    }

    fn summary(&self) -> String {
        let command = self.command.trim().replace('\n', " ⏎ ");
        match self.shown.as_str() {
            "." => command,
            dir => format!("{command} (in {dir})"),
        }
    }

    fn preview(&self) -> BoxFuture<'static, Result<Preview, ToolError>> {
        let preview = self.can_do_without_terminal().map(|()| Preview::default());
        Box::pin(std::future::ready(preview))
    }

    /// Another command instead; one that was emptied stays as it was.
    fn revised(&self, content: String) -> Option<Box<dyn Plan>> {
        let command = match content.trim() {
            "" => self.command.clone(),
            other => other.to_owned(),
        };
        Some(Box::new(Self {
            command,
            revised: true,
            ..self.clone()
        }))
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        Box::pin(async move {
            if context.cancel.is_cancelled() {
                return Err(cancelled());
            }
            self.can_do_without_terminal()?;
            let timeout = self.timeout;
            let (confinement, made) =
                granting(confinement(self.sandbox.clone()).await?, &context.granted);
            let command = self.command.clone();
            let mut job = ShellJob {
                command: self.command,
                dir: self.dir,
                timeout,
                output_limit: self.limits.output_limit,
                hidden_variables: self.limits.hidden_variables,
                variables: Vec::new(),
                confinement: confinement.clone(),
                live: context.live,
            };
            let begun = Instant::now();
            let git = if context.guard_git {
                Some(guarded_git(&job, &self.sandbox, &context.cancel).await?)
            } else {
                None
            };
            if let Some(git) = &git {
                job.variables.clone_from(&git.variables);
            }
            let ran = run_shell(job, &context.cancel).await;
            let exit = ran.map_err(|error| not_started(&error, &self.shown))?;
            if let (ShellEnd::Exited(0), Some(made)) = (exit.end, made) {
                made.keep();
            }
            let mut notes = notes(&exit, &confinement, &context.opens);
            if context.guard_git {
                notes.extend(withheld(&exit.stdout.text()));
            }
            if self.typed {
                Ok(typed::output(command, &exit, begun.elapsed(), &notes))
            } else {
                let output = outcome(&exit, timeout, &notes, &confinement)?;
                Ok(if self.revised {
                    instead(&command, output)
                } else {
                    output
                })
            }
        })
    }
}

/// The model learns that this is what another command has printed.
fn instead(command: &str, output: Output) -> Output {
    let text = format!(
        "[the user has run this instead: {command}]\n{}",
        output.text
    );
    Output { text, ..output }
}

impl Running {
    /// Whoever waits for keys would wait until the time is up.
    fn can_do_without_terminal(&self) -> Result<(), ToolError> {
        match pollux_shell::wants_terminal(&self.command) {
            None => Ok(()),
            Some(program) => {
                let message = format!("`{program}` needs a terminal, and commands have none");
                Err(ToolError::new(ToolErrorKind::ShellExecuteError, message))
            }
        }
    }
}

/// What keeps git from running what a repository names, and from showing what is in files that may
/// hold secrets. Without it, a command that uses git does not only read.
async fn guarded_git(
    job: &ShellJob,
    sandbox: &Sandbox,
    cancel: &CancellationToken,
) -> Result<HardenedGit, ToolError> {
    let secrets = pollux_shell::secret_attributes();
    match HardenedGit::for_job(job, &secrets, &sandbox.temp(), cancel).await {
        Ok(git) => Ok(git),
        Err(_) if cancel.is_cancelled() => Err(cancelled()),
        Err(error) => {
            let message = format!("git cannot be kept from running other programs here: {error}");
            Err(ToolError::new(ToolErrorKind::ShellExecuteError, message))
        }
    }
}

/// The first command of a session may have to wait until the sandbox has been tested.
async fn confinement(sandbox: Sandbox) -> Result<Confinement, ToolError> {
    let failed = |message: String| ToolError::new(ToolErrorKind::ShellExecuteError, message);
    let tested = tokio::task::spawn_blocking(move || sandbox.confinement());
    let tested = tested.await.map_err(|error| failed(error.to_string()))?;
    tested.map_err(|error| failed(error.to_string()))
}

/// The sandbox with all that was granted, and files that were made for that.
fn granting(confinement: Confinement, granted: &[Grant]) -> (Confinement, Option<Made>) {
    match confinement {
        Confinement::Confined(cell) => {
            let made = cell.make(granted);
            let cell = granted.iter().fold(cell, Cell::granting);
            (Confinement::Confined(cell), Some(made))
        }
        unconfined @ Confinement::Unconfined(_) => (unconfined, None),
    }
}

/// The time that a call asks for, within reason.
fn allowed(ms: u64) -> Duration {
    Duration::from_millis(ms).min(LONGEST)
}

fn outcome(exit: &ShellExit, timeout: Duration, notes: &str, confinement: &Confinement) -> Outcome {
    let printed = printed(exit);
    let text = match exit.end {
        ShellEnd::Exited(0) if printed.is_empty() && notes.is_empty() => "(no output)".into(),
        ShellEnd::Exited(0) => format!("{printed}{notes}"),
        ShellEnd::Exited(code) => format!("{printed}[exit code {code}]\n{notes}"),
        ShellEnd::Signalled(signal) => format!("{printed}[killed by signal {signal}]\n{notes}"),
        ShellEnd::TimedOut => {
            let message = format!(
                "The command was killed after {} ms; set timeout_ms to give it more time.",
                timeout.as_millis()
            );
            return Err(with_output(
                ToolErrorKind::ShellExecuteError,
                message,
                &(printed + notes),
            ));
        }
        ShellEnd::Cancelled => {
            let ToolError { kind, message } = cancelled();
            return Err(with_output(kind, message, &(printed + notes)));
        }
    };
    Ok(Output {
        lacks: lacks(exit, confinement),
        ..Output::text(text)
    })
}

fn lacks(exit: &ShellExit, confinement: &Confinement) -> Option<Grant> {
    match (&exit.denied, confinement) {
        (Some(denied), Confinement::Confined(cell)) => cell.grant_for(denied),
        _ => None,
    }
}

/// What the sandbox had to do with it, a line each.
fn notes(exit: &ShellExit, confinement: &Confinement, opens: &[PathBuf]) -> String {
    let mut notes = String::new();
    let mut note = |text: std::fmt::Arguments<'_>| {
        writeln!(notes, "[{text}]").expect("a String takes any text");
    };
    match &exit.denied {
        Some(Denied::Write(path)) => {
            note(format_args!(
                "the sandbox does not allow writing `{}`",
                path.display()
            ));
        }
        Some(Denied::Protected(path)) => {
            let path = path.display();
            note(format_args!(
                "the sandbox protects `{path}`, which decides what other programs run"
            ));
        }
        Some(Denied::Network) => note(format_args!("the sandbox does not allow the network")),
        Some(Denied::Call) => note(format_args!("the sandbox does not allow this system call")),
        None => {}
    }
    if let Confinement::Confined(cell) = confinement {
        for path in opens.iter().filter(|path| cell.hides(path)) {
            note(format_args!("{}", hidden(path)));
        }
    }
    if let Some(excess) = exit.excess {
        note(format_args!("ended, since {}", excess.in_words()));
    }
    for path in &exit.put_back {
        note(format_args!(
            "`{}` is protected: it was put back as it was",
            path.display()
        ));
    }
    for path in &exit.kept_aside {
        note(format_args!(
            "what was there instead, whoever made it, is kept in `{}`",
            path.display()
        ));
    }
    for path in &exit.damaged {
        note(format_args!(
            "`{}` is protected, but was changed",
            path.display()
        ));
    }
    if let Confinement::Unconfined(Unconfined::Unavailable(why)) = confinement {
        note(format_args!(
            "not in a sandbox, since none works here: {why}"
        ));
    }
    notes
}

/// A note on files of which git shows nothing, if there are such in what it prints.
pub(crate) fn withheld(printed: &str) -> Option<String> {
    let is_secret = |word: &str| pollux_shell::is_secret(&Path::new("/").join(word));
    let mut lines = printed
        .lines()
        .filter(|line| line.starts_with("Binary file"));
    let is_withheld = lines.any(|line| line.split(' ').any(is_secret));
    let note = "[git was kept from showing what is in files that may hold secrets]\n";
    is_withheld.then(|| note.to_owned())
}

/// What becomes of a file that a command writes in a directory that is the sandbox's own.
pub fn hidden(path: &Path) -> String {
    format!(
        "commands have a `/tmp` of their own: `{}` is seen by them alone, and is gone with the session",
        path.display()
    )
}

fn with_output(kind: ToolErrorKind, mut message: String, printed: &str) -> ToolError {
    if !printed.is_empty() {
        message.extend([" Output so far:\n", printed]);
    }
    ToolError::new(kind, message)
}

/// Both streams; what one does not need of the space is the other's.
fn printed(exit: &ShellExit) -> String {
    let size = |total: u64| usize::try_from(total).unwrap_or(usize::MAX);
    let half = SHOWN_BYTES / 2;
    let for_errors = half.max(SHOWN_BYTES.saturating_sub(size(exit.stdout.total())));
    let for_output = half.max(SHOWN_BYTES.saturating_sub(size(exit.stderr.total())));
    let mut text = closed(exit.stdout.text_within(for_output));
    if !exit.stderr.is_empty() {
        let errors = closed(exit.stderr.text_within(for_errors));
        write!(text, "[stderr]\n{errors}").expect("a String takes any text");
    }
    text
}

/// `text` with an end to its last line.
fn closed(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn not_started(error: &SpawnError, shown: &str) -> ToolError {
    match error {
        SpawnError::Directory { dir, source } => not_read(dir, shown, source),
        SpawnError::Shell(_) | SpawnError::Sandbox(_) => {
            let cause = error.source().map(|source| format!(": {source}"));
            let message = format!("{error}{}", cause.unwrap_or_default());
            ToolError::new(ToolErrorKind::ShellExecuteError, message)
        }
    }
}

#[cfg(test)]
mod tests;
