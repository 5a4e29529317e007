//! How soon a key is on the screen: at rest, in a long session, and while an answer streams in.
//!
//! The reference is the kernel's own echo, on a terminal like pollux's.

use std::path::Path;
use std::time::{Duration, Instant};

use pollux_testkit::{CommandSpec, HttpReply, ModelServer, Project, Terminal, Turn};
use serde_json::json;

/// Keys for each row.
const KEYS: u32 = 100;

/// The time between two words of a stream.
const PACE: Duration = Duration::from_millis(10);

/// What one situation is like, with the kernel's echo first.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) median: [Duration; 2],
    /// One key in twenty takes longer.
    pub(super) p95: [Duration; 2],
}

/// Each situation in turn.
pub(super) fn rows(pollux: &Path) -> Vec<Row> {
    let at_rest = |_: &ModelServer, _: &Terminal| ();
    vec![
        row("key at rest", pollux, at_rest),
        row("key after 10,000 lines", pollux, after_a_long_session),
        row("key while text streams", pollux, while_text_streams),
    ]
}

fn row(name: &'static str, pollux: &Path, prepare: impl Fn(&ModelServer, &Terminal)) -> Row {
    let echo = Terminal::spawn(&CommandSpec::new("cat"), 40, 120);
    let project = Project::new();
    let server = ModelServer::start(Vec::new());
    let repl = Terminal::spawn(&repl(pollux, &project, &server), 40, 120);
    repl.wait_for("[build]");
    prepare(&server, &repl);
    let mut times = [Vec::new(), Vec::new()];
    for n in 0..KEYS {
        times[0].push(press(&echo, n));
        times[1].push(press(&repl, n));
    }
    for times in &mut times {
        times.sort();
    }
    let at = |share: usize| [0, 1].map(|who| times[who][times[who].len() * share / 100]);
    Row {
        name,
        median: at(50),
        p95: at(95),
    }
}

fn repl(pollux: &Path, project: &Project, server: &ModelServer) -> CommandSpec {
    let url = server.base_url();
    let flags = ["--provider", "openai", "-m", "bench", "--base-url", &url];
    CommandSpec::new(pollux)
        .args(flags)
        .env("POLLUX_HOME", project.pollux_home().display().to_string())
        .env("OPENAI_API_KEY", "bench")
        .cwd(project.path())
}

/// A key whose letter nothing else on the screen has, until it is there.
fn press(terminal: &Terminal, n: u32) -> Duration {
    let letter = char::from_u32(0x4E00 + n).unwrap_or('一').to_string();
    let written = terminal.bytes().len();
    let started = Instant::now();
    terminal.keys(&letter);
    terminal.wait_for_bytes(|bytes| {
        let mut new = bytes[written..].windows(letter.len());
        new.any(|piece| piece == letter.as_bytes())
    });
    started.elapsed()
}

fn after_a_long_session(server: &ModelServer, repl: &Terminal) {
    let lines = (0..1_000).map(|n| format!("- line {n} of an answer\n"));
    let answer: String = lines.collect();
    for round in 0..10 {
        let end = format!("the end of answer {round}");
        server.push(Turn::text([answer.clone(), format!("\n{end}")]).openai());
        repl.keys("go<enter>").wait_for(&end);
    }
}

fn while_text_streams(server: &ModelServer, repl: &Terminal) {
    let say = |reply: HttpReply, words: &str| {
        let delta = json!({"choices": [{"index": 0, "delta": {"content": words}}]});
        reply.event(delta).delay(PACE)
    };
    let words = [
        "some ",
        "words ",
        "**of** ",
        "an ",
        "`answer`, ",
        "a\n\nline ",
    ];
    let stream = words.iter().cycle().take(3_000);
    server.push(stream.fold(HttpReply::sse(), |reply, words| say(reply, words)));
    repl.keys("go<enter>").wait_for("an answer, a");
}
