//! On a terminal with `--plain`, or one that is dumb: the same REPL, line by line.

use pollux_testkit::{Gate, HttpReply, ModelServer, Pollux, Project, Protocol, Terminal, Turn};
use serde_json::json;

use super::repl::{Repl, Start};
use super::support::{in_shell, pollux, talking_to};

fn plain(run: Pollux) -> Pollux {
    run.args(["--plain"])
}

/// In an empty project, with a model that says these.
fn start(turns: impl IntoIterator<Item = Turn>) -> Repl {
    Start::new(turns).with(plain).start()
}

/// All that was printed, without what differs from run to run.
fn printed(repl: &Repl) -> String {
    let text = repl.terminal.contents_with_scrollback();
    let text = text.replace(&repl.project.path().display().to_string(), "/app");
    let lines = text.lines().map(|line| {
        let (head, rest) = line.split_once("context: ").unwrap_or((line, ""));
        match rest.split_once(" tokens") {
            Some((_, rest)) => format!("{head}context: N tokens{rest}"),
            None => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

fn touch() -> Turn {
    Turn::call("run_shell_command", json!({"command": "touch made"}))
}

#[test]
fn lines_are_answered_until_the_user_leaves() {
    let project = Project::new().file("a.txt", "alpha\n");
    let terminal = Terminal::spawn(&plain(pollux(&project)).command_spec(), 40, 100);
    terminal.wait_for("model: offline").wait_for("[build] ");
    terminal
        .keys("read a.txt<enter>")
        .wait_for("This is in `a.txt`:")
        .wait_for("alpha");
    terminal.keys("list files<enter>").wait_for("In `.`:");
    terminal.keys("/quit<enter>");
    assert_eq!(terminal.wait_exit(), 0);
}

#[test]
fn it_reads_like_the_repl() {
    let long = "It goes on for longer than a row of this screen is wide, so that it is broken \
                between words, as it comes.";
    let turn = Turn::text([
        "There are **two**:\n\n- one\n- [two](https://example.org)\n\n",
        long,
    ]);
    let repl = Start::new([turn.thought("First I look.\nThen I think.")])
        .with(plain)
        .size(40, 80)
        .start();
    repl.keys("hi<enter>").sees("as it comes.").ready();
    insta::assert_snapshot!(printed(&repl), @"
    note: `/help` lists commands and keys; `@` puts files into a message

    context: N tokens · model: mock
    [build] /app> hi

    [THINK]
    First I look.
    Then I think.

    [ANSWER]
    There are two:

    - one
    - two (https://example.org)

    It goes on for longer than a row of this screen is wide, so that it is broken
    between words, as it comes.

    context: N tokens · model: mock
    [build] /app>
    ");
}

#[test]
fn a_first_message_can_be_given() {
    let turns = [Turn::text(["Hello."])];
    let repl = Start::new(turns)
        .with(|run| plain(run).args(["hi there"]))
        .begin();
    repl.sees("> hi there\n\n[ANSWER]\nHello.\n\ncontext: ")
        .ready();
    repl.keys("<c-d>");
    assert_eq!(repl.terminal.wait_exit(), 0);
}

#[test]
fn an_answer_is_printed_as_its_lines_end() {
    let gate = Gate::new();
    let turn = Turn::text(["The first line.\nThe second"]).gate(&gate);
    let repl = start([turn.and_text(" is whole.\n")]);
    repl.keys("go<enter>").sees("[ANSWER]\nThe first line.");
    assert!(!repl.terminal.screen().contains("The second"));
    gate.open();
    repl.sees("The second is whole.").ready();
}

#[test]
fn commands_of_ones_own_are_told_in_a_block() {
    let project = Project::new().file("a.txt", "alpha\n".repeat(30));
    let repl = Start::new([]).at(project).with(plain).start();
    repl.keys("! cat a.txt<enter>");
    repl.sees("...[output truncated for display]").ready();
    let shown = printed(&repl);
    assert!(shown.contains("> ! cat a.txt\n\n[COMMAND]\n$ cat a.txt\nexit=0 duration="));
    assert_eq!(shown.matches("\nalpha").count(), 20, "{shown}");
}

#[test]
fn commands_are_those_of_the_repl() {
    let repl = start([Turn::text(["Hello."]).usage(1234, 5)]);
    repl.keys("hi<enter>").sees("Hello.").ready();
    repl.keys("/stats<enter>")
        .sees("1 requests: 1234 tokens in");
    repl.keys("/context<enter>")
        .sees("before the conversation: about ");
    repl.keys("/contxt<enter>")
        .sees("Unknown command: /contxt. Did you mean /context?");
    repl.keys("/plan<enter>").sees("\n[plan] ");
    repl.keys("/approve yolo<enter>").sees("model: mock · yolo");
    repl.keys("/new<enter>").sees("a new session has begun");
    repl.keys("/cancel<enter>").sees("nothing is running");
    repl.keys("/vim<enter>")
        .sees("error: keys are the terminal's own here");
    repl.keys("/copy<enter>").sees("error: nothing is copied");
    repl.keys("/help<enter>").has_said("  /cancel ");
    repl.sees("Esc and Enter ").ready();
    repl.quit();
    assert_eq!(repl.server.requests().len(), 1);
}

#[test]
fn s3_40_todos_are_listed_when_they_change_and_on_demand() {
    let todos = json!({"todos": [
        {"description": "look around", "status": "completed"},
        {"description": "mend it", "status": "in_progress"}
    ]});
    let repl = start([Turn::call("write_todos", todos), Turn::text(["Good."])]);
    repl.keys("/todos<enter>").sees("no todos yet").ready();
    repl.keys("go<enter>").sees("Good.").ready();
    repl.keys("/todos<enter>").ready();
    let listed = "  done         look around\n  in_progress  mend it\n";
    repl.sees(&format!("[tool] write_todos 1 of 2 done\n{listed}"))
        .sees(&format!("> /todos\n{listed}"));
}

/// Waits until somebody is asked for the `number`th time, and answers.
fn answer(repl: &Repl, number: usize, line: &str) {
    repl.terminal.wait_until(|screen| {
        let contents = screen.contents();
        let asked = contents.matches("run it? [y/n/always/e]").count();
        asked == number && contents.trim_end().ends_with("run it? [y/n/always/e]")
    });
    repl.keys(line).keys("<enter>");
}

#[test]
fn approvals_are_answered_by_a_line() {
    let repl = start([touch(), touch(), touch(), touch(), Turn::text(["Done."])]);
    repl.keys("go<enter>")
        .sees("  $ touch made")
        .sees("  why: ");
    answer(&repl, 1, "perhaps");
    repl.sees("note: `perhaps` is no answer");
    answer(&repl, 2, "n");
    repl.sees("  refused by you\n").ready();
    assert!(!repl.project.exists("made"));
    repl.keys("again<enter>");
    answer(&repl, 3, "y");
    answer(&repl, 4, "always");
    repl.sees("[ANSWER]\nDone.").ready();
    assert!(repl.project.exists("made"));
    assert_eq!(printed(&repl).matches("[approve]").count(), 3);
}

#[test]
fn a_proposal_can_be_changed_in_the_editor() {
    let write = json!({"file_path": "a.txt", "content": "theirs\n"});
    let repl = Start::new([Turn::call("write_file", write), Turn::text(["Done."])])
        .with(|run| plain(run).env("EDITOR", "sed -i s/theirs/mine/"))
        .start();
    repl.keys("go<enter>").sees("write it? [y/n/always/e]");
    repl.keys("e<enter>").sees("+mine");
    repl.terminal
        .wait_until(|screen| screen.contents().matches("write it?").count() == 2);
    repl.keys("y<enter>").sees("Done.").ready();
    assert_eq!(repl.project.read("a.txt"), "mine\n");
}

#[test]
fn what_is_written_in_the_editor_is_sent() {
    let repl = Start::new([Turn::text(["Hello."])])
        .with(|run| plain(run).env("EDITOR", "echo from the editor >"))
        .start();
    repl.keys("/editor<enter>")
        .sees("> from the editor\n\n[ANSWER]");
    repl.sees("Hello.").ready();
    assert!(repl.request(0).contains("from the editor"));
}

#[test]
fn questions_are_answered_by_a_line_or_dismissed() {
    let ask = json!({"questions": [
        {"question": "Where?", "options": [{"label": "SQLite"}, {"label": "a file"}]},
        {"question": "Why?", "options": [{"label": "speed"}, {"label": "taste"}]}
    ]});
    let turns = [
        Turn::call("question", ask.clone()),
        Turn::text(["Good."]),
        Turn::call("question", ask),
        Turn::text(["Well."]),
    ];
    let repl = start(turns);
    repl.keys("plan<enter>").sees("[Question 1/2] Where?");
    repl.sees("  2. a file\n\n>").keys("2<enter>");
    repl.sees("[Question 2/2] Why?").sees("  2. taste\n\n>");
    repl.keys("because<enter>").sees("Good.").ready();
    assert!(repl.request(1).contains("a file") && repl.request(1).contains("because"));
    repl.keys("plan<enter>");
    repl.terminal.wait_until(|screen| {
        let contents = screen.contents();
        contents.matches("2. a file").count() == 2 && contents.trim_end().ends_with("\n>")
    });
    repl.keys("<esc><enter>")
        .sees("the questions are dismissed");
    repl.sees("Well.").ready();
}

#[test]
fn what_was_typed_before_a_question_does_not_answer_it() {
    let gate = Gate::new();
    let turn = Turn::text(["Now.\nI touch it"]).gate(&gate);
    let turn = turn.and_call("run_shell_command", json!({"command": "touch made"}));
    let repl = start([turn, Turn::text(["And that."])]);
    repl.keys("go<enter>").sees("Now.").keys("y<enter>");
    repl.sees("queued: its turn comes when this is done");
    gate.open();
    repl.sees("run it?").keys("n<enter>");
    repl.sees("> y\n\n[ANSWER]\nAnd that.").ready();
    assert!(!repl.project.exists("made"));
}

#[test]
fn a_line_goes_on_after_a_backslash_and_several_are_several_messages() {
    let gate = Gate::new();
    let first = Turn::text(["One."]).gate(&gate);
    let repl = start([first, Turn::text(["Two."])]);
    repl.terminal.paste("first\\\nand on\nsecond\n");
    repl.sees("queued: ");
    gate.open();
    repl.sees("> second\n\n[ANSWER]\nTwo.").ready();
    assert!(repl.request(0).contains(r"first\nand on"));
    assert!(repl.request(1).contains("second"));
}

#[test]
fn escape_and_cancel_stop_everything() {
    for (stop, by) in [("<esc><enter>", "ESC"), ("/cancel<enter>", "/cancel")] {
        let gate = Gate::new();
        let turns = [
            Turn::text(["Half.\nThe other"]).gate(&gate),
            Turn::text(["Whole."]),
        ];
        let repl = start(turns);
        repl.keys("go<enter>").sees("Half.").keys("later<enter>");
        repl.sees("queued: ").keys(stop);
        repl.sees(&format!("Cancelled by {by}\nStopped model stream"))
            .sees("note: not sent: later")
            .ready();
        repl.keys("again<enter>").sees("Whole.").ready();
        assert_eq!(repl.server.requests().len(), 2);
        repl.quit();
    }
    let repl = start([touch(), Turn::text(["Never."])]);
    repl.keys("go<enter>")
        .sees("run it?")
        .keys("/cancel<enter>");
    repl.sees("Cancelled by /cancel").ready();
    assert!(!repl.project.exists("made"));
}

#[test]
fn d29_ctrl_c_ends_the_program_whatever_it_does() {
    let repl = start([]);
    repl.keys("half a line<c-c>");
    assert_eq!(repl.terminal.wait_exit(), 130);

    let gate = Gate::new();
    let repl = start([Turn::text(["Half.\nThe other"]).gate(&gate)]);
    repl.keys("go<enter>").sees("Half.").keys("<c-c>");
    assert_eq!(repl.terminal.wait_exit(), 130);
    repl.sees("the session is kept: `pollux -c` goes on with it");
    repl.server.wait_closed(0);

    let repl = start([touch()]);
    repl.keys("go<enter>").sees("run it?").keys("<c-c>");
    assert_eq!(repl.terminal.wait_exit(), 130);
    assert!(!repl.project.exists("made"));
}

#[test]
fn d29_ctrl_d_leaves_on_an_empty_line_only() {
    let repl = start([Turn::text(["Hello."])]);
    repl.keys("h<c-d>i<enter>").sees("Hello.").ready();
    assert!(repl.request(0).contains("hi"));
    repl.keys("<c-d>");
    assert_eq!(repl.terminal.wait_exit(), 0);
}

#[test]
fn a_terminal_that_goes_away_ends_it() {
    let project = Project::new();
    let spec = plain(pollux(&project)).command_spec();
    assert_eq!(Terminal::spawn_and_hang_up(&spec, "[build] "), 130);
}

#[test]
fn who_waits_is_told_what_for() {
    let busy = HttpReply::status(429).header("retry-after", "40");
    let server = ModelServer::start(vec![busy, Turn::text(["Hello."]).openai()]);
    let repl = Start::new([])
        .served_by(server)
        .with(|run| plain(run).args(["--config", "retry.max_attempts=2"]))
        .start();
    repl.keys("hi<enter>").sees("; try 2 of 2\nnext try in ");
    repl.sees(" s · /cancel stops it").keys("/cancel<enter>");
    repl.sees("Cancelled by /cancel").ready();
    repl.keys("again<enter>").sees("Hello.").ready();

    let command = json!({"command": "sleep 60"});
    let turns = [Turn::call("run_shell_command", command)];
    let repl = Start::new(turns)
        .with(|run| plain(run).args(["-y"]))
        .start();
    repl.keys("go<enter>")
        .sees("running run_shell_command sleep 60 · ");
    repl.keys("<c-c>");
    assert_eq!(repl.terminal.wait_exit(), 130);
}

/// With colours and all that is called for, and on a dumb terminal as well.
#[test]
fn s3_34_plain_lines_hold_no_sequences() {
    let dumb = |run: Pollux| run.env("TERM", "dumb");
    for face in [plain as fn(Pollux) -> Pollux, dumb] {
        let turns = [
            touch(),
            Turn::text(["Plain **words**.\n\n```rust\nfn x() {}\n```"]),
        ];
        let repl = Start::new(turns)
            .colors()
            .with(move |run| face(run).args(["--config", "ui.notifications=osc9"]))
            .start();
        repl.keys("go<enter>").sees("run it?").keys("y<enter>");
        repl.sees("Plain words.").ready();
        repl.keys("/clear<enter>")
            .sees("a new session has begun")
            .ready();
        repl.keys("/help<enter>").sees("Esc and Enter").ready();
        repl.quit();
        let bytes = repl.terminal.bytes();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!bytes.contains(&0x1b), "{text}");
    }
}

#[test]
fn the_terminal_stays_in_its_own_mode() {
    let project = Project::new();
    let run = plain(pollux(&project));
    let shell = in_shell(&run, "echo ready; read go; {pollux}");
    let terminal = Terminal::spawn(&shell, 24, 100);
    terminal.wait_for("ready");
    let found = terminal.settings();
    terminal.keys("<enter>").wait_for("[build] ");
    assert_eq!(terminal.settings(), found);
}

/// Where nobody types, nobody is asked: `--plain` changes nothing.
#[test]
fn in_a_pipe_there_is_one_answer() {
    let project = Project::new();
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text(["Hello."])]);
    let run = plain(talking_to(&project, &server, Protocol::OpenAi));
    let run = run.stdin("hi").run();
    assert_eq!((run.code, run.stdout.as_str()), (0, "Hello.\n"));
}
