//! Slash commands that need the program around the REPL.

use pollux_testkit::{Project, Turn};

use super::{Repl, Start};

#[test]
fn init_is_a_message_that_the_user_sees() {
    let project = Project::new().file("POLLUX.md", "old\n");
    let turns = [Turn::text(["Written."]), Turn::text(["Better."])];
    let repl = Start::new(turns).start();
    repl.keys("/init<enter>")
        .sees("> Look at this project, and write POLLUX.md")
        .sees("Written.")
        .ready();
    assert!(repl.request(0).contains("and write POLLUX.md"));
    repl.keys("/plan<enter>").sees("[plan] ");
    repl.keys("/init<enter>")
        .sees("in plan mode nothing is written");
    repl.quit();
    let repl = Start::new([Turn::text(["Better."])]).at(project).start();
    repl.keys("/init<enter>").sees("Better.");
    assert!(repl.request(0).contains("improve POLLUX.md"));
    repl.quit();
}

#[test]
fn what_was_used_is_told_by_model_and_costs_what_is_set() {
    let turns = || [Turn::text(["Hi."]).usage(1_000_000, 100_000)];
    let repl = Repl::new(turns());
    repl.keys("/cost<enter>").sees("nothing has been asked yet");
    repl.keys("hello<enter>").sees("Hi.").ready();
    repl.keys("/cost<enter>")
        .sees("openai/mock: 1 request, 1000000 tokens in (0 of them cached), 100000 out")
        .sees("[prices.\"openai/mock\"]");
    repl.quit();
    let repl = Start::new(turns())
        .with(|run| {
            run.args(["--config", "prices.mock.input=2"])
                .args(["--config", "prices.mock.output=10"])
        })
        .start();
    repl.keys("hello<enter>").sees("Hi.").ready();
    repl.keys("/cost<enter>").sees("100000 out: $3.00");
    repl.quit();
}
