//! 8 Approval.

use pollux_testkit::{Project, Turn};
use serde_json::json;

use super::{Repl, Start};

fn run(command: &str) -> Turn {
    Turn::call("run_shell_command", json!({"command": command}))
}

#[test]
fn s3_42_commands_of_ones_own_are_asked_about_too() {
    let repl = Repl::new([]);
    repl.keys("! rm -rf made<enter>")
        .sees("[approve] run_shell_command");
    repl.sees("  $ rm -rf made")
        .sees("run it?")
        .keys("n<enter>");
    repl.sees("command mode denied: ").ready();
}

#[test]
fn s3_43_command_and_reason_are_shown_and_always_is_kept_for_the_project() {
    let repl = Repl::new([run("touch made"), Turn::text(["One."])]);
    repl.keys("go<enter>")
        .sees("  $ touch made")
        .sees("  why: ");
    repl.sees("run it? [y/n/always/e]").keys("always<enter>");
    repl.sees("One.").quit();
    assert!(repl.project.exists("made"));
    let again = Start::new([run("touch made"), Turn::text(["Two."])]);
    let again = again.at(repl.project).start();
    again.keys("go<enter>").sees("Two.");
    assert!(
        !again
            .terminal
            .contents_with_scrollback()
            .contains("[approve]")
    );
}

#[test]
fn s3_44_and_d9_what_is_dangerous_has_no_always() {
    let repl = Repl::new([run("rm -rf made"), Turn::text(["Done."])]);
    repl.keys("go<enter>")
        .sees("  DANGER: ")
        .sees("run it? [y/n]");
    repl.keys("always<enter>")
        .keys("a1<enter>")
        .keys("e<enter>");
    repl.sees("run it? [y/n]").keys("y<enter>").sees("Done.");
}

#[test]
fn s3_45_and_d15_escape_in_a_question_stops_everything() {
    let both = run("touch one").and_call("run_shell_command", json!({"command": "touch two"}));
    let repl = Repl::new([both, Turn::text(["Never."])]);
    repl.keys("go<enter>").sees("run it?").keys("y<esc>");
    repl.sees("Cancelled by ESC").ready();
    assert!(!repl.project.exists("one") && !repl.project.exists("two"));
    assert_eq!(repl.server.requests().len(), 1);
}

#[test]
fn s3_46_without_questions_asks_pass_and_dangers_do_not() {
    let turns = [run("touch one"), run("rm -rf sub"), Turn::text(["Done."])];
    let repl = Start::new(turns)
        .at(Project::new().dir("sub"))
        .with(|run| run.args(["--config", "approval.interactive=false"]))
        .start();
    repl.keys("go<enter>").sees("Done.");
    assert!(repl.project.exists("one") && repl.project.exists("sub"));
    assert!(!repl.terminal.contents_with_scrollback().contains("run it?"));
}

#[test]
fn d9_an_edit_can_be_changed_in_the_editor_and_is_asked_again() {
    let write = json!({"file_path": "a.txt", "content": "theirs\n"});
    let repl = Start::new([Turn::call("write_file", write), Turn::text(["Done."])])
        .with(|run| run.env("EDITOR", "sed -i s/theirs/mine/"))
        .start();
    repl.keys("go<enter>").sees("write it? [y/n/always/e]");
    repl.keys("e<enter>")
        .sees("+mine")
        .sees("write it?")
        .keys("y<enter>")
        .sees("Done.");
    assert_eq!(repl.project.read("a.txt"), "mine\n");
}

/// S2.49: what is to be run can be changed, and the model learns of it.
#[test]
fn s2_49_a_command_can_be_changed_in_the_editor_and_is_asked_again() {
    let repl = Start::new([run("touch theirs"), Turn::text(["Done."])])
        .with(|run| run.env("EDITOR", "sed -i s/theirs/mine/"))
        .start();
    repl.keys("go<enter>").sees("run it? [y/n/always/e]");
    repl.keys("e<enter>")
        .sees("  $ touch mine")
        .sees("run it?")
        .keys("y<enter>")
        .sees("Done.");
    assert!(repl.project.exists("mine"));
    assert!(!repl.project.exists("theirs"));
    repl.has_said("[tool] run_shell_command touch mine");
    let requests = repl.server.requests();
    let told = requests[1].text();
    assert!(
        told.contains("the user has run this instead: touch mine"),
        "{told}"
    );
}

