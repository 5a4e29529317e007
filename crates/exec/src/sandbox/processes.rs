//! The processes of this machine, as `/proc` shows them.

use std::collections::BTreeMap;
use std::fs;

use rustix::process::Pid;

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Process {
    pub(super) pid: Pid,
    parent: i32,
    pub(super) threads: u64,
    /// Its memory, in pages; what it shares with others counts for each.
    pub(super) pages: u64,
}

impl Process {
    /// Reads a line of `/proc/PID/stat`.
    fn parse(stat: &str) -> Option<Self> {
        let pid = Pid::from_raw(stat.split(' ').next()?.parse().ok()?)?;
        // The name may hold anything, so look behind its last bracket: the state is the first.
        let mut fields = stat.rsplit(") ").next()?.split(' ').skip(1);
        Some(Self {
            pid,
            parent: fields.next()?.parse().ok()?,
            threads: fields.nth(15)?.parse().ok()?,
            pages: fields.nth(3)?.parse().ok()?,
        })
    }
}

/// All that have come from `ancestor`, in whatever way they have left their parents: orphans must
/// have become its children.
pub(super) fn descendants(ancestor: Pid) -> Vec<Process> {
    let mut children: BTreeMap<i32, Vec<Process>> = BTreeMap::new();
    for process in all() {
        children.entry(process.parent).or_default().push(process);
    }
    let mut found = Vec::new();
    let mut open = vec![ancestor.as_raw_nonzero().get()];
    while let Some(parent) = open.pop() {
        let own = children.remove(&parent).unwrap_or_default();
        open.extend(own.iter().map(|process| process.pid.as_raw_nonzero().get()));
        found.extend(own);
    }
    found
}

fn all() -> impl Iterator<Item = Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_process = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names
        .filter(move |name| is_process(name))
        .filter_map(|name| {
            // It may have ended.
            let stat = fs::read_to_string(format!("/proc/{name}/stat")).ok()?;
            Process::parse(&stat)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_process_is_called_it_is_understood() {
        let stat =
            "77 (a) b ) (c)) S 12 77 77 0 -1 4194560 9 0 0 0 1 2 0 0 20 0 5 0 99 1234 321 1 0";
        let process = Process::parse(stat).unwrap();
        assert_eq!(process.pid.as_raw_nonzero().get(), 77);
        assert_eq!(
            (process.parent, process.threads, process.pages),
            (12, 5, 321)
        );
        assert_eq!(Process::parse(""), None);
        assert_eq!(Process::parse("77 (a) S"), None);
    }
}
