//! Files that a prompt names, without a screen; and the mode.

use pollux_testkit::{ModelServer, Project, Protocol, Turn};

use super::support::{shown, steady, talking_to};

fn project() -> Project {
    Project::new().file("a.txt", "alpha\n")
}

#[test]
fn what_is_named_reaches_every_provider() {
    for protocol in Protocol::ALL {
        let server = ModelServer::speaking(protocol, [Turn::text(["ok"])]);
        let ran = talking_to(&project(), &server, protocol)
            .args(["-p", "explain @a.txt", "--mode", "plan"])
            .run()
            .exited(0);
        assert_eq!(ran.stdout, "ok\n");
        assert_eq!(ran.stderr, "[tool] read_many_files a.txt\n");
        let requests = server.requests();
        let body = requests[0].text();
        assert!(body.contains("Content from @a.txt:\\nalpha"), "{body}");
        assert!(body.contains("plan mode") && !body.contains("write_file"));
    }
}

#[test]
fn scripts_see_only_calls_of_the_model() {
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["ok"])]);
    let ran = talking_to(&project(), &server, Protocol::OpenAi)
        .args(["-p", "explain @a.txt, not @b.txt", "-o", "stream-json"])
        .run()
        .exited(0);
    insta::assert_snapshot!(shown(&steady(ran.json_lines())), @r#"
    {"type":"init","model":"mock"}
    {"type":"message","role":"user","content":"explain @a.txt, not @b.txt"}
    {"type":"notice","kind":"no_such_file","message":"`@b.txt` names no file, and is sent as text."}
    {"type":"message","role":"assistant","content":"ok","delta":true}
    {"type":"result","status":"success","stats":{"total_tokens":15,"input_tokens":10,"output_tokens":5,"cached":0,"duration_ms":0,"tool_calls":0}}
    "#);
}

#[test]
fn piped_text_names_nothing_and_what_is_out_of_reach_is_an_error() {
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["ok"])]);
    let project = project();
    let run = || talking_to(&project, &server, Protocol::OpenAi);
    run()
        .args(["-p", "review"])
        .stdin("@a.txt @/etc/passwd")
        .run()
        .exited(0);
    let ran = run().args(["-p", "read @/etc/passwd"]).run().exited(42);
    insta::assert_snapshot!(ran.stderr, @r"
    [tool] read_many_files /etc/passwd: not run: it reads `/etc/passwd`, outside the project, which is not allowed. `--include-directories`, or `--approval-mode yolo`, would allow it.
    error: `@/etc/passwd` was not read: it reads `/etc/passwd`, outside the project, which is not allowed. `--include-directories`, or `--approval-mode yolo`, would allow it.
    hint: nothing was sent; write `\@` where you mean no file
    ");
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert!(!requests[0].text().contains("alpha"));
}
