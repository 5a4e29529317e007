//! Commands that look like others: what is asked about is what is run.

use pollux_testkit::{Project, ScriptedReply};
use pollux_types::untrusted::visible_command;
use pollux_types::{ApprovalMode, Decision, Proposal};
use serde_json::json;

use super::support::{Bench, Options};

/// What a person would not see, or would take for something else.
const TRICKS: [&str; 20] = [
    "\x1b[2K\x1b[1A",
    "\r: harmless",
    "\x08\x08\x08",
    "\x7f",
    "\u{9b}31m",
    "\x07",
    "\u{202e}",
    "\u{2066}x\u{2069}",
    "\u{200b}",
    "\u{200d}",
    "\u{feff}",
    "\u{e0041}\u{e0042}",
    "\u{ad}",
    "\u{3164}",
    "\u{a0}",
    "\u{2800}",
    "\u{fe0f}",
    "\t\t\t\t",
    "\u{2019}",
    "\u{ff07}",
];

/// Where they stand; `@` is the trick.
const PLACES: [&str; 10] = [
    ": '@'",
    "# @ looks harmless\n:",
    ": x@y",
    ": \"@\" # and so on",
    ": first\n\n\n: '@'",
    "true '@' && :",
    ": '@' | cat",
    "{ : '@'; }",
    ": $'x' '@'",
    ": '                                                                                @'",
];

/// Each tells what bash was given, to the letter.
fn commands() -> Vec<String> {
    let both = TRICKS
        .iter()
        .flat_map(|trick| PLACES.map(|place| (trick, place)));
    let commands = both.enumerate().map(|(at, (trick, place))| {
        let hostile = place.replace('@', trick);
        format!("{hostile}\nprintf %s \"$BASH_EXECUTION_STRING\" > got-{at}")
    });
    commands.collect()
}

#[tokio::test]
async fn what_was_approved_is_what_is_run() {
    let commands = commands();
    let batches = commands.chunks(20).map(|batch| {
        let call = |reply: ScriptedReply, command: &String| {
            reply.and_call("run_shell_command", json!({"command": command}))
        };
        batch.iter().fold(ScriptedReply::say("Now:"), call)
    });
    let replies = batches.chain([ScriptedReply::say("Done.")]).collect();
    let options = Options {
        approval: ApprovalMode::Default,
        asks: true,
        ..Options::default()
    };
    let mut bench = Bench::with(Project::new(), replies, options);
    bench.submit("go").await;
    for command in &commands {
        let question = bench.question().await;
        let Proposal::Exec { command: asked, .. } = &question.proposal else {
            panic!("{question:?}");
        };
        assert_eq!(asked, command);
        bench.decide(&question, Decision::Approve).await;
    }
    bench.finish().await;
    assert_eq!(commands.len(), 200);
    for (at, command) in commands.iter().enumerate() {
        assert_eq!(bench.project.read(format!("got-{at}")), *command);
    }
}

#[test]
fn every_letter_of_a_command_is_seen() {
    for command in commands() {
        let shown = visible_command(&command);
        let mut rest = shown.as_ref();
        for c in command.chars() {
            let forms = [
                c.to_string(),
                format!("\\u{{{:x}}}", u32::from(c)),
                c.escape_default().to_string(),
                "\\e".to_owned(),
            ];
            let form = forms.iter().find(|form| rest.starts_with(form.as_str()));
            let form = form.unwrap_or_else(|| panic!("{c:?} is not in {shown:?}"));
            rest = &rest[form.len()..];
        }
        assert_eq!(rest, "");
        let is_plain = |c: char| {
            c == '\n' || c == ' ' || c.is_ascii_graphic() || "\u{2019}\u{ff07}".contains(c)
        };
        assert!(shown.chars().all(is_plain), "{shown:?}");
    }
}
