//! What to start: a program, its arguments, its whole environment and where.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// A program to start. Nothing is inherited but `PATH`: a test must not depend on who runs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandSpec {
    /// The program: a path, or a name to look for in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its whole environment.
    pub env: BTreeMap<String, String>,
    /// Its working directory.
    pub cwd: PathBuf,
}

impl CommandSpec {
    /// A program without arguments, in the directory for temporary files.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        let spec = Self {
            program: program.into(),
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: std::env::temp_dir(),
        };
        spec.env("PATH", std::env::var("PATH").unwrap_or_default())
            .env("LANG", "C.UTF-8")
            .env("TERM", "xterm-256color")
            .env("TZ", "UTC")
    }

    /// A script for `sh`.
    pub fn sh(script: impl Into<String>) -> Self {
        Self::new("sh").args(["-c".into(), script.into()])
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<A: Into<String>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets a variable.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.insert(name.into(), value.into());
        self
    }

    /// Sets the working directory.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<PathBuf>) -> Self {
        self.cwd = cwd.into();
        self
    }
}
