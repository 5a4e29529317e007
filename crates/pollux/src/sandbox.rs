//! The sandbox of a session, and `pollux sandbox`.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use pollux_exec::sandbox::{
    Cell, Confinement, Finding, Ladder, Limits, Network, Rung, SandboxMode, SandboxPolicy,
    SandboxSetup, Unconfined,
};
use pollux_store::Home;
use pollux_store::settings::Settings;
use pollux_tools::{Sandbox, Workspace};

use crate::args::{Args, SandboxArg, SandboxCommand};
use crate::checks::Check;
use crate::environment::{Environment, working_directory};
use crate::failure::{Exit, Failure};
use crate::trust::Folder;
use crate::wire;

/// The sandbox for the commands of a model. Costs nothing until it is used, unless there has to be
/// one.
pub(crate) fn for_session(
    args: &Args,
    environment: &Environment,
    settings: &Settings,
    workspace: &Workspace,
) -> Result<Sandbox, Failure> {
    let setup = setup(args, environment, settings, workspace)?;
    let strict = setup.mode == SandboxMode::Strict;
    let sandbox = Sandbox::new(setup);
    if strict {
        sandbox.confinement().map_err(unavailable)?;
    }
    Ok(sandbox)
}

/// `pollux sandbox`.
pub(crate) fn run(
    command: &SandboxCommand,
    args: &Args,
    environment: &Environment,
) -> Result<ExitCode, Failure> {
    let (setup, settings, cwd) = own_setup(args, environment)?;
    match command {
        SandboxCommand::Status { all } => {
            let (text, exit) = status(setup, *all)?;
            io::stdout()
                .write_all(text.as_bytes())
                .map_err(|error| Failure::internal(format!("writing the status: {error}")))?;
            Ok(exit.into())
        }
        SandboxCommand::Run { rung, command } => {
            let hidden = wire::hidden_variables(&settings, environment);
            let cell = cell(setup, rung.as_deref())?;
            run_in(&cell, cwd, command.clone(), &hidden)
        }
    }
}

/// The sandbox that a session started here would have, with what it was made of.
fn own_setup(
    args: &Args,
    environment: &Environment,
) -> Result<(SandboxSetup, Settings, PathBuf), Failure> {
    let cwd = working_directory(args)?;
    let home = environment.home()?;
    // No folder has a say in how commands are confined.
    let (settings, _) = wire::settings(args, environment, &home, &Folder::default())?;
    let workspace = Workspace::new(&cwd, &args.include_directories)
        .map_err(|error| Failure::input(error.to_string()))?;
    let setup = setup(args, environment, &settings, &workspace)?;
    Ok((setup, settings, cwd))
}

fn setup(
    args: &Args,
    environment: &Environment,
    settings: &Settings,
    workspace: &Workspace,
) -> Result<SandboxSetup, Failure> {
    let home = environment.home()?;
    let (mode, network) = wanted(args, settings)?;
    let roots = std::iter::once(workspace.root()).chain(workspace.others());
    let own = own(&home);
    let user_home = environment.var("HOME").map(PathBuf::from);
    Ok(SandboxSetup {
        mode,
        ladder: Ladder {
            // What runs now, also if another version has taken its place in the meantime.
            helper: "/proc/self/exe".into(),
            state: Home::new(&own).state(),
            rungs: Rung::ALL.into(),
        },
        workspace: roots.map(Path::to_owned).collect(),
        home: user_home.and_then(|home| home.canonicalize().ok()),
        own: vec![own],
        temp: std::env::temp_dir(),
        network,
        limits: limits(settings),
    })
}

/// What belongs to pollux itself: its home, links followed.
pub(crate) fn own(home: &Home) -> PathBuf {
    let own = std::path::absolute(home.path()).unwrap_or_else(|_| home.path().to_owned());
    own.canonicalize().unwrap_or(own)
}

fn limits(settings: &Settings) -> Limits {
    let most = settings.shell.max_processes;
    Limits {
        processes: most.unwrap_or(Limits::default().processes),
        memory: settings.shell.memory_limit_bytes,
    }
}

