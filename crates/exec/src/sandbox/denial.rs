//! Which permission a command was most likely missing.
//!
//! The system does not say that a sandbox refused something, only that something failed. So this
//! is a guess, made from what programs print, which may be anything. Only what the sandbox would have
//! refused, in the words in which it would have, is taken for it.

use std::path::{Component, Path, PathBuf};

use super::{Network, Rung, SandboxPolicy};

/// What the sandbox most likely refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Denied {
    /// Changing this.
    Write(PathBuf),
    /// Changing this, which decides what other programs run.
    Protected(PathBuf),
    /// Reaching the network.
    Network,
    /// A system call that no ordinary command needs.
    Call,
}

const READ_ONLY: &[&str] = &["Read-only file system", "EROFS", "Device or resource busy"];
const REFUSED: &[&str] = &["Permission denied", "EACCES"];
const NOT_PERMITTED: &[&str] = &["Operation not permitted", "EPERM"];
const NETWORK: &[&str] = &[
    "Network is unreachable",
    "ENETUNREACH",
    "Temporary failure in name resolution",
    "Could not resolve host",
    "could not resolve host",
    "Name or service not known",
    "unable to resolve host",
    "EAI_AGAIN",
    "getaddrinfo",
    "failed to lookup address",
    "no route to host",
    "socket: Permission denied",
    "Couldn't connect to server",
    // Nobody listens where only the command itself could.
    "Connection refused",
    "ECONNREFUSED",
    "/dev/tcp/",
    "/dev/udp/",
];

/// What a command that failed was refused, going by what it printed on standard error.
pub(crate) fn likely(
    errors: &str,
    dir: &Path,
    rung: Rung,
    policy: &SandboxPolicy,
) -> Option<Denied> {
    let has = |line: &str, words: &[&str]| words.iter().any(|word| line.contains(word));
    let offline = policy.network != Network::On;
    if offline && errors.lines().any(|line| has(line, NETWORK)) {
        return Some(Denied::Network);
    }
    // How the system says that a file cannot be changed.
    let unchangeable = match rung {
        Rung::Namespaces => READ_ONLY,
        Rung::Landlock => REFUSED,
    };
    errors.lines().find_map(|line| {
        if has(line, unchangeable) {
            let paths = paths(line).map(|path| resolved(dir, path));
            let refused = paths.filter(|path| !policy.may_change(path)).last();
            return refused.map(|path| written(path, policy));
        }
        has(line, NOT_PERMITTED).then_some(Denied::Call)
    })
}

fn written(path: PathBuf, policy: &SandboxPolicy) -> Denied {
    if policy.protected.iter().any(|kept| path.starts_with(kept)) {
        Denied::Protected(path)
    } else {
        Denied::Write(path)
    }
}

/// The words of a line that could be paths: `tool: cannot touch '/etc/x': Read-only file system`.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let marks = |c: char| "'\"`‘’“”: ,()[]".contains(c);
    let words = line.split(marks).map(|word| word.trim_end_matches('.'));
    words.filter(|word| word.len() > 1 && (word.contains('/') || word.starts_with('.')))
}

fn resolved(dir: &Path, path: &str) -> PathBuf {
    let mut real = PathBuf::new();
    for part in dir.join(path).components() {
        match part {
            Component::ParentDir => {
                real.pop();
            }
            Component::CurDir => {}
            part => real.push(part),
        }
    }
    real
}

#[cfg(test)]
mod tests;
