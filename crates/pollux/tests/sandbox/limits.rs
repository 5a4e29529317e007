//! Commands that take too much of the machine.
//!
//! All of them stop by themselves, should nobody else stop them.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use pollux_exec::ShellEnd;
use pollux_exec::sandbox::{Excess, Limits};
use pollux_testkit::{ModelServer, Pollux, Project, Protocol, Turn};
use serde_json::json;

use super::support::{Site, rungs};

/// Ways to multiply, up to a thousand.
const BOMBS: &[&str] = &[
    "for i in {1..1000}; do sleep 20 & done; wait",
    "f() { if [ $1 -gt 0 ]; then f $(($1-1)) & f $(($1-1)) & fi; exec sleep 20; }; f 9",
    "f() { if [ $1 -gt 0 ]; then (setsid bash -c \"$F; f $(($1-1))\" &); f $(($1-1)) & fi; \
     exec sleep 20; }; export F=$(declare -f f); f 9",
    "f() { if [ $1 -gt 0 ]; then f $(($1-1)) & f $(($1-1)) & fi; for ((i = 0; i < 100000; i++)); do :; done; }; f 8",
];

/// Ways to take memory, up to 600 MB.
const HOGS: &[&str] = &[
    "head -c 600M /dev/zero | tail -c 600M | sleep 20",
    "for i in 1 2 3 4 5 6; do head -c 100M /dev/zero | tail -c 100M | sleep 20 & done; wait",
];

const LIMITS: Limits = Limits {
    processes: 200,
    memory: Some(256 << 20),
};

/// Waits until no process works in `dir`.
fn gone_soon(dir: &Path) {
    let works_there = |process: &fs::DirEntry| {
        let place = fs::read_link(process.path().join("cwd"));
        place.is_ok_and(|place| place == dir)
    };
    let left = || {
        fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .filter(works_there)
            .count()
    };
    let deadline = Instant::now() + Duration::from_secs(5);
    while left() > 0 {
        assert!(Instant::now() < deadline, "{} processes survive", left());
        std::thread::yield_now();
    }
}

#[tokio::test]
async fn who_takes_too_much_is_ended_with_all_that_it_started() {
    for rung in rungs() {
        let mut site = Site::new(rung);
        site.limits = LIMITS;
        let cell = site.cell();
        let project = site.path("project");
        let excesses = [
            (BOMBS, Excess::Processes(LIMITS.processes)),
            (HOGS, Excess::Memory(256 << 20)),
        ];
        for (scripts, excess) in excesses {
            for script in scripts {
                let exit = site.run(&cell, script).await;
                assert_eq!(exit.excess, Some(excess), "{}: {script}", rung.name());
                assert_eq!(exit.end, ShellEnd::Signalled(9), "{script}");
                gone_soon(&project);
            }
        }
    }
}

#[tokio::test]
async fn what_stays_within_its_limits_is_left_alone() {
    for rung in rungs() {
        let mut site = Site::new(rung);
        site.limits = LIMITS;
        let script = "for i in {1..100}; do sleep 0.3 & done; \
            head -c 100M /dev/zero | tail -c 100M > /dev/null; wait; echo done";
        let exit = site.run(&site.cell(), script).await;
        assert_eq!(exit.stdout.text(), "done\n", "{}", rung.name());
        assert_eq!(exit.excess, None);
    }
}

#[test]
fn the_model_is_told_and_pollux_goes_on() {
    for (command, note) in [
        (BOMBS[0], "[ended, since it had more than 200 processes]"),
        (HOGS[0], "[ended, since it used more than 256 MB of memory]"),
    ] {
        let project = Project::new();
        let turns = [
            Turn::call("run_shell_command", json!({"command": command})),
            Turn::text(["Still here."]),
        ];
        let server = ModelServer::speaking(Protocol::OpenAi, turns);
        let begun = Instant::now();
        let ran = Pollux::new(env!("CARGO_BIN_EXE_pollux"), &project)
            .args(["--provider", "openai", "-m", "mock", "-y", "-p", "go"])
            .args(["--base-url", server.base_url().as_str()])
            .args(["--config", "shell.max_processes=200"])
            .args(["--config", "shell.memory_limit_bytes=268435456"])
            .env("OPENAI_API_KEY", "the-key")
            .run();
        assert!(ran.stdout.contains("Still here."), "{ran:?}");
        assert!(begun.elapsed() < Duration::from_secs(15));
        let asked = server.requests();
        assert!(asked[1].text().contains(note), "{}", asked[1].text());
    }
}
