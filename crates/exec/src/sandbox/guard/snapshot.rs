//! What a file or a directory is like, as far as it can be remembered.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// How much is remembered in all.
#[derive(Debug)]
pub(super) struct Budget {
    entries: usize,
    bytes: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            entries: 2000,
            bytes: 8 << 20,
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Snapshot {
    Nothing,
    Link(PathBuf),
    File {
        mode: u32,
        bytes: Vec<u8>,
    },
    Directory {
        mode: u32,
        entries: BTreeMap<OsString, Snapshot>,
    },
    /// Too much to remember, or nothing that has content: enough to see that it was changed.
    Sketch {
        mode: u32,
        size: u64,
        changed: (i64, i64),
        inode: u64,
    },
}

impl Snapshot {
    /// Looks at `path` without following it.
    pub(super) fn take(path: &Path, budget: &mut Budget) -> Self {
        let Ok(data) = path.symlink_metadata() else {
            return Self::Nothing;
        };
        let found = if budget.entries == 0 {
            None
        } else {
            budget.entries -= 1;
            remembered(path, &data, budget)
        };
        found.unwrap_or_else(|| Self::Sketch {
            mode: data.mode(),
            size: data.size(),
            changed: (data.ctime(), data.ctime_nsec()),
            inode: data.ino(),
        })
    }

    pub(super) fn exists(&self) -> bool {
        *self != Self::Nothing
    }

    /// Whether all of it is remembered.
    pub(super) fn is_whole(&self) -> bool {
        match self {
            Self::Nothing | Self::Link(_) | Self::File { .. } => true,
            Self::Directory { entries, .. } => entries.values().all(Self::is_whole),
            Self::Sketch { .. } => false,
        }
    }

    /// Makes `path`, where nothing is, what was remembered.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        match self {
            Self::Nothing => Ok(()),
            Self::Link(target) => symlink(target, path),
            Self::File { mode, bytes } => {
                let mut options = fs::OpenOptions::new();
                let mut file = options
                    .write(true)
                    .create_new(true)
                    .mode(0o600)
                    .open(path)?;
                io::Write::write_all(&mut file, bytes)?;
                file.set_permissions(fs::Permissions::from_mode(mode & 0o7777))
            }
            Self::Directory { mode, entries } => {
                fs::create_dir(path)?;
                for (name, entry) in entries {
                    entry.write(&path.join(name))?;
                }
                fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o7777))
            }
            Self::Sketch { .. } => Err(io::Error::other("it was too much to remember")),
        }
    }

    /// Whether a repository just made may have this: settings that run no program, and hooks that
    /// are only examples.
    pub(super) fn runs_nothing(&self) -> bool {
        match self {
            Self::Nothing => true,
            Self::File { bytes, .. } => std::str::from_utf8(bytes).is_ok_and(harmless_settings),
            Self::Directory { entries, .. } => entries.iter().all(|(name, entry)| {
                let example = name.as_encoded_bytes().ends_with(b".sample");
                example && matches!(entry, Self::File { .. })
            }),
            Self::Link(_) | Self::Sketch { .. } => false,
        }
    }
}

fn remembered(path: &Path, data: &Metadata, budget: &mut Budget) -> Option<Snapshot> {
    let mode = data.mode();
    let kind = data.file_type();
    if kind.is_symlink() {
        return fs::read_link(path).ok().map(Snapshot::Link);
    }
    if kind.is_file() && data.size() <= budget.bytes {
        let bytes = fs::read(path).ok()?;
        budget.bytes = budget.bytes.saturating_sub(bytes.len() as u64);
        return Some(Snapshot::File { mode, bytes });
    }
    if kind.is_dir() {
        let entries = fs::read_dir(path).ok()?.flatten().map(|entry| {
            let snapshot = Snapshot::take(&entry.path(), budget);
            (entry.file_name(), snapshot)
        });
        let entries = entries.collect();
        return Some(Snapshot::Directory { mode, entries });
    }
    None
}

/// Whether git settings hold nothing but what `git init`, `clone` and `remote` write.
fn harmless_settings(text: &str) -> bool {
    const SECTIONS: &[&str] = &["[core]", "[remote ", "[branch ", "[user]", "[init]"];
    const KEYS: &[&str] = &[
        "bare",
        "defaultbranch",
        "email",
        "fetch",
        "filemode",
        "ignorecase",
        "logallrefupdates",
        "merge",
        "name",
        "precomposeunicode",
        "remote",
        "repositoryformatversion",
        "symlinks",
    ];
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .all(|line| {
            if line.starts_with('[') {
                return line.ends_with(']')
                    && SECTIONS.iter().any(|section| line.starts_with(section));
            }
            // A remote's address can name a program (`ext::`), so only the usual ones count.
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            let key = key.trim().to_lowercase();
            let usual = ["https://", "git@", "ssh://"];
            let usual = key == "url" && usual.iter().any(|start| value.trim().starts_with(start));
            !value.ends_with('\\') && (usual || KEYS.contains(&key.as_str()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_name_programs_are_not_harmless() {
        let usual = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\
            \tlogallrefupdates = true\n[remote \"origin\"]\n\turl = https://host/x\n\
            \tfetch = +refs/heads/*:refs/remotes/origin/*\n";
        assert!(harmless_settings(usual));
        for line in [
            "\tfsmonitor = ./evil",
            "\tsshCommand = evil",
            "[core] fsmonitor = ./evil",
            "[alias]\n\tstatus = !evil",
            "[include]\n\tpath = ../evil",
            "\turl = ext::sh -c evil",
            "[filter \"x\"]\n\tclean = evil",
            "\tname = a \\\nfsmonitor = evil",
        ] {
            assert!(!harmless_settings(&format!("{usual}{line}\n")), "{line}");
        }
    }
}
