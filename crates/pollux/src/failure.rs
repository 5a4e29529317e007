//! How pollux ends when it cannot go on: one line that says what happened, one that says what to
//! do, and an exit code.

use std::io::Write;
use std::process::ExitCode;

use pollux_types::event::FailureKind;
use pollux_types::untrusted::visible;

/// The exit codes that scripts rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    Done = 0,
    Error = 1,
    Usage = 2,
    Auth = 41,
    Input = 42,
    Sandbox = 44,
    Config = 52,
    Limit = 53,
    FatalTool = 54,
    Untrusted = 55,
    Cancelled = 130,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        self as u8
    }

    /// The word for it in JSON.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Error => "error",
            Self::Usage => "usage",
            Self::Auth => "auth",
            Self::Input => "input",
            Self::Sandbox => "sandbox",
            Self::Config => "config",
            Self::Limit => "limit",
            Self::FatalTool => "fatal_tool",
            Self::Untrusted => "untrusted",
            Self::Cancelled => "cancelled",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

impl From<FailureKind> for Exit {
    fn from(kind: FailureKind) -> Self {
        match kind {
            FailureKind::Auth => Self::Auth,
            FailureKind::Input => Self::Input,
            FailureKind::FatalTool => Self::FatalTool,
            FailureKind::Model | FailureKind::Store => Self::Error,
        }
    }
}

/// Why pollux cannot go on.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// What was said before, and may be the cause of it.
    pub(crate) notes: Vec<String>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            message: message.into(),
            hint: None,
            notes: Vec::new(),
        }
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(Exit::Error, message)
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    pub(crate) fn auth(message: impl Into<String>) -> Self {
        Self::new(Exit::Auth, message)
    }

    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(Exit::Input, message)
    }

    pub(crate) fn sandbox(message: impl Into<String>) -> Self {
        Self::new(Exit::Sandbox, message)
    }

    pub(crate) fn config(message: impl Into<String>) -> Self {
        Self::new(Exit::Config, message)
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same with what was said before.
    pub(crate) fn after(mut self, notes: &[impl ToString]) -> Self {
        self.notes = notes.iter().map(ToString::to_string).collect();
        self
    }

    /// Says it on standard error, if there is one.
    pub(crate) fn report(&self) -> ExitCode {
        let mut stderr = std::io::stderr();
        for note in &self.notes {
            writeln!(stderr, "note: {}", visible(note)).ok();
        }
        writeln!(stderr, "error: {}", visible(&self.message)).ok();
        if let Some(hint) = &self.hint {
            writeln!(stderr, "hint: {hint}").ok();
        }
        self.exit.into()
    }
}
