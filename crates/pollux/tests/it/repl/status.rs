//! 7 Status on demand.

use pollux_testkit::Turn;

use super::Repl;

#[test]
fn s3_39_the_prompt_tells_what_the_conversation_takes() {
    let repl = Repl::new([Turn::text(["Hello."]).usage(1200, 34)]);
    repl.keys("hi<enter>").sees("Hello.");
    repl.sees("context: 1234 tokens · model: mock");
}

#[test]
fn s3_41_tools_are_listed_on_demand() {
    let repl = Repl::new([]);
    repl.keys("/tools<enter>")
        .sees("read_file")
        .sees("run_shell_command");
    assert!(repl.server.requests().is_empty());
}

#[test]
fn what_can_be_asked_about_the_session() {
    let repl = Repl::new([Turn::text(["Hello."]).usage(1200, 34)]);
    repl.keys("hi<enter>").sees("Hello.").ready();
    repl.keys("/context<enter>")
        .sees("in the conversation: 1234 tokens");
    repl.sees("before the conversation: about ");
    repl.keys("/stats<enter>")
        .sees("1 requests: 1200 tokens in");
    repl.keys("/about<enter>")
        .sees("pollux 0.")
        .sees("model: mock");
    repl.keys("/help<enter>").has_said("/resume [NAME]");
    repl.keys("/settings<enter>").sees("config.toml");
    repl.keys("/permissions<enter>").ready();
    repl.keys("/sandbox<enter>").ready();
    assert_eq!(repl.server.requests().len(), 1);
    repl.quit();
}

#[test]
fn an_answer_can_be_copied() {
    let repl = Repl::new([Turn::text(["The *answer*."])]);
    repl.keys("hi<enter>").sees("The answer.").ready();
    repl.keys("/copy<enter>");
    // "The *answer*." in base64.
    let wanted = b"\x1b]52;c;VGhlICphbnN3ZXIqLg==";
    repl.terminal
        .wait_for_bytes(|bytes| bytes.windows(wanted.len()).any(|part| part == wanted));
}

#[test]
fn s3_41_tools_of_plan_mode_are_without_edits() {
    let repl = Repl::new([]);
    repl.keys("/plan<enter>").sees("[plan] ");
    repl.keys("/tools<enter>").sees("read_file ").ready();
    let said = repl.terminal.contents_with_scrollback();
    for edits in ["write_file ", "replace "] {
        assert!(!said.contains(edits), "{edits} in\n{said}");
    }
    repl.keys("/build<enter>").sees("[build] ");
    repl.keys("/tools<enter>")
        .has_said("write_file ")
        .has_said("replace ");
}
