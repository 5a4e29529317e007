//! Where pollux keeps its own files.

use std::path::{Path, PathBuf};

/// The home directory of pollux, by default `~/.pollux`.
#[derive(Clone, Debug)]
pub struct Home(PathBuf);

impl Home {
    /// The directory need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The user's settings.
    pub fn config(&self) -> PathBuf {
        self.0.join("config.toml")
    }

    /// What the user has written down for the model.
    pub fn memory(&self) -> PathBuf {
        self.0.join("POLLUX.md")
    }

    /// The user's skills.
    pub(crate) fn skills(&self) -> PathBuf {
        self.0.join("skills")
    }

    /// What was found out about this machine, and can be found out again.
    pub fn state(&self) -> PathBuf {
        self.0.join("state")
    }

    /// The user's rules.
    pub fn rules(&self) -> PathBuf {
        self.0.join("rules.toml")
    }

    /// The folders that the user trusts.
    pub(crate) fn trust(&self) -> PathBuf {
        self.0.join("trust.toml")
    }

    /// The rules for the project in `dir`.
    pub fn project_rules(&self, dir: &Path) -> PathBuf {
        let projects = self.0.join("projects");
        projects.join(project_key(dir)).join("rules.toml")
    }

    /// What pollux does, where somebody wants to know.
    pub(crate) fn debug_log(&self) -> PathBuf {
        self.0.join("debug.log")
    }

    /// Whether nothing was ever said with it.
    pub fn is_unused(&self) -> bool {
        !self.all_sessions().exists()
    }

    /// All sessions, one directory a project.
    pub(crate) fn all_sessions(&self) -> PathBuf {
        self.0.join("sessions")
    }

    /// The sessions of the project in `dir`.
    pub(crate) fn sessions(&self, dir: &Path) -> PathBuf {
        self.all_sessions().join(project_key(dir))
    }
}

/// A directory name for a project: its own name to be recognised by, and a hash of the whole path
/// to be told apart by.
fn project_key(dir: &Path) -> String {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || "-_.".contains(c) {
                c
            } else {
                '-'
            }
        })
        .take(40)
        .collect();
    format!("{name}-{:016x}", fnv(dir.as_os_str().as_encoded_bytes()))
}

/// FNV-1a: the key must stay the same for ever, which the standard hasher does not promise.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_of_a_project_never_changes() {
        insta::assert_snapshot!(project_key(Path::new("/home/dev/my app")), @"my-app-6449f7228f53b29f");
        insta::assert_snapshot!(project_key(Path::new("/")), @"-af63a24c860189fe");
    }
}
