//! `grep_search`: lines that match a pattern, grouped by file, in the order of the paths.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use globset::GlobMatcher;
use grep_matcher::LineTerminator;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use ignore::DirEntry;
use pollux_types::ToolSpec;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::blocking::blocking;
use crate::failure::{cancelled, not_read};
use crate::lines::one_line;
use crate::schema::{self, refusal};
use crate::walk::{glob, walk, withholds};
use crate::{
    BadArgs, Effects, Forbidden, Located, Outcome, Output, Plan, RunContext, Tool, Workspace,
};

mod report;

use report::Report;

/// Matching lines shown unless the call says how many.
const MATCHES: usize = 100;
/// Lines shown around a match at most, whatever the call says.
const CONTEXT: usize = 50;
/// A file with a line longer than this is not searched.
const LINE_BYTES: usize = 64 << 20;

#[derive(Debug, Deserialize, JsonSchema)]
struct Args {
    /// A regular expression, matched line by line.
    #[serde(alias = "query", alias = "regex")]
    pattern: String,
    /// Where to search: a directory or a file; the project if left out.
    #[serde(
        default,
        alias = "dir",
        alias = "directory",
        alias = "directory_path",
        alias = "path"
    )]
    dir_path: Option<String>,
    /// Only files that match this glob.
    #[serde(default, alias = "include", alias = "glob")]
    include_pattern: Option<String>,
    /// Lines to show around each match.
    #[serde(default, deserialize_with = "schema::count")]
    context: Option<usize>,
    /// Default: only if the pattern has a capital.
    #[serde(default, deserialize_with = "schema::flag")]
    case_sensitive: Option<bool>,
    /// Take the pattern as plain text.
    #[serde(default, deserialize_with = "schema::flag")]
    fixed_strings: Option<bool>,
    /// Default 100.
    #[serde(default, deserialize_with = "schema::count")]
    max_matches: Option<usize>,
}

/// The tool.
pub(crate) struct GrepSearch {
    spec: ToolSpec,
    workspace: Arc<Workspace>,
}

impl GrepSearch {
    pub(crate) fn new(workspace: Arc<Workspace>) -> Self {
        let description = "Searches the text of files. Ignored and binary files are left out.";
        let spec = schema::spec::<Args>("grep_search", description);
        Self { spec, workspace }
    }
}

impl Tool for GrepSearch {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["search_file_content", "grep", "search"]
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let args: Args = schema::parse(&self.spec, args)?;
        let path = self
            .workspace
            .resolve(args.dir_path.as_deref().unwrap_or_default());
        let wrong = |name: &str, error: &str| refusal(&self.spec, &format!("`{name}`: {error}"));
        let matcher = matcher(&args).map_err(|error| wrong("pattern", &error))?;
        let include = match &args.include_pattern {
            Some(include) => glob(include, &path, false).map(Some),
            None => Ok(None),
        };
        Ok(Box::new(Grepping {
            include: include.map_err(|error| wrong("include_pattern", &error))?,
            matcher,
            path,
            context: args.context.unwrap_or(0).min(CONTEXT),
            limit: args.max_matches.unwrap_or(MATCHES).max(1),
            pattern: args.pattern,
            workspace: Arc::clone(&self.workspace),
        }))
    }
}

fn matcher(args: &Args) -> Result<RegexMatcher, String> {
    if args.pattern.is_empty() {
        return Err("is empty".into());
    }
    RegexMatcherBuilder::new()
        .multi_line(true)
        .crlf(true)
        .case_smart(args.case_sensitive.is_none())
        .case_insensitive(args.case_sensitive == Some(false))
        .fixed_strings(args.fixed_strings.unwrap_or(false))
        .build(&args.pattern)
        .map_err(|error| error.to_string())
}

struct Grepping {
    pattern: String,
    matcher: RegexMatcher,
    include: Option<GlobMatcher>,
    path: PathBuf,
    context: usize,
    limit: usize,
    workspace: Arc<Workspace>,
}

