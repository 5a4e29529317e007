//! `pollux doctor`: is everything there that pollux needs, and how is it mended?
//!
//! Changes nothing. Of the server only the list of models is asked for.

mod answerer;
mod cost;
mod files;
mod folder;
mod machine;

use std::io::{self, Write};
use std::process::ExitCode;

use pollux_store::Settings;

use crate::args::Args;
use crate::checks::{Check, Mark};
use crate::environment::{Environment, working_directory};
use crate::failure::{Exit, Failure};
use crate::sandbox;
use crate::trust::Folder;

/// Checks everything, and prints each finding as it is made.
pub(crate) async fn run(args: &Args, environment: &Environment) -> Result<ExitCode, Failure> {
    let mut told = Told {
        out: io::stdout(),
        broken: false,
    };
    match examine(args, environment, &mut told).await {
        // Whoever read the output has had enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Done.into()),
        Err(error) => Err(Failure::internal(format!("writing the findings: {error}"))),
        Ok(()) if told.broken => Ok(Exit::Error.into()),
        Ok(()) => Ok(Exit::Done.into()),
    }
}

/// The same as a text.
pub(crate) async fn report(args: &Args, environment: &Environment) -> String {
    let mut told = Told {
        out: Vec::new(),
        broken: false,
    };
    examine(args, environment, &mut told)
        .await
        .expect("a Vec takes any text");
    String::from_utf8_lossy(&told.out).into_owned()
}

async fn examine<W: Write>(
    args: &Args,
    environment: &Environment,
    told: &mut Told<W>,
) -> io::Result<()> {
    let mut settings = Settings::default();
    match environment.home() {
        Err(failure) => told.tell(failed("home", failure))?,
        Ok(home) => {
            let cwd = working_directory(args).ok();
            let (trusted, folder) = match &cwd {
                Some(cwd) => {
                    let (check, folder) = folder::check(args, cwd, &home);
                    (Some(check), folder)
                }
                None => (None, Folder::default()),
            };
            let (checks, read) = files::settings(args, environment, &home, &folder);
            settings = read;
            checks.into_iter().try_for_each(|check| told.tell(check))?;
            trusted.into_iter().try_for_each(|check| told.tell(check))?;
            told.tell(files::home(&home))?;
            if let Some(cwd) = cwd {
                told.tell(files::sessions(&home, &cwd))?;
            }
        }
    }
    if let Err(failure) = args.approval(settings.approval.mode.as_deref()) {
        told.tell(failed("approval", failure))?;
    }
    answerer::examine(args, environment, &settings, told).await?;
    told.tell(machine::git(environment))?;
    told.tell(machine::shell(environment))?;
    told.tell(sandbox::check(args, environment))?;
    told.tell(machine::terminal(environment))?;
    told.tell(cost::check(args, environment))
}

/// What could not even be looked at.
fn failed(name: &'static str, failure: Failure) -> Check {
    let check = Check::fail(name, failure.message);
    match failure.hint {
        Some(hint) => check.mend(hint),
        None => check,
    }
}

/// What was found so far.
struct Told<W> {
    out: W,
    broken: bool,
}

impl<W: Write> Told<W> {
    #[expect(
        clippy::needless_pass_by_value,
        reason = "findings are made to be told"
    )]
    fn tell(&mut self, check: Check) -> io::Result<()> {
        self.broken |= check.mark == Mark::Fail;
        crate::headless::put(&mut self.out, &check.to_string())
    }
}