/// S0.34: nothing else happens while a question is open, and what is typed answers it.
#[test]
fn s0_34_what_is_no_answer_is_asked_for_again() {
    let repl = Repl::new([run("touch made"), Turn::text(["Done."])]);
    repl.keys("my draft").typed("my draft");
    repl.keys("<c-u>go<enter>").sees("run it?");
    repl.keys("perhaps<enter><enter>").sees("run it?");
    repl.terminal.paste("y\nrm -rf /\n");
    repl.sees("run it?");
    assert!(!repl.project.exists("made"));
    repl.keys("Y<bs>yes<enter>").sees("Done.");
    assert!(repl.project.exists("made"));
}

/// What was being written when the question came is there afterwards.
#[test]
fn s0_34_a_draft_survives_a_question() {
    let gate = pollux_testkit::Gate::new();
    let turn = Turn::text(["Now."]).gate(&gate);
    let turn = turn.and_call("run_shell_command", json!({"command": "touch made"}));
    let repl = Repl::new([turn, Turn::text(["Done."])]);
    repl.keys("go<enter>")
        .sees("Now.")
        .keys("my draft")
        .typed("my draft");
    gate.open();
    repl.sees("run it?")
        .keys("y<enter>")
        .sees("Done.")
        .typed("my draft");
}

fn write(content: &str) -> Turn {
    let args = json!({"file_path": "a.txt", "content": content});
    Turn::call("write_file", args)
}

/// Another approval mode counts at once, also for the call that is asked about.
#[test]
fn shift_tab_at_a_question_settles_what_the_new_mode_allows() {
    let repl = Repl::new([write("made\n"), Turn::text(["Done."])]);
    repl.keys("go<enter>").sees("write it?");
    assert!(!repl.project.exists("a.txt"));
    repl.keys("<s-tab>").sees("Done.").ready();
    assert_eq!(repl.project.read("a.txt"), "made\n");
    repl.sees("\nauto-edit");
    let said = repl.terminal.contents_with_scrollback();
    assert!(!said.contains("by you"), "{said}");
}

/// A mode that does not allow the call leaves the question open.
#[test]
fn shift_tab_at_a_question_leaves_what_the_new_mode_asks_about() {
    let repl = Repl::new([run("touch made"), Turn::text(["Done."])]);
    repl.keys("go<enter>").sees("run it?").keys("<s-tab>");
    // The mode is heard before the answer, so that nothing is left to refuse if it allows the call.
    repl.has_said("approval mode: auto-edit (")
        .keys("n<enter>")
        .has_said("refused by you")
        .ready();
    assert!(!repl.project.exists("made"));
}

/// Whoever has read a diff to answer does not get it again, and whoever was not asked gets it once.
#[test]
fn a_diff_stands_once_in_the_scrollback() {
    let content = (0..60).map(|number| format!("line {number}.\n"));
    let content: String = content.collect();
    let asked = Start::new([write(&content), Turn::text(["Done."])]);
    let asked = asked.size(20, 80).start();
    asked.keys("go<enter>").sees("write it?");
    asked.keys("always<enter>").sees("Done.").ready();
    let unasked = Start::new([write(&content), Turn::text(["Done."])])
        .size(20, 80)
        .with(|run| run.args(["--approval-mode", "auto-edit"]))
        .start();
    unasked.keys("go<enter>").sees("Done.").ready();
    for repl in [asked, unasked] {
        assert_eq!(repl.project.read("a.txt"), content);
        let said = repl.terminal.contents_with_scrollback();
        let lines = (0..60).map(|number| format!("+line {number}."));
        for line in lines.chain(["+++ b/a.txt", "  ok: +60 -0"].map(String::from)) {
            assert_eq!(said.matches(&line).count(), 1, "{line} in\n{said}");
        }
    }
}
