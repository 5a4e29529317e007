//! The few devices that commands see.
//!
//! Not those of the system: where root runs pollux they would be the disks.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use rustix::mount::{MountFlags, mount};

use super::namespaces::{CutOut, attach, clone_tree, empty};
use super::step::Step;

const SHOWN: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
];

const LINKS: &[(&str, &str)] = &[
    ("/proc/self/fd", "/dev/fd"),
    ("/proc/self/fd/0", "/dev/stdin"),
    ("/proc/self/fd/1", "/dev/stdout"),
    ("/proc/self/fd/2", "/dev/stderr"),
    ("pts/ptmx", "/dev/ptmx"),
];

/// Takes them before the file system is sealed.
pub(super) fn cut_out() -> io::Result<CutOut> {
    let shown = SHOWN.iter().map(Path::new).filter(|path| path.exists());
    shown
        .map(|path| Ok((path.to_owned(), clone_tree(path)?)))
        .collect()
}

/// Puts them into an otherwise empty `/dev`.
pub(super) fn provide(devices: CutOut) -> io::Result<()> {
    empty(Path::new("/dev"), c"mode=755")?;
    for (path, tree) in devices {
        fs::write(&path, "").step(format!("making {}", path.display()))?;
        attach(tree, &path)?;
    }
    for (target, link) in LINKS {
        symlink(target, link).step(format!("making {link}"))?;
    }
    fs::create_dir("/dev/pts").step("making /dev/pts")?;
    let flags = MountFlags::NOSUID | MountFlags::NOEXEC;
    let options = c"newinstance,ptmxmode=0666,mode=620";
    mount("devpts", "/dev/pts", "devpts", flags, Some(options)).step("mounting /dev/pts")?;
    fs::create_dir("/dev/shm").step("making /dev/shm")?;
    empty(Path::new("/dev/shm"), c"mode=1777")
}
