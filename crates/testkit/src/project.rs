//! A directory for a test to work in, and a home apart from it.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A temporary project directory and a temporary home outside it. Both go away on drop.
///
/// ```
/// # use pollux_testkit::Project;
/// let project = Project::new().file("src/a.rs", "fn a() {}\n").dir("docs");
/// assert_eq!(project.read("src/a.rs"), "fn a() {}\n");
/// ```
#[derive(Debug)]
pub struct Project {
    path: PathBuf,
    home: PathBuf,
    _dirs: [TempDir; 2],
}

impl Project {
    /// An empty project.
    pub fn new() -> Self {
        let dirs = ["pollux-project-", "pollux-home-"]
            .map(|name| TempDir::with_prefix(name).expect("a temporary directory"));
        // Programs report resolved paths, so that is what tests compare with.
        let [path, home] = dirs
            .each_ref()
            .map(|dir| dir.path().canonicalize().unwrap());
        Self {
            path,
            home,
            _dirs: dirs,
        }
    }

    /// Adds a file, with the directories above it.
    #[must_use]
    pub fn file(self, path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> Self {
        self.write(path, contents);
        self
    }

    /// Adds a directory, with those above it.
    #[must_use]
    pub fn dir(self, path: impl AsRef<Path>) -> Self {
        fs::create_dir_all(self.at(path)).unwrap();
        self
    }

    /// Adds a symbolic link named `link` that says `target`, which need not exist.
    #[must_use]
    pub fn symlink(self, link: impl AsRef<Path>, target: impl AsRef<Path>) -> Self {
        let link = self.at(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, link).unwrap();
        self
    }

    /// The project directory, with no symbolic link in its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The home directory: what `HOME` is for programs under test.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Where pollux keeps its own files: what `POLLUX_HOME` is for programs under test. It does
    /// not exist until something makes it.
    pub fn pollux_home(&self) -> PathBuf {
        self.home.join(".pollux")
    }

    /// A path inside the project.
    pub fn at(&self, path: impl AsRef<Path>) -> PathBuf {
        self.path.join(path)
    }

    /// Writes a file while the test runs.
    pub fn write(&self, path: impl AsRef<Path>, contents: impl AsRef<[u8]>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    /// The contents of a file; panics if it is not there or no text.
    pub fn read(&self, path: impl AsRef<Path>) -> String {
        let path = self.at(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// Whether there is anything at this path, a broken link included.
    pub fn exists(&self, path: impl AsRef<Path>) -> bool {
        self.at(path).symlink_metadata().is_ok()
    }
}

impl Default for Project {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_holds_what_was_put_in_and_goes_away() {
        let project = Project::new()
            .file("src/a.rs", "a")
            .dir("x/y")
            .symlink("links/gone", "nowhere")
            .symlink("b.rs", "src/a.rs");
        assert_eq!(project.read("b.rs"), "a");
        assert!(project.at("x/y").is_dir());
        assert!(project.exists("links/gone") && !project.exists("nowhere"));
        project.write("b.rs", "b");
        assert_eq!(project.read("src/a.rs"), "b");

        assert!(!project.home().starts_with(project.path()));
        assert!(project.home().is_dir() && !project.pollux_home().exists());
        assert_eq!(project.path().canonicalize().unwrap(), project.path());

        let [path, home] = [project.path(), project.home()].map(Path::to_owned);
        drop(project);
        assert!(!path.exists() && !home.exists());
    }
}
