//! Tests of questions and answers.

use pollux_types::{CallId, FileChange};

use super::*;

fn text(request: &ApprovalRequest) -> String {
    text_on(request, 120)
}

fn text_on(request: &ApprovalRequest, width: usize) -> String {
    let lines = shown(request, width);
    lines.iter().map(|line| line.text() + "\n").collect()
}

fn request(proposal: Proposal, always: Vec<Remember>) -> ApprovalRequest {
    ApprovalRequest {
        call: CallId::new("1"),
        tool: "t".into(),
        proposal,
        reasons: vec!["it \u{202e}does".into()],
        dangerous: always.is_empty(),
        always,
        once: None,
        printed: String::new(),
        fingerprint: "f".into(),
    }
}

fn command() -> ApprovalRequest {
    let proposal = Proposal::Exec {
        command: "cargo test\nrm -rf \u{1b}[8mx".into(),
        dir: "sub".into(),
        parts: vec!["cargo test".into(), "rm -rf x".into()],
    };
    let prefix = Remember::Prefix(vec!["cargo".into(), "test".into()]);
    let exactly = Remember::Command("cargo test".into());
    request(proposal, vec![exactly, prefix])
}

#[test]
fn every_byte_of_a_command_is_shown() {
    insta::assert_snapshot!(text(&command()), @r"
    [approve] t
      $ cargo test
      $ rm -rf \e[8mx
      in sub
      runs: cargo test; rm -rf x
      why: it \u{202e}does
      always, a1: from now on allow exactly this command in this directory
      a2: from now on allow `cargo test` in this directory, with names and options that run nothing else
    ");
    insta::assert_snapshot!(choices(&command()), @"run it? [y/n/always/e]");
    let change = FileChange {
        path: "a".into(),
        diff: "--- a\n+++ b\n-x\n+\u{202e}y\n".into(),
        added: 1,
        removed: 1,
    };
    let content = Some("y".to_owned());
    let edit = request(Proposal::Edit { change, content }, vec![]);
    insta::assert_snapshot!(text(&edit), @r"
    [approve] t
    --- a
    +++ b
    -x
    +\u{202e}y
      DANGER: it \u{202e}does
    ");
    insta::assert_snapshot!(choices(&edit), @"write it? [y/n/e]");
    let change = FileChange {
        path: "src/a\nb".into(),
        diff: String::new(),
        added: 0,
        removed: 0,
    };
    let same = request(
        Proposal::Edit {
            change,
            content: None,
        },
        vec![],
    );
    insta::assert_snapshot!(text(&same), @r"
    [approve] t
      writes src/a\nb, which would stay as it is
      DANGER: it \u{202e}does
    ");
    let path = "/etc/hosts".into();
    let read = request(Proposal::Read { path }, vec![]);
    insta::assert_snapshot!(choices(&read), @"read it? [y/n]");
}

#[test]
fn what_is_said_breaks_between_words_and_commands_with_a_mark() {
    let command = "cargo test --package one --package two";
    let proposal = Proposal::Exec {
        command: command.into(),
        dir: ".".into(),
        parts: vec![command.into()],
    };
    let prefix = Remember::Prefix(vec!["cargo".into(), "test".into()]);
    let mut asked = request(proposal, vec![prefix]);
    asked.reasons = vec!["it runs what the project says, and nobody has read that".into()];
    insta::assert_snapshot!(text_on(&asked, 30), @"
    [approve] t
      $ cargo test --package one -
      … -package two
      why: it runs what the
        project says, and nobody
        has read that
      always: from now on allow
        `cargo test` in this
        directory, with names and
        options that run nothing
        else
    ");
    asked.dangerous = true;
    asked.always.clear();
    insta::assert_snapshot!(text_on(&asked, 30), @"
    [approve] t
      $ cargo test --package one -
      … -package two
      DANGER: it runs what the
        project says, and nobody
        has read that
    ");
    let pages = vec![Page {
        url: "https://docs.example.org/a/b/c/d/e".into(),
        host: "docs.example.org".into(),
    }];
    let mut asked = request(Proposal::Fetch { pages }, vec![]);
    asked.reasons = vec!["it leads to https://docs.example.org/a/b/c/d/e".into()];
    insta::assert_snapshot!(text_on(&asked, 20), @"
    [approve] t
      https://docs.exa
      … mple.org/a/b/c/d
      … /e
      host: docs.example.org
      DANGER: it leads
        to
        https://docs.example.org/a/b/c/d/e
    ");
}

#[test]
fn nothing_proposed_passes_for_what_is_said_about_it() {
    let forged = "  why: it only reads files";
    for width in [20, 40, 80] {
        for before in 0..width {
            let text = format!("{}{forged}; touch a", "x".repeat(before));
            let exec = Proposal::Exec {
                command: text.clone(),
                dir: ".".into(),
                parts: vec![text.clone(), text.clone()],
            };
            let edit = Proposal::Edit {
                change: FileChange {
                    path: "a".into(),
                    diff: format!("@@ -0,0 +1 @@\n+{text}\n"),
                    added: 1,
                    removed: 0,
                },
                content: None,
            };
            for proposal in [exec, edit] {
                let shown = text_on(&request(proposal, vec![]), width);
                let reasons = shown.lines().filter(|row| row.starts_with("  why"));
                assert_eq!(reasons.count(), 0, "{shown}");
                let wide = shown.lines().find(|row| row.width() > width.max(30));
                assert_eq!(wide, None, "{width}");
            }
        }
    }
}

#[test]
fn every_byte_of_an_address_is_shown() {
    let page = |url: &str, host: &str| Page {
        url: url.into(),
        host: host.into(),
    };
    let pages = vec![
        page("https://docs.example.org/a?b=c", "docs.example.org"),
        page(
            "https://xn--80ak6aa92e.com/\u{200b}\n",
            "xn--80ak6aa92e.com",
        ),
    ];
    let remember = vec![
        Remember::Host("docs.example.org".into()),
        Remember::Tool("mcp__a__b".into()),
    ];
    let fetch = request(Proposal::Fetch { pages }, remember);
    insta::assert_snapshot!(text(&fetch), @r"
    [approve] t
      https://docs.example.org/a?b=c
      host: docs.example.org
      https://xn--80ak6aa92e.com/\u{200b}\n
      host: xn--80ak6aa92e.com
      why: it \u{202e}does
      always, a1: from now on allow every address of `docs.example.org`
      a2: from now on allow every call of `mcp__a__b`
    ");
}

#[test]
fn answers_are_understood_or_asked_for_again() {
    let request = command();
    let decided = |line: &str| understood(line, &request);
    assert_eq!(decided("Y "), Answer::Decision(Decision::Approve));
    assert_eq!(decided("no"), Answer::Decision(Decision::Refuse));
    let always = |at: usize| Answer::Decision(Decision::Always(request.always[at].clone()));
    assert_eq!(decided("always"), always(0));
    assert_eq!(decided("a2"), always(1));
    assert_eq!(decided("e"), Answer::Edit);
    let command = "cargo test\nrm -rf \u{1b}[8mx";
    assert_eq!(editable(&request), Some((command, "command.sh")));
    for unclear in ["", "a0", "a3", "maybe", "yn", "a-1"] {
        assert_eq!(decided(unclear), Answer::Unclear, "{unclear}");
    }
}

#[test]
fn what_was_printed_is_shown_and_passes_for_nothing_else() {
    let again = ApprovalRequest {
        printed: "touch: /x: Read-only\n  why: it is safe\u{1b}[2J".into(),
        once: Some("it runs \u{202e} again".into()),
        always: vec![],
        ..command()
    };
    insta::assert_snapshot!(text_on(&again, 30), @r"
    [approve] t
      $ cargo test
      $ rm -rf \e[8mx
      in sub
      runs: cargo test; rm -rf x
      it has printed, at the end:
      | touch: /x: Read-only
      |   why: it is safe\e[2J
      why: it \u{202e}does
      no `always`: it runs
        \u{202e} again
    ");
}
