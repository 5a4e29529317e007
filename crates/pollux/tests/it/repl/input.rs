//! 2 Input, and the input layer of document 000.

use pollux_testkit::{Gate, Project, Protocol, Stdin, Turn};

use super::super::support::talking_to;
use super::{Repl, Start};

fn answers(count: usize) -> Vec<Turn> {
    let answers = (1..=count).map(|number| Turn::text([format!("Answer {number}.")]));
    answers.collect()
}

/// What the model was sent last in request `number`.
fn asked(repl: &Repl, number: usize) -> String {
    let requests = repl.server.wait_for_requests(number + 1);
    let body = requests[number].json();
    let messages = body["messages"].as_array().unwrap();
    let content = &messages.last().unwrap()["content"];
    content.as_str().unwrap().to_owned()
}

#[test]
fn s3_04_enter_sends_and_s0_06_clears() {
    let repl = Repl::new(answers(1));
    repl.keys("hello there<enter>").sees("Answer 1.").ready();
    assert_eq!(asked(&repl, 0), "hello there");
    repl.quit();
}

#[test]
fn s3_05_several_pasted_lines_show_as_a_block_and_are_sent_whole() {
    let repl = Repl::new(answers(1));
    repl.terminal.paste("one\ntwo\n\tthree <b>\n");
    repl.typed("[copy 3 lines]").keys(" and more");
    repl.typed("[copy 3 lines] and more").keys("<enter>");
    repl.sees("Answer 1.");
    let asked = asked(&repl, 0);
    assert!(asked.starts_with("one\ntwo\n"), "{asked:?}");
    assert!(asked.contains("three <b>"), "{asked:?}");
    assert!(asked.ends_with(" and more"), "{asked:?}");
}

#[test]
fn s3_05_one_pasted_line_is_as_if_typed_and_sends_nothing() {
    let repl = Repl::new(answers(1));
    repl.terminal.paste("just this\n");
    repl.typed("just this").keys("<left><left><bs>");
    repl.typed("just tis").keys("<enter>").sees("Answer 1.");
    assert_eq!(asked(&repl, 0), "just tis");
}

#[test]
fn s3_05_a_paste_of_ten_megabytes_does_not_freeze() {
    let repl = Repl::new(answers(1));
    let line = "0123456789 ".repeat(9) + "\n";
    let text = line.repeat(100_000);
    assert!(text.len() >= 10_000_000);
    repl.terminal.paste(&text);
    repl.typed("[copy 100000 lines]").keys(" end");
    repl.typed("[copy 100000 lines] end")
        .keys("<esc>")
        .typed("");
    repl.quit();
}

#[test]
fn s3_06_what_is_piped_is_one_message() {
    let project = Project::new();
    let server = pollux_testkit::ModelServer::speaking(Protocol::OpenAi, answers(1));
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .stdin("first\nsecond\n")
        .run()
        .exited(0);
    assert_eq!(ran.stdout, "Answer 1.\n");
    assert!(server.requests()[0].text().contains("first\\nsecond"));
}

#[test]
fn d30_a_prompt_given_does_not_wait_for_an_open_silent_input() {
    let project = Project::new();
    let server = pollux_testkit::ModelServer::speaking(Protocol::OpenAi, answers(1));
    let ran = talking_to(&project, &server, Protocol::OpenAi)
        .args(["hello"])
        .stdin(Stdin::Silent)
        .run()
        .exited(0);
    assert_eq!(ran.stdout, "Answer 1.\n");
}

#[test]
fn s3_07_tab_toggles_the_mode_only_when_nothing_is_typed() {
    let repl = Repl::new([]);
    repl.keys("<tab>").sees("[plan] ").keys("<tab>");
    repl.sees("[build] ").keys("x<tab>").typed("x");
    repl.keys("<bs><tab>").sees("[plan] ");
}

#[test]
fn s3_08_up_goes_back_to_the_oldest_and_stays_there() {
    let repl = Repl::new(answers(3));
    for number in 1..=3 {
        repl.keys(&format!("input {number}<enter>"));
        repl.sees(&format!("Answer {number}.")).ready();
    }
    repl.keys("<up>").typed("input 3");
    repl.keys("<up>").typed("input 2");
    repl.keys("<up>").typed("input 1");
    repl.keys("<up>x").typed("input 1x");
}

#[test]
fn s3_09_down_goes_forward_and_past_the_newest_to_an_empty_line() {
    let repl = Repl::new(answers(2));
    for number in 1..=2 {
        repl.keys(&format!("input {number}<enter>"));
        repl.sees(&format!("Answer {number}.")).ready();
    }
    repl.keys("draft<up>").typed("input 2");
    repl.keys("<up>").typed("input 1");
    repl.keys("<down>").typed("input 2");
    // No draft is kept.
    repl.keys("<down>").typed("");
}

#[test]
fn s3_10_the_history_is_of_this_process() {
    let first = Repl::new(answers(1));
    first.keys("of the first<enter>").sees("Answer 1.").quit();
    let Repl { project, .. } = first;
    let second = Start::new(answers(1)).at(project).start();
    second.keys("<up>x").typed("x");
}

#[test]
fn s3_11_the_first_character_says_who_is_meant() {
    let repl = Repl::new(answers(1));
    repl.keys("! echo from-the-shell<enter>").sees("[COMMAND]");
    repl.sees("from-the-shell").ready();
    repl.keys("/nosuch<enter>").sees("Unknown command: /nosuch");
    assert!(repl.server.requests().is_empty());
    repl.keys("/etc/hosts is a path<enter>").sees("Answer 1.");
    assert_eq!(asked(&repl, 0), "/etc/hosts is a path");
}

