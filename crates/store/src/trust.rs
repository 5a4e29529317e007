//! Which folders the user trusts, and with what in them.
//!
//! `trust.toml` in pollux's home keeps, for the real path of each trusted folder, the fingerprints
//! of its [`Belongings`]. So trust is in content that somebody has looked at: what has changed since
//! is not trusted. A file that cannot be read trusts nobody.

mod belongings;

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::Home;
use crate::place::{at, in_one_line, line_of_error};
use crate::private;

pub use belongings::Belongings;

/// Whether a folder is trusted with what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is.
    Trusted,
    /// Nobody has been asked about it.
    Unknown,
    /// It was; since then these have come, gone or changed.
    Changed(Vec<Change>),
}

/// What has become of a file since its folder was trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It was not there.
    New(String),
    /// It is not there any more.
    Gone(String),
    /// It is another one.
    Other(String),
}

/// The record of trusted folders, which need not be there.
#[derive(Clone, Debug)]
pub struct TrustFile {
    file: PathBuf,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Records {
    #[serde(default)]
    folder: Vec<Record>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    path: String,
    files: BTreeMap<String, String>,
}

impl TrustFile {
    /// The one of this home.
    pub fn new(home: &Home) -> Self {
        let file = home.trust();
        Self { file }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// How a folder stands; an error if nobody is trusted, since the record cannot be read.
    pub fn standing(&self, belongings: &Belongings) -> Result<Standing, String> {
        let records = self.read()?;
        let mut records = records.folder.into_iter();
        let known = records.find(|record| record.path == belongings.folder());
        Ok(match known {
            None => Standing::Unknown,
            Some(record) if record.files == *belongings.fingerprints() => Standing::Trusted,
            Some(record) => {
                Standing::Changed(changes(&record.files, belongings.fingerprints()).collect())
            }
        })
    }

    /// Trusts a folder from now on, with exactly these belongings.
    pub fn trust(&self, belongings: &Belongings) -> Result<(), String> {
        // Of several instances one comes after the other, and adds to what it finds.
        let _lock = self.lock().map_err(|error| self.about(&error))?;
        let mut records = self.read()?;
        let path = belongings.folder().to_owned();
        records.folder.retain(|record| record.path != path);
        let files = belongings.fingerprints().clone();
        records.folder.push(Record { path, files });
        let text = toml::to_string(&records).map_err(|error| self.about(&error))?;
        let text = format!("{HEAD}{text}");
        private::replace(&self.file, text.as_bytes()).map_err(|error| self.about(&error))
    }

    fn lock(&self) -> io::Result<File> {
        if let Some(dir) = self.file.parent() {
            private::create_dir(dir)?;
        }
        let lock = private::append_to(&self.file.with_extension("lock"))?;
        lock.lock()?;
        Ok(lock)
    }

    fn read(&self) -> Result<Records, String> {
        let source = match std::fs::read_to_string(&self.file) {
            Ok(source) => source,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Records::default()),
            Err(error) => return Err(self.about(&error)),
        };
        toml::from_str(&source).map_err(|error| {
            let place = at(&self.file, line_of_error(&source, &error));
            format!("{place}: {}", in_one_line(error.message()))
        })
    }

    fn about(&self, error: &dyn std::fmt::Display) -> String {
        format!("{}: {error}", self.file.display())
    }
}

const HEAD: &str = "\
# Folders that you trust, and the fingerprints of what pollux loads from them.
# Remove the section of a folder to take the trust back.

";

fn changes<'a>(
    old: &'a BTreeMap<String, String>,
    new: &'a BTreeMap<String, String>,
) -> impl Iterator<Item = Change> + 'a {
    let there = new.iter().filter_map(|(name, print)| match old.get(name) {
        None => Some(Change::New(name.clone())),
        Some(known) if known != print => Some(Change::Other(name.clone())),
        Some(_) => None,
    });
    let gone = old.keys().filter(|name| !new.contains_key(*name));
    there.chain(gone.map(|name| Change::Gone(name.clone())))
}

#[cfg(test)]
mod tests;
