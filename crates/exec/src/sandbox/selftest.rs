//! Whether a rung holds what it promises, tried out on this machine.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::order::Order;
use super::report::Report;
use super::{Limits, Network, Rung, SUBCOMMAND, SandboxPolicy, probe};

/// How long a self-test may take.
const DEADLINE: Duration = Duration::from_secs(10);

/// Tries a rung. `scratch` and `outside` are directories to try it with: one that it may write, and
/// one that it may not.
pub(super) fn run(helper: &Path, rung: Rung, scratch: &Path, outside: &Path) -> Result<(), String> {
    let place = |error: io::Error| format!("preparing the self-test: {error}");
    let inside = scratch.join(format!("self-test-{}", rung.name()));
    fs::create_dir_all(inside.join(".kept")).map_err(place)?;
    fs::create_dir_all(inside.join("tmp")).map_err(place)?;
    fs::write(inside.join(".kept/file"), "kept").map_err(place)?;
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(place)?;
    let port = listener.local_addr().map_err(place)?.port();
    let escaped = outside.join(format!("escaped-{}", rung.name()));
    let command = [
        helper.into(),
        SUBCOMMAND.into(),
        probe::PROBE.into(),
        escaped.clone().into_os_string(),
        inside.clone().into_os_string(),
        port.to_string().into(),
    ];
    let order = order(rung, &inside, command.into());
    let (reports, printed) = spoken(helper, &order).map_err(|error| error.to_string())?;
    let ended = reports.iter().find_map(|report| match report {
        Report::Failed(why) => Some(Err(why.clone())),
        Report::Exited(0) => Some(Ok(())),
        Report::Exited(_) => Some(Err(printed.trim().replace('\n', ", "))),
        _ => None,
    });
    ended.unwrap_or_else(|| Err("the helper ended without a word".into()))?;
    let kept = fs::read(inside.join(".kept/file")).is_ok_and(|text| text == b"kept");
    listener.set_nonblocking(true).map_err(place)?;
    for (holds, what) in [
        (kept, "protected files can be changed"),
        (
            !inside.join(".absent").exists(),
            "protected files can be made",
        ),
        (inside.join("new").exists(), "files inside do not last"),
        (!escaped.exists(), "files outside can be written"),
        (listener.accept().is_err(), "the network can be reached"),
    ] {
        if !holds {
            return Err(what.into());
        }
    }
    Ok(())
}

fn order(rung: Rung, inside: &Path, command: Vec<OsString>) -> Order {
    let protected = [".kept", ".absent"].map(|name| inside.join(name));
    Order {
        rung,
        policy: SandboxPolicy {
            writable: vec![inside.to_owned()],
            protected: protected.into(),
            network: Network::Off,
            tmp: inside.join("tmp"),
            caches: Vec::new(),
            cache_changes: PathBuf::new(),
        },
        limits: Limits::default(),
        dir: inside.to_owned(),
        attended: true,
        command,
    }
}

/// Runs the helper to its end, and waits until nobody holds its output any more: that is how a
/// process that was left behind shows.
#[expect(
    clippy::disallowed_methods,
    reason = "the helper sees to groups and ends by itself"
)]
fn spoken(helper: &Path, order: &Order) -> io::Result<(Vec<Report>, String)> {
    let (mut control, theirs) = UnixStream::pair()?;
    let (mut output, their_output) = UnixStream::pair()?;
    for stream in [&control, &output] {
        stream.set_read_timeout(Some(DEADLINE))?;
    }
    let mut child = Command::new(helper)
        .arg(SUBCOMMAND)
        .args(order.to_args())
        .env_clear()
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::from(OwnedFd::from(their_output)))
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| io::Error::other(format!("starting the helper: {error}")))?;
    let (mut said, mut printed) = (String::new(), String::new());
    let heard = control.read_to_string(&mut said);
    let ended = output.read_to_string(&mut printed);
    // Hanging up ends whatever still runs.
    drop(control);
    child.wait()?;
    heard?;
    ended.map_err(|_| io::Error::other("processes are left behind"))?;
    Ok((said.lines().filter_map(Report::parse).collect(), printed))
}
