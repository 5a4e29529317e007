//! What a model reads of a command.

use serde_json::json;

use super::*;
use crate::testing::Project;

async fn shell(command: &str) -> String {
    let args = json!({"command": command});
    Project::new().text("run_shell_command", args).await
}

#[tokio::test]
async fn what_a_model_reads() {
    insta::assert_snapshot!(shell("echo hi").await, @"hi");
    insta::assert_snapshot!(shell("true").await, @"(no output)");
    insta::assert_snapshot!(shell("printf out; echo err >&2; exit 3").await, @r"
    out
    [stderr]
    err
    [exit code 3]
    ");
    insta::assert_snapshot!(shell("exit 7").await, @"[exit code 7]");
    insta::assert_snapshot!(shell("kill -TERM $$").await, @"[killed by signal 15]");
}

#[tokio::test]
async fn output_is_bounded_with_both_ends() {
    let text = shell("seq 1 100000; echo oops >&2").await;
    assert!(text.starts_with("1\n2\n"));
    assert!(text.contains(" bytes left out]\n"));
    assert!(text.ends_with("99999\n100000\n[stderr]\noops\n"));
    assert!((39_000..40_100).contains(&text.len()), "{}", text.len());
    let text = shell("seq 1 100000; seq 1 100000 >&2").await;
    assert!((39_000..40_200).contains(&text.len()), "{}", text.len());
}

#[tokio::test]
async fn who_waits_for_keys_is_not_started() {
    let project = Project::new();
    let args = json!({"command": "touch made; vim made"});
    let error = project.error("bash", args.clone()).await;
    insta::assert_snapshot!(error.message, @"`vim` needs a terminal, and commands have none");
    assert!(!project.path("made").exists());
    // Nobody is asked about it either.
    let plan = project.plan("bash", args).unwrap();
    assert_eq!(plan.preview().await, Err(error));
}

#[tokio::test]
async fn time_runs_out() {
    let args = json!({"command": "echo begun; sleep 1000", "timeout_ms": 1000});
    let error = Project::new().error("bash", args).await;
    assert_eq!(error.kind, ToolErrorKind::ShellExecuteError);
    insta::assert_snapshot!(error.message, @"
    The command was killed after 1000 ms; set timeout_ms to give it more time. Output so far:
    begun
    ");
}

#[tokio::test]
async fn cancelling_keeps_what_was_printed() {
    let project = Project::new();
    // The command knocks once it has printed.
    let door = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = door.local_addr().unwrap().port();
    let command = format!("echo begun; exec 3<>/dev/tcp/127.0.0.1/{port}; sleep 1000");
    let args = json!({"cmd": command});
    let context = RunContext::default();
    let cancel = context.cancel.clone();
    let running = project.plan("shell", args).unwrap().run(context);
    let cancelling = async {
        door.accept().await.unwrap();
        cancel.cancel();
    };
    let both = async { tokio::join!(running, cancelling) };
    let (outcome, ()) = tokio::time::timeout(Duration::from_secs(20), both)
        .await
        .unwrap();
    let error = outcome.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::Cancelled);
    insta::assert_snapshot!(error.message, @"
    User cancelled tool execution. Output so far:
    begun
    ");
}

#[tokio::test]
async fn the_directory() {
    let project = Project::with(&[("sub/file", "")]);
    let run = |dir: &str| json!({"command": "ls", "dir_path": dir});
    assert_eq!(
        project.text("run_shell_command", run("sub")).await,
        "file\n"
    );
    assert_eq!(
        project
            .text("run_shell_command", json!({"script": "ls"}))
            .await,
        "sub\n"
    );
    let error = project.error("run_shell_command", run("sbu")).await;
    assert_eq!(error.kind, ToolErrorKind::FileNotFound);
    insta::assert_snapshot!(error.message, @"`sbu` does not exist; did you mean `sub`?");
    let error = project.error("run_shell_command", run("sub/file")).await;
    assert_eq!(error.kind, ToolErrorKind::PathIsNotADirectory);
}

#[test]
fn a_plan_is_its_script() {
    let project = Project::new();
    let args = json!({"command": "a\nb", "dir": "sub", "description": "why"});
    let plan = project.plan("run_shell_command", args).unwrap();
    assert_eq!(plan.effects().script.unwrap().command, "a\nb");
    assert_eq!(plan.summary(), "a ⏎ b (in sub)");
    assert!(
        project
            .plan("run_shell_command", json!({"command": " \n"}))
            .is_err()
    );
}

#[test]
fn no_command_runs_for_ever() {
    let project = Project::new();
    let args = json!({"command": "a", "timeout_ms": u64::MAX});
    assert!(project.plan("run_shell_command", args).is_ok());
    assert_eq!(allowed(u64::MAX), LONGEST);
    assert_eq!(allowed(5), Duration::from_millis(5));
    let args = json!({"command": "a", "is_background": true});
    let refused = project.plan("run_shell_command", args).err().unwrap();
    assert!(refused.to_string().starts_with("`is_background`"));
}

/// A repository whose settings are read from a pipe that nobody writes to.
#[tokio::test]
async fn git_that_would_wait_for_ever_is_given_up() {
    let project = Project::with(&[
        (".git/HEAD", "ref: refs/heads/main\n"),
        (".git/config", "[include]\n\tpath = ../fifo\n"),
        (".git/objects/x", ""),
        (".git/refs/x", ""),
    ]);
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mkfifoat(rustix::fs::CWD, project.path("fifo"), mode).unwrap();
    let run = |context: RunContext| {
        let args = json!({"command": "git status", "timeout_ms": 200});
        project.plan("bash", args).unwrap().run(context)
    };
    let guarded = || RunContext {
        guard_git: true,
        ..RunContext::default()
    };
    let error = run(guarded()).await.unwrap_err();
    insta::assert_snapshot!(error.message, @"git cannot be kept from running other programs here: reading its settings takes too long");
    let context = guarded();
    let cancel = context.cancel.clone();
    let (ended, ()) = tokio::join!(run(context), async { cancel.cancel() });
    assert_eq!(ended.unwrap_err().kind, ToolErrorKind::Cancelled);
}
