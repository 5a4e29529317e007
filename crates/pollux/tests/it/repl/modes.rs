//! 3 Modes.

use pollux_testkit::Turn;

use super::{Repl, Start};

#[test]
fn s3_12_the_prompt_shows_the_new_mode_at_once() {
    let repl = Repl::new([]);
    for (command, mode) in [
        ("/plan", "plan"),
        ("/build", "build"),
        ("/mode plan", "plan"),
        ("/mode build", "build"),
    ] {
        repl.keys(&format!("{command}<enter>"));
        let prompt = format!("[{mode}] {}>", repl.project.path().display());
        repl.terminal
            .wait_until(|screen| super::input(screen).is_some_and(|line| line == prompt));
    }
    assert!(repl.server.requests().is_empty());
}

#[test]
fn s3_12_a_mode_that_does_not_exist_changes_nothing() {
    let repl = Repl::new([]);
    repl.keys("/mode fly<enter>").sees("error: ");
    repl.typed("").sees("[build] ");
}

#[test]
fn s3_12_planning_offers_no_edits() {
    let repl = Start::new([Turn::text(["Planned."])])
        .with(|run| run.args(["--mode", "plan"]))
        .start();
    repl.sees("[plan] ").keys("go<enter>").sees("Planned.");
    let asked = repl.request(0);
    assert!(!asked.contains("write_file"), "{asked}");
    assert!(asked.contains("read_file"), "{asked}");
}

#[test]
fn shift_tab_goes_through_the_approval_modes() {
    let repl = Repl::new([]);
    repl.keys("<s-tab>").sees("\nauto-edit");
    repl.keys("<s-tab>").sees("\nyolo").keys("<s-tab>");
    repl.terminal
        .wait_until(|screen| !screen.contents().trim_end().ends_with("yolo"));
}
