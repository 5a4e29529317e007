//! What slash commands do.

use pollux_types::{Again, CommandRan, SessionId, Told};

use super::*;

#[test]
fn what_is_copied_is_the_answer_that_counts() {
    let changed = || Event::ModelChanged {
        provider: "p".into(),
        model: "m2".into(),
        reason: "m1 is gone".into(),
    };
    let mut repl = Repl::new();
    repl.hear([
        started(),
        content("void "),
        changed(),
        content("a thought "),
        Event::WasThought,
        content("Yes."),
        Event::PromptEnded(PromptEnd::Completed),
        changed(),
    ]);
    repl.effects();
    repl.keys("/copy<enter>");
    assert_eq!(repl.effects(), [Effect::Copy("Yes.".into())]);
    assert!(repl.shown().contains("copied the answer: 1 line\n"));
}

#[test]
fn what_a_command_printed_is_copied_until_something_is_answered() {
    let ran = |stdout: &str, stderr: &str| {
        Event::CommandRan(CommandRan {
            stdout: stdout.into(),
            stderr: stderr.into(),
            ..CommandRan::default()
        })
    };
    let mut repl = Repl::new();
    repl.keys("/copy<enter>");
    assert_eq!(repl.effects(), []);
    assert!(repl.shown().contains("error: there is no answer to copy"));
    let ended = || Event::PromptEnded(PromptEnd::Completed);
    repl.hear([started(), ran("  one\ntwo\n", "three\n"), ended()]);
    repl.effects();
    repl.keys("/copy<enter>");
    assert_eq!(repl.effects(), [Effect::Copy("  one\ntwo\nthree".into())]);
    assert!(
        repl.shown()
            .contains("copied what the command printed: 3 lines\n")
    );
    repl.hear([started(), ran("", ""), ended()]);
    repl.effects();
    repl.keys("/copy<enter>");
    assert_eq!(repl.effects(), []);
    assert!(
        repl.shown()
            .contains("error: the command has printed nothing")
    );
    repl.hear([started(), content("Yes."), ended()]);
    repl.effects();
    repl.keys("/copy<enter>");
    assert_eq!(repl.effects(), [Effect::Copy("Yes.".into())]);
}

fn session(id: &str, told: Vec<Told>) -> Event {
    Event::SessionChanged {
        session: SessionId::new(id),
        provider: "p".into(),
        model: "m1".into(),
        again: Again { left_out: 0, told },
        todos: vec![],
    }
}

#[test]
fn a_new_session_tells_how_to_come_back() {
    let mut repl = Repl::new();
    repl.hear([session("s-1", vec![])]);
    assert!(!repl.shown().contains("session"), "nobody asked for it");
    repl.hear([session("s-2", vec![])]);
    assert!(repl.shown().contains("note: a new session has begun\n"));
    repl.hear([started(), Event::PromptEnded(PromptEnd::Completed)]);
    // Where nothing was said, there is nothing to come back to.
    for id in ["s-3", "s-4"] {
        repl.hear([session(id, vec![])]);
        let back = "begun; `/resume s-2` goes";
        assert!(repl.shown().contains(back), "{}", repl.shown());
        repl.settled.clear();
    }
    repl.hear([session("s-5", vec![Told::Prompt("Hi".into())])]);
    assert!(!repl.shown().contains("begun"));
    repl.hear([session("s-6", vec![])]);
    assert!(repl.shown().contains("`/resume s-5`"));
}

#[test]
fn what_others_have_to_be_asked_for_comes_later() {
    let choice = |word: &str| Choice {
        word: word.into(),
        description: String::new(),
    };
    let known = |looking| Input::Choices {
        of: Choices::Models,
        choices: vec![choice("offline")],
        looking,
    };
    let all = || Input::AllChoices(Choices::Models, vec![choice("offline"), choice("qwen3")]);
    let mut repl = Repl::new();
    repl.keys("/model ").feed(known(true));
    assert!(
        repl.shown().ends_with("\n> offline\n  still looking .."),
        "{}",
        repl.shown()
    );
    repl.feed(all());
    assert!(
        repl.shown().ends_with("\n> offline\n  qwen3"),
        "{}",
        repl.shown()
    );
    // Nothing opens by itself.
    repl.keys("<ctrl+u>/model ")
        .feed(known(true))
        .keys("<esc>")
        .feed(all());
    assert!(repl.shown().ends_with("> /model"), "{}", repl.shown());
}
