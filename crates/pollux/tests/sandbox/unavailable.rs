//! Where there is no sandbox, nothing runs as if there were.

use std::fs;
use std::process::Command;

use pollux_exec::sandbox::{Confinement, Rung, Sandbox, SandboxMode, Unconfined};
use pollux_exec::{SpawnError, run_shell};
use pollux_testkit::{ModelServer, Pollux, Project, Protocol, Turn};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::support::{Site, installed, rungs};

/// Both modes say that there is no sandbox: one by an error, one by its answer.
fn is_unavailable(site: &Site) {
    let strict = Sandbox::new(site.setup(SandboxMode::Strict)).confinement();
    assert!(strict.is_err(), "{strict:?}");
    match Sandbox::new(site.setup(SandboxMode::Auto)).confinement() {
        Ok(Confinement::Unconfined(Unconfined::Unavailable(why))) => assert!(!why.is_empty()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn without_a_helper() {
    let mut site = Site::new(Rung::Namespaces);
    site.rungs = Rung::ALL.into();
    site.helper = site.path("outside/no-such-helper");
    is_unavailable(&site);
}

#[test]
fn with_a_helper_that_only_runs_the_command() {
    let mut site = Site::new(Rung::Namespaces);
    site.rungs = Rung::ALL.into();
    let helper = site.path("outside/helper");
    let script = "#!/bin/sh\necho started >&0\nwhile [ $1 != -- ]; do shift; done\nshift\n\"$@\"\necho exited 0 >&0\n";
    fs::write(&helper, script).unwrap();
    fs::set_permissions(&helper, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    site.helper = helper;
    is_unavailable(&site);
}

#[test]
fn with_no_rung_to_try() {
    let mut site = Site::new(Rung::Namespaces);
    site.rungs = Vec::new();
    is_unavailable(&site);
}

#[tokio::test]
async fn with_a_helper_that_goes_away() {
    for rung in rungs() {
        let mut site = Site::new(rung);
        let helper = site.path("outside/helper");
        std::os::unix::fs::symlink(&site.helper, &helper).unwrap();
        site.helper = helper.clone();
        let cell = site.cell();
        fs::remove_file(&helper).unwrap();
        let token = CancellationToken::new();
        let ended = run_shell(site.job(&cell, "touch ran"), &token).await;
        assert!(matches!(ended, Err(SpawnError::Sandbox(_))), "{ended:?}");
        fs::write(&helper, "#!/bin/sh\ntouch ran\n").unwrap();
        fs::set_permissions(&helper, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let ended = run_shell(site.job(&cell, "true"), &token).await;
        assert!(matches!(ended, Err(SpawnError::Sandbox(_))), "{ended:?}");
    }
}

/// pollux in a project, in a place where a system call that it needs is refused; the place is a
/// sandbox itself.
fn pollux_within(rung: &str, project: &Project, args: &[&str]) -> (i32, String, String) {
    let exe = env!("CARGO_BIN_EXE_pollux");
    let output = Command::new(exe)
        .args(["-C", project.path().to_str().unwrap()])
        .args(["sandbox", "run", "--rung", rung, "--", exe])
        .args(args)
        .env("HOME", project.home())
        .env("POLLUX_HOME", project.pollux_home())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (code, text(output.stdout), text(output.stderr))
}

#[test]
fn where_namespaces_are_refused_the_next_rung_is_taken() {
    for rung in rungs() {
        let project = Project::new();
        let (code, out, err) = pollux_within(rung.name(), &project, &["sandbox", "status"]);
        assert!(
            out.contains("namespaces: does not work: "),
            "{code} {out} {err}"
        );
        let (code, _, err) = pollux_within(
            rung.name(),
            &project,
            &[
                "sandbox",
                "run",
                "--rung",
                "namespaces",
                "--",
                "touch",
                "ran",
            ],
        );
        assert_eq!(code, 44, "{err}");
        assert!(!project.exists("ran"));
    }
}

#[test]
fn where_the_user_may_make_no_namespaces() {
    if !installed("unshare") || !rungs().contains(&Rung::Namespaces) {
        return;
    }
    // A user namespace of one's own, in which no further may be made.
    let project = Project::new();
    let exe = env!("CARGO_BIN_EXE_pollux");
    let script = "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"";
    let output = Command::new("unshare")
        .args(["-Ur", "sh", "-c", script, "sh", exe])
        .args(["-C", project.path().to_str().unwrap(), "sandbox", "run"])
        .args(["--rung", "namespaces", "--", "touch", "ran"])
        .env("HOME", project.home())
        .env("POLLUX_HOME", project.pollux_home())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(44), "{said}");
    assert!(
        said.starts_with("error: no sandbox works here: namespaces: "),
        "{said}"
    );
    assert!(!project.exists("ran"));
}

/// A self-test that claims to have passed gets nobody out of the sandbox.
#[test]
fn with_a_memory_that_lies() {
    for rung in rungs() {
        let project = Project::new();
        let exe = env!("CARGO_BIN_EXE_pollux");
        let status = || Pollux::new(exe, &project).args(["sandbox", "status"]).run();
        assert_eq!(status().code, 0);
        let memory = project.pollux_home().join("state/sandbox");
        let honest = fs::read_to_string(&memory).unwrap();
        let (occasion, _) = honest.trim_end().rsplit_once(' ').unwrap();
        for lie in ["none", "", "landlock", "off"] {
            fs::write(&memory, format!("{occasion} {lie}\n")).unwrap();
            let server = ModelServer::speaking(
                Protocol::OpenAi,
                [
                    Turn::call(
                        "run_shell_command",
                        json!({"command": "echo x > ~/escaped"}),
                    ),
                    Turn::text(["done"]),
                ],
            );
            let ran = Pollux::new(exe, &project)
                .args(["--provider", "openai", "-m", "mock", "-y", "-p", "go"])
                .args(["--base-url", server.base_url().as_str()])
                .env("OPENAI_API_KEY", "the-key")
                .run();
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            assert!(!project.home().join("escaped").exists(), "{lie:?} {rung:?}");
        }
    }
}

/// What only reads is allowed because a sandbox holds it, and only then.
#[test]
fn what_only_reads_is_not_run_unasked() {
    let run = |project: &Project| {
        let call = Turn::call("run_shell_command", json!({"command": "cat f"}));
        let server = ModelServer::speaking(Protocol::OpenAi, [call, Turn::text(["done"])]);
        Pollux::new(env!("CARGO_BIN_EXE_pollux"), project)
            .args(["--provider", "openai", "-m", "mock", "-p", "go"])
            .args(["--base-url", server.base_url().as_str()])
            .args(["-o", "stream-json"])
            .env("OPENAI_API_KEY", "the-key")
            .run()
            .exited(0)
    };
    let with = Project::new().file("f", "contents\n");
    assert_eq!(run(&with).tool_errors(), [""]);
    // No rung can be tried where nothing can be kept about it.
    let without = Project::new().file("f", "contents\n");
    fs::create_dir_all(without.pollux_home()).unwrap();
    fs::write(without.pollux_home().join("state"), "").unwrap();
    let ran = run(&without);
    assert_eq!(ran.tool_errors(), ["approval_required"]);
    let lines = ran.json_lines();
    let refusal = lines.iter().find(|line| line["type"] == "tool_result");
    let told = refusal.unwrap()["error"]["message"].as_str().unwrap();
    assert!(told.contains("no sandbox works here: "), "{told}");
    assert!(!ran.stdout.contains("contents"), "{}", ran.stdout);
}
