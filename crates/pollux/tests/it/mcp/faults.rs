//! Servers that do what they should not: no run hangs or breaks, and what went wrong is said.

use std::time::{Duration, Instant};

use pollux_testkit::{HttpReply, ModelServer, Project};
use serde_json::{Value, json};

use super::super::support::pollux;
use super::{notes, read, set};

/// Each with what is said of it.
const FAULTS: [(&str, &str, &str, &str); 12] = [
    ("silence", "initialize", ":", "it did not answer in 2 s"),
    (
        "silence when asked",
        "resources/read",
        ":",
        "it did not answer in 2 s",
    ),
    (
        "no JSON",
        "initialize",
        "echo '{\"jsonrpc'",
        "it did not answer in 2 s",
    ),
    (
        "another number",
        "resources/read",
        "id=99; answer '{\"contents\":[]}'",
        "it did not answer in 2 s",
    ),
    (
        "an answer to something else",
        "resources/read",
        "answer '{\"tools\":[]}'",
        "it gave no answer: Unexpected response type",
    ),
    (
        "its end at the beginning",
        "initialize",
        "echo 'no database' >&2; exit 3",
        "it ended before it answered: no database; it ended with exit code 3",
    ),
    (
        "its end when asked",
        "resources/read",
        "echo bye >&2; kill -9 $$",
        "it ended before it answered: bye; it was ended by signal 9",
    ),
    (
        "a flood of complaints",
        "initialize",
        "yes 'so much to say' >&2",
        "it did not answer in 2 s: so much to say; so much to say; ",
    ),
    (
        "an error of a megabyte",
        "resources/read",
        "fail \"$(head -c 100000 /dev/zero | tr '\\0' x)\"",
        "it says: xxxxxxxxxx",
    ),
    (
        "an introduction of something else",
        "initialize",
        "answer '{\"resources\":[]}'",
        "it does not speak the protocol: ",
    ),
    (
        "a refusal to talk",
        "initialize",
        "fail 'too old'",
        "it says: too old",
    ),
    (
        "a line without an end",
        "resources/read",
        "head -c 40000000 /dev/zero | tr '\\0' x",
        "it did not answer in 2 s",
    ),
];

#[test]
fn r41_no_fault_of_a_server_hangs_or_breaks_a_run() {
    for (fault, method, script, said) in FAULTS {
        let server = notes().on(method, script);
        let began = Instant::now();
        let (ran, sent) = read(&server);
        assert!(began.elapsed() < Duration::from_secs(8), "{fault}");
        let said = format!("`@docs:note://a` was not read: MCP server `docs`: {said}");
        assert!(ran.stderr.contains(&said), "{fault}: {}", ran.stderr);
        assert!(ran.stderr.len() < 2000, "{fault}: {}", ran.stderr);
        assert_eq!((ran.code, sent), (42, None), "{fault}");
    }
}

#[test]
fn r41_what_is_too_much_is_cut_and_what_is_odd_is_passed_over() {
    let big = "printf '{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"contents\":[{\"uri\":\"x\",\"text\":\"' $id; \
               head -c 10000000 /dev/zero | tr '\\0' x; printf '\"}]}}\\n'";
    let (ran, sent) = read(&notes().on("resources/read", big));
    ran.exited(0);
    let sent = sent.unwrap();
    assert!(sent.contains("[9900000 bytes are left out]"));
    assert!(sent.len() < 200_000);

    let blob = "answer '{\"contents\":[{\"uri\":\"x\",\"mimeType\":\"image/png\",\"blob\":\"QUJDRA==\"}]}'";
    let (ran, sent) = read(&notes().on("resources/read", blob));
    ran.exited(0);
    assert!(
        sent.unwrap()
            .contains("[4 bytes, image/png: no text, so not shown]")
    );

    // Words on standard output, endless complaints, and a program that cannot be asked to end.
    let noise = "trap '' TERM; echo hello; yes >&2 & echo; echo '[1]'; echo '{}'";
    let (ran, sent) = read(&notes().first(noise));
    ran.exited(0);
    assert!(sent.unwrap().contains("alpha"));
}

/// Whatever a server says of itself, what is listed is bounded, and can be typed and shown.
#[test]
fn r41_lists_are_bounded_and_names_are_shown_as_they_are() {
    let endless = r#"answer '{"resources":[{"uri":"note://a","name":"A"}],"nextCursor":"more"}'"#;
    let many: Vec<Value> = (0..3000)
        .map(|n| json!({"uri": format!("note://{n}"), "name": "N", "description": "d".repeat(500)}))
        .collect();
    let many = format!("answer '{}'", json!({"resources": many}));
    let odd = json!({"resources": [
        {"uri": "note://a\u{1b}[2J", "name": "control"},
        {"uri": "note://\u{202e}b", "name": "hidden"},
        {"uri": "x".repeat(2000), "name": "long"},
        {"uri": "", "name": "none"},
        {"uri": "note://good", "name": "\u{1b}[2J", "description": "two\nlines"},
    ]});
    let odd = format!("answer '{odd}'");
    for (list, said) in [
        (endless, "docs: ready, 100 resources\n"),
        (many.as_str(), "docs: ready, 2000 resources\n"),
        (odd.as_str(), "docs: ready, 1 resource\n"),
        ("echo", "docs: failed: it did not answer in 2 s\n"),
    ] {
        let server = notes().on("resources/list", list);
        let project = Project::new();
        set(&project, &server.settings("docs"));
        let ran = pollux(&project).args(["mcp", "list"]).run().exited(0);
        assert_eq!(ran.stdout, said);
    }
}

/// What a server at an address answers, with what is said of it.
type Fault = (Box<dyn Fn() -> HttpReply + Send>, &'static str);

#[test]
fn r41_no_fault_of_an_address_hangs_or_breaks_a_run() {
    let endless = |reply: HttpReply| {
        let some = vec![b'x'; 1 << 20];
        (0..20).fold(reply, |reply, _| reply.chunk(some.clone()))
    };
    let faults: [Fault; 6] = [
        (
            Box::new(move || {
                endless(HttpReply::status(200).header("content-type", "application/json"))
            }),
            "its answer has more than 16777216 bytes",
        ),
        (
            Box::new(|| HttpReply::sse().stall()),
            "it did not answer in 1 s",
        ),
        (
            Box::new(|| HttpReply::text(200, "hello")),
            "it cannot be reached: Unexpected content type",
        ),
        (
            Box::new(|| HttpReply::json(200, json!({"a": 1}))),
            "its answer is no message of the protocol",
        ),
        (
            Box::new(|| HttpReply::status(503)),
            "it answers 503 Service Unavailable",
        ),
        (Box::new(HttpReply::hang_up), "it cannot be reached: "),
    ];
    for (fault, said) in faults {
        let server = ModelServer::responding(move |_| fault());
        let project = Project::new();
        let url = format!("http://{}/mcp", server.address());
        set(
            &project,
            &format!("[mcp.servers.far]\nurl = '{url}'\ntimeout_ms = 1000\n"),
        );
        let began = Instant::now();
        let ran = pollux(&project).args(["mcp", "list"]).run().exited(0);
        assert!(began.elapsed() < Duration::from_secs(8), "{said}");
        assert!(ran.stdout.starts_with("far: failed: "), "{}", ran.stdout);
        assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
    }
}
