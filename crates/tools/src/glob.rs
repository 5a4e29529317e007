//! `glob`: files by name, newest first.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use futures_util::future::BoxFuture;
use globset::GlobMatcher;
use pollux_types::{ToolError, ToolErrorKind, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::blocking::blocking;
use crate::failure::{cancelled, not_read};
use crate::lines::one_line;
use crate::schema::{self, refusal};
use crate::walk::{glob, walk};
use crate::{BadArgs, Effects, Located, Outcome, Output, Plan, RunContext, Tool, Workspace};

/// Paths shown.
const SHOWN: usize = 500;

#[derive(Debug, Deserialize, JsonSchema)]
struct Args {
    /// Such as `*.rs` or `src/**/*.{ts,tsx}`.
    #[serde(alias = "query", alias = "regex")]
    pattern: String,
    /// Where to look; the project if left out.
    #[serde(
        default,
        alias = "dir",
        alias = "directory",
        alias = "directory_path",
        alias = "path"
    )]
    dir_path: Option<String>,
    /// Default false.
    #[serde(default, deserialize_with = "schema::flag")]
    case_sensitive: Option<bool>,
    /// Default true.
    #[serde(default, deserialize_with = "schema::flag")]
    respect_git_ignore: Option<bool>,
}

/// The tool.
pub(crate) struct GlobFiles {
    spec: ToolSpec,
    workspace: Arc<Workspace>,
}

impl GlobFiles {
    pub(crate) fn new(workspace: Arc<Workspace>) -> Self {
        let description = "Finds files by name, newest first. Ignored files are left out.";
        let spec = schema::spec::<Args>("glob", description);
        Self { spec, workspace }
    }
}

impl Tool for GlobFiles {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["find_files"]
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let args: Args = schema::parse(&self.spec, args)?;
        let dir = self
            .workspace
            .resolve(args.dir_path.as_deref().unwrap_or_default());
        let any_case = !args.case_sensitive.unwrap_or(false);
        let matcher = glob(&args.pattern, &dir, any_case)
            .map_err(|error| refusal(&self.spec, &format!("`pattern`: {error}")))?;
        Ok(Box::new(Globbing {
            pattern: args.pattern,
            matcher,
            dir,
            respect_git_ignore: args.respect_git_ignore.unwrap_or(true),
            workspace: Arc::clone(&self.workspace),
        }))
    }
}

struct Globbing {
    pattern: String,
    matcher: GlobMatcher,
    dir: PathBuf,
    respect_git_ignore: bool,
    workspace: Arc<Workspace>,
}

impl Plan for Globbing {
    fn effects(&self) -> Effects {
        Effects {
            reads: vec![Located::of(self.dir.clone())],
            ..Effects::default()
        }
    }

    fn summary(&self) -> String {
        match self.workspace.shown(&self.dir).as_str() {
            "." => self.pattern.clone(),
            dir => format!("{} in {dir}", self.pattern),
        }
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        blocking(context, move |stop| self.find(stop))
    }
}

impl Globbing {
    fn find(&self, stop: &CancellationToken) -> Outcome {
        self.check_dir()?;
        let mut found = self.found(stop)?;
        if found.is_empty() {
            let dir = self.workspace.shown(&self.dir);
            let text = format!("No file matches `{}` in `{dir}`.", self.pattern);
            return Ok(Output::text(text));
        }
        found.sort_unstable_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let left_out = found.len().saturating_sub(SHOWN);
        let paths = found
            .iter()
            .take(SHOWN)
            .map(|(_, path)| one_line(&self.workspace.shown(path)));
        let mut text = paths.collect::<Vec<_>>().join("\n");
        if left_out > 0 {
            text.extend(["\n[", &left_out.to_string(), " older files left out]"]);
        }
        Ok(Output::text(text))
    }

    fn found(&self, stop: &CancellationToken) -> Result<Vec<(SystemTime, PathBuf)>, ToolError> {
        let mut found = Vec::new();
        // What cannot be read on the way is not what was looked for.
        for entry in walk(&self.dir, self.respect_git_ignore).build().flatten() {
            if stop.is_cancelled() {
                return Err(cancelled());
            }
            let is_dir = entry.file_type().is_none_or(|kind| kind.is_dir());
            if !is_dir && self.matches(entry.path()) {
                let modified = entry.metadata().ok().and_then(|data| data.modified().ok());
                found.push((
                    modified.unwrap_or(SystemTime::UNIX_EPOCH),
                    entry.into_path(),
                ));
            }
        }
        Ok(found)
    }

    fn matches(&self, path: &Path) -> bool {
        path.strip_prefix(&self.dir)
            .is_ok_and(|path| self.matcher.is_match(path))
    }

    fn check_dir(&self) -> Result<(), ToolError> {
        let shown = self.workspace.shown(&self.dir);
        let metadata =
            std::fs::metadata(&self.dir).map_err(|error| not_read(&self.dir, &shown, &error))?;
        if metadata.is_dir() {
            return Ok(());
        }
        let message = format!("`{shown}` is a file; dir_path is for directories");
        Err(ToolError::new(ToolErrorKind::PathIsNotADirectory, message))
    }
}

#[cfg(test)]
mod tests;
