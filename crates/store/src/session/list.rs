//! Finding sessions again.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fs_err::File;
use jiff::Timestamp;
use pollux_types::SessionId;

use super::entry::{Answering, Entry, Header};
use crate::Home;

/// A session on disk.
#[derive(Clone, Debug)]
pub struct Found {
    /// What it says about itself. Who answered last is known once it was found by [`find`].
    pub header: Header,
    /// The first prompt.
    pub title: String,
    /// What the person calls it, once it was found by [`list`].
    pub name: Option<String>,
    /// When it was last written.
    pub updated: SystemTime,
    /// Its log.
    pub path: PathBuf,
}

/// Why there is no such session.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// The project has none at all.
    #[error("there is no session in this project yet")]
    None,
    /// Nothing fits.
    #[error("no session `{wanted}`; `pollux sessions list` shows what there is")]
    NotFound {
        /// As it was given.
        wanted: String,
    },
    /// Several fit.
    #[error("`{wanted}` fits {count} sessions; give more of the id")]
    Ambiguous {
        /// As it was given.
        wanted: String,
        /// How many.
        count: usize,
    },
    /// The directory cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The sessions of the project in `dir`, newest first.
pub fn list(home: &Home, dir: &Path) -> io::Result<Vec<Found>> {
    let mut found = unnamed(home, dir)?;
    for session in &mut found {
        session.name = name_of(&session.path)?;
    }
    Ok(found)
}

/// The same without their names: reads the first lines of each log only.
fn unnamed(home: &Home, dir: &Path) -> io::Result<Vec<Found>> {
    let mut found = logs(&home.sessions(dir))?;
    found.sort_by(|a, b| (b.updated, &b.header.id).cmp(&(a.updated, &a.header.id)));
    Ok(found)
}

/// `latest`, a number as in the list, the beginning of an id, or a name. An id may be of another
/// project.
pub fn find(home: &Home, dir: &Path, wanted: &str) -> Result<Found, FindError> {
    let mut found = pick(home, dir, wanted)?;
    if let Some(answering) = answered_last(&found.path)? {
        found.header.answering = answering;
    }
    Ok(found)
}

fn pick(home: &Home, dir: &Path, wanted: &str) -> Result<Found, FindError> {
    let mut here = unnamed(home, dir)?;
    if wanted == "latest" {
        return if here.is_empty() {
            Err(FindError::None)
        } else {
            Ok(here.swap_remove(0))
        };
    }
    if let Ok(number @ 1..=9999) = wanted.parse::<usize>() {
        if number <= here.len() {
            return Ok(here.swap_remove(number - 1));
        }
        return one(Vec::new(), wanted);
    }
    let mut fitting = Vec::new();
    if wanted.len() >= 4 {
        fitting = by_id(home, here, wanted)?;
    }
    if fitting.is_empty() {
        let is_called = |found: &Found| found.name.as_deref() == Some(wanted);
        fitting = list(home, dir)?.into_iter().filter(is_called).collect();
    }
    one(fitting, wanted)
}

/// A name that a session can be found by again, or why this is none.
pub fn session_name(text: &str) -> Result<&str, &'static str> {
    let name = text.trim();
    if name.is_empty() {
        Err("a name has letters in it")
    } else if name.chars().count() > 60 {
        Err("a name has 60 characters at most")
    } else if name.contains(char::is_control) {
        Err("a name is one line of text")
    } else if name == "latest" || name.bytes().all(|byte| byte.is_ascii_digit()) {
        Err("`latest` and numbers mean sessions already")
    } else {
        Ok(name)
    }
}

fn by_id(home: &Home, here: Vec<Found>, wanted: &str) -> io::Result<Vec<Found>> {
    let fits = |found: &Found| found.header.id.as_str().starts_with(wanted);
    let near: Vec<Found> = here.into_iter().filter(fits).collect();
    if !near.is_empty() {
        return Ok(near);
    }
    let mut far = Vec::new();
    for project in entries(&home.all_sessions())? {
        far.extend(logs(&project)?.into_iter().filter(fits));
    }
    Ok(far)
}

fn one(mut fitting: Vec<Found>, wanted: &str) -> Result<Found, FindError> {
    match fitting.len() {
        0 => Err(FindError::NotFound {
            wanted: wanted.to_owned(),
        }),
        1 => Ok(fitting.swap_remove(0)),
        count => Err(FindError::Ambiguous {
            wanted: wanted.to_owned(),
            count,
        }),
    }
}

fn logs(dir: &Path) -> io::Result<Vec<Found>> {
    let files = entries(dir)?;
    let logs = files
        .iter()
        .filter(|path| path.extension().is_some_and(|ext| ext == "jsonl"));
    Ok(logs.filter_map(|path| look(path).ok()).collect())
}

/// What is in a directory; nothing, if it is none.
fn entries(dir: &Path) -> io::Result<Vec<PathBuf>> {
    match fs_err::read_dir(dir) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Ok(Vec::new()),
            _ => Err(error),
        },
    }
}

/// Reads up to the first prompt. A log whose first line is damaged is still a session.
fn look(path: &Path) -> io::Result<Found> {
    let file = File::open(path)?;
    let updated = file.metadata()?.modified()?;
    let (mut header, mut title) = (None, String::new());
    for line in BufReader::new(file).split(b'\n').take(8) {
        match serde_json::from_slice(&line?) {
            Ok(Entry::Session(found)) => header = Some(found),
            Ok(Entry::Message { message, .. }) => {
                let text = message.text();
                text.lines()
                    .next()
                    .unwrap_or_default()
                    .clone_into(&mut title);
                break;
            }
            Ok(Entry::Calls { .. } | Entry::Model { .. } | Entry::Name { .. } | Entry::Unknown)
            | Err(_) => {}
        }
    }
    Ok(Found {
        header: header.unwrap_or_else(|| guessed(path, updated)),
        title,
        name: None,
        updated,
        path: path.to_owned(),
    })
}

/// Who answered last, if somebody else than at the beginning.
fn answered_last(path: &Path) -> io::Result<Option<Answering>> {
    Ok(match newest(path, br#"{"type":"model""#)? {
        Some(Entry::Model { answering, .. }) => Some(answering),
        _ => None,
    })
}

/// What the person calls it.
fn name_of(path: &Path) -> io::Result<Option<String>> {
    Ok(match newest(path, br#"{"type":"name""#)? {
        Some(Entry::Name { name, .. }) => Some(name.into_owned()),
        _ => None,
    })
}

/// The newest entry whose line begins like this. Only such lines are understood.
fn newest(path: &Path, start: &[u8]) -> io::Result<Option<Entry<'static>>> {
    let mut log = BufReader::with_capacity(1 << 16, File::open(path)?);
    let (mut line, mut newest) = (Vec::new(), None);
    while log.read_until(b'\n', &mut line)? > 0 {
        if line.starts_with(start)
            && let Ok(entry) = serde_json::from_slice(&line)
        {
            newest = Some(entry);
        }
        line.clear();
    }
    Ok(newest)
}

/// What can be said about a log that does not say it itself.
fn guessed(path: &Path, updated: SystemTime) -> Header {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Header {
        version: Header::VERSION,
        id: SessionId::new(name),
        at: Timestamp::try_from(updated).unwrap_or(Timestamp::UNIX_EPOCH),
        cwd: String::new(),
        answering: Answering {
            provider: Answering::LOST.to_owned(),
            model: Answering::LOST.to_owned(),
            base_url: None,
            found: false,
        },
    }
}
