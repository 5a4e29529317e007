//! What may be written, enforced by the kernel's Landlock.
//!
//! Landlock adds up what is allowed below a directory, and can take nothing back below it. So it
//! confines commands to what is writable, but does not protect parts of it.

use std::io;
use std::path::{Path, PathBuf};

use ::landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus,
    PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, Scope,
};

use super::step::Step;

/// Devices that commands may write to. Nothing is lost by it.
pub(super) const DEVICES: &[&str] = &[
    "/dev/full",
    "/dev/null",
    "/dev/ptmx",
    "/dev/random",
    "/dev/tty",
    "/dev/urandom",
    "/dev/zero",
];

/// Where terminals and shared memory are made.
const DEVICE_DIRECTORIES: &[&str] = &["/dev/pts", "/dev/shm"];

/// How much of Landlock holds here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Landlocked {
    abi: ABI,
}

impl Landlocked {
    /// Whether files can be moved between directories, which takes a kernel of 5.19.
    pub(super) fn is_enough_alone(self) -> bool {
        self.abi >= ABI::V2
    }

    /// Whether cutting files short is covered.
    pub(super) fn covers_truncate(self) -> bool {
        self.abi >= ABI::V3
    }

    /// Whether connecting to sockets in the file system is covered.
    pub(super) fn covers_sockets(self) -> bool {
        self.abi >= ABI::V9
    }
}

/// Lets this process, and all that it will start, write nowhere else. For good.
pub(super) fn restrict(writable: &[PathBuf], network: bool) -> io::Result<Landlocked> {
    let status = ruleset(writable, network).map_err(io::Error::other);
    let abi = match status.step("restricting with Landlock")? {
        LandlockStatus::Available { effective_abi, .. } => effective_abi,
        LandlockStatus::NotEnabled | LandlockStatus::NotImplemented => ABI::Unsupported,
    };
    Ok(Landlocked { abi })
}

type Error = Box<dyn std::error::Error + Send + Sync>;

fn ruleset(writable: &[PathBuf], network: bool) -> Result<LandlockStatus, Error> {
    let changes = AccessFs::from_write(ABI::V9);
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(changes)?
        .scope(Scope::from_all(ABI::V6))?;
    if !network {
        ruleset = ruleset.handle_access(AccessNet::from_all(ABI::V4))?;
    }
    let mut ruleset = ruleset.create()?;
    let make_devices = AccessFs::MakeChar | AccessFs::MakeBlock;
    for path in writable {
        ruleset = ruleset.add_rule(beneath(path, changes & !make_devices)?)?;
    }
    let use_devices = AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    let devices = DEVICES.iter().map(|path| (path, use_devices));
    let directories = DEVICE_DIRECTORIES.iter();
    let directories = directories.map(|path| (path, changes & !make_devices));
    for (path, access) in devices.chain(directories) {
        // A container may have fewer.
        if let Ok(rule) = beneath(Path::new(path), access) {
            ruleset = ruleset.add_rule(rule)?;
        }
    }
    Ok(ruleset.restrict_self()?.landlock)
}

fn beneath(path: &Path, access: BitFlags<AccessFs>) -> Result<PathBeneath<PathFd>, Error> {
    let fd = PathFd::new(path)?;
    let access = if path.is_dir() {
        access
    } else {
        access & AccessFs::from_file(ABI::V9)
    };
    Ok(PathBeneath::new(fd, access))
}
