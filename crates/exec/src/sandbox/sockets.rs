//! Services that listen in the file system.
//!
//! A sealed file system does not keep anybody from connecting to a socket in it, and who may talk to
//! a container service or a terminal multiplexer needs no way out of the sandbox. So sockets on
//! which somebody listens are covered; those of the project itself are not.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::mount::mount_bind;

use super::SandboxPolicy;
use super::step::Step;

/// The sockets on which somebody listens now, as far as this network namespace knows.
pub(super) fn listening() -> io::Result<Vec<PathBuf>> {
    let table = fs::read_to_string("/proc/net/unix");
    Ok(paths(&table.step("reading which sockets there are")?))
}

fn paths(table: &str) -> Vec<PathBuf> {
    let path = |line: &str| line.split_whitespace().nth(7).map(PathBuf::from);
    let paths = table.lines().filter_map(path);
    paths.filter(|path| path.is_absolute()).collect()
}

/// Covers those that the command could see.
pub(super) fn mask(listening: &[PathBuf], policy: &SandboxPolicy) -> io::Result<()> {
    let foreign = |path: &&PathBuf| !policy.writable.iter().any(|root| path.starts_with(root));
    let there = |path: &&PathBuf| {
        let kind = path.symlink_metadata().map(|data| data.file_type());
        kind.is_ok_and(|kind| std::os::unix::fs::FileTypeExt::is_socket(&kind))
    };
    for path in listening.iter().filter(foreign).filter(there) {
        mount_bind(Path::new("/dev/null"), path).step(format!("covering {}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sockets_with_a_path_are_in_the_file_system() {
        let table = "Num       RefCount Protocol Flags    Type St Inode Path\n\
            0000: 00000002 00000000 00010000 0001 01 16163 /run/dbus/system_bus_socket\n\
            0000: 00000003 00000000 00000000 0001 03 17163\n\
            0000: 00000002 00000000 00010000 0001 01 18163 @/tmp/.X11-unix/X0\n";
        assert_eq!(paths(table), [Path::new("/run/dbus/system_bus_socket")]);
    }
}
