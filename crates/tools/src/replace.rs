//! `replace`: one piece of a file exchanged for another.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use pollux_types::{ToolError, ToolErrorKind, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::blocking::blocking;
use crate::diff::change;
use crate::encoding::Encoding;
use crate::existing::{Existing, existing};
use crate::failure::{failed, not_read};
use crate::save::{create, follow, overwrite};
use crate::splice::{Miss, Spliced, splice};
use crate::{BadArgs, Effects, Outcome, Output, Plan, RunContext, Tool, Workspace, schema};

/// Line numbers that are told.
const LINES: usize = 10;

#[derive(Debug, Deserialize, JsonSchema)]
struct Args {
    /// Absolute, or relative to the project.
    #[serde(
        alias = "path",
        alias = "absolute_path",
        alias = "filePath",
        alias = "filename"
    )]
    file_path: String,
    /// The exact text to replace; empty to create a file.
    #[serde(alias = "old_content", alias = "old_str")]
    old_string: String,
    /// What comes in its place.
    #[serde(alias = "new_content", alias = "new_str")]
    new_string: String,
    /// Replace every occurrence.
    #[serde(default, deserialize_with = "schema::flag")]
    allow_multiple: Option<bool>,
}

/// The tool.
pub(crate) struct Replace {
    spec: ToolSpec,
    workspace: Arc<Workspace>,
}

impl Replace {
    pub(crate) fn new(workspace: Arc<Workspace>) -> Self {
        let description = "Replaces text in a file. old_string has to occur exactly once, \
                           so include enough lines around the change.";
        let spec = schema::spec::<Args>("replace", description);
        Self { spec, workspace }
    }
}

impl Tool for Replace {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["edit", "edit_file", "str_replace"]
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let args: Args = schema::parse(&self.spec, args)?;
        let path = self.workspace.resolve(&args.file_path);
        let shown = self.workspace.shown(&path);
        Ok(Box::new(Replacing { path, shown, args }))
    }
}

struct Replacing {
    path: PathBuf,
    shown: String,
    args: Args,
}

impl Plan for Replacing {
    fn effects(&self) -> Effects {
        Effects {
            reads: vec![self.path.clone()],
            writes: vec![self.path.clone()],
            script: None,
        }
    }

    fn summary(&self) -> String {
        self.shown.clone()
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        blocking(context, move |_| self.replace())
    }
}

impl Replacing {
    fn replace(&self) -> Outcome {
        let target = follow(&self.path).map_err(|error| self.not_written(&error))?;
        let creates = self.args.old_string.is_empty();
        match existing(&target, &self.shown)? {
            None if creates => self.create(&target),
            None => Err(not_read(
                &self.path,
                &self.shown,
                &io::ErrorKind::NotFound.into(),
            )),
            Some(Existing {
                metadata,
                bytes: Some(old),
            }) => {
                let (new, lines) = self.edited(&old)?;
                let saved = overwrite(&target, &metadata, &new);
                saved.map_err(|error| self.not_written(&error))?;
                Ok(self.output(&old, &new, &lines))
            }
            Some(_) => Err(self.error(ToolErrorKind::FileTooLarge, "is too large to edit")),
        }
    }

    fn create(&self, target: &Path) -> Outcome {
        let content = self.args.new_string.as_bytes();
        create(target, content).map_err(|error| self.not_written(&error))?;
        Ok(Output {
            text: format!("created `{}`", self.shown),
            changes: vec![change(&self.shown, None, content)],
        })
    }

    /// The whole file after the edit, and the lines where it was edited.
    fn edited(&self, old: &[u8]) -> Result<(Vec<u8>, Vec<usize>), ToolError> {
        let args = &self.args;
        if args.old_string.is_empty() && old.is_empty() {
            return Ok((args.new_string.clone().into_bytes(), vec![1]));
        }
        if args.old_string.is_empty() {
            let message = "exists: give the text to replace as old_string, or use write_file";
            return Err(self.error(ToolErrorKind::InvalidToolParams, message));
        }
        let encoding = Encoding::of(old).unwrap_or(Encoding::Utf8);
        let text = encoding.decode(old);
        if matches!(text, Cow::Owned(_)) && encoding.encode(Cow::Borrowed(&text)) != old {
            let message = "is damaged UTF-16, which an edit would not keep as it is";
            return Err(self.error(ToolErrorKind::ExecutionFailed, message));
        }
        let every = args.allow_multiple.unwrap_or(false);
        let Spliced { text, lines } = splice(&text, &args.old_string, &args.new_string, every)
            .map_err(|miss| self.missed(&miss))?;
        let new = encoding.encode(Cow::Owned(text));
        if new == old {
            let message = "would not change: old_string and new_string are the same";
            return Err(self.error(ToolErrorKind::EditNoChange, message));
        }
        Ok((new, lines))
    }

    fn missed(&self, miss: &Miss) -> ToolError {
        match miss {
            Miss::Absent(None) => self.error(
                ToolErrorKind::EditNoOccurrenceFound,
                "does not contain old_string; read the file and copy the text exactly",
            ),
            Miss::Absent(Some(line)) => self.error(
                ToolErrorKind::EditNoOccurrenceFound,
                &format!(
                    "does not contain old_string. Its first line is like line {line}: \
                     check spaces and the lines after it"
                ),
            ),
            Miss::Ambiguous(count) => self.error(
                ToolErrorKind::EditExpectedOccurrenceMismatch,
                &format!(
                    "contains old_string {count} times; add lines around it to make it unique, \
                     or set allow_multiple"
                ),
            ),
        }
    }

    fn output(&self, old: &[u8], new: &[u8], lines: &[usize]) -> Output {
        let encoding = Encoding::of(old).unwrap_or(Encoding::Utf8);
        let told: Vec<_> = lines.iter().take(LINES).map(ToString::to_string).collect();
        let more = if lines.len() > LINES { ", …" } else { "" };
        let (times, unit) = match lines.len() {
            1 => ("1 occurrence".into(), "line"),
            count => (format!("{count} occurrences"), "lines"),
        };
        let place = told.join(", ");
        Output {
            text: format!(
                "replaced {times} in `{}` ({unit} {place}{more})",
                self.shown
            ),
            changes: vec![change(
                &self.shown,
                Some(&encoding.decode(old)),
                &encoding.decode(new),
            )],
        }
    }

    fn error(&self, kind: ToolErrorKind, what: &str) -> ToolError {
        ToolError::new(kind, format!("`{}` {what}", self.shown))
    }

    fn not_written(&self, error: &io::Error) -> ToolError {
        failed("write", &self.shown, error)
    }
}

#[cfg(test)]
mod tests;
