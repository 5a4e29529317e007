//! Real commands: how they end, and that nothing of them stays behind.

use std::fs;
use std::pin::pin;

use super::*;
use crate::sandbox::Unconfined;

/// Long enough for a loaded machine; no test waits this long unless it fails.
const DEADLINE: Duration = Duration::from_secs(20);

fn job(dir: &Path, command: &str) -> ShellJob {
    ShellJob {
        command: command.into(),
        dir: dir.into(),
        timeout: DEADLINE * 2,
        output_limit: 1000,
        hidden_variables: vec!["SECRET_FOR_TEST".into(), "HOME".into()],
        variables: Vec::new(),
        confinement: Confinement::Unconfined(Unconfined::Off),
        live: Live::default(),
    }
}

async fn run(job: ShellJob) -> ShellExit {
    let token = CancellationToken::new();
    let exit = run_shell(job, &token);
    timeout(DEADLINE, exit)
        .await
        .expect("the command has to end")
        .unwrap()
}

/// Waits for a process id that a script writes as one line.
async fn written_pid(file: &Path) -> i32 {
    let found = async {
        loop {
            match fs::read_to_string(file) {
                Ok(text) if text.ends_with('\n') => return text.trim().parse().unwrap(),
                _ => sleep(Duration::from_millis(1)).await,
            }
        }
    };
    timeout(DEADLINE, found)
        .await
        .expect("the script has to start")
}

