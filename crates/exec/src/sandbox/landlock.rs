//! What may be written, enforced by the kernel's Landlock.
//!
//! Landlock adds up what is allowed below a directory, and can take nothing back below it. So it
//! confines commands to what is writable, but does not protect parts of it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use ::landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus,
    PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, Scope,
};

use super::Rung;
use super::step::Step;

/// Devices that commands may use. Nothing is lost by it, and nobody is at the other end: of terminals,
/// only the command's own, which it usually has none of.
const DEVICES: &[&str] = &[
    "/dev/full",
    "/dev/null",
    "/dev/random",
    "/dev/tty",
    "/dev/urandom",
    "/dev/zero",
];

/// Where terminals and shared memory are made. Outside of namespaces those of others are there too:
/// who writes to them can show what pollux did not say, and who reads them hears what is typed.
const SHARED_DEVICES: &[&str] = &["/dev/ptmx", "/dev/pts", "/dev/shm"];

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
pub(super) fn restrict(writable: &[PathBuf], network: bool, rung: Rung) -> io::Result<Landlocked> {
    let status = ruleset(writable, network, rung).map_err(io::Error::other);
    let abi = match status.step("restricting with Landlock")? {
        LandlockStatus::Available { effective_abi, .. } => effective_abi,
        LandlockStatus::NotEnabled | LandlockStatus::NotImplemented => ABI::Unsupported,
    };
    Ok(Landlocked { abi })
}

type Error = Box<dyn std::error::Error + Send + Sync>;

fn ruleset(writable: &[PathBuf], network: bool, rung: Rung) -> Result<LandlockStatus, Error> {
    let own_devices = rung == Rung::Namespaces;
    let changes = AccessFs::from_write(ABI::V9);
    let handled = if own_devices {
        changes
    } else {
        changes | AccessFs::ReadFile
    };
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(handled)?
        .scope(Scope::from_all(ABI::V6))?;
    if !network {
        ruleset = ruleset.handle_access(AccessNet::from_all(ABI::V4))?;
    }
    let mut ruleset = ruleset.create()?;
    let no_devices = handled & !(AccessFs::MakeChar | AccessFs::MakeBlock);
    for path in writable {
        ruleset = ruleset.add_rule(beneath(path, no_devices)?)?;
    }
    let usable = AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev | AccessFs::ReadFile;
    let mut rules: Vec<_> = DEVICES
        .iter()
        .map(|path| (PathBuf::from(path), usable))
        .collect();
    if own_devices {
        let own = SHARED_DEVICES.iter().map(PathBuf::from);
        rules.extend(own.map(|path| (path, no_devices)));
    } else {
        let readable = readable()?.into_iter();
        rules.extend(readable.map(|path| (path, AccessFs::ReadFile.into())));
    }
    for (path, access) in rules {
        // A container may have fewer devices.
        if let Ok(rule) = beneath(&path, access & handled) {
            ruleset = ruleset.add_rule(rule)?;
        }
    }
    Ok(ruleset.restrict_self()?.landlock)
}

/// Everything but devices.
fn readable() -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir("/").step("looking at /")?;
    let paths = entries.map(|entry| Ok(entry?.path()));
    let paths: Vec<_> = paths.collect::<io::Result<_>>().step("looking at /")?;
    let devices = Path::new("/dev");
    Ok(paths.into_iter().filter(|path| path != devices).collect())
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
