//! Tests of the prompt, and of what is written and waits there.

use super::*;

#[test]
fn messages_that_wait_are_walked_through_without_losing_or_doubling_any() {
    let mut repl = Repl::new();
    repl.keys("old<enter>").hear([started()]);
    repl.keys("one<enter>two<enter>").effects();
    for (key, written) in [
        ("<up>", "two"),
        ("<up>", "one"),
        ("<up>", "old"),
        ("<down>", ""),
        ("<up>", "two"),
        ("<up>", "one"),
        ("<down>", "two"),
        ("<down>", ""),
        ("<up>", "two"),
        ("<up>", "one"),
    ] {
        repl.keys(key);
        assert_eq!(repl.app.composer.expanded(), written);
    }
    repl.keys("!<enter>");
    let waits = "queued (up to edit):\n  one!\n  two\n";
    assert!(repl.shown().contains(waits), "{}", repl.shown());
    for message in ["one!", "two"] {
        repl.hear([Event::PromptEnded(PromptEnd::Completed)]);
        assert_eq!(repl.effects(), [submit(message)]);
        repl.hear([started()]);
    }
    repl.keys("<up>");
    assert_eq!(repl.app.composer.expanded(), "two", "it was sent");
}

#[test]
fn escape_gives_back_what_waits_in_its_order_and_as_it_was_written() {
    let mut repl = Repl::new();
    repl.hear([started()]).keys("see: ");
    repl.feed(Input::Typed(Typed::Paste("a\nb\nc".into())));
    repl.keys("<enter>two<enter>three<enter><up><up>!<esc>");
    repl.hear([Event::PromptEnded(PromptEnd::UserCancelled)]);
    let shown = repl.shown();
    assert!(
        shown.ends_with("> see: [copy 3 lines]\n\ntwo!\n\nthree"),
        "{shown}"
    );
    repl.effects();
    repl.keys("<enter>");
    assert_eq!(repl.effects(), [submit("see: a\nb\nc\n\ntwo!\n\nthree")]);
}

#[test]
fn a_long_message_is_shown_around_the_cursor() {
    let mut repl = Repl::new();
    repl.app.resize(Size {
        width: 40,
        height: 12,
    });
    let lines: Vec<String> = (1..=20).map(|number| format!("line {number}.")).collect();
    repl.keys(&lines.join("<ctrl+j>"));
    for (ups, first, last) in [
        (0, "line 11.", "line 20."),
        (3, "line 11.", "line 20."),
        (10, "line 2.", "line 11."),
        (6, "line 1.", "line 10."),
    ] {
        repl.keys(&"<up>".repeat(ups));
        let shown = repl.shown();
        let rows = shown
            .lines()
            .skip_while(|line| !line.starts_with("context:"));
        let rows: Vec<&str> = rows.skip(1).collect();
        assert_eq!(rows.len(), 10, "{shown}");
        assert!(rows[0].ends_with(first), "{shown}");
        assert!(rows[9].ends_with(last), "{shown}");
    }
}

#[test]
fn a_narrow_screen_tells_how_to_stop_rather_than_how_much_was_said() {
    let mut repl = Repl::new();
    repl.hear([started(), content(&"word ".repeat(1_000))]);
    for (width, told) in [
        (45, "⠋ working · 0 s · 1250 tokens · esc to cancel"),
        (44, "⠋ working · 0 s · esc to cancel"),
    ] {
        repl.app.resize(Size { width, height: 20 });
        let shown = repl.shown();
        assert!(shown.contains(&format!("\n{told}\n")), "{shown}");
    }
}

#[test]
fn a_paste_stays_a_block_when_it_is_sent() {
    let mut repl = Repl::new();
    repl.keys("  see ");
    repl.feed(Input::Typed(Typed::Paste("line\n".repeat(3_000))));
    repl.keys(" <enter>");
    assert_eq!(
        repl.effects(),
        [submit(&format!(
            "see {}",
            "line\n".repeat(3_000).trim_end()
        ))]
    );
    let shown = repl.shown();
    assert!(
        shown.contains("/home/app> see [copy 3000 lines]\n"),
        "{shown}"
    );
    assert!(shown.lines().count() < 10, "{shown}");
}

