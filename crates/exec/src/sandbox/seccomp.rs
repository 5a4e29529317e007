//! System calls that no command needs: ways out of the sandbox, and ways into other processes.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

use super::step::Step;

/// Refused with "Operation not permitted".
const REFUSED: &[libc::c_long] = &[
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    // Files by number instead of by path.
    libc::SYS_open_by_handle_at,
    // The kernel.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_syslog,
    // The user's keys.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // The machine.
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
];

/// Refused as if the kernel did not have them, so that programs use something else. The filter
/// cannot look into the arguments of `clone3`, nor at what goes through a ring.
const UNKNOWN: &[libc::c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

/// Change whose a file is. Landlock knows nothing of them, and the filter cannot look at paths.
const OWNERS: &[libc::c_long] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    libc::SYS_fchown,
    libc::SYS_fchownat,
];

/// Change what else is said of a file.
const ATTRIBUTES: &[libc::c_long] = &[
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    // The same on all architectures: setxattrat, removexattrat, file_setattr.
    463,
    466,
    469,
];

/// Change modes, with the place of the mode among their arguments.
const MODES: &[(libc::c_long, u8)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    // `fchmodat2`, the same on all architectures.
    (452, 2),
];

const NAMESPACES: &[libc::c_int] = &[
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// What sockets may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sockets {
    /// To other processes of this machine.
    pub(super) unix: bool,
    /// To other machines.
    pub(super) internet: bool,
}

/// What else the filter is to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Filter {
    pub(super) sockets: Sockets,
    /// Whether files may be cut short by path: not where Landlock does not know about it.
    pub(super) truncate: bool,
    /// Whether owners of files may be changed, and modes such that whoever runs a file becomes its
    /// owner: not where that can be a file outside.
    pub(super) owners: bool,
}

/// Filters the system calls of this process and all that it will start. For good.
pub(super) fn restrict(filter: Filter) -> io::Result<()> {
    let refused = program(refused(filter)?, libc::EPERM)?;
    let sockets = program(sockets(filter.sockets)?, libc::EACCES)?;
    let unknown = program(always(UNKNOWN), libc::ENOSYS)?;
    let mut programs = vec![other_numbers(), refused, sockets, unknown];
    if !filter.owners {
        // Root unpacks archives, asks for the owners in them, and fails without: it is told that all
        // went well. Others could not change them anyway.
        let root = rustix::process::geteuid().is_root();
        let errno = if root { 0 } else { libc::EPERM };
        programs.push(program(always(OWNERS), errno)?);
    }
    let applied = programs
        .iter()
        .try_for_each(|program| apply_filter(program));
    applied
        .map_err(io::Error::other)
        .step("filtering system calls")
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn program(rules: Rules, errno: libc::c_int) -> io::Result<BpfProgram> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let action = SeccompAction::Errno(errno.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, arch);
    let program = filter.and_then(TryInto::try_into);
    program.map_err(io::Error::other)
}

fn always(calls: &[libc::c_long]) -> Rules {
    calls.iter().map(|call| (*call, Vec::new())).collect()
}

fn refused(filter: Filter) -> io::Result<Rules> {
    let mut rules = always(REFUSED);
    if !filter.truncate {
        rules.insert(libc::SYS_truncate, Vec::new());
    }
    if !filter.owners {
        rules.extend(always(ATTRIBUTES));
        for (call, mode) in MODES {
            let bits = [libc::S_ISUID, libc::S_ISGID].map(u64::from);
            let bits = bits.map(|bit| rule([has(*mode, bit, bit)?]));
            rules.insert(*call, bits.into_iter().collect::<io::Result<_>>()?);
        }
    }
    let flags = NAMESPACES.iter().map(|flag| u64::from(flag.unsigned_abs()));
    let flags = flags.map(|flag| rule([has(0, flag, flag)?]));
    rules.insert(libc::SYS_clone, flags.collect::<io::Result<_>>()?);
    // Typing into the terminal that pollux runs in.
    let pushing = [libc::TIOCSTI, libc::TIOCLINUX];
    let pushing = pushing.map(|request| rule([is(1, request)?]));
    rules.insert(
        libc::SYS_ioctl,
        pushing.into_iter().collect::<io::Result<_>>()?,
    );
    for (call, mode) in [
        #[cfg(target_arch = "x86_64")]
        (libc::SYS_mknod, 1),
        (libc::SYS_mknodat, 2),
    ] {
        let kinds = [libc::S_IFCHR, libc::S_IFBLK].map(u64::from);
        let kinds = kinds.map(|kind| rule([has(mode, libc::S_IFMT.into(), kind)?]));
        rules.insert(call, kinds.into_iter().collect::<io::Result<_>>()?);
    }
    Ok(rules)
}

fn sockets(allowed: Sockets) -> io::Result<Rules> {
    let unix = allowed.unix.then_some(libc::AF_UNIX);
    // Netlink tells programs which addresses there are.
    let internet = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
    let internet = internet.into_iter().filter(|_| allowed.internet);
    let families: Vec<_> = unix.into_iter().chain(internet).collect();
    let others = families.iter().map(|family| {
        let family = u64::from(family.unsigned_abs());
        condition(0, SeccompCmpOp::Ne, family)
    });
    let others: Vec<_> = others.collect::<io::Result<_>>()?;
    let rules = if others.is_empty() {
        Vec::new()
    } else {
        vec![rule_of(others)?]
    };
    Ok(BTreeMap::from([(libc::SYS_socket, rules)]))
}

/// On one architecture every call has a second number, under which no rule would find it.
fn other_numbers() -> BpfProgram {
    let statement = |code: u32, k: u32| seccompiler::sock_filter {
        code: u16::try_from(code).unwrap_or_default(),
        jt: 0,
        jf: 0,
        k,
    };
    let load = statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0);
    let mut compare = statement(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0x4000_0000);
    compare.jf = 1;
    let give = libc::BPF_RET | libc::BPF_K;
    let refuse = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.unsigned_abs();
    vec![
        load,
        compare,
        statement(give, refuse),
        statement(give, libc::SECCOMP_RET_ALLOW),
    ]
}

fn rule<const N: usize>(conditions: [SeccompCondition; N]) -> io::Result<SeccompRule> {
    rule_of(conditions.into())
}

fn rule_of(conditions: Vec<SeccompCondition>) -> io::Result<SeccompRule> {
    SeccompRule::new(conditions).map_err(io::Error::other)
}

fn is(argument: u8, value: u64) -> io::Result<SeccompCondition> {
    condition(argument, SeccompCmpOp::Eq, value)
}

fn has(argument: u8, mask: u64, value: u64) -> io::Result<SeccompCondition> {
    condition(argument, SeccompCmpOp::MaskedEq(mask), value)
}

/// The kernel looks at the lower half of these arguments only, so the filter does the same.
fn condition(argument: u8, compare: SeccompCmpOp, value: u64) -> io::Result<SeccompCondition> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, compare, value)
        .map_err(io::Error::other)
}
