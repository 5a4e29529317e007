//! The sandbox in which commands run, on Linux; elsewhere there is none.
//!
//! It needs no privileges and no set-up. There is a ladder of ways to confine a command
//! ([`Rung`]), and the best one that holds on this machine is taken: a self-test at first use says
//! which, and is remembered until the machine is started again. A command runs as a grandchild of
//! a helper, which is this program under another name: the caller talks to the helper
//! (`supervisor`), which watches over an inner process (`inner`), which confines itself and starts
//! the command.
//!
//! **Invariant:** what was to be confined runs confined or not at all. Each run either reports that
//! the sandbox holds, or is an error.

#[cfg(target_os = "linux")]
mod caches;
mod denial;
#[cfg(target_os = "linux")]
mod devices;
#[cfg(target_os = "linux")]
mod gauge;
mod grant;
#[cfg(target_os = "linux")]
mod guard;
#[cfg(target_os = "linux")]
mod inner;
mod ladder;
#[cfg(target_os = "linux")]
mod landlock;
mod limits;
#[cfg(target_os = "linux")]
mod loopback;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg_attr(
    not(target_os = "linux"),
    expect(dead_code, reason = "there is nobody to read orders")
)]
mod order;
mod policy;
#[cfg(target_os = "linux")]
mod privileges;
#[cfg(target_os = "linux")]
mod probe;
#[cfg(target_os = "linux")]
mod processes;
#[cfg(target_os = "linux")]
mod raw;
pub(crate) mod report;
mod rung;
#[cfg(target_os = "linux")]
mod seccomp;
#[cfg(target_os = "linux")]
mod selftest;
mod session;
#[cfg(target_os = "linux")]
mod sockets;
#[cfg(target_os = "linux")]
mod step;
#[cfg(target_os = "linux")]
mod supervisor;

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

pub use denial::Denied;
pub(crate) use denial::likely;
pub use grant::{Grant, Made};
pub use ladder::{Finding, Ladder};
pub use limits::{Excess, Limits};
pub use policy::{Network, Places, SandboxPolicy};
pub use rung::Rung;
use session::Session;
#[cfg(target_os = "linux")]
pub use supervisor::enter;

/// The subcommand under which this program is the helper.
pub const SUBCOMMAND: &str = "sandbox-exec";

/// The exit code of a helper that could not run the command in its sandbox.
pub const NO_SANDBOX: u8 = 44;

/// What the helper is sent so that the command is asked to end.
pub(crate) const END: u8 = b'e';

/// There is no sandbox to enter on this system, so nothing is run.
#[cfg(not(target_os = "linux"))]
pub fn enter(_args: impl IntoIterator<Item = OsString>) -> u8 {
    NO_SANDBOX
}

/// Whether commands are to be confined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SandboxMode {
    /// Where it works.
    #[default]
    Auto,
    /// Always: where it does not work nothing runs.
    Strict,
    /// Never.
    Off,
}

/// What a sandbox is made from.
#[derive(Clone, Debug)]
pub struct SandboxSetup {
    /// Whether to use it.
    pub mode: SandboxMode,
    /// How to find out what works.
    pub ladder: Ladder,
    /// The directories of the project.
    pub workspace: Vec<PathBuf>,
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// What belongs to pollux itself, and no command may change.
    pub own: Vec<PathBuf>,
    /// Where temporary directories are made.
    pub temp: PathBuf,
    /// What commands may reach over the network.
    pub network: Network,
    /// How much each of them may take of the machine.
    pub limits: Limits,
}

/// The sandbox of a session. Making it costs nothing; it is tested when it is first used.
#[derive(Clone, Debug)]
pub struct Sandbox(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    setup: Option<SandboxSetup>,
    confinement: OnceLock<Result<Confinement, NoSandbox>>,
}

/// How a command is to run. There is no default: whoever runs a command has to say.
#[derive(Clone, Debug)]
pub enum Confinement {
    /// In this sandbox.
    Confined(Cell),
    /// In none.
    Unconfined(Unconfined),
}

/// Why there is no sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unconfined {
    /// The user does not want one.
    Off,
    /// None works on this machine; this is why.
    Unavailable(String),
}

/// No sandbox works on this machine, and the user wants one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no sandbox works here: {0}")]
pub struct NoSandbox(pub String);

/// A sandbox that has been tested.
#[derive(Clone, Debug)]
pub struct Cell {
    rung: Rung,
    helper: PathBuf,
    policy: SandboxPolicy,
    /// What belongs to pollux itself.
    own: Vec<PathBuf>,
    limits: Limits,
    /// Keeps its directories.
    session: Arc<Session>,
}