#[test]
fn blanks_around_what_is_typed_mean_nothing() {
    let mut repl = Repl::new();
    repl.keys(" !pwd <enter>");
    let command = Command::Run {
        command: "pwd".into(),
        raw: "!pwd".into(),
    };
    assert_eq!(repl.effects(), [Effect::Send(command)]);
    repl.hear([started(), Event::PromptEnded(PromptEnd::Completed)])
        .effects();
    repl.keys("  hello  <enter>");
    assert_eq!(repl.effects(), [submit("hello")]);
    let mut repl = Repl::new();
    repl.keys("!<enter>");
    assert_eq!(repl.effects(), []);
    assert!(repl.shown().contains("note: a command to run follows"));
}

#[test]
fn on_a_low_screen_the_prompt_and_what_is_selected_are_seen() {
    let mut repl = Repl::new();
    repl.app.resize(Size {
        width: 80,
        height: 6,
    });
    repl.keys("/<down><down><down><down><down>");
    let live = repl.shown();
    let live: Vec<&str> = live.lines().skip(1).collect();
    assert!(live.len() <= 5, "{live:?}");
    assert!(live[0].starts_with("context: "), "{live:?}");
    assert!(live[1].starts_with("[build] "), "{live:?}");
    assert!(live.iter().any(|line| line.starts_with("> /")), "{live:?}");
    let mut repl = Repl::new();
    repl.app.resize(Size {
        width: 80,
        height: 6,
    });
    repl.hear([started()])
        .keys("a<enter>b<enter>c<enter>d<enter>e");
    let live = repl.shown();
    assert!(live.ends_with("model: m1\n[build] /home/app> e"), "{live}");
    assert!(live.lines().count() <= 6, "{live}");
}

#[test]
fn the_place_is_shortened_only_if_there_is_no_room_to_type() {
    let mut repl = Repl::new();
    repl.app.status.home = Some("/home/somebody".into());
    repl.app.status.cwd = "/home/somebody/work/here".into();
    let prompt = |repl: &mut Repl, width| {
        repl.app.resize(Size { width, height: 20 });
        repl.shown().lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(prompt(&mut repl, 45), "[build] /home/somebody/work/here>");
    assert_eq!(prompt(&mut repl, 44), "[build] ~/work/here>");
    assert_eq!(prompt(&mut repl, 26), "[build] …/here>");
    // On a wide screen there is room enough.
    repl.app.status.cwd = "/long".repeat(12);
    let whole = format!("[build] {}>", repl.app.status.cwd);
    assert_eq!(prompt(&mut repl, 90), whole);
    assert_eq!(prompt(&mut repl, 89), "[build] …/long>");
    repl.app.status.cwd = "/home/somebody/work/here".into();
    repl.app.status.model = "a-model-with-a-long-name".into();
    repl.app.resize(Size {
        width: 30,
        height: 20,
    });
    let shown = repl.shown();
    assert!(
        shown.contains("model:\na-model-with-a-long-name\n"),
        "{shown}"
    );
    repl.app.status.model.clear();
    repl.app.resize(Size {
        width: 60,
        height: 20,
    });
    assert!(repl.shown().contains("model: looking .."));
}

#[test]
fn suggestions_come_back_when_there_is_something_to_suggest() {
    let mut repl = Repl::new();
    repl.keys("/exi");
    assert!(repl.shown().contains("> /exit  leave"), "{}", repl.shown());
    let mut repl = Repl::new();
    repl.keys("see @gi");
    assert!(
        repl.shown().contains("> git  what has changed here"),
        "{}",
        repl.shown()
    );
}

#[test]
fn on_a_tiny_screen_what_is_typed_is_seen() {
    let mut repl = Repl::new();
    repl.app.resize(Size {
        width: 10,
        height: 4,
    });
    repl.keys("hello there");
    let view = repl.app.view(repl.start);
    let live: Vec<String> = view.live.iter().map(Line::text).collect();
    assert_eq!(live, ["context: …", "hello ", "there"]);
}
