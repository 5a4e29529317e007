//! Settings, home and sessions.

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use pollux_store::settings::{self, Settings};
use pollux_store::{Home, list, replay};
use rustix::fs::{Access, access};

use super::failed;
use crate::args::Args;
use crate::checks::Check;
use crate::environment::Environment;
use crate::trust::Folder;
use crate::wire;

/// What is wrong with the settings, and what is left of them.
pub(super) fn settings(
    args: &Args,
    environment: &Environment,
    home: &Home,
    folder: &Folder,
) -> (Vec<Check>, Settings) {
    let name = "settings";
    let file = match wire::settings_file(environment, home) {
        Ok(file) => file,
        Err(failure) => return (vec![failed(name, failure)], Settings::default()),
    };
    let project = folder.settings();
    let (settings, problems) = settings::load(&file, project.as_ref(), &args.config);
    let checks = if problems.is_empty() {
        let found = if file.exists() {
            format!("{}", file.display())
        } else {
            format!("none: {} is not there", file.display())
        };
        let found = match project {
            Some(project) => format!("{found}; and {}", project.file.display()),
            None => found,
        };
        vec![Check::ok(name, found)]
    } else {
        let broken = problems.iter().map(|problem| {
            let check = Check::fail(name, problem.to_string());
            check.mend("correct or remove it; until then its section does not count")
        });
        broken.collect()
    };
    (checks, settings)
}

/// Whether pollux can write its files, and nobody else can read them.
pub(super) fn home(home: &Home) -> Check {
    let name = "home";
    let path = home.path();
    let shown = path.display();
    let metadata = match path.metadata() {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let whole = std::path::absolute(path).unwrap_or_default();
            let mut above = whole.ancestors().skip(1);
            return if above.find(|dir| dir.exists()).is_some_and(is_writable) {
                Check::ok(name, format!("{shown} will be made when it is needed"))
            } else {
                let check = Check::fail(name, format!("{shown} cannot be made"));
                check.mend("set POLLUX_HOME to a directory of your own")
            };
        }
        Err(error) => return Check::fail(name, format!("{shown}: {error}")),
    };
    let mode = metadata.permissions().mode() & 0o777;
    if !metadata.is_dir() {
        let check = Check::fail(name, format!("{shown} is no directory"));
        check.mend("move it away, or set POLLUX_HOME to a directory")
    } else if !is_writable(path) {
        let check = Check::fail(name, format!("{shown} cannot be written"));
        check.mend(format!("chmod u+rwx {shown}"))
    } else if mode & 0o077 != 0 {
        let check = Check::warn(name, format!("{shown} is open to others (mode {mode:o})"));
        check.mend(format!("chmod 700 {shown}"))
    } else {
        Check::ok(name, format!("{shown}, writable and private"))
    }
}

fn is_writable(path: &Path) -> bool {
    access(path, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

/// Whether the sessions of this project can be read.
pub(super) fn sessions(home: &Home, cwd: &Path) -> Check {
    let name = "sessions";
    let found = match list(home, cwd) {
        Ok(found) => found,
        Err(error) => return Check::fail(name, error.to_string()),
    };
    let damaged = found.iter().find_map(|session| {
        let problem = match replay(&session.path) {
            Err(error) => error.to_string(),
            Ok(replay) => {
                let damage = replay.damage.into_iter().next()?;
                format!(
                    "{}:{}: {}",
                    session.path.display(),
                    damage.line,
                    damage.problem
                )
            }
        };
        Some(problem)
    });
    match damaged {
        Some(problem) => Check::warn(name, problem)
            .mend("the rest of the session counts; remove the line, or the file"),
        None => Check::ok(
            name,
            format!("{} in this project, all readable", found.len()),
        ),
    }
}
