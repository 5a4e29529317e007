//! Asking on a terminal, a line at a time.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

use pollux_types::untrusted::visible;
use pollux_types::{ApprovalRequest, Decision, Proposal, Remember};

/// What the person has typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Decision(Decision),
    /// Change the proposal in an editor.
    Edit,
    /// Not understood.
    Unclear,
}

/// The question as it is shown. Every byte of what would happen is in it.
pub(super) fn shown(request: &ApprovalRequest) -> String {
    let mut out = String::new();
    let mut line = |text: &str| writeln!(out, "{text}").expect("a String takes any text");
    line(&format!("[approve] {}", visible(&request.tool)));
    match &request.proposal {
        Proposal::Edit { change, .. } => {
            change
                .diff
                .lines()
                .for_each(|diff| line(&format!("  {}", visible(diff))));
        }
        Proposal::Exec {
            command,
            dir,
            parts,
        } => {
            for text in command.split('\n') {
                line(&format!("  $ {}", visible(text)));
            }
            if dir != "." {
                line(&format!("  in {}", visible(dir)));
            }
            if parts.len() > 1 {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| visible(part).into_owned())
                    .collect();
                line(&format!("  runs: {}", parts.join("; ")));
            }
        }
        Proposal::Read { path } => line(&format!("  reads {}", visible(path))),
        Proposal::Other { summary } => line(&format!("  {}", visible(summary))),
    }
    for reason in &request.reasons {
        let mark = if request.dangerous { "DANGER" } else { "why" };
        line(&format!("  {mark}: {}", visible(reason)));
    }
    for (number, remember) in request.always.iter().enumerate() {
        line(&format!(
            "  a{}: always allow {}",
            number + 1,
            in_words(remember)
        ));
    }
    out
}

/// What can be typed.
pub(super) fn choices(request: &ApprovalRequest) -> String {
    let mut choices = vec!["y", "n"];
    if !request.always.is_empty() {
        choices.push("always");
    }
    if can_edit(request) {
        choices.push("e");
    }
    format!("run it? [{}] ", choices.join("/"))
}

/// What an answer means.
pub(super) fn understood(line: &str, request: &ApprovalRequest) -> Answer {
    let line = line.trim().to_lowercase();
    let always = |number: usize| match request.always.get(number.wrapping_sub(1)) {
        Some(remember) => Answer::Decision(Decision::Always(remember.clone())),
        None => Answer::Unclear,
    };
    match line.as_str() {
        "y" | "yes" => Answer::Decision(Decision::Approve),
        "n" | "no" => Answer::Decision(Decision::Refuse),
        "a" | "always" => always(1),
        "e" | "edit" if can_edit(request) => Answer::Edit,
        other => match other.strip_prefix('a').map(str::parse) {
            Some(Ok(number)) => always(number),
            _ => Answer::Unclear,
        },
    }
}

/// Lets the person change the proposal; `None` if it stays as it is.
pub(super) fn edited(request: &ApprovalRequest, editor: &str) -> io::Result<Option<String>> {
    let Proposal::Edit {
        content: Some(content),
        change,
    } = &request.proposal
    else {
        return Ok(None);
    };
    let name = Path::new(&change.path).file_name();
    let name = name.map_or_else(|| "proposal".into(), |name| name.to_string_lossy());
    // The editor goes by the ending of the name.
    let mut file = tempfile::Builder::new()
        .prefix("pollux-")
        .suffix(&format!("-{name}"))
        .tempfile()?;
    file.write_all(content.as_bytes())?;
    file.flush()?;
    if !pollux_exec::edit(editor, file.path())? {
        return Err(io::Error::other(format!("`{editor}` failed")));
    }
    let new = std::fs::read_to_string(file.path())?;
    Ok((new != *content).then_some(new))
}

fn can_edit(request: &ApprovalRequest) -> bool {
    matches!(&request.proposal, Proposal::Edit { content, .. } if content.is_some())
}

fn in_words(remember: &Remember) -> String {
    match remember {
        Remember::Command(_) => "exactly this command".to_owned(),
        Remember::Prefix(words) => format!("what begins with `{}`", visible(&words.join(" "))),
        Remember::Edits(path) => format!("changes to `{}`", visible(path)),
        Remember::Reads(path) => format!("reading `{}`", visible(path)),
    }
}

#[cfg(test)]
mod tests {
    use pollux_types::{CallId, FileChange};

    use super::*;

    fn request(proposal: Proposal, always: Vec<Remember>) -> ApprovalRequest {
        ApprovalRequest {
            call: CallId::new("1"),
            tool: "t".into(),
            proposal,
            reasons: vec!["it \u{202e}does".into()],
            dangerous: always.is_empty(),
            always,
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
        insta::assert_snapshot!(shown(&command()), @r"
        [approve] t
          $ cargo test
          $ rm -rf \e[8mx
          in sub
          runs: cargo test; rm -rf x
          why: it \u{202e}does
          a1: always allow exactly this command
          a2: always allow what begins with `cargo test`
        ");
        insta::assert_snapshot!(choices(&command()), @"run it? [y/n/always]");
        let change = FileChange {
            path: "a".into(),
            diff: "--- a\n+++ b\n-x\n+\u{202e}y\n".into(),
            added: 1,
            removed: 1,
        };
        let content = Some("y".to_owned());
        let edit = request(Proposal::Edit { change, content }, vec![]);
        insta::assert_snapshot!(shown(&edit), @r"
        [approve] t
          --- a
          +++ b
          -x
          +\u{202e}y
          DANGER: it \u{202e}does
        ");
        insta::assert_snapshot!(choices(&edit), @"run it? [y/n/e]");
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
        for unclear in ["", "a0", "a3", "e", "maybe", "yn", "a-1"] {
            assert_eq!(decided(unclear), Answer::Unclear, "{unclear}");
        }
    }
}
