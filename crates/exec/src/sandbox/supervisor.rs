//! The helper: watches over the inner process from outside the sandbox.
//!
//! It ends everything when the command has ended, when the caller says so, and when the caller is
//! gone. It has one thread and does nothing else, so it can be split and need not be trusted with
//! more than one command.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, Signal, WaitOptions, getgid, getpid, getuid, kill_process, kill_process_group,
    set_child_subreaper, set_parent_process_death_signal, setsid, wait, waitpid,
};
use rustix::thread::{CapabilitySet, capabilities};

use super::gauge::{self, Gauge};
use super::guard::Guard;
use super::inner::{self, Ends};
use super::order::Order;
use super::processes::descendants;
use super::report::Report;
use super::step::Step;
use super::{END, NO_SANDBOX, Rung, privileges, probe, raw, sockets};

/// How long killed processes may take to be gone.
const DYING: Duration = Duration::from_secs(2);

/// Runs an order in its sandbox: all that the hidden subcommand `sandbox-exec` does. Gives the exit
/// code: the command's, 128 and the signal's number, or [`NO_SANDBOX`].
pub fn enter(args: impl IntoIterator<Item = OsString>) -> u8 {
    let args: Vec<_> = args.into_iter().collect();
    if let Some(code) = probe::run(&args) {
        return code;
    }
    let reports = match Order::from_args(args) {
        Ok(order) => match obey(&order) {
            Ok(reports) => reports,
            Err(error) => tell(&order, vec![Report::Failed(error.to_string())]),
        },
        Err(problem) => vec![Report::Failed(problem)],
    };
    let code = |report: &Report| match report {
        Report::Exited(code) => u8::try_from(*code).ok(),
        Report::Signalled(signal) => u8::try_from(128 + signal).ok(),
        // As if the system had killed it.
        Report::Exceeded(_) => Some(128 + 9),
        _ => None,
    };
    reports.iter().find_map(code).unwrap_or(NO_SANDBOX)
}

fn obey(order: &Order) -> io::Result<Vec<Report>> {
    if order.attended {
        // Without a terminal there is nothing to ask for passwords on, or to type into.
        setsid().step("leaving the terminal")?;
    } else {
        set_parent_process_death_signal(Some(Signal::KILL)).step("tying processes together")?;
    }
    raw::block_requests_to_end().step("blocking signals")?;
    privileges::offer_to_be_killed();
    set_child_subreaper(Some(getpid())).step("adopting orphans")?;
    let guard = Guard::before(&order.policy, order.rung);
    let listening = match order.rung {
        Rung::Namespaces => sockets::listening()?,
        Rung::Landlock => Vec::new(),
    };
    let (ready, prepared) = pipe_with(PipeFlags::CLOEXEC).step("making a pipe")?;
    let (reports, tell_reports) = pipe_with(PipeFlags::CLOEXEC).step("making a pipe")?;
    let Some(inner) =
        raw::split(order.rung.namespaces(order.policy.network)).step("making namespaces")?
    else {
        drop((prepared, reports));
        let ends = Ends {
            ready: ready.into(),
            reports: tell_reports.into(),
        };
        inner::run(order, &listening, ends)
    };
    drop((ready, tell_reports));
    let mut said = Vec::new();
    let attended = watch(order, inner, prepared, reports, &mut said);
    end_all(inner);
    attended?;
    said.extend(guard.after());
    Ok(tell(order, said))
}

/// Prepares the inner process and waits until it has ended or is to end.
fn watch(
    order: &Order,
    inner: Pid,
    prepared: OwnedFd,
    reports: OwnedFd,
    said: &mut Vec<Report>,
) -> io::Result<()> {
    if order.rung == Rung::Namespaces {
        map_ids(inner)?;
    }
    File::from(prepared)
        .write_all(&[0])
        .step("starting the inner process")?;
    let mut text = Vec::new();
    let mut reports = File::from(reports);
    let caller = rustix::stdio::stdin();
    let gauge = Gauge::new(inner, order.limits);
    let interval = Timespec::try_from(gauge::INTERVAL).map_err(io::Error::other)?;
    let mut looked = Instant::now();
    loop {
        let mut both = [
            PollFd::new(&reports, PollFlags::IN),
            PollFd::new(&caller, PollFlags::IN),
        ];
        let watched = if order.attended { 2 } else { 1 };
        match poll(&mut both[..watched], Some(&interval)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error).step("watching the command"),
        }
        let [report, call] = both.map(|fd| !fd.revents().is_empty());
        if report {
            let mut chunk = [0; 4096];
            match reports.read(&mut chunk) {
                Ok(0) | Err(_) => break,
                Ok(count) => text.extend_from_slice(&chunk[..count]),
            }
        }
        if call && !ask_caller(inner) {
            break;
        }
        if looked.elapsed() >= gauge::INTERVAL {
            looked = Instant::now();
            if let Some(excess) = gauge.excess() {
                said.push(Report::Exceeded(excess));
                break;
            }
        }
    }
    let text = String::from_utf8_lossy(&text);
    said.extend(text.lines().filter_map(Report::parse));
    Ok(())
}

