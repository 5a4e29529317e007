//! `read_file`: the lines of one text file.
//!
//! What a model gets is bounded in lines, in the length of a line and in all; whenever that
//! leaves something out, the first line says what is shown and how to read on. Big files are
//! never loaded whole.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

use futures_util::future::BoxFuture;
use pollux_types::{ToolError, ToolErrorKind, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::blocking::blocking;
use crate::encoding::{Encoding, SNIFFED};
use crate::existing::open;
use crate::failure::{cancelled, not_read};
use crate::schema::{self, refusal};
use crate::{BadArgs, Effects, Located, Outcome, Output, Plan, RunContext, Tool, Workspace};

mod excerpt;

use excerpt::Excerpt;

/// Lines shown unless the call says how many.
const WINDOW: usize = 2000;
/// Files up to this size are loaded whole.
const WHOLE_BYTES: u64 = 20_000_000;

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
    /// First line, counted from 1.
    #[serde(default, alias = "offset", deserialize_with = "schema::count")]
    start_line: Option<usize>,
    /// Last line, inclusive.
    #[serde(default, deserialize_with = "schema::count")]
    end_line: Option<usize>,
    #[serde(default, deserialize_with = "schema::count")]
    #[schemars(skip)]
    limit: Option<usize>,
}

/// The tool.
pub(crate) struct ReadFile {
    spec: ToolSpec,
    workspace: Arc<Workspace>,
}

impl ReadFile {
    pub(crate) fn new(workspace: Arc<Workspace>) -> Self {
        let description = "Reads a text file: its first 2000 lines, or the lines asked for.";
        let spec = schema::spec::<Args>("read_file", description);
        Self { spec, workspace }
    }
}

impl Tool for ReadFile {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["read", "view", "cat"]
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let args: Args = schema::parse(&self.spec, args)?;
        let window = Window::of(&args).map_err(|wrong| refusal(&self.spec, &wrong))?;
        let target = self.workspace.locate(&args.file_path);
        let shown = self.workspace.shown(&target.named);
        Ok(Box::new(Reading {
            target,
            shown,
            window,
        }))
    }
}

/// As much of a file as is shown when nothing else is asked for.
pub(crate) fn beginning(target: &Located, shown: &str, stop: &CancellationToken) -> Outcome {
    let reading = Reading {
        target: target.clone(),
        shown: shown.to_owned(),
        window: Window {
            first: 1,
            last: WINDOW,
            asked_for: false,
        },
    };
    reading.read(stop)
}

/// Which lines are wanted.
#[derive(Clone, Copy, Debug)]
struct Window {
    first: usize,
    last: usize,
    asked_for: bool,
}

impl Window {
    fn of(args: &Args) -> Result<Self, String> {
        let first = args.start_line.unwrap_or(1).max(1);
        let count = args.limit.unwrap_or(WINDOW).max(1);
        let last = args.end_line.unwrap_or(first.saturating_add(count - 1));
        if last < first {
            return Err(format!("end_line {last} is before start_line {first}"));
        }
        let asked_for = args.start_line.or(args.end_line).or(args.limit).is_some();
        Ok(Self {
            first,
            last,
            asked_for,
        })
    }
}

struct Reading {
    target: Located,
    shown: String,
    window: Window,
}

impl Plan for Reading {
    fn effects(&self) -> Effects {
        Effects {
            reads: vec![self.target.clone()],
            ..Effects::default()
        }
    }

    fn summary(&self) -> String {
        let Window {
            first,
            last,
            asked_for,
        } = self.window;
        if asked_for {
            format!("{}:{first}-{last}", self.shown)
        } else {
            self.shown.clone()
        }
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        blocking(context, move |stop| self.read(stop))
    }
}

impl Reading {
    fn read(&self, stop: &CancellationToken) -> Outcome {
        let file = open(&self.target, &self.shown).map_err(|error| match error.kind {
            ToolErrorKind::TargetIsDirectory => {
                let message = format!("{}; use list_directory", error.message);
                ToolError::new(error.kind, message)
            }
            _ => error,
        })?;
        let missing = || self.not_read(&io::ErrorKind::NotFound.into());
        let file = file.ok_or_else(missing)?;
        let metadata = file.metadata().map_err(|error| self.not_read(&error))?;
        if metadata.len() <= WHOLE_BYTES {
            self.read_whole(file, stop)
        } else {
            self.read_part(file, metadata.len(), stop)
        }
    }

    fn read_whole(&self, file: File, stop: &CancellationToken) -> Outcome {
        let mut bytes = Vec::new();
        let read = file.take(WHOLE_BYTES).read_to_end(&mut bytes);
        read.map_err(|error| self.not_read(&error))?;
        let encoding = Encoding::of(&bytes).ok_or_else(|| self.binary(bytes.len() as u64))?;
        let text = encoding.decode(&bytes);
        let excerpt = Excerpt::of(&mut text.as_ref(), self.window, true, stop);
        self.output(excerpt, stop)
    }

    /// Reads no further than the window, so the number of lines stays unknown.
    fn read_part(&self, file: File, size: u64, stop: &CancellationToken) -> Outcome {
        let mut source = BufReader::with_capacity(SNIFFED.max(64 * 1024), file);
        let start = source.fill_buf().map_err(|error| self.not_read(&error))?;
        let encoding = Encoding::of(start).ok_or_else(|| self.binary(size))?;
        if !self.window.asked_for {
            return Err(self.too_large(size, "read it in parts with start_line and end_line"));
        }
        match encoding {
            Encoding::Utf8 => {}
            Encoding::Utf8Marked => source.consume(3),
            _ => return Err(self.too_large(size, "only UTF-8 files of this size can be read")),
        }
        let excerpt = Excerpt::of(&mut source, self.window, false, stop);
        self.output(excerpt, stop)
    }

    fn output(&self, excerpt: io::Result<Excerpt>, stop: &CancellationToken) -> Outcome {
        if stop.is_cancelled() {
            return Err(cancelled());
        }
        let excerpt = excerpt.map_err(|error| self.not_read(&error))?;
        let first = self.window.first;
        if excerpt.seen < first && excerpt.seen > 0 {
            let message = format!(
                "start_line {first} is past the end of `{}`, which has {} lines",
                self.shown, excerpt.seen
            );
            return Err(ToolError::new(ToolErrorKind::InvalidToolParams, message));
        }
        Ok(Output::text(excerpt.render(first)))
    }

    fn not_read(&self, error: &io::Error) -> ToolError {
        not_read(&self.target.named, &self.shown, error)
    }

    fn binary(&self, size: u64) -> ToolError {
        let message = format!("`{}` is a binary file of {size} bytes", self.shown);
        ToolError::new(ToolErrorKind::BinaryFile, message)
    }

    fn too_large(&self, size: u64, advice: &str) -> ToolError {
        let message = format!("`{}` has {size} bytes; {advice}", self.shown);
        ToolError::new(ToolErrorKind::FileTooLarge, message)
    }
}

#[cfg(test)]
mod tests;