/// What flag and settings say.
fn wanted(args: &Args, settings: &Settings) -> Result<(SandboxMode, Network), Failure> {
    let set = &settings.sandbox;
    let mode = match (args.sandbox, set.mode.as_deref()) {
        (Some(chosen), _) => chosen,
        (None, None) => SandboxArg::Auto,
        (None, Some(word)) => SandboxArg::from_str(word, false).map_err(|_| {
            Failure::config(format!("sandbox.mode: `{word}` is no mode"))
                .hint("there are: auto, off, strict")
        })?,
    };
    let mode = match mode {
        SandboxArg::Auto => SandboxMode::Auto,
        SandboxArg::Off => SandboxMode::Off,
        SandboxArg::Strict => SandboxMode::Strict,
    };
    let network = set
        .network
        .as_deref()
        .map_or(Ok(Network::default()), |word| {
            Network::named(word).ok_or_else(|| {
                Failure::config(format!("sandbox.network: `{word}` is no network"))
                    .hint("there are: off, loopback, on")
            })
        });
    Ok((mode, network?))
}

fn unavailable(error: impl std::fmt::Display) -> Failure {
    Failure::sandbox(error.to_string()).hint("`pollux sandbox status` tells what was tried")
}

/// A sandbox, or a failure: whoever asks for it by name gets nothing else.
fn cell(setup: SandboxSetup, rung: Option<&str>) -> Result<Cell, Failure> {
    let mut setup = SandboxSetup {
        mode: SandboxMode::Strict,
        ..setup
    };
    if let Some(name) = rung {
        let rung = Rung::named(name).ok_or_else(|| {
            Failure::usage(format!("`{name}` is no rung")).hint("there are: namespaces, landlock")
        })?;
        setup.ladder.rungs = vec![rung];
    }
    match Sandbox::new(setup).confinement() {
        Ok(Confinement::Confined(cell)) => Ok(cell),
        Ok(Confinement::Unconfined(_)) => Err(unavailable("no sandbox works here")),
        Err(error) => Err(unavailable(error)),
    }
}

#[cfg(target_os = "linux")]
fn run_in(
    cell: &Cell,
    dir: PathBuf,
    command: Vec<OsString>,
    hidden: &[String],
) -> Result<ExitCode, Failure> {
    let code = cell.run(dir, command, hidden);
    code.map(ExitCode::from).map_err(unavailable)
}

#[cfg(not(target_os = "linux"))]
fn run_in(
    _cell: &Cell,
    _dir: PathBuf,
    _command: Vec<OsString>,
    _hidden: &[String],
) -> Result<ExitCode, Failure> {
    Err(unavailable("there is no sandbox for this system yet"))
}

/// What confines commands here, as a text.
pub(crate) fn report(args: &Args, environment: &Environment) -> String {
    let status = own_setup(args, environment).and_then(|(setup, ..)| status(setup, false));
    status.map_or_else(|failure| failure.message, |(text, _)| text)
}

/// The same as a line of `pollux doctor`. Leaves nothing behind.
pub(crate) fn check(args: &Args, environment: &Environment) -> Check {
    const NAME: &str = "sandbox";
    let why = "`pollux sandbox status` tells what was tried";
    let setup = match own_setup(args, environment) {
        Ok((setup, ..)) => setup,
        Err(failure) => return Check::fail(NAME, failure.message),
    };
    let findings = tempfile::tempdir_in(&setup.temp);
    let findings = findings.map(|scratch| {
        let state = scratch.path().join("state");
        Ladder {
            state,
            ..setup.ladder
        }
        .findings(scratch.path())
    });
    let mut working = findings.unwrap_or_default().into_iter();
    let rung = working.find(|finding| finding.problem.is_none());
    match (setup.mode, rung) {
        (SandboxMode::Off, _) => Check::warn(NAME, "off: commands can do whatever you can")
            .mend("`sandbox.mode = \"auto\"` in the settings confines them"),
        (_, Some(Finding { rung, .. })) => {
            let (rung, network) = (rung.name(), setup.network.name());
            Check::ok(NAME, format!("commands run in {rung}, network: {network}"))
        }
        (SandboxMode::Auto, None) => {
            Check::warn(NAME, "none works here: commands are asked about").mend(why)
        }
        (SandboxMode::Strict, None) => {
            Check::fail(NAME, "none works here: no command runs").mend(why)
        }
    }
}

