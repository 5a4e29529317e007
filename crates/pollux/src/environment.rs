//! The process's surroundings, read in one place and passed on as data.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use pollux_store::Home;

use crate::args::Args;
use crate::failure::Failure;

/// The environment variables that were there at start. Not for printing: there are keys among them.
#[derive(Clone)]
pub(crate) struct Environment(HashMap<String, String>);

impl Environment {
    pub(crate) fn of_process() -> Self {
        // What is no text keeps a mark of that, and fails where it is used.
        let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
        let vars = std::env::vars_os();
        Self(vars.map(|(key, value)| (text(key), text(value))).collect())
    }

    /// The variable's value; an empty one counts as not set.
    pub(crate) fn var(&self, name: &str) -> Option<&str> {
        self.0
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.trim().is_empty())
    }

    /// Variables that commands do not get to see: secrets, and what makes programs load others.
    pub(crate) fn hidden_variables(&self) -> Vec<String> {
        let variables = self.0.iter();
        let hidden = variables.filter(|(name, value)| pollux_exec::is_hidden(name, value));
        hidden.map(|(name, _)| name.clone()).collect()
    }

    /// Where pollux keeps its files.
    pub(crate) fn home(&self) -> Result<Home, Failure> {
        if let Some(home) = self.var("POLLUX_HOME") {
            return Ok(Home::new(home));
        }
        let home = self.var("HOME").ok_or_else(|| {
            Failure::config("neither POLLUX_HOME nor HOME is set")
                .hint("set POLLUX_HOME to a directory where pollux may keep sessions")
        })?;
        Ok(Home::new(Path::new(home).join(".pollux")))
    }
}

/// The directory to work in, absolute and with every link resolved.
pub(crate) fn working_directory(args: &Args) -> Result<PathBuf, Failure> {
    let dir = args.cwd.clone().unwrap_or_else(|| PathBuf::from("."));
    let real = dir.canonicalize().map_err(|error| {
        Failure::input(format!("working directory `{}`: {error}", dir.display()))
    })?;
    if real.is_dir() {
        Ok(real)
    } else {
        Err(Failure::input(format!(
            "working directory `{}`: not a directory",
            dir.display()
        )))
    }
}

#[cfg(test)]
impl Environment {
    pub(crate) fn with(vars: &[(&str, &str)]) -> Self {
        Self(
            vars.iter()
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect(),
        )
    }
}
