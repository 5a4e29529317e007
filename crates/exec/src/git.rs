//! Reading a repository without running what it says.
//!
//! A repository's own settings name programs, and git runs them also for `status`, `diff`, `log` and
//! the like. So before git reads a repository that nobody vouches for, all settings of the
//! repository itself that name programs are covered. They can be covered through the
//! environment, so that it also goes for a `git` somewhere in a script. Settings of the user are
//! left alone.
//!
//! Not here: which commands only read. One that writes, or that names a program in its own
//! arguments, is not made harmless.

mod print;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::live::Live;
use crate::sandbox::{Confinement, Unconfined};
use crate::shell::{ShellEnd, ShellJob, run_shell};

use tempfile::NamedTempFile;

pub use print::Printed;

/// Set whatever the repository says.
const SETTINGS: &[(&str, &str)] = &[
    ("core.fsmonitor", "false"),
    ("core.hooksPath", "/dev/null"),
    ("core.sshCommand", "false"),
    ("core.alternateRefsCommand", "false"),
    ("diff.ignoreSubmodules", "all"),
    ("diff.submodule", "short"),
    ("gc.auto", "0"),
    ("log.showSignature", "false"),
    ("maintenance.auto", "false"),
    ("protocol.allow", "never"),
    ("safe.bareRepository", "explicit"),
    ("status.submoduleSummary", "false"),
    ("submodule.recurse", "false"),
];

