//! Giving up what a command does not need.

use std::io;

use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_no_new_privs,
};

use super::Limits;
use super::step::Step;

/// What root keeps: working with files of others, as far as the sandbox lets it. Everything else
/// that root may do could undo the sandbox.
const KEPT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID);

/// Gives up privileges for good: programs that would raise them do not.
pub(super) fn drop_all() -> io::Result<()> {
    set_no_new_privs(true).step("giving up privileges")?;
    let nothing = Rlimit {
        current: Some(0),
        maximum: Some(0),
    };
    setrlimit(Resource::Core, nothing).step("forbidding core dumps")?;
    clear_ambient_capability_set().step("giving up ambient capabilities")?;
    let root = rustix::process::geteuid().is_root();
    let kept = if root { KEPT } else { CapabilitySet::empty() };
    let had = capabilities(None).step("reading capabilities")?;
    if had.effective.contains(CapabilitySet::SETPCAP) {
        for capability in CapabilitySet::all().difference(kept).iter() {
            // The kernel may know fewer of them.
            remove_capability_from_bounding_set(capability).ok();
        }
    }
    let sets = CapabilitySets {
        effective: kept & had.permitted,
        permitted: kept & had.permitted,
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, sets).step("giving up capabilities")
}

/// Keeps a command that multiplies faster than anybody looks (`gauge`) from taking the machine with
/// it. Only where it is counted by itself: elsewhere all that the user runs would count.
pub(super) fn limit_processes(limits: Limits) -> io::Result<()> {
    let most = Some(limits.processes.saturating_mul(2));
    let limit = Rlimit {
        current: most,
        maximum: most,
    };
    setrlimit(Resource::Nproc, limit).step("limiting processes")
}

/// If memory runs out, the system is to end commands before it ends pollux.
pub(super) fn offer_to_be_killed() {
    // Some containers do not let anybody say so.
    std::fs::write("/proc/self/oom_score_adj", "500").ok();
}
