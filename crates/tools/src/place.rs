//! A file by the directory that it is in, found without following any link.
//!
//! From the root on, each directory is opened in the one before, and the file in the last. So
//! whatever is put in the way meanwhile, nothing is opened, made or replaced but at the path that
//! was given: a link there is an error. **Invariant:** no name of more than one part reaches the
//! system from here.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Component, Path};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

/// Names of temporary files, so that no two of this process are alike.
static COUNT: AtomicU64 = AtomicU64::new(0);

/// Where a file is, or could be.
#[derive(Debug)]
pub(crate) struct Place {
    dir: OwnedFd,
    name: OsString,
}

/// A new file that has no lasting name yet. It goes if it gets none.
#[derive(Debug)]
pub(crate) struct Temporary<'a> {
    place: &'a Place,
    name: OsString,
    pub(crate) file: File,
}

impl Place {
    /// Where the absolute `path` is. Fails if one of its directories does not exist, or is a link.
    pub(crate) fn find(path: &Path) -> io::Result<Self> {
        Self::walk(path, |_, _| Err(Errno::NOENT))
    }

    /// The same; directories that do not exist are made.
    pub(crate) fn make(path: &Path) -> io::Result<Self> {
        Self::walk(path, |dir, name| {
            match rustix::fs::mkdirat(dir, name, Mode::from_raw_mode(0o777)) {
                // Somebody else has made it in the meantime.
                Err(Errno::EXIST) => Ok(()),
                made => made,
            }
        })
    }

    fn walk(
        path: &Path,
        missing: impl Fn(&OwnedFd, &OsStr) -> rustix::io::Result<()>,
    ) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
        let mut dir = rustix::fs::openat(CWD, "/", directory(), Mode::empty())?;
        for part in path.parent().unwrap_or(path).components() {
            let part = match part {
                Component::RootDir => continue,
                Component::Normal(part) => part,
                // There is nothing like it in a path that has been followed.
                _ => return Err(io::ErrorKind::InvalidInput.into()),
            };
            let open = || rustix::fs::openat(&dir, part, directory(), Mode::empty());
            let opened = match open() {
                Err(Errno::NOENT) => missing(&dir, part).and_then(|()| open()),
                opened => opened,
            };
            dir = opened.map_err(|error| led_astray(&dir, part, error))?;
        }
        let name = name.to_owned();
        Ok(Self { dir, name })
    }

    /// What is there.
    pub(crate) fn file_type(&self) -> io::Result<FileType> {
        let found = rustix::fs::statat(&self.dir, &self.name, AtFlags::SYMLINK_NOFOLLOW)?;
        match FileType::from_raw_mode(found.st_mode) {
            FileType::Symlink => Err(led_astray(&self.dir, &self.name, Errno::LOOP)),
            kind => Ok(kind),
        }
    }

    /// Opens the file. A pipe or a device does not block, so it can be looked at.
    pub(crate) fn open(&self, flags: OFlags) -> io::Result<File> {
        let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        match rustix::fs::openat(&self.dir, &self.name, flags, Mode::empty()) {
            Ok(file) => Ok(file.into()),
            Err(error) => Err(led_astray(&self.dir, &self.name, error)),
        }
    }

    /// A new file beside it.
    pub(crate) fn beside(&self, mode: u32) -> io::Result<Temporary<'_>> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(mode);
        let process = std::process::id();
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = OsString::from(format!(".pollux-{process}-{count}"));
            match rustix::fs::openat(&self.dir, &name, flags, mode) {
                // Left there by a process of the same number.
                Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
                Ok(file) => {
                    return Ok(Temporary {
                        place: self,
                        name,
                        file: file.into(),
                    });
                }
            }
        }
    }
}

impl Temporary<'_> {
    /// Takes the place of the file that is there.
    pub(crate) fn replace(self) -> io::Result<()> {
        let Place { dir, name } = self.place;
        Ok(rustix::fs::renameat(dir, &self.name, dir, name)?)
    }

    /// Takes the place, if nothing is there.
    pub(crate) fn take(self) -> io::Result<()> {
        let Place { dir, name } = self.place;
        let flags = RenameFlags::NOREPLACE;
        match rustix::fs::renameat_with(dir, &self.name, dir, name, flags) {
            // Not every file system can; a second name does the same.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                let linked = rustix::fs::linkat(dir, &self.name, dir, name, AtFlags::empty());
                Ok(linked?)
            }
            done => Ok(done?),
        }
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        // If it has taken a place, nothing has this name any more.
        rustix::fs::unlinkat(&self.place.dir, &self.name, AtFlags::empty()).ok();
    }
}

/// How a directory on the way is opened: to be passed through, not to be read.
fn directory() -> OFlags {
    #[cfg(target_os = "linux")]
    let through = OFlags::PATH;
    #[cfg(not(target_os = "linux"))]
    let through = OFlags::RDONLY;
    through | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC
}

/// What has gone wrong with `name`: a link where there was none has a word of its own.
fn led_astray(dir: &OwnedFd, name: &OsStr, error: Errno) -> io::Error {
    let is_link = matches!(error, Errno::LOOP | Errno::NOTDIR)
        && rustix::fs::readlinkat(dir, name, Vec::new()).is_ok();
    if is_link {
        let name = Path::new(name).display();
        io::Error::other(format!("the link `{name}` has been put in the way"))
    } else {
        error.into()
    }
}