#[test]
fn d3_up_and_down_move_in_a_text_of_several_lines_first() {
    let repl = Repl::new(answers(1));
    repl.keys("before<enter>").sees("Answer 1.").ready();
    repl.keys("one<c-j>two").typed_rows("one\ntwo");
    // The cursor goes straight up: that is before the text, which begins behind the prompt.
    repl.keys("<up>X").typed_rows("Xone\ntwo");
    repl.keys("<down>Y").typed_rows("Xone\ntwoY");
    repl.keys("<up><up>").typed("before");
}

#[test]
fn d3_a_recalled_text_of_several_lines_is_a_block_and_is_sent_whole() {
    let repl = Repl::new(answers(2));
    repl.keys("one<c-j>two<enter>").sees("Answer 1.").ready();
    repl.keys("<up>").typed("[copy 2 lines]");
    repl.keys("<enter>").sees("Answer 2.");
    assert_eq!(asked(&repl, 1), "one\ntwo");
}

#[test]
fn d6_keys_for_a_new_line() {
    let repl = Repl::new(answers(1));
    repl.keys("a<c-j>b<a-\r>c\\<enter>d");
    repl.typed_rows("a\nb\nc\nd");
    // Shift+Enter as terminals with the kitty protocol send it.
    repl.terminal
        .keys("<esc>")
        .wait_until(|screen| !screen.contents().contains("\nb"));
    repl.keys("e\u{1b}[13;2uf").typed_rows("e\nf");
    repl.keys("<enter>").sees("Answer 1.");
    assert_eq!(asked(&repl, 0), "e\nf");
}

#[test]
fn s0_05_characters_go_to_the_cursor() {
    let repl = Repl::new([]);
    repl.keys("helo<left>l").typed("hello");
    repl.keys("<home>é漢👍<end>!").typed("é漢👍hello!");
}

#[test]
fn s0_13_nothing_is_sent_for_an_empty_line() {
    let repl = Repl::new(answers(1));
    repl.keys("<enter>   <enter><c-u>now<enter>")
        .sees("Answer 1.");
    assert_eq!(asked(&repl, 0), "now");
    assert_eq!(repl.server.requests().len(), 1);
}

#[test]
fn s0_14_what_is_typed_while_busy_waits_its_turn() {
    let gate = Gate::new();
    let first = Turn::text(["Answer "]).gate(&gate).and_text("1.");
    let turns = [vec![first], answers(3).split_off(1)].concat();
    let repl = Repl::new(turns);
    repl.keys("one<enter>").sees("Answer");
    gate.wait_reached();
    repl.keys("two<enter>").sees("queued").keys("three<enter>");
    repl.sees("  three");
    // The newest can be taken back.
    repl.keys("<up>").typed("three").keys("!<enter>");
    repl.sees("  three!");
    assert_eq!(repl.server.requests().len(), 1);
    gate.open();
    repl.sees("Answer 3.");
    assert_eq!(asked(&repl, 1), "two");
    assert_eq!(asked(&repl, 2), "three!");
    repl.quit();
}

/// Two messages may come in one read of the terminal.
#[test]
fn s0_14_what_is_typed_at_once_waits_its_turn() {
    let repl = Repl::new(answers(2));
    repl.keys("one<enter>two<enter>").sees("Answer 2.").ready();
    let said = repl.terminal.contents_with_scrollback();
    let places = ["> one", "Answer 1.", "> two", "Answer 2."].map(|text| said.find(text));
    assert!(places.is_sorted(), "{places:?} in\n{said}");
    assert_eq!(asked(&repl, 1), "two");
}

#[test]
fn s0_17_and_d5_what_is_mentioned_goes_with_the_message() {
    let project = Project::new().file("notes.txt", "the word is xylophone\n");
    let repl = Start::new(answers(1)).at(project).start();
    repl.keys("what is in @notes.txt ?<enter>")
        .sees("Answer 1.");
    assert!(repl.request(0).contains("xylophone"), "{}", repl.request(0));
    // It is shown as it was typed.
    repl.sees("> what is in @notes.txt ?");
}

#[test]
fn s0_19_input_is_cleaned() {
    let repl = Repl::new(answers(1));
    repl.terminal.paste("a\u{1b}[31mb\u{7}\u{202e}c");
    repl.keys("<enter>").sees("Answer 1.");
    let asked = asked(&repl, 0);
    assert!(!asked.contains(['\u{1b}', '\u{7}']), "{asked:?}");
}

#[test]
fn s3_04_the_first_message_can_be_an_argument() {
    let repl = Start::new(answers(2))
        .with(|run| run.args(["hello from outside"]))
        .begin();
    repl.sees("> hello from outside").sees("Answer 1.");
    assert_eq!(asked(&repl, 0), "hello from outside");
    repl.typed("").keys("and more<enter>").sees("Answer 2.");
    repl.quit();
}

/// What was read for a prompt is one line, and no call of the model.
#[test]
fn s0_17_what_is_mentioned_is_told_in_one_line() {
    let project = Project::new()
        .file("three.txt", "alpha\nbeta\ngamma\n")
        .file("one.txt", "alone\n");
    let repl = Start::new(answers(1)).at(project).start();
    repl.keys("compare @three.txt with @one.txt now<enter>");
    repl.sees("Answer 1.").ready();
    let said = repl.terminal.contents_with_scrollback();
    let told: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("attached:"))
        .collect();
    assert_eq!(
        told,
        [
            "attached: three.txt (3 lines)",
            "attached: one.txt (1 line)"
        ],
        "{said}"
    );
    assert!(
        !said.contains("[tool]") && !said.contains("alpha"),
        "{said}"
    );
}
