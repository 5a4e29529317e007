//! The inner process: confines itself, starts the command, and waits for it.
//!
//! In a pid namespace it is the first process, so that all others end with it.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitOptions, WaitStatus, set_child_subreaper, set_parent_process_death_signal,
    setsid, wait,
};

use super::grant::TEMPORARY;
use super::order::Order;
use super::report::Report;
use super::seccomp::{Filter, Sockets};
use super::step::Step;
use super::{Network, Rung, landlock, loopback, namespaces, privileges, raw, seccomp};

/// How long processes in the background may take to end once the command has.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// How this process and the one that watches over it talk.
pub(super) struct Ends {
    /// A byte from here means that everything is prepared.
    pub(super) ready: File,
    /// Takes reports, a line each.
    pub(super) reports: File,
}

/// Runs the order, tells how it went, and ends the process. `listening` are sockets to keep it from.
#[expect(
    clippy::exit,
    reason = "what is above on the stack belongs to the other half of the split process"
)]
pub(super) fn run(order: &Order, listening: &[PathBuf], ends: Ends) -> ! {
    let Ends { ready, mut reports } = ends;
    let report = match start(order, listening, ready) {
        Ok(child) => {
            writeln!(reports, "{}", Report::Started).ok();
            wait_for(child)
        }
        Err(error) => Report::Failed(error.to_string()),
    };
    // If nobody listens any more, nobody is left to be told.
    writeln!(reports, "{report}").ok();
    std::process::exit(0)
}

fn start(order: &Order, listening: &[PathBuf], mut ready: File) -> io::Result<Pid> {
    end_with_parent()?;
    // Fails if the parent ended before that.
    ready.read_exact(&mut [0]).step("waiting to be prepared")?;
    if order.attended {
        // A session of its own: schedulers that are fair to sessions leave time for the helper.
        setsid().step("making a session")?;
    }
    set_child_subreaper(Some(rustix::process::getpid())).step("adopting orphans")?;
    raw::keep_descriptors().step("closing files")?;
    if order.rung == Rung::Namespaces {
        namespaces::build(&order.policy, listening)?;
        if order.policy.network == Network::Loopback {
            loopback::switch_on()?;
        }
        privileges::limit_processes(order.limits)?;
    }
    privileges::drop_all()?;
    // Changing privileges may have undone it.
    end_with_parent()?;
    confine(order)?;
    spawn(order)
}

/// Whoever watches over this process has to outlive it.
fn end_with_parent() -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL)).step("tying processes together")
}

fn confine(order: &Order) -> io::Result<()> {
    let policy = &order.policy;
    let namespaces = order.rung == Rung::Namespaces;
    let internet = match policy.network {
        Network::Off => false,
        Network::Loopback => namespaces,
        Network::On => true,
    };
    let mut writable = policy.writable.clone();
    if namespaces {
        writable.extend(policy.caches.iter().cloned());
        writable.extend(
            TEMPORARY
                .map(PathBuf::from)
                .into_iter()
                .filter(|dir| dir.is_dir()),
        );
    }
    let landlocked = landlock::restrict(&writable, internet, order.rung)?;
    if !namespaces && !landlocked.is_enough_alone() {
        return Err(io::Error::other(
            "this kernel has no Landlock, or an early one",
        ));
    }
    seccomp::restrict(Filter {
        sockets: Sockets {
            unix: namespaces || landlocked.covers_sockets(),
            internet,
        },
        truncate: namespaces || landlocked.covers_truncate(),
        owners: namespaces,
    })
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is where confined programs are started"
)]
fn spawn(order: &Order) -> io::Result<Pid> {
    let (program, args) = order
        .command
        .split_first()
        .ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(args).current_dir(&order.dir);
    if order.attended {
        command.stdin(Stdio::null());
    }
    // The command is to hear what this process does not.
    raw::unblock_requests_to_end().step("unblocking signals")?;
    let child = command.spawn();
    raw::block_requests_to_end().step("blocking signals")?;
    let child = child.step(format!("starting {}", program.display()))?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    pid.ok_or_else(|| io::Error::other("the command has no process"))
}

/// Waits for the command, then a moment for what it has left in the background.
fn wait_for(command: Pid) -> Report {
    let report = loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == command => break ended(status),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Report::Failed(format!("waiting for the command: {error}")),
        }
    };
    let deadline = Instant::now() + LAST_WORDS;
    while let Ok(reaped) = wait(WaitOptions::NOHANG) {
        if reaped.is_none() {
            if Instant::now() > deadline {
                break;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }
    report
}

fn ended(status: WaitStatus) -> Report {
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Report::Exited(code),
        (None, signal) => Report::Signalled(signal.unwrap_or_default()),
    }
}
