//! `cargo xtask bench`: how long pollux takes, as a ratio to the least that the work can take.
//!
//! Each row runs pollux and a reference in turn, so that both meet the same machine in the same
//! mood, and compares medians. The reference does the same with nothing in between: it starts
//! `true` instead of pollux, sends the very requests that pollux sent over a bare socket, and shows
//! keys by the kernel's own echo.
//! Times alone mean little; a ratio that grows is a regression.

mod exchange;
mod keys;
mod parse;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use pollux_testkit::{HttpReply, ModelServer, Project, Protocol, Turn};
use serde_json::json;

/// Enough for a steady median, few enough to sit through.
const RUNS: usize = 11;

/// Builds pollux and prints one row for each kind of work.
#[expect(clippy::print_stdout, reason = "the table is the point")]
pub(crate) fn run(workspace: &Path) -> anyhow::Result<ExitCode> {
    let pollux = build(workspace)?;
    println!(
        "{:<28} {:>10} {:>10} {:>7}",
        "", "reference", "pollux", "ratio"
    );
    let row = |name: &str, [reference, pollux]: [Duration; 2]| {
        let ratio = pollux.as_secs_f64() / reference.as_secs_f64();
        println!(
            "{name:<28} {:>10} {:>10} {ratio:>6.1}x",
            ms(reference),
            ms(pollux)
        );
    };
    row("start and stop", start(&pollux)?);
    for protocol in [Protocol::Gemini, Protocol::OpenAi, Protocol::Anthropic] {
        let name = |work| format!("{work} ({protocol:?})");
        row(
            &name("one short answer"),
            answer(&pollux, protocol, vec![Turn::text(["Hello."])])?,
        );
        row(
            &name("20,000 words"),
            answer(&pollux, protocol, vec![words(20_000)])?,
        );
        row(
            &name("50 tool turns"),
            answer(&pollux, protocol, tool_turns(50))?,
        );
        row(
            &name("20 reads at once"),
            answer(&pollux, protocol, parallel_reads(20))?,
        );
    }
    for keys in keys::rows(&pollux) {
        row(keys.name, keys.median);
        row("  95 of 100 are quicker than", keys.p95);
    }
    println!("\n{:<28} {:>10} {:>10}", "MB/s", "serde_json", "pollux");
    for parse::Row {
        name,
        reference,
        pollux,
    } in parse::rows()
    {
        println!(
            "{name:<28} {reference:>10.0} {pollux:>10.0} {:>6.2}x",
            pollux / reference
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn ms(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1000.0)
}

#[expect(clippy::disallowed_methods, reason = "the bench runs cargo itself")]
fn build(workspace: &Path) -> anyhow::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").context("run this with `cargo xtask bench`")?;
    let mut build = Command::new(cargo);
    build
        .args(["build", "--release", "--package", "pollux-cli"])
        .current_dir(workspace);
    ensure!(build.status()?.success(), "pollux does not build");
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| workspace.join("target"));
    Ok(target.join("release/pollux"))
}

/// Nothing but coming and going.
fn start(pollux: &Path) -> anyhow::Result<[Duration; 2]> {
    let project = Project::new();
    medians(
        || spawn(Path::new("true"), &project, &[]),
        || spawn(pollux, &project, &["--version"]),
    )
}

/// A whole headless run against a server that says `turns`.
fn answer(pollux: &Path, protocol: Protocol, turns: Vec<Turn>) -> anyhow::Result<[Duration; 2]> {
    let project = files(Project::new());
    let server = ModelServer::start(Vec::new());
    // In large pieces, so that what is measured is the reading and not the sending.
    let reply = |turn: Turn| turn.reply(protocol).rechunk(64 * 1024);
    let script: Vec<HttpReply> = turns.into_iter().map(reply).collect();
    let load = || script.iter().for_each(|reply| server.push(reply.clone()));
    let url = server.base_url();
    let provider = match protocol {
        Protocol::Gemini => "gemini",
        Protocol::OpenAi => "openai",
        Protocol::Anthropic => "anthropic",
        Protocol::Ollama => "ollama",
    };
    let flags = [
        "--provider",
        provider,
        "-m",
        "bench",
        "--base-url",
        &url,
        "-p",
        "go",
    ];
    load();
    spawn(pollux, &project, &flags)?;
    let requests = server.requests();
    ensure!(
        requests.len() == script.len(),
        "pollux sent {} requests",
        requests.len()
    );
    medians(
        || {
            load();
            let started = Instant::now();
            spawn(Path::new("true"), &project, &[])?;
            exchange::replay(server.address(), &requests)?;
            Ok(started.elapsed())
        },
        || {
            load();
            spawn(pollux, &project, &flags)
        },
    )
}

fn words(count: usize) -> Turn {
    Turn::text((0..count).map(|n| format!("word{n} ")))
}

fn tool_turns(count: usize) -> Vec<Turn> {
    let read = |n| Turn::call("read_file", json!({"file_path": format!("f{n}.txt")}));
    (0..count)
        .map(read)
        .chain([Turn::text(["Done."])])
        .collect()
}

fn parallel_reads(count: usize) -> Vec<Turn> {
    let read = |n| ("read_file", json!({"file_path": format!("f{n}.txt")}));
    let calls = Turn::text_then_calls("Reading.", (0..count).map(read));
    vec![calls, Turn::text(["Done."])]
}

fn files(project: Project) -> Project {
    let text = "the quick brown fox jumps over the lazy dog\n".repeat(20);
    (0..50).fold(project, |project, n| {
        project.file(format!("f{n}.txt"), &text)
    })
}

/// Runs both in turn and takes the median of each.
fn medians(
    mut reference: impl FnMut() -> anyhow::Result<Duration>,
    mut pollux: impl FnMut() -> anyhow::Result<Duration>,
) -> anyhow::Result<[Duration; 2]> {
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..RUNS {
        times[0].push(reference()?);
        times[1].push(pollux()?);
    }
    Ok(times.map(|mut times| {
        times.sort();
        times[times.len() / 2]
    }))
}

#[expect(
    clippy::disallowed_methods,
    reason = "what is measured is the whole process"
)]
fn spawn(program: &Path, project: &Project, args: &[&str]) -> anyhow::Result<Duration> {
    let mut command = Command::new(program);
    command
        .args(args)
        .current_dir(project.path())
        .env("POLLUX_HOME", project.pollux_home())
        .env("OPENAI_API_KEY", "bench")
        .env("GEMINI_API_KEY", "bench")
        .env("ANTHROPIC_API_KEY", "bench")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let started = Instant::now();
    let output = command
        .output()
        .with_context(|| format!("starting {}", program.display()))?;
    let time = started.elapsed();
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        output.status.success(),
        "{} {args:?}: {said}",
        program.display()
    );
    Ok(time)
}
