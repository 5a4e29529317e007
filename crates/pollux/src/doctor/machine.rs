//! What pollux finds around it: programs and the terminal.

use std::io::IsTerminal as _;
use std::path::PathBuf;

use rustix::fs::{Access, access};

use crate::checks::Check;
use crate::environment::Environment;

pub(super) fn git(environment: &Environment) -> Check {
    match program(environment, "git") {
        Some(path) => Check::ok("git", path.display().to_string()),
        None => Check::warn("git", "not in PATH").mend("install git; models work better with it"),
    }
}

pub(super) fn shell(environment: &Environment) -> Check {
    let shells = ["bash", "sh"];
    match shells.iter().find_map(|name| program(environment, name)) {
        Some(path) => Check::ok("shell", path.display().to_string()),
        None => Check::fail("shell", "neither bash nor sh is in PATH")
            .mend("put one of them there; commands run in it"),
    }
}

/// Where a program is.
fn program(environment: &Environment, name: &str) -> Option<PathBuf> {
    let path = environment.var("PATH")?;
    std::env::split_paths(path)
        .map(|dir| dir.join(name))
        .find(|file| file.is_file() && access(file, Access::EXEC_OK).is_ok())
}

pub(super) fn terminal(environment: &Environment) -> Check {
    let name = "terminal";
    let on_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    match (on_terminal, environment.var("TERM")) {
        (false, _) => Check::ok(name, "none here: pollux would answer once and exit"),
        (true, None | Some("dumb")) => {
            let check = Check::warn(name, "TERM does not say what the terminal can do");
            check.mend("set TERM, for instance to xterm-256color")
        }
        (true, Some(term)) => Check::ok(name, term),
    }
}
