//! What a command that means no good would try. Run inside the sandbox by the self-test.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// `--probe OUTSIDE INSIDE PORT` tries what must fail and what must work.
pub(super) const PROBE: &str = "--probe";
/// `--linger` leaves its group and does not end by itself.
const LINGER: &str = "--linger";

/// Longer than anybody waits for a self-test.
const LONG: Duration = Duration::from_mins(1);

/// The exit code, if the arguments are for the probe.
pub(super) fn run(args: &[OsString]) -> Option<u8> {
    let (first, rest) = args.split_first()?;
    if first == LINGER {
        return Some(linger());
    }
    let [outside, inside, port] = rest else {
        return None;
    };
    (first == PROBE).then(|| probe(outside.as_ref(), inside.as_ref(), port))
}

fn probe(outside: &Path, inside: &Path, port: &OsStr) -> u8 {
    // These need not fail, but what they do must not last: the self-test looks afterwards.
    fs::write(inside.join(".kept/file"), "changed").ok();
    fs::write(inside.join(".absent"), "made").ok();
    let port = port
        .to_str()
        .and_then(|port| port.parse().ok())
        .unwrap_or(0);
    let failures = [
        (
            fs::write(outside, "").is_ok(),
            "files outside can be written",
        ),
        (
            fs::write(inside.join("new"), "").is_err(),
            "files inside cannot be written",
        ),
        (
            fs::read("/proc/self/status").is_err(),
            "files outside cannot be read",
        ),
        (
            TcpStream::connect(("127.0.0.1", port)).is_ok(),
            "the network can be reached",
        ),
        (stay_behind().is_err(), "processes cannot be started"),
    ];
    let failed: Vec<_> = failures.iter().filter(|(failed, _)| *failed).collect();
    for (_, what) in &failed {
        writeln!(io::stdout(), "{what}").ok();
    }
    u8::from(!failed.is_empty())
}

/// Leaves a process behind that shares the output.
#[expect(
    clippy::disallowed_methods,
    reason = "it is left behind on purpose, to see whether it is ended"
)]
fn stay_behind() -> io::Result<()> {
    let mut linger = Command::new("/proc/self/exe");
    linger
        .args([super::SUBCOMMAND, LINGER])
        .stdin(Stdio::piped());
    let mut child = linger.spawn()?;
    // It closes its input once it has left.
    let mut stdin = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
    while stdin.write_all(&[0]).is_ok() {
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}

fn linger() -> u8 {
    let left = rustix::process::setsid();
    let null = fs::File::open("/dev/null");
    let closed = null.and_then(|null| Ok(rustix::stdio::dup2_stdin(null)?));
    std::thread::sleep(LONG);
    u8::from(left.is_err() || closed.is_err())
}
