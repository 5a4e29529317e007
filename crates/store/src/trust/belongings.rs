//! What a folder would make pollux load or obey.
//!
//! [`PLACES`] is the only list of it, and [`Belongings::read`] the only way to get at it. So nothing
//! that a folder brings can come into effect without being part of what the user trusts, and what is
//! loaded is, byte for byte, what was trusted.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use pollux_types::fingerprint;

use crate::Home;
use crate::private::open_to_read;

/// Files and directories that pollux reads in a trusted folder, and nowhere else. Text for the
/// model alone, such as `AGENTS.md`, permits nothing and is not among them.
const PLACES: [&str; 2] = [".pollux", ".agents/skills"];

/// Nobody looks through more files, or deeper, before trusting them.
const MOST_ENTRIES: usize = 1000;
const MOST_BYTES: u64 = 4 << 20;
const DEEPEST: usize = 16;

/// The files of a folder that pollux would load, as they were when looked at.
#[derive(Clone, Debug)]
pub struct Belongings {
    root: PathBuf,
    folder: String,
    /// By path below the root.
    fingerprints: BTreeMap<String, String>,
}

impl Belongings {
    /// Looks at a folder by its real path. If it cannot be trusted whatever the user says, the error
    /// tells why.
    pub fn of(root: &Path, home: &Home) -> Result<Self, String> {
        let mut walk = Walk {
            root,
            home: home.path().canonicalize().ok(),
            entries: 0,
            bytes: 0,
            found: BTreeMap::new(),
        };
        for place in PLACES {
            // A link on the way is part of the content, as it stands.
            let mut above: Vec<&Path> = Path::new(place).ancestors().collect();
            above.pop();
            let link = above.iter().rev().find(|path| root.join(path).is_symlink());
            walk.visit(&root.join(link.copied().unwrap_or(Path::new(place))), 0)?;
        }
        let fingerprints = walk.found;
        let folder = match root.to_str() {
            Some(folder) => folder.to_owned(),
            None if fingerprints.is_empty() => String::new(),
            None => return Err("its path is no text".to_owned()),
        };
        Ok(Self {
            root: root.to_owned(),
            folder,
            fingerprints,
        })
    }

    /// The real path of the folder.
    pub fn folder(&self) -> &str {
        &self.folder
    }

    /// Whether there is nothing to be trusted.
    pub fn is_empty(&self) -> bool {
        self.fingerprints.is_empty()
    }

    /// The files and links, by path below the folder.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.fingerprints.keys().map(String::as_str)
    }

    /// Reads a file by its path below the folder; `None` if it is not there. What is not as it was
    /// when looked at, or is a link, is not read.
    pub fn read(&self, name: &str) -> Result<Option<String>, String> {
        let Some(known) = self.fingerprints.get(name) else {
            return Ok(None);
        };
        let path = self.root.join(name);
        if path.is_symlink() {
            return Err("a link, which is not followed".to_owned());
        }
        let mut left = MOST_BYTES;
        let (metadata, content) = open_to_read(&path)
            .and_then(|file| take(file, &mut left))
            .map_err(|error| error.to_string())?;
        if file_print(&metadata, &content) != *known {
            return Err("it has just changed; start again".to_owned());
        }
        let text = String::from_utf8(content).map_err(|_| "it is no text".to_owned())?;
        Ok(Some(text))
    }

    pub(super) fn fingerprints(&self) -> &BTreeMap<String, String> {
        &self.fingerprints
    }
}

struct Walk<'a> {
    root: &'a Path,
    /// Pollux's own home, which may be in the folder and is none of its belongings.
    home: Option<PathBuf>,
    entries: usize,
    bytes: u64,
    found: BTreeMap<String, String>,
}

impl Walk<'_> {
    /// Takes up what is at this path, if anything is, and all below it.
    fn visit(&mut self, path: &Path, depth: usize) -> Result<(), String> {
        let root = self.root;
        let failed = |error: io::Error| about(root, path, &error);
        let metadata = match path.symlink_metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            // What should be a directory on the way is none.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(()),
            Err(error) => return Err(failed(error)),
        };
        self.entries += 1;
        if self.entries > MOST_ENTRIES {
            return Err(format!("it brings more than {MOST_ENTRIES} files"));
        }
        let kind = metadata.file_type();
        let print = if kind.is_dir() {
            return self.descend(path, depth);
        } else if kind.is_symlink() {
            let target = path.read_link().map_err(failed)?;
            fingerprint(&[b"link", target.as_os_str().as_encoded_bytes()])
        } else if kind.is_file() {
            let mut left = MOST_BYTES.saturating_sub(self.bytes);
            let read = open_to_read(path).and_then(|file| take(file, &mut left));
            let (metadata, content) = read.map_err(failed)?;
            self.bytes = MOST_BYTES - left;
            file_print(&metadata, &content)
        } else {
            return Err(about(root, path, &"neither a file nor a directory"));
        };
        let name = path.strip_prefix(root).unwrap_or(path).to_str();
        let name = name.ok_or_else(|| about(root, path, &"its name is no text"))?;
        self.found.insert(name.to_owned(), print);
        Ok(())
    }

    fn descend(&mut self, dir: &Path, depth: usize) -> Result<(), String> {
        let root = self.root;
        let failed = |problem: &dyn Display| about(root, dir, problem);
        if depth == DEEPEST {
            return Err(failed(&"directories too deep inside each other"));
        }
        if self.home.is_some() && dir.canonicalize().ok() == self.home {
            return Ok(());
        }
        let entries = dir.read_dir().map_err(|error| failed(&error))?;
        for entry in entries {
            let entry = entry.map_err(|error| failed(&error))?;
            self.visit(&entry.path(), depth + 1)?;
        }
        Ok(())
    }
}

fn about(root: &Path, path: &Path, problem: &dyn Display) -> String {
    let name = path.strip_prefix(root).unwrap_or(path);
    format!("{}: {problem}", name.display())
}

/// All of a file, if it is one and has no more bytes than are left.
fn take(file: File, left: &mut u64) -> io::Result<(Metadata, Vec<u8>)> {
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("no file"));
    }
    let mut content = Vec::new();
    let size = file.take(*left + 1).read_to_end(&mut content)? as u64;
    *left = left
        .checked_sub(size)
        .ok_or_else(|| io::Error::other(format!("more than {} MiB in all", MOST_BYTES >> 20)))?;
    Ok((metadata, content))
}

/// Whether a file can be run counts, as it does for git; who may read it does not.
fn file_print(metadata: &Metadata, content: &[u8]) -> String {
    let is_program = metadata.permissions().mode() & 0o100 != 0;
    let kind: &[u8] = if is_program { b"program" } else { b"file" };
    fingerprint(&[kind, content])
}
