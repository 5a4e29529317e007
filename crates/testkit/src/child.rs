//! A child process that leads its own group: waiting for it, and ending it for good.

use std::thread::JoinHandle;

use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, waitpid};

/// Waits for the child on a thread of its own, since only so a wait can have a deadline; then
/// tells its exit code: 128 plus the signal's number if a signal ended it, as shells have it.
pub(crate) fn on_exit(pid: u32, tell: impl FnOnce(i32) + Send + 'static) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let status = loop {
            match waitpid(Some(process(pid)), WaitOptions::empty()) {
                Ok(Some((_, status))) => break status,
                Ok(None) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => panic!("waiting for process {pid}: {error}"),
            }
        };
        let by_signal = || 128 + status.terminating_signal().expect("a child that has ended");
        tell(status.exit_status().unwrap_or_else(by_signal));
    })
}

/// Sends a signal to the child and all of its group.
pub(crate) fn signal_group(pid: u32, signal: Signal) {
    match kill_process_group(process(pid), signal) {
        // It was faster.
        Ok(()) | Err(rustix::io::Errno::SRCH) => {}
        Err(error) => panic!("sending {signal:?} to process group {pid}: {error}"),
    }
}

fn process(pid: u32) -> Pid {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.expect("a process id of this system")
}
