//! `write_file`: a file with new content, whole.
//!
//! What a model cannot see in a file stays as it was: CRLF, byte-order mark, encoding.

use std::borrow::Cow;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use pollux_types::{ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::diff::{change, unseen_change};
use crate::edit::{self, Edit};
use crate::encoding::Encoding;
use crate::endings::{all_crlf, to_crlf};
use crate::existing::{Existing, existing};
use crate::{
    BadArgs, Effects, Located, Outcome, Plan, Preview, RunContext, Tool, Workspace, schema,
};

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
    /// All of its new content.
    #[serde(alias = "file_content", alias = "text")]
    content: String,
}

/// The tool.
pub(crate) struct WriteFile {
    spec: ToolSpec,
    workspace: Arc<Workspace>,
}

impl WriteFile {
    pub(crate) fn new(workspace: Arc<Workspace>) -> Self {
        let description = "Creates or overwrites a file, and the directories it needs.";
        let spec = schema::spec::<Args>("write_file", description);
        Self { spec, workspace }
    }
}

impl Tool for WriteFile {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["write", "create_file"]
    }

    fn edits(&self) -> bool {
        true
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let args: Args = schema::parse(&self.spec, args)?;
        let target = self.workspace.locate(&args.file_path);
        let shown = self.workspace.shown_target(&target);
        let content = args.content;
        Ok(Box::new(Writing {
            target,
            shown,
            content,
        }))
    }
}

/// A file and all that it is to hold.
#[derive(Clone)]
pub(crate) struct Writing {
    pub(crate) target: Located,
    pub(crate) shown: String,
    pub(crate) content: String,
}

impl Plan for Writing {
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
        Some(Box::new(Self {
            content,
            ..self.clone()
        }))
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        edit::run(context, move || self.work_out())
    }
}

impl Writing {
    fn work_out(&self) -> Result<Edit, ToolError> {
        Ok(match existing(&self.target, &self.shown)? {
            None => self.creation(),
            Some(old) => self.replacement(old),
        })
    }

    fn creation(&self) -> Edit {
        let new = self.content.clone().into_bytes();
        Edit {
            target: self.target.clone(),
            change: change(&self.shown, None, &new),
            shown: self.shown.clone(),
            found: None,
            old: None,
            new,
            said: self.said("created"),
        }
    }

    fn replacement(&self, old: Existing) -> Edit {
        let encoding = old.bytes.as_deref().and_then(Encoding::of);
        let new = self.content_like(old.bytes.as_deref().unwrap_or_default(), encoding);
        let change = match (&old.bytes, encoding) {
            (Some(before), Some(encoding)) => {
                let before = encoding.decode(before);
                change(&self.shown, Some(&before), &encoding.decode(&new))
            }
            (Some(_), None) => unseen_change(&self.shown, "the old content was binary"),
            (None, _) => unseen_change(&self.shown, "the old content was too long"),
        };
        let said = if old.bytes.as_ref() == Some(&new) {
            format!("`{}` already has this content: unchanged", self.shown)
        } else {
            self.said("overwrote")
        };
        Edit {
            target: self.target.clone(),
            shown: self.shown.clone(),
            found: Some(old.metadata),
            old: old.bytes,
            new,
            change,
            said,
        }
    }

    /// The new content in the form of the old.
    fn content_like(&self, old: &[u8], encoding: Option<Encoding>) -> Vec<u8> {
        let content = self.content.as_bytes();
        let Some(encoding) = encoding else {
            return content.to_vec();
        };
        let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
        let crlf = all_crlf(&encoding.decode(old)) && !self.content.contains("\r\n");
        encoding.encode(if crlf {
            Cow::Owned(to_crlf(content))
        } else {
            Cow::Borrowed(content)
        })
    }

    fn said(&self, done: &str) -> String {
        let lines = self.content.lines().count();
        let unit = if lines == 1 { "line" } else { "lines" };
        format!("{done} `{}` with {lines} {unit}", self.shown)
    }
}

#[cfg(test)]
mod tests;
