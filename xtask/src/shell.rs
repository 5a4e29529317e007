//! `cargo xtask shell`: many more commands than the tests try, and how long reading them takes.
//!
//! Each command is written in another way; it may never look better for that. Nothing is run.

#[path = "../../crates/shell/tests/support/dress.rs"]
mod dress;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use dress::Random;
use pollux_shell::{Context, Reading, read};

#[expect(clippy::print_stdout, reason = "the figures are the point")]
pub(crate) fn run(count: usize) -> ExitCode {
    let context = Context::new("/home/dev/project", "/home/dev");
    let mut random = Random::new(1);
    let mut times = Vec::with_capacity(count);
    let mut violations = 0;
    for _ in 0..count {
        let plain = dress::command(&mut random);
        let dressed = dress::dressed(&plain, &mut random);
        let (reading, time) = timed(&dressed, &context);
        times.push(time);
        if reading.class < read(&plain, &context).class {
            violations += 1;
            println!("{plain:?} looks better as {dressed:?}");
        }
    }
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 1000];
    println!("{count} commands, {violations} violations");
    println!(
        "p50 {:?}, p99 {:?}, longest {:?}",
        at(500),
        at(990),
        at(1000)
    );
    let long = long_commands().map(|command| (timed(&command, &context).1, command));
    let mut long: Vec<_> = long.collect();
    long.sort_unstable();
    for (time, command) in long.iter().rev().take(3) {
        let beginning: String = command.chars().take(20).collect();
        println!("10 kB: {time:?} ({beginning:?}..)");
    }
    if violations == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn timed(command: &str, context: &Context) -> (Reading, Duration) {
    let start = Instant::now();
    let reading = read(command, context);
    (reading, start.elapsed())
}

/// Commands of 10 kB, each with much of one thing.
fn long_commands() -> impl Iterator<Item = String> {
    let pieces = [
        "a ",
        "true;",
        "true&&",
        "ls|",
        "{a,b}",
        "{",
        "(",
        "((",
        "$(",
        "$((",
        "${x:-",
        "`",
        "'a'",
        "\"$x\"",
        "\\\n",
        "*",
        "[a]*",
        "\u{a0}",
        "<<E\n",
        "a=1 ",
        "-a",
        "--x=",
        "cd a\n",
        "cd a;",
        "cd a || cd b;",
        "/../",
        "$'\\x41'",
        "bash -c ",
        "env ",
        "if ",
        "[[ a ",
        "# a\n",
        "/.ssh",
        "*?*?",
        ">a ",
        "1>&2 ",
        "eval ",
        "find . -exec ",
        "sed 's/a/b/;' ",
        "git log;",
        "echo $(ls);",
        "f(){ :;};",
    ];
    pieces
        .into_iter()
        .map(|piece| piece.repeat(10_000 / piece.len()))
}
