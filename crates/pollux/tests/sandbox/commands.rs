//! `pollux sandbox`, `--sandbox` and the settings.

use pollux_exec::sandbox::Rung;
use pollux_testkit::{ModelServer, Pollux, Project, Protocol, Ran, Turn};
use serde_json::json;

use super::support::rungs;

fn pollux(project: &Project) -> Pollux {
    Pollux::new(env!("CARGO_BIN_EXE_pollux"), project)
}

/// What a model that runs `script` gets to read.
fn result(project: &Project, script: &str, args: &[&str]) -> (Ran, String) {
    let call = Turn::call("run_shell_command", json!({"command": script}));
    let server = ModelServer::speaking(Protocol::OpenAi, [call, Turn::text(["done"])]);
    let ran = pollux(project)
        .args([
            "--provider",
            "openai",
            "-m",
            "mock",
            "-y",
            "-p",
            "go",
            "-o",
            "stream-json",
        ])
        .args(["--base-url", server.base_url().as_str()])
        .args(args.iter().copied())
        .env("OPENAI_API_KEY", "the-key")
        .env("MY_TOKEN", "hush")
        .env("SOME_URL", "http://me:hush@host/")
        .env("LD_HUSH", "hush")
        .run();
    let lines = if ran.code == 0 {
        ran.json_lines()
    } else {
        Vec::new()
    };
    let result = lines.iter().find(|line| line["type"] == "tool_result");
    let text = result.map(|line| line["output"].as_str().unwrap_or_default().to_owned());
    (ran.clone(), text.unwrap_or_default())
}

#[test]
fn status_tells_what_works_and_what_is_allowed() {
    let project = Project::new();
    let brief = pollux(&project).args(["sandbox", "status"]).run().exited(0);
    let place = format!("  in {}: ", project.path().display());
    assert!(brief.stdout.contains(&place), "{}", brief.stdout);
    assert!(
        brief
            .stdout
            .contains(" more (`pollux sandbox status --all`)\n")
    );
    assert!(brief.stdout.lines().count() < 24, "{}", brief.stdout);
    let ran = pollux(&project).args(["sandbox", "status", "--all"]).run();
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let works = |rung: &Rung| ran.stdout.contains(&format!("{}: works\n", rung.name()));
    let best = Rung::ALL.into_iter().find(works).unwrap().name();
    for line in [
        format!("{best}: works\n"),
        format!("Commands run in: {best}\n"),
        "network: loopback\n".to_owned(),
        format!("writable:\n  {}", ""),
        format!("  {}\n", project.path().display()),
        format!("  {}\n", project.path().join(".git/hooks").display()),
    ] {
        assert!(ran.stdout.contains(&line), "{line:?} in {}", ran.stdout);
    }
    let ran = pollux(&project)
        .args(["sandbox", "status", "--sandbox", "off"])
        .run();
    assert!(
        ran.stdout
            .ends_with("Commands run without a sandbox, as you have set it.\n")
    );
}

#[test]
fn run_passes_streams_and_exit_codes_on() {
    for rung in rungs() {
        let project = Project::new();
        let run = |script: &str| {
            let words = [
                "sandbox",
                "run",
                "--rung",
                rung.name(),
                "--",
                "sh",
                "-c",
                script,
            ];
            pollux(&project)
                .args(words)
                .stdin("typed\n".to_owned())
                .run()
        };
        let ran = run("read line; echo got $line; echo oops >&2; exit 5");
        assert_eq!((ran.code, ran.stdout.as_str()), (5, "got typed\n"));
        assert_eq!(ran.stderr, "oops\n");
        assert_eq!(run("kill -9 $$").code, 137);
        let ran = run("echo x > $HOME/escaped");
        assert_ne!(ran.code, 0);
        assert!(!project.home().join("escaped").exists());
    }
    let project = Project::new();
    let ran = pollux(&project)
        .args(["sandbox", "run", "--", "no-such-program"])
        .run();
    assert_eq!(ran.code, 44);
    let ran = pollux(&project)
        .args(["sandbox", "run", "--rung", "moat", "--", "true"])
        .run();
    assert_eq!(
        ran.stderr,
        "error: `moat` is no rung\nhint: there are: namespaces, landlock\n"
    );
}

#[test]
fn models_run_commands_in_it_and_are_told_what_it_refused() {
    let project = Project::new();
    let (ran, text) = result(&project, "echo in > file; echo out > ~/file", &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(project.read("file"), "in\n");
    assert!(!project.home().join("file").exists());
    let home = project.home().join("file");
    let note = format!(
        "[the sandbox does not allow writing `{}`]\n",
        home.display()
    );
    // Below /tmp commands see directories of their own, so it may be missing instead.
    assert!(
        text.contains(&note) || text.contains("No such file or directory"),
        "{text}"
    );
}

#[test]
fn off_is_off() {
    let project = Project::new();
    let (_, text) = result(
        &project,
        "echo out > ~/file && cat ~/file",
        &["--sandbox", "off"],
    );
    assert_eq!(text, "out\n");
    assert!(project.home().join("file").exists());
    let project = Project::new();
    let setting = ["--config", "sandbox.mode=off"];
    let (_, text) = result(&project, "echo out > ~/file && cat ~/file", &setting);
    assert_eq!(text, "out\n");
}

#[test]
fn the_network_is_a_setting() {
    let project = Project::new();
    let script = "[ $(wc -l < /proc/net/dev) -gt 3 ] && echo many || echo few";
    let (_, few) = result(&project, script, &[]);
    let (_, many) = result(&project, script, &["--config", "sandbox.network=on"]);
    let (_, real) = result(&project, script, &["--sandbox", "off"]);
    assert_eq!(many, real);
    if rungs()[0] == Rung::Namespaces {
        assert_eq!(few, "few\n");
    }
}

#[test]
fn words_that_mean_nothing_are_refused() {
    let project = Project::new();
    for setting in ["sandbox.mode=maybe", "sandbox.network=sometimes"] {
        let (ran, _) = result(&project, "touch ran", &["--config", setting]);
        assert_eq!(ran.code, 52, "{}", ran.stderr);
        assert!(!project.exists("ran"));
    }
}

#[test]
fn strict_without_a_sandbox_runs_nothing() {
    let project = Project::new();
    // The place where results are remembered and tried cannot be made.
    std::fs::create_dir_all(project.pollux_home()).unwrap();
    std::fs::write(project.pollux_home().join("state"), "in the way").unwrap();
    let (ran, _) = result(&project, "touch ran", &["--sandbox", "strict"]);
    assert_eq!(ran.code, 44, "{}", ran.stderr);
    assert!(!project.exists("ran"));
    let (ran, text) = result(&project, "echo ran", &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        text.contains("[not in a sandbox, since none works here: "),
        "{text}"
    );
}

#[test]
fn secrets_are_not_in_the_environment() {
    for mode in ["auto", "off"] {
        let project = Project::new();
        let (_, text) = result(&project, "env; set", &["--sandbox", mode]);
        assert!(text.contains("POLLUX=1"), "{text}");
        for secret in ["hush", "the-key"] {
            assert!(!text.contains(secret), "{mode}: {text}");
        }
    }
}
