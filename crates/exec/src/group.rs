//! The processes of one command, as a unit that can be signalled.

use rustix::process::{Pid, Signal, kill_process_group};

/// A process group. Dropping it kills whatever is left in it.
#[derive(Debug)]
pub(crate) struct Group {
    leader: Option<Pid>,
}

impl Group {
    /// The group of a child that was started as its leader; `None` once it has been reaped.
    pub(crate) fn led_by(child: Option<u32>) -> Self {
        let leader = child.and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        Self { leader }
    }

    /// Asks every process of the group to end.
    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Ends every process of the group. The number is not used again: once the group is empty
    /// the system may give it to others.
    pub(crate) fn kill(mut self) {
        self.signal(Signal::KILL);
        self.leader = None;
    }

    fn signal(&self, signal: Signal) {
        if let Some(leader) = self.leader {
            // The only failure that can happen is that the group is already empty.
            kill_process_group(leader, signal).ok();
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}
