//! Tests of what differs where lines are plain.

use std::time::Duration;

use super::*;

fn plain() -> Repl {
    let repl = Repl::new();
    Repl {
        app: repl.app.plain(),
        ..repl
    }
}

impl Repl {
    fn read(&mut self, line: &str) -> Vec<Effect> {
        self.app.read(line, self.start)
    }

    /// What was printed since the last time, after some time.
    fn printed(&mut self, millis: u64) -> String {
        self.start += Duration::from_millis(millis);
        let lines = self.app.settled(self.start);
        lines.iter().map(|line| line.text() + "\n").collect()
    }
}

#[test]
fn a_line_answers_only_a_question_that_listens() {
    let mut repl = plain();
    repl.hear([started(), Event::ApprovalNeeded(request())]);
    assert!(repl.printed(0).contains("[approve]"));
    assert_eq!(repl.app.wanted(), None);
    assert_eq!(repl.read("y"), []);
    assert!(repl.printed(399).contains("queued"));
    assert_eq!(repl.app.wanted(), None);
    repl.printed(1);
    let asked = repl.app.wanted().map(|lines| lines[0].text());
    assert_eq!(asked.as_deref(), Some("run it? [y/n/always/e] "));
    let effects = repl.read("y");
    assert!(
        matches!(
            effects[..],
            [Effect::Send(Command::Decide {
                decision: Decision::Approve,
                ..
            })]
        ),
        "{effects:?}"
    );
    assert_eq!(repl.app.wanted(), None);
}

#[test]
fn escape_stops_and_words_with_an_escape_in_them_do_not() {
    let mut repl = plain();
    repl.hear([started()]);
    assert_eq!(repl.read("\x1b"), [Effect::Send(Command::Cancel)]);
    assert_eq!(repl.read("\x1b[A"), [], "that waits");
    let mut repl = plain();
    repl.hear([started(), Event::ApprovalNeeded(request())]);
    // Also before the question listens.
    assert_eq!(repl.read("/cancel"), [Effect::Send(Command::Cancel)]);
}

#[test]
fn only_what_the_terminal_does_not_show_is_echoed() {
    let mut repl = plain();
    repl.printed(0);
    assert_eq!(repl.read("one"), [submit("one")]);
    repl.hear([started(), content("Hi.\n")]);
    assert_eq!(repl.read("two"), []);
    repl.hear([Event::PromptEnded(PromptEnd::Completed)]);
    assert_eq!(repl.effects(), [submit("two")]);
    insta::assert_snapshot!(repl.printed(0), @"

    [ANSWER]
    queued: its turn comes when this is done
    Hi.

    context: 0 tokens · model: m1
    [build] /home/app> two
    ");
}

#[test]
fn what_is_waited_for_is_told_in_a_line() {
    let mut repl = plain();
    assert_eq!(repl.app.at_work(repl.start), None);
    repl.hear([started(), called("1", "run_shell_command")]);
    let told = |repl: &Repl| {
        let now = repl.start + Duration::from_secs(5);
        repl.app.at_work(now).map(|line| line.text())
    };
    let working = "working · 5 s · /cancel stops it";
    assert_eq!(told(&repl).as_deref(), Some(working));
    let view = CallView {
        name: "run_shell_command".into(),
        summary: "make\x1b[2J everything that there is to make".into(),
        id: CallId::new("1"),
        status: CallStatus::Executing,
        live: None,
        output: None,
        error: None,
        changes: vec![],
        todos: None,
    };
    repl.hear([Event::ToolCallUpdate(view)]);
    let running = r"running run_shell_command make\e[2… · 5 s · /cancel stops it";
    assert_eq!(told(&repl).as_deref(), Some(running));
    repl.hear([Event::ApprovalNeeded(request())]);
    assert_eq!(told(&repl), None, "it is the person who is waited for");
}

#[test]
fn plain_lines_have_no_colours() {
    let mut repl = plain();
    for line in ["/theme", "/theme ansi", "/theme none"] {
        assert_eq!(repl.read(line), [], "{line}");
        let printed = repl.printed(0);
        assert!(printed.contains("plain lines have no colours"), "{printed}");
        assert!(!printed.contains("theme:"), "{printed}");
    }
}
