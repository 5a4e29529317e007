//! `list_directory`: what is in one directory.

use std::fs::{self, DirEntry};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use globset::{Glob, GlobSet, GlobSetBuilder};
use pollux_types::{ToolError, ToolErrorKind, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::blocking::blocking;
use crate::failure::{cancelled, not_read};
use crate::lines::one_line;
use crate::schema::{self, refusal};
use crate::{BadArgs, Effects, Located, Outcome, Output, Plan, RunContext, Tool, Workspace};

/// Entries shown.
const SHOWN: usize = 1000;

#[derive(Debug, Deserialize, JsonSchema)]
struct Args {
    /// Absolute, or relative to the project.
    #[serde(
        alias = "dir",
        alias = "directory",
        alias = "directory_path",
        alias = "path"
    )]
    dir_path: String,
    /// Globs of names to leave out.
    #[serde(default)]
    ignore: Option<Vec<String>>,
}

/// The tool.
pub(crate) struct ListDirectory {
    spec: ToolSpec,
    workspace: Arc<Workspace>,
}

impl ListDirectory {
    pub(crate) fn new(workspace: Arc<Workspace>) -> Self {
        let description = "Lists a directory, hidden and ignored entries included: \
                           directories first, files with their size.";
        let spec = schema::spec::<Args>("list_directory", description);
        Self { spec, workspace }
    }
}

impl Tool for ListDirectory {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["list", "ls", "list_dir"]
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let args: Args = schema::parse(&self.spec, args)?;
        let ignore = globs(args.ignore.unwrap_or_default())
            .map_err(|error| refusal(&self.spec, &format!("`ignore`: {error}")))?;
        let path = self.workspace.resolve(&args.dir_path);
        let shown = self.workspace.shown(&path);
        Ok(Box::new(Listing {
            path,
            shown,
            ignore,
        }))
    }
}

fn globs(patterns: Vec<String>) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(&pattern)?);
    }
    set.build()
}

struct Listing {
    path: PathBuf,
    shown: String,
    ignore: GlobSet,
}

impl Plan for Listing {
    fn effects(&self) -> Effects {
        Effects {
            reads: vec![Located::of(self.path.clone())],
            ..Effects::default()
        }
    }

    fn summary(&self) -> String {
        self.shown.clone()
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        blocking(context, move |stop| self.list(stop))
    }
}

impl Listing {
    fn list(&self, stop: &CancellationToken) -> Outcome {
        let mut entries = self.entries(stop)?;
        if entries.is_empty() {
            let ignored = if self.ignore.is_empty() {
                ""
            } else {
                " but for ignored entries"
            };
            return Ok(Output::text(format!("`{}` is empty{ignored}", self.shown)));
        }
        entries.sort_unstable_by(|a, b| (!a.is_dir, &a.name).cmp(&(!b.is_dir, &b.name)));
        let left_out = entries.len().saturating_sub(SHOWN);
        let lines = entries.iter().take(SHOWN).map(Entry::line);
        let mut text = lines.collect::<Vec<_>>().join("\n");
        if left_out > 0 {
            text.extend(["\n[", &left_out.to_string(), " more entries left out]"]);
        }
        Ok(Output::text(text))
    }

    fn entries(&self, stop: &CancellationToken) -> Result<Vec<Entry>, ToolError> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(|error| self.not_listed(&error))? {
            if stop.is_cancelled() {
                return Err(cancelled());
            }
            let entry = entry.map_err(|error| self.not_listed(&error))?;
            if !self.ignore.is_match(entry.file_name()) {
                entries.push(Entry::of(entry));
            }
        }
        Ok(entries)
    }

    fn not_listed(&self, error: &io::Error) -> ToolError {
        if error.kind() == io::ErrorKind::NotADirectory {
            let message = format!("`{}` is a file; use read_file", self.shown);
            return ToolError::new(ToolErrorKind::PathIsNotADirectory, message);
        }
        not_read(&self.path, &self.shown, error)
    }
}

struct Entry {
    name: String,
    is_dir: bool,
    on_disk: DirEntry,
}

impl Entry {
    fn of(on_disk: DirEntry) -> Self {
        Self {
            name: one_line(&on_disk.file_name().to_string_lossy()),
            is_dir: on_disk.file_type().is_ok_and(|kind| kind.is_dir()),
            on_disk,
        }
    }

    fn line(&self) -> String {
        if self.is_dir {
            return format!("{}/", self.name);
        }
        if let Ok(target) = fs::read_link(self.on_disk.path()) {
            let target = one_line(&target.to_string_lossy());
            return format!("{} -> {target}", self.name);
        }
        match self.on_disk.metadata() {
            Ok(metadata) if metadata.is_file() => {
                format!("{}  ({} bytes)", self.name, metadata.len())
            }
            Ok(_) => format!("{}  (not a regular file)", self.name),
            // It went away between two looks.
            Err(_) => self.name.clone(),
        }
    }
}

#[cfg(test)]
mod tests;
