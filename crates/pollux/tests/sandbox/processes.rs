//! What is left of a command once it has ended, or has been ended.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use pollux_exec::{Live, ShellEnd, run_shell};
use pollux_testkit::{ModelServer, Pollux, Project, Protocol, Turn};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::support::{PATIENCE, Site, rungs};

/// Ways to outlive a command. Each process has the project's path as its name, by which it is
/// known from outside.
const LEAVING: &[&str] = &[
    "sleep 1000 &",
    "nohup bash -c 'exec -a \"$NAME\" sleep 1000' >/dev/null 2>&1 &",
    "setsid bash -c 'exec -a \"$NAME\" sleep 1000' >/dev/null 2>&1 &",
    "(setsid bash -c 'exec -a \"$NAME\" sleep 1000 &' >/dev/null 2>&1 &)",
    "setsid -f bash -c 'trap \"\" TERM HUP INT; exec -a \"$NAME\" sleep 1000' >/dev/null 2>&1",
    "for i in 1 2 3 4 5; do setsid -f bash -c 'exec -a \"$NAME\" sleep 1000' >/dev/null 2>&1; done",
];

/// Processes whose name begins with `name`.
fn named(name: &Path) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let is_named = |process: &fs::DirEntry| {
        let words = fs::read(process.path().join("cmdline"));
        words.is_ok_and(|words| words.starts_with(name.as_os_str().as_encoded_bytes()))
    };
    processes.filter(is_named).count()
}

fn gone_soon(name: &Path) {
    let deadline = Instant::now() + Duration::from_secs(2);
    while named(name) > 0 {
        assert!(
            Instant::now() < deadline,
            "{} processes survive",
            named(name)
        );
        std::thread::yield_now();
    }
}

#[tokio::test]
async fn nothing_outlives_a_command_that_has_ended() {
    for rung in rungs() {
        let site = Site::new(rung);
        let cell = site.cell();
        let name = site.path("project");
        for script in LEAVING {
            let script = format!("export NAME='{}'; {script}", name.display());
            let exit = site.run(&cell, &script).await;
            assert_eq!(exit.end, ShellEnd::Exited(0), "{script}");
            assert_eq!(named(&name), 0, "{}: {script}", rung.name());
        }
    }
}

#[tokio::test]
async fn nothing_outlives_a_command_that_is_cancelled_or_given_up() {
    for rung in rungs() {
        for give_up in [false, true] {
            for script in LEAVING {
                let site = Site::new(rung);
                let cell = site.cell();
                let name = site.path("project");
                let script = format!(
                    "trap '' TERM; export NAME='{}'\n{script}\ntouch begun; exec -a \"$NAME\" sleep 1000",
                    name.display()
                );
                let token = CancellationToken::new();
                let mut running = Box::pin(run_shell(site.job(&cell, &script), &token));
                let begun = async {
                    while !site.path("project/begun").exists() {
                        tokio::task::yield_now().await;
                    }
                };
                tokio::select! {
                    ended = &mut running => panic!("{script}: {ended:?}"),
                    begun = tokio::time::timeout(PATIENCE, begun) => begun.unwrap(),
                }
                if give_up {
                    drop(running);
                } else {
                    token.cancel();
                    assert_eq!(running.await.unwrap().end, ShellEnd::Cancelled);
                }
                gone_soon(&name);
            }
        }
    }
}

#[tokio::test]
async fn nothing_outlives_a_command_that_takes_too_long() {
    for rung in rungs() {
        let site = Site::new(rung);
        let name = site.path("project");
        let script = format!(
            "trap '' TERM; export NAME='{}'\n{}\ntouch begun; exec -a \"$NAME\" sleep 1000",
            name.display(),
            LEAVING.join("\n")
        );
        let mut job = site.job(&site.cell(), &script);
        job.timeout = Duration::from_secs(2);
        let exit = run_shell(job, &CancellationToken::new()).await.unwrap();
        assert_eq!(exit.end, ShellEnd::TimedOut);
        assert!(site.path("project/begun").exists());
        gone_soon(&name);
    }
}

