//! 7 Status on demand.

use pollux_testkit::{Project, Terminal, Turn};

use super::super::support::pollux;
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
        .sees("\ncontext: 1234 tokens\n");
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

/// The number before ` tokens` in the line that begins so.
fn tokens(text: &str, line: &str) -> u64 {
    let mut lines = text
        .lines()
        .filter_map(|text| text.trim_start().strip_prefix(line));
    let count = lines.next_back().and_then(|rest| rest.split(' ').next());
    count.and_then(|count| count.parse().ok()).unwrap()
}

#[test]
fn everybody_counts_the_same() {
    let project = Project::new();
    let spec = pollux(&project)
        .args(["--provider", "offline"])
        .command_spec();
    let terminal = Terminal::spawn(&spec, 40, 100);
    terminal.wait_for("model: offline");
    terminal.wait_until(|screen| !screen.contents().contains("context: 0 tokens"));
    let begins = tokens(&terminal.contents_with_scrollback(), "context: ");
    terminal.keys("/context<enter>");
    terminal.wait_for("before the conversation: about ");
    let said = terminal.contents_with_scrollback();
    assert_eq!(tokens(&said, "before the conversation: about "), begins);
    terminal.keys("/doctor<enter>");
    terminal.wait_for("before the conversation, ");
    let said = terminal.contents_with_scrollback();
    let (_, prompt) = said.split_once("prompt ").unwrap();
    assert_eq!(tokens(prompt, "about "), begins);
    // What was counted adds to that.
    terminal.keys("help<enter>");
    terminal.wait_for("[ANSWER]");
    terminal.wait_until(|screen| {
        let contents = screen.contents();
        !contents.contains("to cancel") && tokens(&contents, "context: ") > begins
    });
    let counted = tokens(&terminal.contents_with_scrollback(), "context: ");
    assert!(counted < begins + 500, "{counted} after {begins}");
}
