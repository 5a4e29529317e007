//! Suggestions under the prompt.

use pollux_testkit::{Project, Turn};

use super::{Repl, Start};

#[test]
fn s0_09_commands_are_completed_by_tab() {
    let repl = Repl::new([]);
    repl.keys("/pl")
        .sees("> /plan")
        .keys("<tab>")
        .typed("/plan ");
    repl.keys("<c-u>/mo").sees("> /mod").keys("<down><tab>");
    repl.typed("/model ");
}

#[test]
fn s0_09_arguments_are_completed() {
    let repl = Repl::new([]);
    repl.keys("/mode p")
        .sees("> plan")
        .keys("<tab>")
        .typed("/mode plan");
    repl.keys("<enter>").sees("[plan] ");
}

#[test]
fn s0_09_files_are_completed() {
    let project = Project::new()
        .file("src/alpha.rs", "")
        .file("src/beta.rs", "");
    let repl = Start::new([Turn::text(["Read."])]).at(project).start();
    repl.keys("look at @bet")
        .sees("> src/beta.rs")
        .keys("<tab>");
    repl.sees("@src/beta.rs").keys("now<enter>").sees("Read.");
    assert!(repl.request(0).contains("look at @src/beta.rs now"));
}

#[test]
fn files_that_tools_do_not_see_are_not_completed() {
    let project = Project::new()
        .file(".gitignore", "*.log\n")
        .file(".geminiignore", "private\n")
        .file("out.log", "")
        .file("private/out.rs", "")
        .file("src/out.rs", "");
    let repl = Start::new([]).at(project).start();
    repl.keys("@out").sees("> src/out.rs");
    let screen = repl.terminal.screen();
    assert!(
        !screen.contains("out.log") && !screen.contains("private"),
        "{screen}"
    );
}

#[test]
fn s0_09_enter_takes_what_is_chosen_and_runs_a_whole_command() {
    let repl = Repl::new([]);
    repl.keys("/bui").sees("> /build").keys("<tab><c-u>");
    repl.keys("/pla")
        .sees("> /plan")
        .keys("<enter>")
        .sees("[plan] ");
    assert!(repl.server.requests().is_empty());
}

#[test]
fn s0_09_arrows_go_through_the_menu_and_around() {
    let repl = Repl::new([]);
    repl.keys("/mod").sees("> /mode");
    repl.keys("<down>").sees("> /model").keys("<down>");
    repl.sees("> /mode ").keys("<up>").sees("> /model");
}

#[test]
fn s0_12_and_d1_escape_closes_the_menu_first() {
    let repl = Repl::new([]);
    repl.keys("/mod").sees("> /mode").keys("<esc>");
    repl.terminal
        .wait_until(|screen| !screen.contents().contains("> /mode"));
    repl.typed("/mod").keys("<esc>").typed("");
}

#[test]
fn d2_tab_completes_programs_and_files_after_a_bang() {
    let project = Project::new().file("only-this.txt", "found\n");
    let repl = Start::new([]).at(project).start();
    repl.keys("! cat only<tab>").typed("! cat only-this.txt ");
    repl.keys("<enter>").sees("found");
}

#[test]
fn ctrl_r_searches_the_history() {
    let repl = Repl::new([
        Turn::text(["One."]),
        Turn::text(["Two."]),
        Turn::text(["Three."]),
    ]);
    repl.keys("the first thing<enter>").sees("One.").ready();
    repl.keys("another matter<enter>").sees("Two.").ready();
    repl.keys("<c-r>thing")
        .sees("search: thing -> the first thing");
    repl.keys("<tab>")
        .typed("the first thing")
        .keys("<c-u><c-r>zzz");
    repl.sees("no match").keys("<esc>").typed("");
    repl.keys("<c-r>matter<enter>").sees("Three.");
    assert!(
        repl.request(2).ends_with("another matter\"}]")
            || repl.request(2).contains("another matter")
    );
}

#[test]
fn ctrl_s_goes_back_to_a_newer_match() {
    let repl = Repl::new(["One.", "Two.", "Three."].map(|text| Turn::text([text])));
    for (typed, answer) in [
        ("old thing", "One."),
        ("other matter", "Two."),
        ("new thing", "Three."),
    ] {
        repl.keys(&format!("{typed}<enter>")).sees(answer).ready();
    }
    repl.keys("<c-r>thing").sees("search: thing -> new thing");
    repl.keys("<c-r>").sees("search: thing -> old thing");
    repl.keys("<c-s>").sees("search: thing -> new thing");
    repl.keys("<tab>").typed("new thing");
}
