//! Tests of what must be answered before anything goes on.

use std::time::Duration;

use pollux_types::{ToolError, ToolErrorKind};

use super::*;

/// How long somebody has to pause before keys are for a question.
const PAUSE: Duration = Duration::from_secs(1);

fn decided(decision: Decision) -> Effect {
    Effect::Send(Command::Decide {
        call: CallId::new("1"),
        fingerprint: "f".into(),
        decision,
    })
}

#[test]
fn a_question_is_answered_by_a_word_and_enter() {
    let mut repl = Repl::new();
    repl.hear([started()])
        .keys("dra")
        .hear([Event::ApprovalNeeded(request())]);
    assert_eq!(repl.effects(), [Effect::Notify("pollux asks for approval")]);
    repl.pass(1000).keys("yess");
    insta::assert_snapshot!(repl.shown(), @"

    [approve] run_shell_command
      $ make
      why: runs a build
      always: from now on allow exactly this command in this
        directory
    ----
    waiting for you · esc to cancel
    run it? [y/n/always/e] yess
    ");
    repl.keys("<enter>");
    assert_eq!(repl.effects(), [], "that is no answer");
    repl.keys("yeah<backspace><backspace>s<enter>");
    assert_eq!(repl.effects(), [decided(Decision::Approve)]);
    // What was being written is still there.
    assert_eq!(repl.app.composer.expanded(), "dra");
}

#[test]
fn what_was_being_typed_answers_nothing() {
    let mut repl = Repl::new();
    repl.hear([started()]).keys("my dra");
    repl.hear([Event::ApprovalNeeded(request())]).effects();
    repl.keys("ft").pass(999).keys(" y<enter>");
    repl.feed(Input::Typed(Typed::Paste(" pasted".into())));
    assert_eq!(repl.effects(), []);
    insta::assert_snapshot!(repl.shown(), @"

    [approve] run_shell_command
      $ make
      why: runs a build
      always: from now on allow exactly this command in this
        directory
    ----
    waiting for you · pause to answer · esc to cancel
    context: 0 tokens · model: m1
    [build] /home/app> my draft y pasted
    ");
    assert_eq!(repl.app.listens_at(), Some(repl.start + PAUSE));
    repl.pass(1000);
    assert!(repl.shown().ends_with("\nrun it? [y/n/always/e]"));
    assert_eq!(repl.app.listens_at(), None);
    repl.keys("y<enter>");
    assert_eq!(repl.effects(), [decided(Decision::Approve)]);
    assert!(repl.shown().ends_with("> my draft y pasted"));
}

#[test]
fn a_question_is_read_before_it_is_answered() {
    let asked = || {
        let mut repl = Repl::new();
        repl.hear([started(), Event::ApprovalNeeded(request())])
            .effects();
        repl
    };
    let mut repl = asked();
    repl.pass(399).keys("y<enter>");
    assert_eq!(repl.effects(), []);
    assert_eq!(repl.app.composer.expanded(), "y");
    let mut repl = asked();
    repl.pass(400).keys("y<enter>");
    assert_eq!(repl.effects(), [decided(Decision::Approve)]);
    // However long ago it came: nobody has seen it.
    let mut repl = asked();
    repl.start += PAUSE;
    repl.keys("y<enter>");
    assert_eq!(repl.effects(), []);
    for (key, does) in [
        ("<esc>", Effect::Send(Command::Cancel)),
        ("<ctrl+c>", Effect::Interrupt),
    ] {
        let mut repl = asked();
        repl.keys("y").keys(key);
        assert_eq!(repl.effects(), [does], "{key} works at any time");
    }
    // Another mode would answer it.
    let mut repl = asked();
    repl.keys("<shift+tab><tab>");
    assert_eq!(repl.effects(), []);
}

#[test]
fn the_persons_own_keys_count_in_questions_too() {
    let keys = [
        ("submit", ["f2"]),
        ("cancel", ["f3"]),
        ("quit", ["f4"]),
        ("deleteLeft", ["f5"]),
        ("left", ["f6"]),
    ];
    let (keymap, _) = Keymap::with(keys);
    let keymap = || keymap.clone();
    let asked = || {
        let mut repl = Repl::with_keys(keymap());
        repl.hear([started(), Event::ApprovalNeeded(request())])
            .pass(400)
            .effects();
        repl
    };
    for (keys, does) in [
        ("xes<f6><f6><f5>y<f2>", decided(Decision::Approve)),
        ("<f3>", Effect::Send(Command::Cancel)),
        ("<f4>", Effect::Interrupt),
        ("no<home><ctrl+k>y<enter>", decided(Decision::Approve)),
    ] {
        let mut repl = asked();
        repl.keys(keys);
        assert_eq!(repl.effects(), [does], "{keys}");
    }
    let (only, _) = Keymap::with([("cancel", ["-", "f3"])]);
    let mut repl = Repl::with_keys(only);
    repl.hear([started(), Event::ApprovalNeeded(request())])
        .pass(400);
    assert!(repl.shown().contains("waiting for you · f3 to cancel"));
    repl.effects();
    repl.keys("<esc>");
    assert_eq!(repl.effects(), []);
}

#[test]
fn the_models_questions_are_asked_one_at_a_time() {
    let question = |text: &str| Question {
        question: text.into(),
        options: ["red", "green"]
            .map(|label| QuestionOption {
                label: label.into(),
                description: None,
            })
            .into(),
    };
    let questions = vec![question("First?"), question("Second?")];
    let asked = || Event::QuestionsAsked {
        questions: questions.clone(),
    };
    let mut repl = Repl::new();
    repl.hear([started(), asked()])
        .pass(400)
        .keys("<enter>2<enter>")
        .pass(400);
    insta::assert_snapshot!(repl.shown(), @"

    [Question 1/2] First?
      1. red (Recommended)
      2. green

    > green
    [Question 2/2] Second?
      1. red (Recommended)
      2. green

    ----
    waiting for you · esc to dismiss the questions
    >
    ");
    repl.effects();
    repl.keys("blue<enter>");
    let answers = Command::Answer(Some(vec!["green".into(), "blue".into()]));
    assert_eq!(repl.effects(), [Effect::Send(answers)]);
    repl.hear([asked()]).pass(400).keys("1<enter>").effects();
    repl.keys("<esc>");
    assert_eq!(repl.effects(), [Effect::Send(Command::Answer(None))]);
    assert!(repl.shown().ends_with("[build] /home/app>"));
    // What was typed ahead answers none that was not read.
    repl.hear([asked()]).pass(400).keys("1<enter>").effects();
    repl.pass(399).keys("2<enter>");
    assert_eq!(repl.effects(), []);
    assert_eq!(repl.app.composer.expanded(), "2");
    repl.pass(1000).keys("2<enter>");
    let answers = Command::Answer(Some(vec!["red".into(), "green".into()]));
    assert_eq!(repl.effects(), [Effect::Send(answers)]);
}

#[test]
fn a_long_answer_is_seen_while_it_is_typed_and_can_be_pasted() {
    let question = Question {
        question: "Which?".into(),
        options: vec![],
    };
    let mut repl = Repl::new();
    repl.hear([
        started(),
        Event::QuestionsAsked {
            questions: vec![question],
        },
    ]);
    repl.pass(400).effects();
    repl.keys(&"word ".repeat(13)).keys("end");
    insta::assert_snapshot!(repl.shown(), @"

    [Question] Which?

    ----
    waiting for you · esc to dismiss the questions
    > word word word word word word word word word word word
    word word end
    ");
    repl.keys("<ctrl+u>");
    repl.feed(Input::Typed(Typed::Paste("one\ntwo\tthree".into())));
    assert!(repl.shown().ends_with("\n> [copy 2 lines]"));
    repl.keys("<enter>");
    let answers = Command::Answer(Some(vec!["one\ntwo\tthree".into()]));
    assert_eq!(repl.effects(), [Effect::Send(answers)]);
}

#[test]
fn what_was_edited_goes_where_it_came_from() {
    let editing = |purpose| Editing {
        content: "draft".into(),
        name: "a.txt".into(),
        purpose,
    };
    let edited = |purpose| Input::Edited(editing(purpose), Ok(Some("mine\n".into())));
    let proposal = |call: &str| edited(Purpose::Proposal(CallId::new(call)));
    let mut repl = Repl::new();
    repl.hear([started(), Event::ApprovalNeeded(request())])
        .effects();
    // While somebody wrote, another question took the place of theirs.
    repl.feed(proposal("another"));
    assert_eq!(repl.effects(), []);
    assert!(repl.shown().contains("note: `a.txt` was not asked about"));
    repl.feed(proposal("1"));
    assert_eq!(repl.effects(), [decided(Decision::Modify("mine\n".into()))]);
    // A message that has come back meanwhile stands before the one that was written.
    repl.keys("later<enter>draft");
    repl.hear([Event::PromptEnded(PromptEnd::UserCancelled)]);
    repl.feed(edited(Purpose::Message));
    assert_eq!(repl.app.composer.expanded(), "later\n\nmine");
}

#[test]
fn answers_leave_a_trace_and_a_refusal_is_no_cancel() {
    let ended = |kind| {
        Event::ToolCallUpdate(CallView {
            id: CallId::new("1"),
            name: "run_shell_command".into(),
            summary: "make".into(),
            status: CallStatus::Cancelled,
            live: None,
            output: None,
            error: Some(ToolError::new(kind, "for the model")),
            changes: vec![],
            todos: None,
        })
    };
    let answered = |keys: &str| {
        let mut repl = Repl::new();
        repl.hear([
            started(),
            called("1", "run_shell_command"),
            Event::ApprovalNeeded(request()),
        ]);
        let kind = match keys {
            "n<enter>" => ToolErrorKind::Refused,
            _ => ToolErrorKind::Cancelled,
        };
        repl.pass(400).keys(keys).hear([ended(kind)]);
        repl.shown()
    };
    let refused = answered("n<enter>");
    assert!(
        refused.contains("  refused by you\n[tool] run_shell_command make\n  refused by you\n"),
        "{refused}"
    );
    let stopped = answered("<esc>");
    assert!(stopped.contains("make\n  cancelled\n"), "{stopped}");
    assert!(!stopped.contains("by you"), "{stopped}");
    assert!(answered("y<enter>").contains("\n  approved by you\n"));
    assert!(
        answered("always<enter>")
            .contains("\n  always, by you: exactly this command in this directory\n")
    );
    assert!(answered("<enter>").contains("note: type one of y, n, always, e, and Enter\n"));
}

#[test]
fn another_approval_mode_can_be_chosen_while_one_is_asked() {
    let mut repl = Repl::new();
    repl.hear([started(), Event::ApprovalNeeded(request())])
        .effects();
    repl.pass(400).keys("<shift+tab>");
    let allowed = Effect::Send(Command::Allow(ApprovalMode::AutoEdit));
    assert_eq!(repl.effects(), [allowed]);
}

#[test]
fn escape_in_a_question_stops_the_whole_run() {
    let mut repl = Repl::new();
    repl.hear([started(), Event::ApprovalNeeded(request())])
        .effects();
    repl.keys("<esc>");
    assert_eq!(repl.effects(), [Effect::Send(Command::Cancel)]);
}

#[test]
fn a_question_that_was_settled_in_another_way_is_gone() {
    let mut repl = Repl::new();
    repl.hear([started(), Event::ApprovalNeeded(request())]);
    let view = CallView {
        id: CallId::new("1"),
        name: "run_shell_command".into(),
        summary: "make".into(),
        status: CallStatus::Executing,
        live: Some("compiling a\ncompiling b".into()),
        output: None,
        error: None,
        changes: vec![],
        todos: None,
    };
    repl.hear([
        called("1", "run_shell_command"),
        Event::ToolCallUpdate(view.clone()),
    ]);
    assert!(repl.shown().ends_with("[build] /home/app>"));
    assert!(
        repl.shown()
            .contains("[tool] run_shell_command make\n  compiling a\n  compiling b")
    );
    let ended = CallView {
        status: CallStatus::Success,
        live: None,
        output: Some("done\n".into()),
        ..view
    };
    repl.hear([Event::ToolCallUpdate(ended)]);
    assert!(
        repl.shown()
            .contains("[tool] run_shell_command make\n  ok: exit=0 duration=0ms\n  done\n----")
    );
}

#[test]
fn changes_that_were_approved_are_shown_once() {
    let change = |name: &str| FileChange {
        path: name.into(),
        diff: format!("@@ -0,0 +1 @@\n+in {name}\n"),
        added: 1,
        removed: 0,
    };
    let asks = |name: &str| {
        Event::ApprovalNeeded(ApprovalRequest {
            call: CallId::new(name),
            proposal: Proposal::Edit {
                change: change(name),
                content: None,
            },
            ..request()
        })
    };
    let done = |name: &str| {
        Event::ToolCallUpdate(CallView {
            id: CallId::new(name),
            name: "write_file".into(),
            summary: name.into(),
            status: CallStatus::Success,
            live: None,
            output: None,
            error: None,
            changes: vec![change(name)],
            todos: None,
        })
    };
    let mut repl = Repl::new();
    repl.hear([
        started(),
        called("one", "write_file"),
        called("two", "write_file"),
    ]);
    repl.hear([asks("one")]).pass(400).keys("y<enter>");
    repl.hear([asks("two")]).pass(400).keys("y<enter>");
    repl.hear([done("one"), done("two")]);
    let shown = repl.shown();
    assert_eq!(shown.matches("+in one").count(), 1, "{shown}");
    assert_eq!(shown.matches("+in two").count(), 1, "{shown}");
    assert_eq!(shown.matches("  ok: +1 -0").count(), 2, "{shown}");
}