/// Does what the caller says; `false` if it has hung up, and so nobody wants the command any more.
fn ask_caller(inner: Pid) -> bool {
    let mut said = [0; 16];
    let count = rustix::io::read(rustix::stdio::stdin(), &mut said).unwrap_or_default();
    if said[..count].contains(&END) {
        // The inner process leads the group, and does not listen.
        kill_process_group(inner, Signal::TERM).ok();
    }
    count > 0
}

/// Kills the inner process and whoever has been left behind. Orphans become children of this
/// process, so there is somebody left as long as there is somebody to wait for.
fn end_all(inner: Pid) {
    kill_process(inner, Signal::KILL).ok();
    // Looking for others takes longer than waiting for the one that usually is the only one.
    waitpid(Some(inner), WaitOptions::empty()).ok();
    let deadline = Instant::now() + DYING;
    while let Ok(reaped) = wait(WaitOptions::NOHANG) {
        if reaped.is_some() {
            continue;
        }
        if Instant::now() > deadline {
            return;
        }
        // Who is stopped starts nobody while the others are being killed.
        for signal in [Signal::STOP, Signal::KILL] {
            for process in descendants(getpid()) {
                kill_process(process.pid, signal).ok();
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Everybody stays who they are in the new user namespace. Root brings all users along, since it
/// works with the files of all.
fn map_ids(inner: Pid) -> io::Result<()> {
    let had = capabilities(None).step("reading capabilities")?.effective;
    let privileged = had.contains(CapabilitySet::SETUID | CapabilitySet::SETGID);
    let write = |name: &str, text: String| {
        let path = format!("/proc/{}/{name}", inner.as_raw_nonzero());
        fs::write(&path, text).step(format!("writing {path}"))
    };
    if privileged {
        write("uid_map", everybody("/proc/self/uid_map")?)?;
        write("gid_map", everybody("/proc/self/gid_map")?)
    } else {
        let (user, group) = (getuid().as_raw(), getgid().as_raw());
        write("uid_map", format!("{user} {user} 1\n"))?;
        write("setgroups", "deny".into())?;
        write("gid_map", format!("{group} {group} 1\n"))
    }
}

/// The same ids as here, as a map.
fn everybody(map: &str) -> io::Result<String> {
    let text = fs::read_to_string(map).step(format!("reading {map}"))?;
    let lines = text.lines().filter_map(|line| {
        let mut numbers = line.split_whitespace();
        let (first, count) = (numbers.next()?, numbers.nth(1)?);
        Some(format!("{first} {first} {count}\n"))
    });
    Ok(lines.collect())
}

/// Passes reports on: to the caller over the socket, or to a person.
fn tell(order: &Order, reports: Vec<Report>) -> Vec<Report> {
    for report in &reports {
        if order.attended {
            let line = format!("{report}\n");
            rustix::io::write(rustix::stdio::stdin(), line.as_bytes()).ok();
            continue;
        }
        let mut person = io::stderr();
        match report {
            Report::Failed(why) => writeln!(person, "error: no sandbox: {why}").ok(),
            Report::Exceeded(excess) => {
                writeln!(person, "error: ended, since {}", excess.in_words()).ok()
            }
            Report::PutBack(path) => writeln!(
                person,
                "note: `{}` is protected and was put back",
                path.display()
            )
            .ok(),
            Report::KeptAside(path) => writeln!(
                person,
                "note: what was there instead is kept in `{}`",
                path.display()
            )
            .ok(),
            Report::Changed(path) => writeln!(
                person,
                "warning: `{}` is protected and was changed",
                path.display()
            )
            .ok(),
            _ => None,
        };
    }
    reports
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_map_to_themselves() {
        let dir = tempfile::tempdir().unwrap();
        let map = dir.path().join("map");
        fs::write(
            &map,
            "         0       1000          1\n         1     100000      65536\n",
        )
        .unwrap();
        let mapped = everybody(map.to_str().unwrap()).unwrap();
        assert_eq!(mapped, "0 0 1\n1 1 65536\n");
    }

    #[test]
    fn an_order_that_makes_no_sense_runs_nothing() {
        assert_eq!(enter([]), NO_SANDBOX);
    }
}
