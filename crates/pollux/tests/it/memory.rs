//! What is written down for the model, in files.

use pollux_testkit::{ModelServer, Project, Protocol, Turn};
use serde_json::json;

use super::support::{shown, steady, talking_to};

#[test]
fn what_is_written_down_reaches_every_provider() {
    for protocol in Protocol::ALL {
        let project = Project::new()
            .file(".git/HEAD", "")
            .file("AGENTS.md", "Always test. @docs/style.md")
            .file("docs/style.md", "Tabs.")
            .file("app/CLAUDE.md", "Never push.");
        let home = project.pollux_home();
        project.write(home.join("POLLUX.md"), "Be kind.");
        let server = ModelServer::speaking(protocol, [Turn::text(["ok"])]);
        let ran = talking_to(&project, &server, protocol)
            .args(["-p", "hello", "-C", "app"])
            .run()
            .exited(0);
        assert_eq!(ran.stderr, "");
        let requests = server.requests();
        let body = requests[0].text();
        let at = |text: &str| body.find(text).unwrap_or_else(|| panic!("{text}: {body}"));
        let order = [
            "# Here",
            "# Memory",
            "Be kind.",
            "Always test.",
            "Tabs.",
            "Never push.",
        ];
        assert!(order.is_sorted_by_key(|text| at(text)), "{body}");
        assert!(body.contains("AGENTS.md ---\\nAlways test."), "{body}");
    }
}

#[test]
fn what_is_left_out_is_said() {
    let project = Project::new()
        .file(".env", "SECRET")
        .symlink("AGENTS.md", ".env")
        .file(".git/config", "SECRET")
        .symlink("GEMINI.md", ".git/config")
        .symlink("CLAUDE.md", "/etc/hostname");
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["ok"])]);
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .args(["-p", "hello", "-o", "stream-json"])
        .run()
        .exited(0);
    let place = project.path().display().to_string();
    let lines = shown(&steady(ran.json_lines())).replace(&place, "PROJECT");
    insta::assert_snapshot!(lines, @r#"
    {"type":"init","model":"mock"}
    {"type":"message","role":"user","content":"hello"}
    {"type":"notice","kind":"memory","message":"PROJECT/AGENTS.md: it may hold secrets, and is not read"}
    {"type":"notice","kind":"memory","message":"PROJECT/GEMINI.md: it decides what other programs run, and is not read"}
    {"type":"notice","kind":"memory","message":"PROJECT/CLAUDE.md: it leads out of PROJECT, and is not read"}
    {"type":"message","role":"assistant","content":"ok","delta":true}
    {"type":"result","status":"success","stats":{"total_tokens":15,"input_tokens":10,"output_tokens":5,"cached":0,"duration_ms":0,"tool_calls":0}}
    "#);
    assert!(!server.requests()[0].text().contains("SECRET"));
}

#[test]
fn no_trust_is_needed_since_it_permits_nothing() {
    let project = Project::new()
        .file("AGENTS.md", "Use tabs.")
        .file(".pollux/config.toml", "[approval]\nmode = 'yolo'\n");
    let write = Turn::call("write_file", json!({"file_path": "x", "content": ""}));
    let server = ModelServer::speaking(Protocol::OpenAi, [write, Turn::text(["ok"])]);
    talking_to(&project, &server, Protocol::OpenAi)
        .args(["-p", "hello"])
        .run()
        .exited(0);
    assert!(server.requests()[0].text().contains("Use tabs."));
    assert!(!project.exists("x"));
}

#[test]
fn what_the_model_remembers_is_known_at_once() {
    let project = Project::new().file(".git/HEAD", "");
    let turns = [
        Turn::call("save_memory", json!({"fact": "Use tabs."})),
        Turn::call("save_memory", json!({"fact": "Be kind.", "scope": "user"})),
        Turn::text(["ok"]),
    ];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .args(["-p", "remember", "-y"])
        .run()
        .exited(0);
    assert_eq!(project.read("POLLUX.md"), "## Remembered\n\n- Use tabs.\n");
    let system = |number: usize| server.requests()[number].json()["messages"][0].to_string();
    assert!(!system(0).contains("Use tabs."));
    assert!(system(1).contains("- Use tabs."));
    // What goes with every session to come, in every project, a person has seen.
    assert!(
        ran.stderr.contains("POLLUX.md`, which decides"),
        "{}",
        ran.stderr
    );
    assert!(!project.pollux_home().join("POLLUX.md").exists());
}

#[test]
fn what_is_remembered_below_the_root_goes_to_the_root() {
    let project = Project::new().file(".git/HEAD", "").file("app/main.rs", "");
    let turns = [
        Turn::call("save_memory", json!({"fact": "Use tabs."})),
        Turn::text(["ok"]),
    ];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    talking_to(&project, &server, Protocol::OpenAi)
        .args([
            "-p",
            "remember",
            "-C",
            "app",
            "--approval-mode",
            "auto-edit",
        ])
        .run()
        .exited(0);
    assert_eq!(project.read("POLLUX.md"), "## Remembered\n\n- Use tabs.\n");
}
