//! Whether what a folder brings with it counts.
//!
//! A folder can hold settings and more that pollux would load. None of it is read into effect unless
//! the user trusts the folder with exactly that content: asked on a terminal, or told with `--trust`.
//! What to show and what an answer means are plain functions here; front ends only print and read.

use std::io::{self, BufRead as _};
use std::path::Path;

use pollux_store::Home;
use pollux_store::settings::{ProjectSettings, Wishes};
use pollux_store::trust::{Belongings, Change, Standing, TrustFile};
use pollux_types::untrusted::visible;

use crate::args::Args;
use crate::environment::{Environment, working_directory};
use crate::failure::{Exit, Failure};
use crate::headless::put;
use crate::mcp;

/// A folder, as far as it counts in this run.
#[derive(Debug, Default)]
pub(crate) struct Folder {
    trusted: Option<Belongings>,
    /// What the user should know of it.
    pub(crate) notices: Vec<String>,
}

impl Folder {
    fn trusted(belongings: Belongings) -> Self {
        Self {
            trusted: Some(belongings),
            notices: Vec::new(),
        }
    }

    fn passed_over(notice: String) -> Self {
        Self {
            trusted: None,
            notices: vec![notice],
        }
    }

    /// What it brings, if that counts.
    pub(crate) fn belongings(&self) -> Option<&Belongings> {
        self.trusted.as_ref()
    }

    /// The settings that it brings, if they count.
    pub(crate) fn settings(&self) -> Option<ProjectSettings> {
        settings(self.trusted.as_ref()?)
    }
}

/// A folder as it is found, before anything of it counts.
#[derive(Debug)]
pub(crate) enum Found {
    /// It brings nothing.
    Nothing,
    /// It brings something that nobody can trust, and why.
    Unfit(String),
    /// It brings something; an error if the record of trusted folders cannot be read.
    Something(Belongings, Result<Standing, String>),
}

impl Found {
    /// Looks at a folder, and obeys nothing of it.
    pub(crate) fn look(dir: &Path, home: &Home) -> Self {
        match Belongings::of(dir, home) {
            Err(why) => Self::Unfit(why),
            Ok(belongings) if belongings.is_empty() => Self::Nothing,
            Ok(belongings) => {
                let standing = TrustFile::new(home).standing(&belongings);
                Self::Something(belongings, standing)
            }
        }
    }

    /// What to ask the user, if it is not settled.
    pub(crate) fn question(&self) -> Option<String> {
        let Self::Something(belongings, standing) = self else {
            return None;
        };
        let mut text = match standing {
            Ok(Standing::Trusted) => return None,
            Ok(Standing::Unknown) => String::new(),
            Ok(Standing::Changed(changes)) => {
                let changes = listed(changes.iter().map(described));
                format!("This folder has changed since you trusted it:\n{changes}")
            }
            Err(problem) => format!("No folder is trusted: {}\n", shown(problem)),
        };
        text += "This folder brings files for pollux. None counts unless you trust it:\n";
        let wishes = settings(belongings).map(|settings| settings.wishes());
        let names = settings_first(belongings).into_iter();
        text += &listed(names.map(|name| match &wishes {
            Some(wishes) if name == ProjectSettings::NAME => format!("{name}{}", wanted(wishes)),
            _ => shown(name),
        }));
        Some(text + "trust it? [y/n] ")
    }

    /// Settles it as the user has said, or as it stands if nothing was said.
    pub(crate) fn settled(self, said: Option<bool>) -> Result<Folder, Failure> {
        Ok(match (self, said) {
            (Self::Nothing, _) | (_, Some(false)) => Folder::default(),
            (Self::Something(belongings, _), Some(true))
            | (Self::Something(belongings, Ok(Standing::Trusted)), None) => {
                Folder::trusted(belongings)
            }
            (Self::Unfit(why), Some(true)) => return Err(unfit(&why)),
            (Self::Unfit(why), None) => {
                let why = shown(&why);
                Folder::passed_over(format!(
                    "this folder cannot be trusted, so nothing that it brings is read: {why}"
                ))
            }
            (Self::Something(belongings, standing), None) => {
                Folder::passed_over(not_read(&belongings, &standing))
            }
        })
    }

    /// Settles it for good, or for this run if the answer is no.
    pub(crate) fn answered(self, yes: bool, home: &Home) -> Result<Folder, Failure> {
        let remembered = match &self {
            Self::Something(belongings, _) if yes => TrustFile::new(home).trust(belongings),
            _ => Ok(()),
        };
        let mut folder = self.settled(Some(yes))?;
        folder.notices.extend(remembered.err().map(|problem| {
            format!(
                "this folder is trusted for this run only: {}",
                shown(&problem)
            )
        }));
        Ok(folder)
    }
}

/// What a line in answer to the question means, if anything.
pub(crate) fn understood(line: &str) -> Option<bool> {
    match line.trim().to_lowercase().as_str() {
        "y" | "yes" => Some(true),
        "n" | "no" => Some(false),
        _ => None,
    }
}

