//! Runs of `sh` in the binary's place.

use std::panic::AssertUnwindSafe;

use serde_json::json;

use super::*;

fn sh(project: &Project, script: &str) -> Pollux {
    Pollux::new("sh", project).args(["-c", script])
}

#[test]
fn a_run_tells_code_and_both_outputs() {
    let project = Project::new();
    let ran = sh(&project, "echo out; echo err >&2; exit 3").run();
    let expected = Ran {
        code: 3,
        stdout: "out\n".into(),
        stderr: "err\n".into(),
    };
    assert_eq!(ran.exited(3), expected);
}

#[test]
fn the_environment_is_pinned() {
    let project = Project::new().file("here", "");
    let script = r#"echo "$HOME|$POLLUX_HOME|$NO_COLOR|$LANG|$EXTRA|$CARGO"; ls"#;
    let ran = sh(&project, script).env("EXTRA", "more").run().exited(0);
    let home = project.home().display();
    assert_eq!(
        ran.stdout,
        format!("{home}|{home}/.pollux|1|C.UTF-8|more|\nhere\n")
    );
}

#[test]
fn standard_input_is_what_was_asked_for() {
    let project = Project::new();
    let cat = sh(&project, "cat; echo end");
    assert_eq!(cat.clone().run().stdout, "end\n");
    assert_eq!(cat.stdin("text\n").run().stdout, "text\nend\n");

    // More than a pipe holds, to a program that does not read it.
    let deaf = sh(&project, "echo end").stdin("x".repeat(1 << 20));
    assert_eq!(deaf.run().stdout, "end\n");

    let silent = sh(&project, "echo waiting; read line; echo got").stdin(Stdin::Silent);
    let running = silent.start();
    running.wait_for_stdout("waiting");
    assert_eq!(running.output.with(|all| all.code), None);
    assert_eq!(
        running.terminate().output.wait(PATIENCE, |all| all.code),
        Some(143)
    );
}

#[test]
fn a_run_can_be_interrupted() {
    let project = Project::new();
    let script = "trap 'echo caught; exit 130' INT; echo ready; read line";
    let running = sh(&project, script).stdin(Stdin::Silent).start();
    running.wait_for_stdout("ready").interrupt();
    let ran = running.wait();
    assert_eq!((ran.code, ran.stdout.as_str()), (130, "ready\ncaught\n"));
}

#[test]
fn a_run_that_does_not_end_is_killed_and_shown() {
    let project = Project::new();
    let script = "trap '' TERM INT HUP; echo $$; echo so far; read line";
    let mut running = sh(&project, script).stdin(Stdin::Silent).start();
    running.wait_for_stdout("so far");
    running.deadline = Duration::ZERO;
    let panicked = std::panic::catch_unwind(AssertUnwindSafe(|| running.wait())).unwrap_err();
    let message = panicked.downcast_ref::<String>().unwrap();
    assert!(
        message.contains("so far") && message.contains("it still runs"),
        "{message}"
    );
    let pid: i32 = message.lines().nth(2).unwrap().parse().unwrap();
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    assert!(
        rustix::process::test_kill_process(pid).is_err(),
        "{message}"
    );
}

#[test]
fn json_is_read_from_standard_output() {
    let project = Project::new();
    let ran = sh(&project, r#"echo '{"a":1}'; echo '[]'"#).run();
    assert_eq!(ran.json_lines(), [json!({"a": 1}), json!([])]);
    let ran = sh(&project, r#"printf '{\n"a":1}\n'"#).run();
    assert_eq!(ran.json(), json!({"a": 1}));
}