/// Waits until a process no longer runs; a zombie does not.
async fn gone(pid: i32) {
    let dead = || {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.is_empty()
            || stat
                .rsplit(") ")
                .next()
                .is_some_and(|state| state.starts_with('Z'))
    };
    let death = async {
        while !dead() {
            sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(DEADLINE, death)
        .await
        .expect("the process has to be killed");
}

#[tokio::test]
async fn output_exit_code_and_directory() {
    let dir = tempfile::tempdir().unwrap();
    let exit = run(job(dir.path(), "pwd -P; echo oops >&2; exit 3")).await;
    assert_eq!(exit.end, ShellEnd::Exited(3));
    let real = dir.path().canonicalize().unwrap();
    assert_eq!(exit.stdout.text(), format!("{}\n", real.display()));
    assert_eq!(exit.stderr.text(), "oops\n");
}

#[tokio::test]
async fn a_signal_is_told_from_an_exit() {
    let dir = tempfile::tempdir().unwrap();
    let exit = run(job(dir.path(), "kill -9 $$")).await;
    assert_eq!(exit.end, ShellEnd::Signalled(9));
}

#[tokio::test]
async fn nothing_waits_for_a_person() {
    let dir = tempfile::tempdir().unwrap();
    let script = r#"readlink /proc/$$/fd/0; echo "$PAGER $GIT_PAGER $TERM $POLLUX""#;
    let exit = run(job(dir.path(), script)).await;
    insta::assert_snapshot!(exit.stdout.text(), @r"
    /dev/null
    cat cat dumb 1
    ");
}

#[tokio::test]
async fn many_megabytes_take_little_memory() {
    let dir = tempfile::tempdir().unwrap();
    let script = "head -c 30000000 /dev/zero; head -c 20000000 /dev/zero >&2; echo end";
    let exit = run(job(dir.path(), script)).await;
    assert_eq!(exit.end, ShellEnd::Exited(0));
    assert_eq!(exit.stdout.total(), 30_000_004);
    assert_eq!(exit.stdout.omitted(), 30_000_004 - 1000);
    assert!(exit.stdout.text().ends_with("\0end\n"));
    assert_eq!(exit.stderr.omitted(), 20_000_000 - 1000);
}

#[tokio::test]
async fn what_time_runs_out_for_is_killed_with_its_children() {
    let dir = tempfile::tempdir().unwrap();
    let script = "echo begun; sleep 1000 & echo $! > pid; wait";
    let mut job = job(dir.path(), script);
    job.timeout = Duration::from_secs(1);
    let exit = run(job).await;
    assert_eq!(exit.end, ShellEnd::TimedOut);
    assert_eq!(exit.stdout.text(), "begun\n");
    gone(written_pid(&dir.path().join("pid")).await).await;
}

#[tokio::test]
async fn cancelling_kills_what_ignores_the_request() {
    let dir = tempfile::tempdir().unwrap();
    let script = "trap '' TERM; echo begun; echo $$ > pid; while :; do sleep 0.01; done";
    let cancel = CancellationToken::new();
    let running = run_shell(job(dir.path(), script), &cancel);
    let cancelling = async {
        let pid = written_pid(&dir.path().join("pid")).await;
        cancel.cancel();
        pid
    };
    let both = async { tokio::join!(running, cancelling) };
    let (exit, pid) = timeout(DEADLINE, both)
        .await
        .expect("cancelling has to work");
    let exit = exit.unwrap();
    assert_eq!(exit.end, ShellEnd::Cancelled);
    assert_eq!(exit.stdout.text(), "begun\n");
    gone(pid).await;
}

#[tokio::test]
async fn a_polite_process_may_clean_up() {
    let dir = tempfile::tempdir().unwrap();
    let script = "trap 'echo cleaned; exit' TERM; echo $$ > pid; while :; do sleep 0.01; done";
    let cancel = CancellationToken::new();
    let running = run_shell(job(dir.path(), script), &cancel);
    let cancelling = async {
        written_pid(&dir.path().join("pid")).await;
        cancel.cancel();
    };
    let (exit, ()) = tokio::join!(running, cancelling);
    assert_eq!(exit.unwrap().stdout.text(), "cleaned\n");
}

#[tokio::test]
async fn a_background_process_does_not_keep_the_call_open() {
    let dir = tempfile::tempdir().unwrap();
    let exit = run(job(dir.path(), "sleep 1000 & echo $! > pid; echo done")).await;
    assert_eq!(exit.end, ShellEnd::Exited(0));
    assert_eq!(exit.stdout.text(), "done\n");
    gone(written_pid(&dir.path().join("pid")).await).await;
}

#[tokio::test]
async fn a_background_process_with_its_own_output_is_killed_too() {
    let dir = tempfile::tempdir().unwrap();
    run(job(dir.path(), "sleep 1000 > log 2>&1 & echo $! > pid")).await;
    gone(written_pid(&dir.path().join("pid")).await).await;
}

#[tokio::test]
async fn a_process_that_left_the_group_does_not_keep_the_call_open() {
    let dir = tempfile::tempdir().unwrap();
    let script = "setsid sh -c 'echo $$ > pid; exec sleep 60' & while ! test -s pid; do :; done";
    let exit = run(job(dir.path(), script)).await;
    assert_eq!(exit.end, ShellEnd::Exited(0));
    let pid = written_pid(&dir.path().join("pid")).await;
    Group::led_by(u32::try_from(pid).ok()).kill();
    gone(pid).await;
}

#[tokio::test]
async fn a_last_word_from_the_background_is_heard() {
    let dir = tempfile::tempdir().unwrap();
    let exit = run(job(
        dir.path(),
        "echo word > >(read line; echo heard $line)",
    ))
    .await;
    assert_eq!(exit.stdout.text(), "heard word\n");
}

#[tokio::test]
async fn dropping_the_future_kills_the_group() {
    let dir = tempfile::tempdir().unwrap();
    let script = "sleep 1000 & echo $! > child; echo $$ > shell; wait";
    let token = CancellationToken::new();
    let (shell, child) = (dir.path().join("shell"), dir.path().join("child"));
    let (shell, child) = {
        let mut running = pin!(run_shell(job(dir.path(), script), &token));
        tokio::select! {
            _ = &mut running => panic!("it runs until it is killed"),
            shell = written_pid(&shell) => (shell, written_pid(&child).await),
        }
    };
    gone(shell).await;
    gone(child).await;
}

#[tokio::test]
async fn a_directory_that_is_not_there_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let token = CancellationToken::new();
    fs::write(dir.path().join("file"), "").unwrap();
    for (name, kind) in [
        ("absent", io::ErrorKind::NotFound),
        ("file", io::ErrorKind::NotADirectory),
    ] {
        let place = dir.path().join(name);
        match run_shell(job(&place, "true"), &token).await {
            Err(SpawnError::Directory { dir, source }) => {
                assert_eq!((dir, source.kind()), (place, kind));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_command_that_cannot_be_passed_on_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let token = CancellationToken::new();
    let ended = run_shell(job(dir.path(), "echo \0"), &token).await;
    assert!(matches!(ended, Err(SpawnError::Shell(_))));
}

#[tokio::test]
async fn hidden_variables_are_not_there() {
    let dir = tempfile::tempdir().unwrap();
    let exit = run(job(dir.path(), "echo ${HOME-hidden} ${PATH:+there}")).await;
    assert_eq!(exit.stdout.text(), "hidden there\n");
}
