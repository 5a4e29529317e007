//! `/memory` and `@memory`: what is written down for the model.

use pollux_testkit::{Project, Turn};

use super::Start;

fn project() -> Project {
    Project::new()
        .file(".git/HEAD", "")
        .file("AGENTS.md", "Use tabs.\n")
}

#[test]
fn memory_is_shown_listed_and_counted() {
    let repl = Start::new([]).at(project()).start();
    repl.keys("/memory<enter>")
        .sees("--- From ")
        .sees("\nUse tabs.\n");
    repl.keys("/memory li<tab>").typed("/memory list");
    repl.keys("<enter>")
        .sees("AGENTS.md")
        .sees("about ")
        .ready();
    repl.keys("/context<enter>").sees(", memory ").ready();
    repl.keys("/memory forget<enter>")
        .sees("`/memory` shows it");
    assert!(repl.server.requests().is_empty());
    repl.quit();
}

#[test]
fn what_is_added_counts_from_the_next_request_on() {
    let turns = ["One.", "Two.", "Three."].map(|text| Turn::text([text]));
    let repl = Start::new(turns).at(Project::new()).start();
    repl.keys("/memory<enter>").sees("nothing is written down");
    repl.keys("first<enter>").sees("One.").ready();
    // A file that changes is no reason to lose the provider's cache.
    repl.project.write("AGENTS.md", "Use tabs.");
    repl.keys("second<enter>").sees("Two.").ready();
    repl.keys("/memory add Test first.<enter>")
        .sees("added to ")
        .sees("note: memory is read again: about ");
    repl.keys("/memory add --user Be kind.<enter>")
        .sees(".pollux/POLLUX.md")
        .ready();
    repl.keys("third<enter>").sees("Three.").ready();
    let has = |number: usize, text: &str| repl.request(number).contains(text);
    assert!(!has(0, "Use tabs.") && !has(1, "Use tabs."));
    for text in ["Use tabs.", "- Test first.", "- Be kind."] {
        assert!(has(2, text), "{text}");
    }
    assert_eq!(
        repl.project.read("POLLUX.md"),
        "## Remembered\n\n- Test first.\n"
    );
    repl.quit();
}

#[test]
fn a_fact_may_begin_like_a_flag() {
    let repl = Start::new([]).at(Project::new()).start();
    repl.keys("/memory add --username is bob<enter>")
        .sees("added to ")
        .ready();
    assert_eq!(
        repl.project.read("POLLUX.md"),
        "## Remembered\n\n- username is bob\n"
    );
    repl.quit();
}

#[test]
fn memory_is_read_again_on_demand_and_for_a_new_session() {
    let turns = ["One.", "Two."].map(|text| Turn::text([text]));
    let repl = Start::new(turns).at(project()).start();
    repl.project.write("AGENTS.md", "Use spaces.");
    repl.keys("/memory reload<enter>")
        .sees("memory is read again");
    repl.keys("first<enter>").sees("One.").ready();
    repl.project.write("AGENTS.md", "Use both.");
    repl.keys("/new<enter>").sees("a new session").ready();
    repl.keys("second<enter>").sees("Two.").ready();
    assert!(repl.request(0).contains("Use spaces."));
    assert!(repl.request(1).contains("Use both."));
    repl.quit();
}

#[test]
fn d5_what_is_loaded_can_be_named() {
    let repl = Start::new([Turn::text(["ok"])]).at(project()).start();
    repl.keys("why @mem")
        .sees("> memory  what is written down for the model");
    repl.keys("<tab>").typed("why @memory");
    repl.keys("<enter>").sees("ok").ready();
    let asked = repl.request(0);
    assert!(
        asked.contains("Content from @memory:\\n--- From "),
        "{asked}"
    );
    repl.quit();
}
