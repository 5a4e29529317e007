//! The part of the file system that belongs to the project.

use std::path::{Component, Path, PathBuf};

use crate::Located;

/// The directories a session works in. All paths are absolute.
#[derive(Clone, Debug)]
pub struct Workspace {
    root: PathBuf,
    roots: Vec<PathBuf>,
}

impl Workspace {
    /// `root` is where relative paths start; `more` belongs to the project too.
    pub fn new(root: &Path, more: &[PathBuf]) -> std::io::Result<Self> {
        let root = root.canonicalize()?;
        let mut roots = vec![root.clone()];
        for dir in more {
            let real = root.join(dir).canonicalize();
            let named = |error: std::io::Error| {
                std::io::Error::new(error.kind(), format!("`{}`: {error}", dir.display()))
            };
            roots.push(real.map_err(named)?);
        }
        Ok(Self { root, roots })
    }

    /// All directories of the project, the root first.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().map(PathBuf::as_path)
    }

    /// What belongs to the project besides the root.
    pub fn others(&self) -> impl Iterator<Item = &Path> {
        self.roots().skip(1)
    }

    /// Where relative paths start.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The absolute form of what a model wrote, with `.` and `..` taken out. Touches no disk.
    pub fn resolve(&self, path: &str) -> PathBuf {
        let mut absolute = PathBuf::new();
        for component in self.root.join(path).components() {
            match component {
                Component::ParentDir => {
                    absolute.pop();
                }
                Component::CurDir => {}
                other => absolute.push(other),
            }
        }
        absolute
    }

    /// The same, and where it leads.
    pub fn locate(&self, path: &str) -> Located {
        Located::of(self.resolve(path))
    }

    /// Whether it lies inside once every link on the way is followed.
    pub fn contains(&self, place: &Located) -> bool {
        let mut roots = self.roots.iter();
        roots.any(|root| place.real.starts_with(root))
    }

    /// How a person names a file that is to be changed: also where that leads, if a link does.
    pub(crate) fn shown_target(&self, file: &Located) -> String {
        let named = self.shown(&file.named);
        if file.named == file.real {
            named
        } else {
            format!("{named} -> {}", self.shown(&file.real))
        }
    }

    /// How a person names `path`: relative to the root where it lies below it.
    pub fn shown(&self, path: &Path) -> String {
        let shown = path.strip_prefix(&self.root).unwrap_or(path);
        if shown.as_os_str().is_empty() {
            ".".into()
        } else {
            shown.display().to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_lead_out_are_outside() {
        let outside = tempfile::tempdir().unwrap();
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::new(dir.path(), &[]).unwrap();
        std::os::unix::fs::symlink(outside.path(), dir.path().join("out")).unwrap();
        std::os::unix::fs::symlink("/nowhere/at/all", dir.path().join("dangling")).unwrap();
        let inside = |path| workspace.contains(&workspace.locate(path));
        assert!(inside("."));
        assert!(inside("new/deep/file"));
        assert!(!inside("out/file"));
        assert!(!inside("dangling"));
        assert!(!inside(".."));
        assert!(!inside("/etc/passwd"));
    }

    #[test]
    fn dots_are_taken_out() {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::new(dir.path(), &[]).unwrap();
        assert_eq!(
            workspace.resolve("a/./b/../c"),
            workspace.root().join("a/c")
        );
        assert_eq!(workspace.resolve("/x/../../y"), Path::new("/y"));
        assert_eq!(workspace.shown(&workspace.resolve("a/c")), "a/c");
        assert_eq!(workspace.shown(&workspace.resolve("")), ".");
    }
}
