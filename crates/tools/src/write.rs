//! `write_file`: a file with new content, whole.
//!
//! What a model cannot see in a file stays as it was: CRLF, byte-order mark, encoding.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use pollux_types::{FileChange, ToolError, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::blocking::blocking;
use crate::diff::{change, unseen_change};
use crate::encoding::Encoding;
use crate::endings::{all_crlf, to_crlf};
use crate::existing::{Existing, existing};
use crate::failure::failed;
use crate::save::{create, follow, overwrite};
use crate::{BadArgs, Effects, Outcome, Output, Plan, RunContext, Tool, Workspace, schema};

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

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let args: Args = schema::parse(&self.spec, args)?;
        let path = self.workspace.resolve(&args.file_path);
        let shown = self.workspace.shown(&path);
        let content = args.content;
        Ok(Box::new(Writing {
            path,
            shown,
            content,
        }))
    }
}

struct Writing {
    path: PathBuf,
    shown: String,
    content: String,
}

impl Plan for Writing {
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
        blocking(context, move |_| self.write())
    }
}

impl Writing {
    fn write(&self) -> Outcome {
        let target = follow(&self.path).map_err(|error| self.not_written(&error))?;
        match existing(&target, &self.shown)? {
            None => self.create(&target),
            Some(old) => self.overwrite(&target, &old),
        }
    }

    fn create(&self, target: &Path) -> Outcome {
        let content = self.content.as_bytes();
        create(target, content).map_err(|error| self.not_written(&error))?;
        Ok(self.output("created", change(&self.shown, None, content)))
    }

    fn overwrite(&self, target: &Path, old: &Existing) -> Outcome {
        let encoding = old.bytes.as_deref().and_then(Encoding::of);
        let content = self.content_like(old.bytes.as_deref().unwrap_or_default(), encoding);
        if old.bytes.as_ref() == Some(&content) {
            let text = format!("`{}` already has this content: unchanged", self.shown);
            return Ok(Output::text(text));
        }
        overwrite(target, &old.metadata, &content).map_err(|error| self.not_written(&error))?;
        let change = match (&old.bytes, encoding) {
            (Some(before), Some(encoding)) => {
                let before = encoding.decode(before);
                change(&self.shown, Some(&before), &encoding.decode(&content))
            }
            (Some(_), None) => unseen_change(&self.shown, "the old content was binary"),
            (None, _) => unseen_change(&self.shown, "the old content was too long"),
        };
        Ok(self.output("overwrote", change))
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

    fn output(&self, done: &str, change: FileChange) -> Output {
        let lines = self.content.lines().count();
        let unit = if lines == 1 { "line" } else { "lines" };
        Output {
            text: format!("{done} `{}` with {lines} {unit}", self.shown),
            changes: vec![change],
        }
    }

    fn not_written(&self, error: &io::Error) -> ToolError {
        failed("write", &self.shown, error)
    }
}

#[cfg(test)]
mod tests;
