//! How much a command has taken of the machine, measured from outside.
//!
//! The kernel limits the processes of a user and the memory of a process, and neither for root nor
//! for a tree. So the helper looks, ten times a second, and at no more than two numbers of the whole
//! machine as long as those are small.

use std::fs;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use super::limits::{Excess, Limits};
use super::processes::{Process, descendants};

/// How often to look.
pub(super) const INTERVAL: Duration = Duration::from_millis(100);

/// Watches over what comes from one process.
#[derive(Debug)]
pub(super) struct Gauge {
    inner: Pid,
    /// What the machine had to do before the command began.
    threads_before: u64,
    processes: u64,
    memory: u64,
}

impl Gauge {
    pub(super) fn new(inner: Pid, limits: Limits) -> Self {
        let most = || machine_memory("MemTotal:").map_or(u64::MAX, |all| all / 5 * 4);
        Self {
            inner,
            threads_before: machine_threads().unwrap_or_default(),
            processes: limits.processes,
            memory: limits.memory.unwrap_or_else(most),
        }
    }

    /// The limit that is exceeded, if one is.
    pub(super) fn excess(&self) -> Option<Excess> {
        let most = self.threads_before.saturating_add(self.processes);
        let many = machine_threads().is_none_or(|count| count > most);
        let much = machine_memory_used().is_none_or(|bytes| bytes > self.memory);
        if !many && !much {
            return None;
        }
        if many {
            // Counting takes time, and whoever multiplies leaves none.
            kill_process_group(self.inner, Signal::STOP).ok();
        }
        let taken = descendants(self.inner);
        let threads: u64 = taken.iter().map(|process| process.threads).sum();
        if threads > self.processes {
            return Some(Excess::Processes(self.processes));
        }
        if many {
            kill_process_group(self.inner, Signal::CONT).ok();
        }
        (much && self.is_too_much(&taken)).then_some(Excess::Memory(self.memory))
    }

    /// Whether these have too much memory. What they share is counted only if it would be too much
    /// without sharing, since that takes the kernel its time.
    fn is_too_much(&self, taken: &[Process]) -> bool {
        let page = rustix::param::page_size() as u64;
        let at_most: u64 = taken.iter().map(|process| process.pages * page).sum();
        at_most > self.memory && {
            let shares = taken.iter().map(|process| {
                let share = memory_share(process.pid);
                share.unwrap_or(process.pages * page)
            });
            shares.sum::<u64>() > self.memory
        }
    }
}

/// The threads of the whole machine.
fn machine_threads() -> Option<u64> {
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    let (_, all) = load.split(' ').nth(3)?.split_once('/')?;
    all.parse().ok()
}

/// Memory that nobody could have without taking it from somebody.
fn machine_memory_used() -> Option<u64> {
    let available = machine_memory("MemAvailable:")?;
    Some(machine_memory("MemTotal:")?.saturating_sub(available))
}

fn machine_memory(name: &str) -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, name)
}

/// The memory of a process; of what it shares with others, its share.
fn memory_share(pid: Pid) -> Option<u64> {
    let path = format!("/proc/{}/smaps_rollup", pid.as_raw_nonzero());
    kilobytes(&fs::read_to_string(path).ok()?, "Pss:")
}

/// The number after `name`, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines();
    let value = lines.find_map(|line| line.strip_prefix(name))?;
    let number: u64 = value.split_whitespace().next()?.parse().ok()?;
    Some(number * 1024)
}

#[cfg(test)]
mod tests {
    use rustix::process::getpid;

    use super::*;

    #[test]
    fn this_machine_can_be_measured() {
        assert!(machine_threads().unwrap() > 0);
        assert!(machine_memory_used().unwrap() < machine_memory("MemTotal:").unwrap());
        assert!(memory_share(getpid()).unwrap() > 0);
    }

    #[test]
    fn what_is_within_limits_is_no_excess() {
        let gauge = |processes, memory| {
            let memory = Some(memory);
            Gauge::new(getpid(), Limits { processes, memory })
        };
        assert_eq!(gauge(u64::MAX, u64::MAX).excess(), None);
        // Whatever else runs on this machine, this process has started nothing.
        assert_eq!(gauge(1, 1 << 40).excess(), None);
    }
}
