//! Writing a file so that a crash leaves its old content or its new one, not a part of each.
//!
//! The new content goes into a temporary file beside the old one, to the disk, and then takes
//! the old one's place, with its mode, owner and extended attributes. Where that would break
//! something it is written in place, where a crash can do harm: a file with several names keeps
//! them all, a file of somebody else keeps its owner.
//!
//! Not here: what the content is, and what a model is told about it.

use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};

use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
use tempfile::NamedTempFile;

/// Longer chains of links are taken for a circle, as the system does.
const LINKS: usize = 40;

/// The file that `path` means once links are followed; it need not exist.
pub(crate) fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_path_buf();
    for _ in 0..LINKS {
        match fs::read_link(&target) {
            Ok(link) => target = target.parent().unwrap_or(Path::new("/")).join(link),
            Err(_) => return Ok(target),
        }
    }
    Err(rustix::io::Errno::LOOP.into())
}

/// Creates `target` with `content`, and the directories it needs. Fails if something is there.
pub(crate) fn create(target: &Path, content: &[u8]) -> io::Result<()> {
    let dir = target.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(dir)?;
    // As any new file, it is for whoever the user's own settings say.
    let file = written(dir, content, 0o666)?;
    file.persist_noclobber(target)?;
    Ok(())
}

/// Gives the existing file `target` new content. `seen` is what it was when it was read; if
/// somebody else has changed it since, it is left alone.
pub(crate) fn overwrite(target: &Path, seen: &Metadata, content: &[u8]) -> io::Result<()> {
    // Taking a file's place needs no right to write to it; changing it does.
    let old = OpenOptions::new().write(true).open(target)?;
    let now = unchanged(target, seen)?;
    if now.nlink() > 1 {
        return in_place(old, content);
    }
    let dir = target.parent().unwrap_or(Path::new("/"));
    // What it replaces may be a secret: nobody else reads it on the way.
    let new = written(dir, content, 0o600)?;
    if alike(target, &now, new.as_file()).is_err() {
        return in_place(old, content);
    }
    // Writing took the disk its time. Between this look and the next line there is no more.
    unchanged(target, seen)?;
    new.persist(target)?;
    Ok(())
}

fn unchanged(target: &Path, seen: &Metadata) -> io::Result<Metadata> {
    let now = fs::metadata(target)?;
    if stamp(&now) == stamp(seen) {
        Ok(now)
    } else {
        Err(io::Error::other(
            "it has been changed meanwhile; read it again",
        ))
    }
}

/// What changes whenever a file does.
fn stamp(file: &Metadata) -> [i64; 5] {
    let [device, inode, size] = [file.dev(), file.ino(), file.size()].map(u64::cast_signed);
    [device, inode, size, file.mtime(), file.mtime_nsec()]
}

fn written(dir: &Path, content: &[u8], mode: u32) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new()
        .prefix(".pollux-")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(dir)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Gives `new` the mode, owner and attributes that the old file has.
fn alike(target: &Path, old: &Metadata, new: &File) -> io::Result<()> {
    let made = new.metadata()?;
    if (made.uid(), made.gid()) != (old.uid(), old.gid()) {
        fchown(new, Some(old.uid()), Some(old.gid()))?;
    }
    copy_attributes(&File::open(target)?, new)?;
    new.set_permissions(old.permissions())
}

fn copy_attributes(old: &File, new: &File) -> io::Result<()> {
    let mut names = vec![0; 64 * 1024];
    let length = match flistxattr(old, &mut names[..]) {
        // The file system has none.
        Err(rustix::io::Errno::NOTSUP) => 0,
        length => length?,
    };
    for name in names[..length]
        .split(|&byte| byte == 0)
        .filter(|name| !name.is_empty())
    {
        let mut value = vec![0; 64 * 1024];
        let length = fgetxattr(old, name, &mut value[..])?;
        fsetxattr(new, name, &value[..length], XattrFlags::empty())?;
    }
    Ok(())
}

fn in_place(mut file: File, content: &[u8]) -> io::Result<()> {
    file.write_all(content)?;
    file.set_len(content.len() as u64)?;
    file.sync_all()
}

#[cfg(test)]
mod tests;