const VARIABLES: &[(&str, &str)] = &[
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_ASKPASS", "true"),
    ("GIT_EDITOR", "true"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_PAGER", "cat"),
    ("GIT_SSH_COMMAND", "false"),
    ("GIT_TERMINAL_PROMPT", "0"),
];

/// Arguments with which a subcommand shows content as it is, and leaves other repositories alone.
const ARGUMENTS: &[(&str, &[&str])] = &[
    ("blame", &["--no-textconv"]),
    ("diff", PLAIN),
    ("grep", &["--no-textconv"]),
    ("log", PLAIN),
    ("show", PLAIN),
    ("status", &["--ignore-submodules=all"]),
];
const PLAIN: &[&str] = &["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"];

/// Options before the subcommand that have a value of their own.
const WITH_VALUE: &[&str] = &["-C", "-c", "--git-dir", "--work-tree", "--namespace"];

/// Asks for the names of all settings, with what they include and where they come from.
const QUESTION: &str = "git config --list --includes --show-scope --name-only -z";

/// Git reads them in no time, unless a repository includes what has no end.
const PATIENCE: Duration = Duration::from_secs(5);

/// More settings than these are no repository to work with.
const MOST_BYTES: usize = 1 << 20;

/// How git reads a repository without running what it says.
#[derive(Debug)]
pub struct HardenedGit {
    /// For the environment: enough by itself. Where the repository names a program that shows
    /// differences, git fails instead of running it.
    pub variables: Vec<(String, OsString)>,
    /// Holds attributes of files; gone with this.
    _attributes: NamedTempFile,
}

impl HardenedGit {
    /// For the repository of `dir`, for a person who wants to see what is in it; `temp` is for a
    /// temporary file.
    pub async fn for_repository(dir: &Path, temp: &Path) -> io::Result<Self> {
        let job = ShellJob {
            command: String::new(),
            dir: dir.to_owned(),
            timeout: PATIENCE,
            output_limit: 0,
            hidden_variables: Vec::new(),
            variables: Vec::new(),
            confinement: Confinement::Unconfined(Unconfined::Off),
            live: Live::default(),
        };
        Self::for_job(&job, "", temp, &CancellationToken::new()).await
    }

    /// For the repository in which `job` is to run. Asks git which settings it has, which runs nothing,
    /// in the sandbox of the job and in no more than its time. An error if there is no git, if git
    /// cannot read them, or if nobody waits any more. `attributes` are for files that the repository
    /// says nothing about, and are kept in a file in `temp`.
    pub async fn for_job(
        job: &ShellJob,
        attributes: &str,
        temp: &Path,
        cancel: &CancellationToken,
    ) -> io::Result<Self> {
        let question = ShellJob {
            command: QUESTION.to_owned(),
            timeout: job.timeout.min(PATIENCE),
            output_limit: MOST_BYTES,
            variables: variables(covering(&[])),
            live: Live::default(),
            ..job.clone()
        };
        let exit = run_shell(question, cancel).await;
        let exit = exit.map_err(io::Error::other)?;
        let names = match (exit.end, exit.stdout.whole()) {
            (ShellEnd::Exited(0), Some(answer)) => own_settings(&answer),
            (ShellEnd::Exited(0), None) => {
                return Err(io::Error::other("it has too many settings"));
            }
            (ShellEnd::TimedOut, _) => {
                return Err(io::Error::other("reading its settings takes too long"));
            }
            _ => return Err(io::Error::other(exit.stderr.text().trim())),
        };
        let mut file = NamedTempFile::with_prefix_in("attributes-", temp)?;
        file.write_all(attributes.as_bytes())?;
        let mut settings = covering(&names);
        settings.push(("core.attributesFile".into(), file.path().into()));
        let mut variables = variables(settings);
        variables.extend(no_attributes(&names));
        Ok(Self {
            variables,
            _attributes: file,
        })
    }

    /// The arguments of a git command (without `git` itself) such that it also works where the
    /// repository names programs that show differences.
    pub fn arguments(args: &[String]) -> Vec<String> {
        let mut at = 0;
        while let Some(option) = args.get(at).filter(|arg| arg.starts_with('-')) {
            at += if WITH_VALUE.contains(&option.as_str()) {
                2
            } else {
                1
            };
        }
        let (before, after) = args.split_at(args.len().min(at + 1));
        let subcommand = before.last().filter(|_| before.len() == at + 1);
        let more = ARGUMENTS
            .iter()
            .find(|(name, _)| subcommand.is_some_and(|own| own == name));
        let more = more.map_or(&[][..], |(_, more)| *more);
        let more = more.iter().map(|arg| (*arg).to_owned());
        before
            .iter()
            .cloned()
            .chain(more)
            .chain(after.iter().cloned())
            .collect()
    }
}

/// What keeps git from reading the attributes that a repository brings, which would win over ours:
/// they are taken from a tree with nothing in it, which every repository has. Outside of one git
/// takes that for a mistake.
fn no_attributes(names: &[OsString]) -> Option<(String, OsString)> {
    const SHA1: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    const SHA256: &str = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";
    let has_other_hash = names.iter().any(|name| name == "extensions.objectformat");
    let tree = if has_other_hash { SHA256 } else { SHA1 };
    (!names.is_empty()).then(|| ("GIT_ATTR_SOURCE".to_owned(), tree.into()))
}

/// Settings over those that a repository has by these names. Names are bytes: one that is no text
/// must be covered by the same bytes.
fn covering(names: &[OsString]) -> Vec<(OsString, OsString)> {
    let fixed = SETTINGS.iter();
    let fixed = fixed.map(|(name, value)| (OsString::from(name), OsString::from(value)));
    let covered = names.iter();
    let covered = covered.filter_map(|name| Some((name.clone(), cover(name)?.into())));
    fixed.chain(covered).collect()
}

/// The environment in which git has these settings.
fn variables(settings: Vec<(OsString, OsString)>) -> Vec<(String, OsString)> {
    let own = |(name, value): &(&str, &str)| ((*name).to_owned(), OsString::from(value));
    let mut variables: Vec<_> = VARIABLES.iter().map(own).collect();
    let count = settings.len().to_string();
    variables.push(("GIT_CONFIG_COUNT".into(), count.into()));
    for (at, (name, value)) in settings.into_iter().enumerate() {
        variables.push((format!("GIT_CONFIG_KEY_{at}"), name));
        variables.push((format!("GIT_CONFIG_VALUE_{at}"), value));
    }
    variables
}

/// What a setting that names a program is set to instead. Only what lies between section and
/// variable can be anything but ASCII.
fn cover(name: &OsStr) -> Option<&'static str> {
    let name = name.as_bytes();
    let first = name.iter().position(|byte| *byte == b'.')?;
    let last = name.iter().rposition(|byte| *byte == b'.')?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).to_lowercase();
    let (section, variable) = (text(&name[..first]), text(&name[last + 1..]));
    match (section.as_str(), variable.as_str()) {
        ("filter", "clean" | "smudge" | "process")
        | ("diff", "command")
        | ("credential", "helper")
        | ("trailer", "command" | "cmd") => Some(""),
        ("diff", "external") if first == last => Some(""),
        ("diff", "textconv") => Some("cat"),
        ("help", "format") | ("man", "viewer") => Some("man"),
        ("filter", "required")
        | ("pager", _)
        | ("gpg", "program" | "defaultkeycommand")
        | ("merge", "driver")
        | ("tar", "command")
        | ("man" | "browser", "cmd" | "path")
        | ("help" | "web", "browser") => Some("false"),
        ("submodule", "ignore") => Some("all"),
        _ => None,
    }
}

/// The names in an answer that come from the repository.
fn own_settings(answer: &[u8]) -> Vec<OsString> {
    let mut words = answer.split(|byte| *byte == 0);
    let mut names = Vec::new();
    while let (Some(scope), Some(name)) = (words.next(), words.next()) {
        if [&b"local"[..], b"worktree"].contains(&scope) {
            names.push(OsStr::from_bytes(name).to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests;