impl Plan for Grepping {
    fn effects(&self) -> Effects {
        Effects {
            reads: vec![Located::of(self.path.clone())],
            ..Effects::default()
        }
    }

    fn summary(&self) -> String {
        match self.workspace.shown(&self.path).as_str() {
            "." => self.pattern.clone(),
            path => format!("{} in {path}", self.pattern),
        }
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        let forbidden = context.forbidden.clone();
        blocking(context, move |stop| self.search(stop, &forbidden))
    }
}

impl Grepping {
    fn search(&self, stop: &CancellationToken, forbidden: &Forbidden) -> Outcome {
        let shown = self.workspace.shown(&self.path);
        std::fs::metadata(&self.path).map_err(|error| not_read(&self.path, &shown, &error))?;
        let mut report = Report::new(&self.matcher, self.limit);
        let mut searcher = self.searcher();
        let mut walk = walk(&self.path, true);
        walk.sort_by_file_path(std::path::Path::cmp);
        let start = Located::of(self.path.clone());
        let (mut secrets, mut others) = (Vec::new(), Vec::new());
        // What cannot be read on the way is passed over: the rest is still worth knowing.
        for entry in walk.build().flatten().filter(|entry| self.includes(entry)) {
            if stop.is_cancelled() {
                return Err(cancelled());
            }
            if withholds(&start, entry.path()) {
                secrets.push(one_line(&self.workspace.shown(entry.path())));
                continue;
            }
            if forbidden.has(entry.path()) {
                others.push(one_line(&self.workspace.shown(entry.path())));
                continue;
            }
            self.search_file(&mut searcher, &entry, &mut report, stop)
                .ok();
            if report.limited() {
                break;
            }
        }
        let none = || format!("No line matches `{}` in `{shown}`.", self.pattern);
        let mut text = report.finish().unwrap_or_else(none);
        text.push_str(&withheld(&secrets, "it may hold secrets"));
        text.push_str(&withheld(&others, "a rule forbids it"));
        Ok(Output::text(text))
    }

    fn search_file(
        &self,
        searcher: &mut Searcher,
        entry: &DirEntry,
        report: &mut Report<'_>,
        stop: &CancellationToken,
    ) -> io::Result<()> {
        report.begin(&self.workspace.shown(entry.path()));
        let file = Stoppable {
            source: std::fs::File::open(entry.path())?,
            stop,
        };
        let result = searcher.search_reader(&self.matcher, file, &mut *report);
        report.end();
        result
    }

    fn searcher(&self) -> Searcher {
        SearcherBuilder::new()
            .line_terminator(LineTerminator::crlf())
            .binary_detection(BinaryDetection::quit(0))
            .before_context(self.context)
            .after_context(self.context)
            .heap_limit(Some(LINE_BYTES))
            .build()
    }

    /// Links, pipes and devices are not files to search.
    fn includes(&self, entry: &DirEntry) -> bool {
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        let relative = entry
            .path()
            .strip_prefix(&self.path)
            .unwrap_or(entry.path());
        let included = |include: &GlobMatcher| entry.depth() == 0 || include.is_match(relative);
        is_file && self.include.as_ref().is_none_or(included)
    }
}

/// What the model is told of files that were not looked into.
fn withheld(files: &[String], why: &str) -> String {
    let more = match files.len().saturating_sub(1) {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    files.first().map_or_else(String::new, |first| {
        format!("\n[not searched, since {why}: {first}{more}]\n")
    })
}

/// A source that fails once the user has had enough: one file can be a whole disk.
struct Stoppable<'a> {
    source: std::fs::File,
    stop: &'a CancellationToken,
}

impl io::Read for Stoppable<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.stop.is_cancelled() {
            return Err(io::Error::other("stopped"));
        }
        self.source.read(buffer)
    }
}

#[cfg(test)]
mod tests;