/// The folder to work in, where nobody can be asked.
pub(crate) fn unasked(args: &Args, environment: &Environment) -> Result<Folder, Failure> {
    found(args, &environment.home()?)?.settled(args.trust())
}

/// The folder to work in, which the user is asked about on the terminal; `None` if they leave.
pub(crate) fn asked(args: &Args, environment: &Environment) -> Result<Option<Folder>, Failure> {
    let home = environment.home()?;
    let found = found(args, &home)?;
    let question = match (args.trust(), found.question()) {
        (None, Some(question)) => question,
        (said, _) => return found.settled(said).map(Some),
    };
    let broken = |error: io::Error| Failure::internal(format!("the terminal: {error}"));
    loop {
        put(&mut io::stdout(), &question).map_err(broken)?;
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line).map_err(broken)? == 0 {
            return Ok(None);
        }
        if let Some(yes) = understood(&line) {
            return found.answered(yes, &home).map(Some);
        }
    }
}

/// The folder to work in, if anybody wants to know.
fn found(args: &Args, home: &Home) -> Result<Found, Failure> {
    let dir = working_directory(args)?;
    Ok(match args.trust() {
        Some(false) => Found::Nothing,
        _ => Found::look(&dir, home),
    })
}

fn settings(belongings: &Belongings) -> Option<ProjectSettings> {
    let source = belongings.read(ProjectSettings::NAME).transpose()?;
    let file = Path::new(belongings.folder()).join(ProjectSettings::NAME);
    Some(ProjectSettings { file, source })
}

fn unfit(why: &str) -> Failure {
    let message = format!("this folder cannot be trusted: {}", shown(why));
    Failure::new(Exit::Untrusted, message)
        .hint("without `--trust` pollux goes on with your own settings alone")
}

/// What to say where nobody can be asked.
fn not_read(belongings: &Belongings, standing: &Result<Standing, String>) -> String {
    let why = match standing {
        Ok(Standing::Changed(changes)) => {
            let changes = enumerated(changes.iter().map(described));
            format!("this folder has changed since you trusted it ({changes})")
        }
        Ok(_) => "this folder is not trusted".to_owned(),
        Err(problem) => format!("no folder is trusted ({})", shown(problem)),
    };
    let names = enumerated(settings_first(belongings).into_iter().map(shown));
    format!(
        "{why}, so pollux does not read {names}; to trust it start `pollux` here on a terminal, or \
         add `--trust` for this run"
    )
}

/// The names of what a folder brings. Its settings are seen however much else there is.
fn settings_first(belongings: &Belongings) -> Vec<&str> {
    let mut names: Vec<&str> = belongings.names().collect();
    names.sort_by_key(|name| *name != ProjectSettings::NAME);
    names
}

fn described(change: &Change) -> String {
    match change {
        Change::New(name) => format!("{} is new", shown(name)),
        Change::Gone(name) => format!("{} is gone", shown(name)),
        Change::Other(name) => format!("{} has changed", shown(name)),
    }
}

/// What settings would do, a line each.
fn wanted(wishes: &Wishes) -> String {
    let part = |settings: &[String], before: &str, after: &str| -> String {
        let settings = some_of(settings.iter().map(|setting| shown(setting)));
        let lines = settings.into_iter();
        let lines = lines.map(|setting| format!("\n    {before} {setting}{after}"));
        lines.collect::<Vec<_>>().concat()
    };
    // All of them, and whole: each is a program that would run.
    let servers = wishes.servers.iter();
    let servers = servers.map(|(name, server)| format!("\n    {}", mcp::described(name, server)));
    servers.collect::<String>()
        + &part(&wishes.granted, "sets", "")
        + &part(&wishes.refused, "wants to set", ", and may not")
}

/// Nobody reads more.
const MOST_SHOWN: usize = 20;

/// A line each.
fn listed(items: impl ExactSizeIterator<Item = String>) -> String {
    format!("  {}\n", some_of(items).join("\n  "))
}

/// One after the other.
fn enumerated(items: impl ExactSizeIterator<Item = String>) -> String {
    some_of(items).join(", ")
}

fn some_of(items: impl ExactSizeIterator<Item = String>) -> Vec<String> {
    let more = items.len().saturating_sub(MOST_SHOWN);
    let more = (more > 0).then(|| format!("and {more} more"));
    items.take(MOST_SHOWN).chain(more).collect()
}

/// A name from outside: on one line, whatever is in it, and no longer than anybody reads.
fn shown(name: &str) -> String {
    const LONGEST: usize = 200;
    let mut letters = name.chars();
    let mut cut: String = letters.by_ref().take(LONGEST).collect();
    if letters.next().is_some() {
        cut.push_str("..");
    }
    visible(&cut).replace('\n', "\\n").replace('\t', "\\t")
}

#[cfg(test)]
mod tests;
