//! The same prompt over every protocol.

use pollux_testkit::{ModelServer, Project, Protocol, Turn};
use pretty_assertions::assert_eq;
use serde_json::json;

use super::support::{shown, steady, talking_to};

#[test]
fn every_protocol_gives_the_same_events() {
    let mut runs = Vec::new();
    for protocol in Protocol::ALL {
        let project = Project::new()
            .file("a.txt", "alpha\n")
            .file("b.txt", "beta\n");
        let turns = [
            Turn::text_then_calls(
                "I look. ",
                [
                    ("list_directory", json!({"dir_path": "."})),
                    ("read_file", json!({"file_path": "a.txt"})),
                    ("run_shell_command", json!({"command": "touch no"})),
                ],
            )
            .thought("**Plan** look first")
            .usage(100, 20),
            Turn::text(["There are ", "two files."]).usage(150, 10),
        ];
        let server = ModelServer::speaking(protocol, turns);
        let ran = talking_to(&project, &server, protocol)
            .args(["-o", "stream-json", "-p", "list the files"])
            .run()
            .exited(0);
        runs.push(steady(ran.json_lines()));
        let requests = server.requests();
        assert_eq!(requests.len(), 2);
        assert_eq!(requests[0].connection, requests[1].connection);
    }
    for run in &runs[1..] {
        assert_eq!(shown(&runs[0]), shown(run));
    }
    insta::assert_snapshot!(shown(&runs[0]), @r#"
    {"type":"init","model":"mock"}
    {"type":"message","role":"user","content":"list the files"}
    {"type":"thought","subject":"Plan","description":"look first"}
    {"type":"message","role":"assistant","content":"I look. ","delta":true}
    {"type":"tool_use","tool_name":"list_directory","tool_id":"call_1","parameters":{"dir_path":"."}}
    {"type":"tool_use","tool_name":"read_file","tool_id":"call_2","parameters":{"file_path":"a.txt"}}
    {"type":"tool_use","tool_name":"run_shell_command","tool_id":"call_3","parameters":{"command":"touch no"}}
    {"type":"tool_result","tool_id":"call_3","status":"error","error":{"type":"approval_required","message":"`run_shell_command` was not run: it creates files (`touch no`), which is not allowed. `--approval-mode yolo` would allow it."}}
    {"type":"tool_result","tool_id":"call_1","status":"success","output":"a.txt  (6 bytes)\nb.txt  (5 bytes)"}
    {"type":"tool_result","tool_id":"call_2","status":"success","output":"alpha\n"}
    {"type":"message","role":"assistant","content":"There are two files.","delta":true}
    {"type":"result","status":"success","stats":{"total_tokens":280,"input_tokens":250,"output_tokens":30,"cached":0,"duration_ms":0,"tool_calls":3}}
    "#);
}

/// Providers cache what they have read before, as long as it comes again to the byte.
#[test]
fn each_request_begins_like_the_one_before() {
    for protocol in Protocol::ALL {
        let project = Project::new().file("a.txt", "alpha\n");
        let read = || Turn::call("read_file", json!({"file_path": "a.txt"}));
        let turns = [
            read(),
            read(),
            Turn::text(["Done."]),
            Turn::text(["Again."]),
        ];
        let server = ModelServer::speaking(protocol, turns);
        let run = |flags: &[&str]| {
            let run = talking_to(&project, &server, protocol).args(flags.iter().copied());
            run.run().exited(0);
        };
        run(&["-p", "read it"]);
        run(&["--continue", "-p", "once more"]);
        let requests = server.requests();
        assert_eq!(requests.len(), 4);
        for pair in requests.windows(2) {
            let before = pair[0].text().trim_end_matches(['}', ']']);
            // The mark up to which to cache moves on; what is cached does not depend on it.
            let mark = r#","cache_control":{"type":"ephemeral""#;
            let before = before.strip_suffix(mark).unwrap_or(before);
            let after = pair[1].text();
            assert!(
                after.starts_with(before),
                "{protocol:?}:\n{before}\n{after}"
            );
        }
    }
}
