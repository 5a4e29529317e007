//! `replace`: one piece of a file exchanged for another.

use std::borrow::Cow;
use std::fs::Metadata;
use std::io;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use pollux_types::{ToolError, ToolErrorKind, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::diff::change;
use crate::edit::{self, Edit};
use crate::encoding::Encoding;
use crate::existing::{Existing, existing};
use crate::failure::not_read;
use crate::splice::{Miss, Spliced, splice};
use crate::write::Writing;
use crate::{
    BadArgs, Effects, Located, Outcome, Plan, Preview, RunContext, Tool, Workspace, schema,
};

/// Line numbers that are told.
const LINES: usize = 10;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
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

    fn edits(&self) -> bool {
        true
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let args: Args = schema::parse(&self.spec, args)?;
        let target = self.workspace.locate(&args.file_path);
        let shown = self.workspace.shown_target(&target);
        Ok(Box::new(Replacing {
            target,
            shown,
            args,
        }))
    }
}

#[derive(Clone)]
struct Replacing {
    target: Located,
    shown: String,
    args: Args,
}

impl Plan for Replacing {
    fn effects(&self) -> Effects {
        Effects::editing(&self.target)
    }

    fn summary(&self) -> String {
        self.shown.clone()
    }

    fn preview(&self) -> BoxFuture<'static, Result<Preview, ToolError>> {
        let plan = self.clone();
        edit::preview(move || plan.work_out())
    }

    fn revised(&self, content: String) -> Option<Box<dyn Plan>> {
        Some(Box::new(Writing {
            target: self.target.clone(),
            shown: self.shown.clone(),
            content,
        }))
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        edit::run(context, move || self.work_out())
    }
}

impl Replacing {
    fn work_out(&self) -> Result<Edit, ToolError> {
        let creates = self.args.old_string.is_empty();
        match existing(&self.target, &self.shown)? {
            None if creates => Ok(self.creation()),
            None => Err(not_read(
                &self.target.named,
                &self.shown,
                &io::ErrorKind::NotFound.into(),
            )),
            Some(Existing {
                metadata,
                bytes: Some(old),
            }) => self.replacement(metadata, old),
            Some(_) => Err(self.error(ToolErrorKind::FileTooLarge, "is too large to edit")),
        }
    }

    fn creation(&self) -> Edit {
        let new = self.args.new_string.clone().into_bytes();
        Edit {
            target: self.target.clone(),
            shown: self.shown.clone(),
            found: None,
            old: None,
            change: change(&self.shown, None, &new),
            new,
            said: format!("created `{}`", self.shown),
        }
    }

    fn replacement(&self, metadata: Metadata, old: Vec<u8>) -> Result<Edit, ToolError> {
        let (new, lines) = self.edited(&old)?;
        let encoding = Encoding::of(&old).unwrap_or(Encoding::Utf8);
        Ok(Edit {
            target: self.target.clone(),
            shown: self.shown.clone(),
            found: Some(metadata),
            change: change(
                &self.shown,
                Some(&encoding.decode(&old)),
                &encoding.decode(&new),
            ),
            old: Some(old),
            new,
            said: self.said(&lines),
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

    fn said(&self, lines: &[usize]) -> String {
        let told: Vec<_> = lines.iter().take(LINES).map(ToString::to_string).collect();
        let more = if lines.len() > LINES { ", …" } else { "" };
        let (times, unit) = match lines.len() {
            1 => ("1 occurrence".into(), "line"),
            count => (format!("{count} occurrences"), "lines"),
        };
        let place = told.join(", ");
        format!(
            "replaced {times} in `{}` ({unit} {place}{more})",
            self.shown
        )
    }

    fn error(&self, kind: ToolErrorKind, what: &str) -> ToolError {
        ToolError::new(kind, format!("`{}` {what}", self.shown))
    }
}

#[cfg(test)]
mod tests;
