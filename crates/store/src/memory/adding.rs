//! Adding to memory.

use std::fs::OpenOptions;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use pollux_types::with_fact;

use super::reading::size_of;
use super::{NAMES, Places, project_file};
use crate::Home;
use crate::private::{create_dir, open_to_read};

/// Nobody keeps notes as long as this.
const LONGEST: u64 = 1 << 20;

/// Adds a fact to the project's own file, and says where that is; the error says why not.
pub fn add_to_project(places: Places<'_>, fact: &str) -> Result<PathBuf, String> {
    let file = project_file(places.cwd);
    let real = real(&file).map_err(|error| about(&file, &error))?;
    // What a project brings may be a link to anywhere.
    let root = file.parent().and_then(|root| root.canonicalize().ok());
    let Some(root) = root.filter(|root| real.starts_with(root)) else {
        return Err(about(&file, &"it leads out of the project"));
    };
    if let Some(why) = (places.forbids)(&real, &root) {
        return Err(about(
            &file,
            &format!("it leads to {}: {why}", real.display()),
        ));
    }
    if !real
        .file_name()
        .is_some_and(|name| NAMES.iter().any(|known| name == *known))
    {
        let real = real.display();
        return Err(about(
            &file,
            &format!("it leads to {real}, which is no memory file"),
        ));
    }
    add(file, fact)
}

/// Adds a fact to the user's file, and says where that is; the error says why not.
pub fn add_to_user(home: &Home, fact: &str) -> Result<PathBuf, String> {
    add(home.memory(), fact)
}

fn add(file: PathBuf, fact: &str) -> Result<PathBuf, String> {
    let failed = |error: io::Error| about(&file, &error);
    let real = real(&file).map_err(failed)?;
    let old = content_of(&real).map_err(failed)?;
    write(&real, with_fact(&old, fact)?.as_bytes()).map_err(failed)?;
    Ok(file)
}

/// Gives a memory file new content, or leaves it as it was. A link to it stays one.
pub fn write(file: &Path, content: &[u8]) -> io::Result<()> {
    let file = real(file)?;
    if let Some(dir) = file.parent() {
        create_dir(dir)?;
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let new = file.with_file_name(format!(".{name}.new"));
    // What a crash has left there, or somebody has put there.
    std::fs::remove_file(&new).ok();
    let mut open = OpenOptions::new().write(true).create_new(true).open(&new)?;
    open.write_all(content)?;
    if let Ok(old) = file.metadata() {
        open.set_permissions(old.permissions())?;
    }
    open.sync_all()?;
    std::fs::rename(&new, &file)
}

/// Where a file is that need not be there.
fn real(file: &Path) -> io::Result<PathBuf> {
    match file.canonicalize() {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !file.is_symlink() => {
            let dir = file.parent().unwrap_or(Path::new("/"));
            let dir = dir.canonicalize().unwrap_or_else(|_| dir.to_owned());
            Ok(dir.join(file.file_name().unwrap_or_default()))
        }
        real => real,
    }
}

fn content_of(file: &Path) -> io::Result<String> {
    let open = match open_to_read(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(String::new()),
        open => open?,
    };
    if size_of(&open)? > LONGEST {
        return Err(io::Error::other("it is too long"));
    }
    let mut text = String::new();
    open.take(LONGEST).read_to_string(&mut text)?;
    Ok(text)
}

fn about(file: &Path, problem: &dyn std::fmt::Display) -> String {
    format!("{}: {problem}", file.display())
}
