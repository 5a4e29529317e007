//! Adding to memory.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use pollux_types::with_fact;

use super::reading::size_of;
use super::{NAMES, Places, project_file};
use crate::Home;
use crate::private::{Beside, create_dir, open_to_read};

/// Nobody keeps notes as long as this.
const LONGEST: u64 = 1 << 20;
/// What the user has written down is nobody else's business.
const PRIVATE: u32 = 0o600;

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
    // As any new file of a project, it is for whoever the user's own settings say.
    add(file, fact, 0o666)
}

/// Adds a fact to the user's file, and says where that is; the error says why not.
pub fn add_to_user(home: &Home, fact: &str) -> Result<PathBuf, String> {
    add(home.memory(), fact, PRIVATE)
}

fn add(file: PathBuf, fact: &str, mode: u32) -> Result<PathBuf, String> {
    let failed = |error: io::Error| about(&file, &error);
    let real = real(&file).map_err(failed)?;
    let _lock = lock(&real).map_err(failed)?;
    let old = content_of(&real).map_err(failed)?;
    let new = with_fact(old.as_deref().unwrap_or_default(), fact)?;
    let old = old.as_deref().map(str::as_bytes);
    replace(&real, old, new.as_bytes(), mode).map_err(failed)?;
    Ok(file)
}

/// Gives the user's file new content, or leaves it as it was: also if it is not what it was when it was
/// read. A link to it stays one.
pub fn write(file: &Path, old: Option<&[u8]>, new: &[u8]) -> io::Result<()> {
    let file = real(file)?;
    let _lock = lock(&file)?;
    replace(&file, old, new, PRIVATE)
}

/// Keeps all others of pollux from writing there meanwhile.
fn lock(file: &Path) -> io::Result<File> {
    let dir = file.parent().unwrap_or(Path::new("/"));
    create_dir(dir)?;
    let dir = File::open(dir)?;
    // Not every file system can. Then looking once more before it is replaced has to do.
    dir.lock().ok();
    Ok(dir)
}

fn replace(file: &Path, old: Option<&[u8]>, new: &[u8], mode: u32) -> io::Result<()> {
    let known = file.metadata().ok();
    // Nobody else reads on the way what they could not read before.
    let mode = if known.is_some() { PRIVATE } else { mode };
    let new = Beside::of(file, new, mode)?;
    if let Some(known) = known {
        new.open.set_permissions(known.permissions())?;
    }
    if content_of(file)?.as_deref().map(str::as_bytes) != old {
        return Err(io::Error::other("it has been changed meanwhile"));
    }
    new.take_place()
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

fn content_of(file: &Path) -> io::Result<Option<String>> {
    let open = match open_to_read(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        open => open?,
    };
    if size_of(&open)? > LONGEST {
        return Err(io::Error::other("it is too long"));
    }
    let mut text = String::new();
    open.take(LONGEST).read_to_string(&mut text)?;
    Ok(Some(text))
}

fn about(file: &Path, problem: &dyn std::fmt::Display) -> String {
    format!("{}: {problem}", file.display())
}
