//! Removing what is in a directory, through its descriptor: however names are changed meanwhile,
//! nothing outside of it is touched.

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, Dir, Mode, OFlags, fchmod, openat, unlinkat};
use rustix::io::{Errno, Result};

/// The directory `name` of `parent`; a link to one is none.
pub(super) fn directory(parent: impl AsFd, name: &CStr) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(parent, name, flags, Mode::empty())
}

/// Removes all that is in `dir` but for `spared`. What cannot be removed keeps nothing else from it.
pub(super) fn empty(dir: OwnedFd, spared: Option<&CStr>) -> Result<()> {
    let mut entries = Dir::new(dir)?;
    let mut done = Ok(());
    while let Some(entry) = entries.read() {
        let entry = entry?;
        let name = entry.file_name();
        if name != c"." && name != c".." && Some(name) != spared {
            done = done.and(remove(entries.fd()?, name));
        }
    }
    done
}

/// Removes whatever has this name in `parent`; nothing is what is wanted.
fn remove(parent: BorrowedFd<'_>, name: &CStr) -> Result<()> {
    let removed = match unlinkat(parent, name, AtFlags::empty()) {
        // What Linux and what others say of a directory.
        Err(Errno::ISDIR | Errno::PERM) => remove_directory(parent, name),
        removed => removed,
    };
    match removed {
        Err(Errno::NOENT) => Ok(()),
        removed => removed,
    }
}

fn remove_directory(parent: BorrowedFd<'_>, name: &CStr) -> Result<()> {
    let dir = match directory(parent, name) {
        Err(Errno::ACCESS) => {
            unlock(parent, name)?;
            directory(parent, name)?
        }
        opened => opened?,
    };
    // Some tools write-protect directories. If it is not to be had, removing says so.
    fchmod(&dir, Mode::RWXU).ok();
    empty(dir, None)?;
    unlinkat(parent, name, AtFlags::REMOVEDIR)
}

/// Lets its owner read a directory. Layers over caches leave some that not even they may read.
#[cfg(target_os = "linux")]
fn unlock(parent: BorrowedFd<'_>, name: &CStr) -> Result<()> {
    use std::os::fd::AsRawFd as _;
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let dir = openat(parent, name, flags, Mode::empty())?;
    // Such a descriptor has no `fchmod`; this name of it leads to it whatever becomes of the other.
    rustix::fs::chmod(format!("/proc/self/fd/{}", dir.as_raw_fd()), Mode::RWXU)
}

#[cfg(not(target_os = "linux"))]
fn unlock(parent: BorrowedFd<'_>, name: &CStr) -> Result<()> {
    rustix::fs::chmodat(parent, name, Mode::RWXU, AtFlags::SYMLINK_NOFOLLOW)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::path::Path;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn opened(path: &Path) -> OwnedFd {
        fs::File::open(path).unwrap().into()
    }

    #[test]
    fn all_goes_but_for_what_is_spared() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a/b/c", "hidden", "protected"] {
            fs::create_dir_all(dir.path().join(name)).unwrap();
        }
        fs::write(dir.path().join("a/b/file"), "x").unwrap();
        fs::write(dir.path().join("protected/file"), "x").unwrap();
        fs::write(dir.path().join("spared"), "x").unwrap();
        symlink("nowhere", dir.path().join("link")).unwrap();
        set_mode(&dir.path().join("hidden"), 0o000);
        set_mode(&dir.path().join("protected"), 0o500);
        empty(opened(dir.path()), Some(c"spared")).unwrap();
        let left = fs::read_dir(dir.path()).unwrap();
        let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["spared"]);
    }

    #[test]
    fn links_are_removed_and_not_followed() {
        let victim = tempfile::tempdir().unwrap();
        set_mode(victim.path(), 0o755);
        fs::write(victim.path().join("file"), "x").unwrap();
        let dir = tempfile::tempdir().unwrap();
        let link = dir.path().join("link");
        symlink(victim.path(), &link).unwrap();
        unlock(opened(dir.path()).as_fd(), c"link").unwrap_err();
        directory(opened(dir.path()), c"link").unwrap_err();
        empty(opened(dir.path()), None).unwrap();
        assert!(!link.is_symlink());
        assert!(victim.path().join("file").exists());
        assert_eq!(mode(victim.path()), 0o755);
    }

    #[test]
    fn who_may_not_read_their_own_directory_may_then() {
        let dir = tempfile::tempdir().unwrap();
        let hidden = dir.path().join("hidden");
        fs::create_dir(&hidden).unwrap();
        set_mode(&hidden, 0o000);
        unlock(opened(dir.path()).as_fd(), c"hidden").unwrap();
        assert_eq!(mode(&hidden), 0o700);
    }
}
