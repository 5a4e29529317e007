//! A view of the file system in which only what is writable can be written.
//!
//! Built by a process that is alone in new user, mount, pid, network and ipc namespaces. The root
//! stays where it is and is sealed as a whole; what is writable is cut out before and put back
//! over it.
//!
//! **Invariant:** every step either holds or fails the whole: there is no half of a sandbox.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::CWD;
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, mount, mount_bind_recursive,
    mount_change, move_mount, open_tree,
};

use super::grant::TEMPORARY;
use super::raw::{Seal, seal, seal_tree};
use super::step::Step;
use super::{Network, SandboxPolicy, caches, devices, sockets};

/// Where services listen. Commands see an empty directory: talking to some of them is as good as
/// having no sandbox.
const SERVICES: &str = "/run";

/// What is no service below it, and which some systems keep their programs in.
const NO_SERVICES: &[&str] = &[
    "/run/booted-system",
    "/run/current-system",
    "/run/opengl-driver",
    "/run/wrappers",
];

/// Gives this process its own view. `listening` are sockets to keep it from.
pub(super) fn build(policy: &SandboxPolicy, listening: &[PathBuf]) -> io::Result<()> {
    let everything = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", everything).step("making mounts private")?;
    let caches = caches::overlay(policy);
    let open = cut_out(policy.writable.iter().chain(&caches))?;
    let devices = devices::cut_out()?;
    let kept = kept_of_services(policy.network)?;
    let temporary = TEMPORARY.iter().filter(|dir| Path::new(dir).is_dir());
    let temporary: Vec<_> = temporary
        .map(|dir| Ok((PathBuf::from(dir), cut_out_one(&policy.tmp)?)))
        .collect::<io::Result<_>>()?;

    seal(Path::new("/"), Seal::Changes).step("sealing the file system")?;
    put_back(temporary)?;
    hide_services(kept)?;
    devices::provide(devices)?;
    processes()?;
    put_back(open)?;
    sockets::mask(listening, policy)?;
    protect(policy)
}

/// Mounts that are nowhere yet, and where they go.
pub(super) type CutOut = Vec<(PathBuf, OwnedFd)>;

fn cut_out<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> io::Result<CutOut> {
    let mut cut: CutOut = paths
        .map(|path| Ok((path.clone(), cut_out_one(path)?)))
        .collect::<io::Result<_>>()?;
    // Parents first, or they would cover their children.
    cut.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(cut)
}

fn cut_out_one(path: &Path) -> io::Result<OwnedFd> {
    let tree = clone_tree(path)?;
    seal_tree(&tree, Seal::Foreign).step(format!("sealing {}", path.display()))?;
    Ok(tree)
}

/// A copy of what is mounted at `path`, mounted nowhere.
pub(super) fn clone_tree(path: &Path) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    open_tree(CWD, path, flags).step(format!("opening {}", path.display()))
}

/// Mounts a cut-out at `path`, which must exist.
pub(super) fn attach(tree: OwnedFd, path: &Path) -> io::Result<()> {
    let from_descriptor = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    move_mount(tree, "", CWD, path, from_descriptor).step(format!("mounting {}", path.display()))
}

fn put_back(cut: CutOut) -> io::Result<()> {
    for (path, tree) in cut {
        if !path.exists() {
            // It lies in what commands see something else of.
            fs::create_dir_all(&path).step(format!("making {}", path.display()))?;
        }
        attach(tree, &path)?;
    }
    Ok(())
}

/// What stays visible of the services' directory, by the names under which it is used.
fn kept_of_services(network: Network) -> io::Result<CutOut> {
    let mut kept: Vec<_> = NO_SERVICES.iter().map(PathBuf::from).collect();
    if network == Network::On {
        // Which servers know names.
        let resolver = fs::canonicalize("/etc/resolv.conf").ok();
        let dir = resolver.and_then(|file| Some(file.parent()?.to_owned()));
        kept.extend(dir.filter(|dir| dir.starts_with(SERVICES) && dir != Path::new(SERVICES)));
    }
    cut_out(kept.iter().filter(|path| path.is_dir()))
}

fn hide_services(kept: CutOut) -> io::Result<()> {
    let services = Path::new(SERVICES);
    if !services.is_dir() {
        return Ok(());
    }
    empty(services, c"mode=755")?;
    for (path, tree) in kept {
        fs::create_dir_all(&path).step("making directories for programs")?;
        attach(tree, &path)?;
    }
    Ok(())
}

/// An empty directory in memory at `path`.
pub(super) fn empty(path: &Path, options: &std::ffi::CStr) -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    let mounted = mount("tmpfs", path, "tmpfs", flags, Some(options));
    mounted.step(format!("hiding {}", path.display()))
}

/// Shows the processes of the new namespace, and no others.
fn processes() -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::RDONLY;
    mount("proc", "/proc", "proc", flags, None).step("mounting /proc")
}

/// Seals the parts of what is writable that are not. What does not exist cannot be sealed: whoever
/// runs the command looks after it.
fn protect(policy: &SandboxPolicy) -> io::Result<()> {
    let mut pinned = BTreeSet::new();
    for path in &policy.protected {
        let Some(path) = sealable(path) else { continue };
        let mut roots = policy.writable.iter().chain(&policy.caches);
        let Some(root) = roots.find(|root| path.starts_with(root)) else {
            continue;
        };
        // Neither may a directory above it be moved away: a mount point cannot.
        let above = path.ancestors().skip(1).take_while(|dir| dir != root);
        for dir in above.collect::<Vec<_>>().into_iter().rev() {
            if pinned.insert(dir.to_owned()) {
                mount_bind_recursive(dir, dir).step(format!("pinning {}", dir.display()))?;
            }
        }
        if pinned.insert(path.clone()) {
            mount_bind_recursive(&path, &path).step(format!("pinning {}", path.display()))?;
        }
        seal(&path, Seal::Changes).step(format!("sealing {}", path.display()))?;
    }
    Ok(())
}

/// Where `path` really is, if it can be mounted over: it exists and is no link.
pub(super) fn sealable(path: &Path) -> Option<PathBuf> {
    let parent = path.parent()?.canonicalize().ok()?;
    let path = parent.join(path.file_name()?);
    let kind = path.symlink_metadata().ok()?.file_type();
    (kind.is_dir() || kind.is_file()).then_some(path)
}