#[tokio::test]
async fn what_floods_or_does_not_listen_ends_soon_when_cancelled() {
    for rung in rungs() {
        let site = Site::new(rung);
        let cell = site.cell();
        for script in ["yes", "trap '' TERM; yes", "trap '' TERM; yes >&2 & yes"] {
            let live = Live::default();
            let mut watcher = live.watch();
            let mut job = site.job(&cell, script);
            job.live = live;
            let token = CancellationToken::new();
            let mut running = Box::pin(run_shell(job, &token));
            tokio::select! {
                ended = &mut running => panic!("{script}: {ended:?}"),
                printed = tokio::time::timeout(PATIENCE, watcher.next()) => {
                    assert!(printed.unwrap().is_some());
                }
            }
            token.cancel();
            let ended = tokio::time::timeout(Duration::from_secs(5), running).await;
            let exit = ended.expect("it ends soon").unwrap();
            assert_eq!(exit.end, ShellEnd::Cancelled, "{}: {script}", rung.name());
        }
    }
}

#[test]
fn nothing_outlives_pollux_itself() {
    for script in LEAVING {
        let project = Project::new();
        let name = project.path().to_owned();
        let script =
            format!("export NAME=\"$PWD\"\n{script}\ntouch begun; exec -a \"$NAME\" sleep 1000");
        let turn = Turn::call("run_shell_command", json!({"command": script}));
        let server = ModelServer::speaking(Protocol::OpenAi, [turn]);
        let running = Pollux::new(env!("CARGO_BIN_EXE_pollux"), &project)
            .args(["--provider", "openai", "-m", "mock", "-y", "-p", "go"])
            .args(["--base-url", server.base_url().as_str()])
            .env("OPENAI_API_KEY", "the-key")
            // Nobody is left to remove its temporary files.
            .env("TMPDIR", project.home().to_str().unwrap())
            .start();
        let deadline = Instant::now() + PATIENCE;
        while !project.exists("begun") {
            assert!(Instant::now() < deadline, "the command does not start");
            std::thread::yield_now();
        }
        // Dropping it kills it with a signal that it cannot catch.
        drop(running);
        gone_soon(&name);
    }
}

#[tokio::test]
async fn how_a_command_ended_is_told_apart() {
    for rung in rungs() {
        let site = Site::new(rung);
        let cell = site.cell();
        for (script, end) in [
            ("exit 3", ShellEnd::Exited(3)),
            ("exit 137", ShellEnd::Exited(137)),
            ("kill -9 $$", ShellEnd::Signalled(9)),
            ("kill -TERM $$", ShellEnd::Signalled(15)),
        ] {
            assert_eq!(site.run(&cell, script).await.end, end, "{script}");
        }
        let mut job = site.job(&cell, "echo begun; sleep 1000");
        job.timeout = Duration::from_millis(300);
        let exit = run_shell(job, &CancellationToken::new()).await.unwrap();
        assert_eq!(exit.end, ShellEnd::TimedOut);
        assert_eq!(exit.stdout.text(), "begun\n");
    }
}

#[tokio::test]
async fn last_words_are_heard_and_requests_to_end_too() {
    for rung in rungs() {
        let site = Site::new(rung);
        let cell = site.cell();
        let script = "echo word > >(read line; echo heard $line)";
        assert_eq!(site.run(&cell, script).await.stdout.text(), "heard word\n");
        let mut job = site.job(
            &cell,
            "trap 'echo bye; exit' TERM; echo hi; sleep 1000 & wait",
        );
        job.timeout = Duration::from_millis(300);
        let exit = run_shell(job, &CancellationToken::new()).await.unwrap();
        assert_eq!(exit.stdout.text(), "hi\nbye\n", "{}", rung.name());
    }
}

#[tokio::test]
async fn there_is_no_terminal_and_no_input() {
    for rung in rungs() {
        let site = Site::new(rung);
        let script =
            "cat; (: < /dev/tty) 2>/dev/null || echo no terminal; ls -l /proc/self/fd | wc -l";
        let exit = site.run(&site.cell(), script).await;
        // The total, three streams, and the directory that is being listed.
        assert_eq!(exit.stdout.text(), "no terminal\n5\n", "{}", rung.name());
    }
}
