//! Writing a file so that a crash leaves its old content or its new one, not a part of each.
//!
//! The new content goes into a temporary file beside the old one, to the disk, and then takes
//! the old one's place, with its mode, owner and extended attributes. Where that would break
//! something it is written in place, where a crash can do harm: a file with several names keeps
//! them all, a file of somebody else keeps its owner.
//!
//! Not here: what the content is, what a model is told about it, and that no link is followed
//! (`place`).

use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, fchown};

use rustix::fs::{OFlags, XattrFlags, fgetxattr, flistxattr, fsetxattr};

use crate::Located;
use crate::place::{Place, Temporary};

/// Creates the file with `content`, and the directories it needs. Fails if something is there.
pub(crate) fn create(target: &Located, content: &[u8]) -> io::Result<()> {
    let place = Place::make(&target.real)?;
    // As any new file, it is for whoever the user's own settings say.
    written(&place, content, 0o666)?.take()
}

/// Gives the existing file new content. `seen` is what it was when it was read; if somebody else
/// has changed it since, it is left alone.
pub(crate) fn overwrite(target: &Located, seen: &Metadata, content: &[u8]) -> io::Result<()> {
    let place = Place::find(&target.real)?;
    // Taking a file's place needs no right to write to it; changing it does.
    let old = place.open(OFlags::WRONLY)?;
    let now = unchanged(&old, seen)?;
    if now.nlink() > 1 {
        // Its other names were not there when it was judged, and may be anything.
        let known = target.has_other_names;
        let known = known.then_some(()).ok_or_else(meanwhile);
        return known.and_then(|()| in_place(old, content));
    }
    // What it replaces may be a secret: nobody else reads it on the way.
    let new = written(&place, content, 0o600)?;
    if alike(&old, &now, &new.file).is_err() {
        return in_place(old, content);
    }
    // Writing took the disk its time. Between this look and the next line there is no more.
    unchanged(&place.open(OFlags::WRONLY)?, seen)?;
    new.replace()
}

fn unchanged(file: &File, seen: &Metadata) -> io::Result<Metadata> {
    let now = file.metadata()?;
    if stamp(&now) == stamp(seen) {
        Ok(now)
    } else {
        Err(meanwhile())
    }
}

fn meanwhile() -> io::Error {
    io::Error::other("it has been changed meanwhile; read it again")
}

/// What changes whenever a file does.
fn stamp(file: &Metadata) -> [i64; 5] {
    let [device, inode, size] = [file.dev(), file.ino(), file.size()].map(u64::cast_signed);
    [device, inode, size, file.mtime(), file.mtime_nsec()]
}

fn written<'a>(place: &'a Place, content: &[u8], mode: u32) -> io::Result<Temporary<'a>> {
    let mut new = place.beside(mode)?;
    new.file.write_all(content)?;
    new.file.sync_all()?;
    Ok(new)
}

/// Gives `new` the mode, owner and attributes that the old file has.
fn alike(old: &File, data: &Metadata, new: &File) -> io::Result<()> {
    let made = new.metadata()?;
    if (made.uid(), made.gid()) != (data.uid(), data.gid()) {
        fchown(new, Some(data.uid()), Some(data.gid()))?;
    }
    copy_attributes(old, new)?;
    new.set_permissions(data.permissions())
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
