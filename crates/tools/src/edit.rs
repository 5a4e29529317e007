//! An edit that is worked out and not yet made.
//!
//! What a person approves is what is made: a file that has changed since gives another
//! fingerprint, and the edit is refused.

use std::fs::Metadata;
use std::io;

use futures_util::future::BoxFuture;
use pollux_types::{FileChange, ToolError, ToolErrorKind, fingerprint};

use crate::blocking::blocking;
use crate::failure::failed;
use crate::save::{create, overwrite};
use crate::{Located, Outcome, Output, Preview, RunContext};

/// What a person is shown of an edit.
pub(crate) fn preview(
    work_out: impl FnOnce() -> Result<Edit, ToolError> + Send + 'static,
) -> BoxFuture<'static, Result<Preview, ToolError>> {
    Box::pin(async {
        let worked_out = tokio::task::spawn_blocking(|| work_out().map(|edit| edit.preview()));
        worked_out.await.unwrap_or_else(|error| {
            let message = format!("the tool broke down: {error}");
            Err(ToolError::new(ToolErrorKind::UnhandledException, message))
        })
    })
}

/// Works an edit out and makes it.
pub(crate) fn run(
    context: RunContext,
    work_out: impl FnOnce() -> Result<Edit, ToolError> + Send + 'static,
) -> BoxFuture<'static, Outcome> {
    let approved = context.approved.clone();
    blocking(context, move |_| work_out()?.make(approved.as_deref()))
}

/// The new content of one file.
pub(crate) struct Edit {
    pub(crate) target: Located,
    /// How the person names it.
    pub(crate) shown: String,
    /// The file as it was found, if it was there.
    pub(crate) found: Option<Metadata>,
    pub(crate) old: Option<Vec<u8>>,
    pub(crate) new: Vec<u8>,
    pub(crate) change: FileChange,
    /// What the model is told once it is done.
    pub(crate) said: String,
}

impl Edit {
    /// What the person is shown of it.
    fn preview(&self) -> Preview {
        Preview {
            change: Some(self.change.clone()),
            content: String::from_utf8(self.new.clone()).ok(),
            fingerprint: self.fingerprint(),
        }
    }

    /// Makes it, if it is what was approved.
    pub(crate) fn make(self, approved: Option<&str>) -> Outcome {
        self.make_by(approved, |edit| match &edit.found {
            None => create(&edit.target, &edit.new),
            Some(metadata) => overwrite(&edit.target, metadata, &edit.new),
        })
    }

    /// The same where somebody else writes the file.
    pub(crate) fn make_by(
        self,
        approved: Option<&str>,
        save: impl FnOnce(&Self) -> io::Result<()>,
    ) -> Outcome {
        if approved.is_some_and(|approved| approved != self.fingerprint()) {
            let message = format!(
                "`{}` has been changed since this edit was approved; read it again",
                self.shown
            );
            return Err(ToolError::new(ToolErrorKind::ExecutionFailed, message));
        }
        if self.old.as_ref() == Some(&self.new) {
            return Ok(Output::text(self.said));
        }
        save(&self).map_err(|error| failed("write", &self.shown, &error))?;
        Ok(Output {
            text: self.said,
            changes: vec![self.change],
            ..Output::default()
        })
    }

    fn fingerprint(&self) -> String {
        let path = self.target.real.as_os_str().as_encoded_bytes();
        let old = self.old.as_deref();
        fingerprint(&[path, old.unwrap_or(b"\0none"), &self.new])
    }
}

#[cfg(test)]
mod race;
