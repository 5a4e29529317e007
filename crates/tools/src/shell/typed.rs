//! What came of a command that the person has typed.

use std::fmt::Write as _;
use std::time::Duration;

use pollux_exec::{Captured, ShellEnd, ShellExit};
use pollux_types::CommandRan;

use super::closed;
use crate::Output;

/// All ends are answers: whoever has typed it sees how it went. `notes` say what the sandbox had to
/// do with it.
pub(super) fn output(command: String, exit: &ShellExit, duration: Duration, notes: &str) -> Output {
    let mut stderr = text(&exit.stderr);
    let mut note = |text: std::fmt::Arguments<'_>| {
        stderr = closed(std::mem::take(&mut stderr));
        writeln!(stderr, "[{text}]").expect("a String takes any text");
    };
    let exit_code = match exit.end {
        ShellEnd::Exited(code) => Some(code),
        ShellEnd::Signalled(signal) => {
            note(format_args!("killed by signal {signal}"));
            None
        }
        ShellEnd::TimedOut => {
            note(format_args!("killed, since its time was up"));
            None
        }
        ShellEnd::Cancelled => {
            note(format_args!("cancelled"));
            None
        }
    };
    if !notes.is_empty() {
        stderr = closed(stderr) + notes;
    }
    let ran = CommandRan {
        command,
        exit_code,
        duration_ms: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
        stdout: text(&exit.stdout),
        stderr,
        truncated: exit.stdout.goes_on() || exit.stderr.goes_on(),
        denied: None,
    };
    Output {
        text: ran.block(),
        ran: Some(Box::new(ran)),
        ..Output::default()
    }
}

/// The beginning of a stream, with a word where that is not all.
fn text(stream: &Captured) -> String {
    let text = stream.beginning();
    if stream.goes_on() {
        closed(text) + "[output truncated]\n"
    } else {
        text
    }
}
