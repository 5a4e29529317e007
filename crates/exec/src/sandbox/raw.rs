//! The system calls for which there is no safe face: all of this crate's `unsafe` is here.
#![expect(
    unsafe_code,
    reason = "neither the standard library nor rustix has safe forms of these"
)]

use std::io;
use std::os::fd::{AsFd, AsRawFd};
use std::path::Path;

use rustix::path::Arg;
use rustix::process::Pid;

/// What a mount is to forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seal {
    /// Foreign devices and set-user-id programs.
    Foreign,
    /// These, and every change.
    Changes,
}

/// The argument of `mount_setattr`, which not every libc declares.
#[repr(C)]
struct MountAttr {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

const RDONLY: u64 = 0x1;
const NOSUID: u64 = 0x2;
const NODEV: u64 = 0x4;

/// Splits the process in two, the child in new namespaces (`CLONE_NEW..`). `None` in the child.
///
/// Refuses where there are several threads: only one would go on in the child, and locks that the
/// others hold would never be released.
pub(super) fn split(namespaces: libc::c_int) -> io::Result<Option<Pid>> {
    let threads = std::fs::read_dir("/proc/self/task")?.count();
    if threads != 1 {
        return Err(io::Error::other("a process with threads cannot be split"));
    }
    let flags = libc::c_long::from(namespaces | libc::SIGCHLD);
    // SAFETY: without a stack and without sharing memory this is fork, and no other thread can
    // have left anything half done.
    let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) };
    match i32::try_from(pid) {
        Ok(-1) | Err(_) => Err(io::Error::last_os_error()),
        Ok(pid) => Ok(Pid::from_raw(pid)),
    }
}

/// Seals a mount, given as a descriptor from `open_tree`, and all that is mounted below it.
pub(super) fn seal_tree(tree: impl AsFd, seal: Seal) -> io::Result<()> {
    let fd = tree.as_fd().as_raw_fd();
    set_attributes(fd, c"", libc::AT_EMPTY_PATH | libc::AT_RECURSIVE, seal)
}

/// Seals what is mounted at `path`, and all that is mounted below it.
pub(super) fn seal(path: &Path, seal: Seal) -> io::Result<()> {
    let path = path.into_c_str()?;
    set_attributes(libc::AT_FDCWD, &path, libc::AT_RECURSIVE, seal)
}

fn set_attributes(
    fd: libc::c_int,
    path: &std::ffi::CStr,
    flags: libc::c_int,
    seal: Seal,
) -> io::Result<()> {
    let attributes = MountAttr {
        set: match seal {
            Seal::Foreign => NOSUID | NODEV,
            Seal::Changes => NOSUID | NODEV | RDONLY,
        },
        clear: 0,
        propagation: 0,
        user_namespace: 0,
    };
    // SAFETY: the path ends with a zero, and the kernel only reads the attributes, whose size is
    // passed along.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            fd,
            path.as_ptr(),
            flags,
            &raw const attributes,
            size_of::<MountAttr>(),
        )
    };
    succeeded(done == 0)
}

/// Keeps the signals with which a terminal or another process asks for the end from this process,
/// and from programs that it starts.
pub(super) fn block_requests_to_end() -> io::Result<()> {
    change_mask(libc::SIG_BLOCK)
}

/// Takes them again.
pub(super) fn unblock_requests_to_end() -> io::Result<()> {
    change_mask(libc::SIG_UNBLOCK)
}

fn change_mask(how: libc::c_int) -> io::Result<()> {
    let mut set = std::mem::MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: sigemptyset makes the set valid before anything else looks at it.
    let done = unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in [libc::SIGTERM, libc::SIGINT, libc::SIGHUP, libc::SIGQUIT] {
            libc::sigaddset(set.as_mut_ptr(), signal);
        }
        libc::sigprocmask(how, set.as_ptr(), std::ptr::null_mut())
    };
    succeeded(done == 0)
}

/// Lets no descriptor but the standard ones reach a program started from here. A directory that
/// was opened outside would be a way out.
pub(super) fn keep_descriptors() -> io::Result<()> {
    // SAFETY: it closes nothing now; it only marks descriptors to be closed by exec.
    let done = unsafe {
        libc::syscall(
            libc::SYS_close_range,
            3,
            libc::c_uint::MAX,
            libc::CLOSE_RANGE_CLOEXEC,
        )
    };
    succeeded(done == 0)
}

fn succeeded(yes: bool) -> io::Result<()> {
    if yes {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
