//! The files of the workspace, as text.

use std::fs;
use std::io;
use std::path::Path;

/// A text file of the workspace.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct File {
    /// From the root, with `/` between the parts.
    pub(super) path: String,
    pub(super) text: String,
}

impl File {
    pub(super) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            text: text.into(),
        }
    }

    pub(super) fn is_rust(&self) -> bool {
        self.has_extension("rs")
    }

    pub(super) fn has_extension(&self, extension: &str) -> bool {
        Path::new(&self.path).extension() == Some(extension.as_ref())
    }

    /// The lines with their numbers, counted from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }
}

/// All Rust, TOML and Markdown files below `root`, by path; not what was built or what git keeps.
pub(super) fn load(root: &Path) -> io::Result<Vec<File>> {
    let mut files = Vec::new();
    visit(root, "", &mut files)?;
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

fn visit(dir: &Path, prefix: &str, files: &mut Vec<File>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let mut file = File::new(format!("{prefix}{name}"), "");
        let kind = entry.file_type()?;
        if kind.is_dir() && name != "target" && name != ".git" {
            visit(&entry.path(), &format!("{prefix}{name}/"), files)?;
        } else if kind.is_file()
            && ["rs", "toml", "md"]
                .iter()
                .any(|ext| file.has_extension(ext))
        {
            file.text = fs::read_to_string(entry.path())?;
            files.push(file);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_built_is_left_out() {
        let root = tempfile::tempdir().unwrap();
        for path in [
            "b.rs",
            "a/x.toml",
            "a/target/y.rs",
            ".git/z.rs",
            "a/notes.txt",
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "text").unwrap();
        }
        let found = load(root.path()).unwrap();
        assert_eq!(
            found,
            [File::new("a/x.toml", "text"), File::new("b.rs", "text")]
        );
    }
}