/// What works here, in words.
fn status(setup: SandboxSetup, all: bool) -> Result<(String, Exit), Failure> {
    let ladder = setup.ladder.clone();
    let scratch = tempfile::tempdir_in(&setup.temp)
        .map_err(|error| Failure::internal(format!("making a directory: {error}")))?;
    let findings = ladder.findings(scratch.path());
    let places: Vec<PathBuf> = setup.workspace.iter().chain(&setup.home).cloned().collect();
    let confinement = Sandbox::new(setup).confinement();
    let lines = findings
        .iter()
        .map(|Finding { rung, problem }| match problem {
            None => format!("{}: works\n", rung.name()),
            Some(problem) => format!("{}: does not work: {problem}\n", rung.name()),
        });
    let mut text: String = lines.collect();
    text += &match &confinement {
        Ok(Confinement::Confined(cell)) => {
            let protected = &cell.policy().protected;
            let protected = if all {
                paths(protected)
            } else {
                grouped(protected, &places)
            };
            described(cell, protected)
        }
        Ok(Confinement::Unconfined(Unconfined::Off)) => {
            "Commands run without a sandbox, as you have set it.\n".to_owned()
        }
        Ok(Confinement::Unconfined(Unconfined::Unavailable(_))) => {
            "Commands run without a sandbox, since none works here.\n".to_owned()
        }
        Err(_) => "No command runs, since no sandbox works here.\n".to_owned(),
    };
    let exit = match confinement {
        Err(_) => Exit::Sandbox,
        Ok(_) => Exit::Done,
    };
    Ok((text, exit))
}

fn described(cell: &Cell, protected: Vec<String>) -> String {
    let SandboxPolicy {
        writable,
        network,
        caches,
        ..
    } = cell.policy();
    let list = |title: &str, lines: Vec<String>| {
        let lines: Vec<_> = lines.iter().map(|line| format!("  {line}\n")).collect();
        if lines.is_empty() {
            String::new()
        } else {
            format!("{title}:\n{}", lines.concat())
        }
    };
    let gaps = cell.rung().gaps().iter().map(|gap| (*gap).to_owned());
    [
        format!("Commands run in: {}\n", cell.rung().name()),
        format!("network: {}\n", network.name()),
        list("writable", paths(writable)),
        list("protected", protected),
        list("changed for the session only", paths(caches)),
        list("not covered", gaps.collect()),
    ]
    .concat()
}

fn paths(paths: &[PathBuf]) -> Vec<String> {
    let paths = paths.iter().map(|path| path.display().to_string());
    paths.collect()
}

/// Paths by the place that they are in, a line each; what is in none of `places` stands for itself.
fn grouped(paths: &[PathBuf], places: &[PathBuf]) -> Vec<String> {
    /// Names that give an idea of the others.
    const NAMED: usize = 5;
    let mut groups: BTreeMap<&Path, Vec<String>> = BTreeMap::new();
    for path in paths {
        let above = places.iter().filter(|place| path.starts_with(place));
        let place = above.max_by_key(|place| place.as_os_str().len());
        let place = place.unwrap_or(path);
        let name = path.strip_prefix(place).unwrap_or(path).display();
        groups.entry(place).or_default().push(name.to_string());
    }
    let lines = groups.iter().map(|(place, names)| {
        let place = place.display();
        let named = names.iter().take(NAMED).map(String::as_str);
        let named = named.collect::<Vec<_>>().join(", ");
        match names.len().saturating_sub(NAMED) {
            0 if named.is_empty() => place.to_string(),
            0 => format!("in {place}: {named}"),
            more => format!("in {place}: {named} and {more} more (`pollux sandbox status --all`)"),
        }
    });
    lines.collect()
}