impl Sandbox {
    /// Tests nothing yet.
    pub fn new(setup: SandboxSetup) -> Self {
        Self::holding(Some(setup))
    }

    /// No sandbox, because nobody wants one.
    pub fn off() -> Self {
        Self::holding(None)
    }

    fn holding(setup: Option<SandboxSetup>) -> Self {
        let confinement = OnceLock::new();
        Self(Arc::new(Inner { setup, confinement }))
    }

    /// Where temporary files are made that concern commands.
    pub fn temp(&self) -> PathBuf {
        match (self.confinement(), &self.0.setup) {
            // What they see, and that is theirs.
            (Ok(Confinement::Confined(cell)), _) => cell.policy.tmp,
            (_, Some(setup)) => setup.temp.clone(),
            (_, None) => "/tmp".into(),
        }
    }

    /// How commands are to run. The first call tests what works, which takes a moment; call it where
    /// blocking is fine.
    pub fn confinement(&self) -> Result<Confinement, NoSandbox> {
        let decide = || match &self.0.setup {
            Some(setup) if setup.mode != SandboxMode::Off => confinement(setup),
            _ => Ok(Confinement::Unconfined(Unconfined::Off)),
        };
        self.0.confinement.get_or_init(decide).clone()
    }
}

fn confinement(setup: &SandboxSetup) -> Result<Confinement, NoSandbox> {
    let made = Session::new(&setup.temp).map_err(|error| error.to_string());
    let found = made.and_then(|session| {
        let rung = setup.ladder.best(session.path())?;
        Ok((rung, session))
    });
    match found {
        Ok((rung, session)) => {
            let places = Places {
                workspace: &setup.workspace,
                home: setup.home.as_deref(),
                own: &setup.own,
                session: session.path(),
            };
            Ok(Confinement::Confined(Cell {
                rung,
                helper: setup.ladder.helper.clone(),
                policy: SandboxPolicy::usual(&places, setup.network),
                own: setup.own.clone(),
                limits: setup.limits,
                session: Arc::new(session),
            }))
        }
        Err(why) if setup.mode == SandboxMode::Strict => Err(NoSandbox(why)),
        Err(why) => Ok(Confinement::Unconfined(Unconfined::Unavailable(why))),
    }
}

impl Cell {
    /// How it confines.
    pub fn rung(&self) -> Rung {
        self.rung
    }

    /// What it allows.
    pub fn policy(&self) -> &SandboxPolicy {
        &self.policy
    }

    /// Runs a program in the sandbox with the standard streams of this one, and waits for it. Gives
    /// its exit code, 128 and the number of the signal that ended it, or [`NO_SANDBOX`].
    #[cfg(target_os = "linux")]
    #[expect(
        clippy::disallowed_methods,
        reason = "the helper sees to groups and ends by itself"
    )]
    pub fn run(
        &self,
        dir: PathBuf,
        command: Vec<OsString>,
        hidden_variables: &[String],
    ) -> std::io::Result<u8> {
        let (helper, args) = self.helper(dir, command, false);
        let mut helper = std::process::Command::new(helper);
        for name in hidden_variables {
            helper.env_remove(name);
        }
        // What the person types is for the command.
        raw::block_requests_to_end()?;
        let status = helper.args(args).envs(self.variables()).status()?;
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        Ok(code.unwrap_or(NO_SANDBOX))
    }

    /// The program that confines, and its arguments. `attended`: its standard input is a socket over
    /// which the caller takes part.
    pub(crate) fn helper(
        &self,
        dir: PathBuf,
        command: Vec<OsString>,
        attended: bool,
    ) -> (PathBuf, Vec<OsString>) {
        let order = order::Order {
            rung: self.rung,
            policy: self.policy.clone(),
            limits: self.limits,
            dir,
            attended,
            command,
        };
        let args = std::iter::once(SUBCOMMAND.into()).chain(order.to_args());
        (self.helper.clone(), args.collect())
    }

    /// What a command has to find in its environment.
    pub fn variables(&self) -> Vec<(&'static str, OsString)> {
        let tmp = self.policy.tmp.clone().into_os_string();
        let mut variables = vec![("TMPDIR", tmp)];
        if self.rung == Rung::Landlock {
            // The caches of the user cannot be written, and some tools give up without one.
            let cache = self.session.path().join("tmp/cache");
            variables.push(("XDG_CACHE_HOME", cache.into_os_string()));
        }
        variables
    }
}
