//! 11 Commands of one's own.

use pollux_testkit::{Project, Turn};

use super::{Repl, Start};

#[test]
fn s3_58_64_a_command_is_one_block_and_asks_no_model() {
    let repl = Repl::new([]);
    repl.keys("! echo out; echo err >&2<enter>")
        .sees("stderr:")
        .ready();
    let said = repl.terminal.contents_with_scrollback();
    let (_, block) = said.split_once("[COMMAND]\n").unwrap();
    let lines: Vec<&str> = block.lines().take(6).collect();
    assert_eq!(lines[0], "$ echo out; echo err >&2");
    assert!(lines[1].starts_with("exit=0 duration=") && lines[1].ends_with("ms"));
    assert_eq!(lines[2..], ["stdout:", "out", "stderr:", "err"]);
    assert!(!said.contains("[command mode]"));
    // There is no other block for it.
    assert_eq!(said.matches("\nout\n").count(), 1, "{said}");
    assert!(!said.contains("[tool]"), "{said}");
    assert!(repl.server.requests().is_empty());
}

#[test]
fn s3_58_only_at_the_start_of_the_line() {
    let repl = Repl::new([Turn::text(["Yes."])]);
    repl.keys("say ! echo no<enter>").sees("Yes.").ready();
    assert!(!repl.terminal.screen().contains("[COMMAND]"));
}

#[test]
fn s3_59_67_the_model_reads_both_with_the_next_message() {
    let repl = Repl::new([Turn::text(["I saw it."])]);
    repl.keys("!   echo seen<enter>").sees("exit=0").ready();
    repl.keys("what was that?<enter>").sees("I saw it.");
    let requests = repl.server.requests();
    let body = requests[0].json();
    let messages = body["messages"].as_array().unwrap();
    let [.., typed, block, question] = &messages[..] else {
        panic!("{messages:?}");
    };
    assert_eq!(
        (&typed["role"], &typed["content"]),
        (&"user".into(), &"!   echo seen".into())
    );
    assert_eq!(block["role"], "assistant");
    let block = block["content"].as_str().unwrap();
    assert!(
        block.starts_with("$ echo seen\nexit=0 duration="),
        "{block}"
    );
    assert!(
        block.ends_with("stdout:\nseen\n") || block.ends_with("stdout:\nseen"),
        "{block}"
    );
    assert_eq!(question["content"], "what was that?");
}

#[test]
fn s3_61_65_what_is_too_long_or_too_slow_is_cut() {
    let repl = Start::new([])
        .with(|run| {
            run.args(["--config", "shell.output_limit_bytes=30"])
                .args(["--config", "shell.command_timeout_ms=300"])
        })
        .start();
    repl.keys("! seq 1000<enter>")
        .sees("ms (truncated)")
        .sees("[output truncated]");
    repl.ready().keys("! sleep 30<enter>").ready();
    let screen = repl.terminal.screen();
    assert!(!screen.contains("$ sleep 30\nexit=0"), "{screen}");
}

#[test]
fn s3_63_silence_is_said() {
    let repl = Repl::new([]);
    repl.keys("! true<enter>")
        .sees("(no output)")
        .sees("exit=0");
    repl.ready().keys("! false<enter>").sees("exit=1");
}

#[test]
fn s3_66_long_sections_are_cut_for_display_only() {
    let repl = Start::new([Turn::text(["Read."])]).size(70, 100).start();
    repl.keys("! seq -f 'out %g' 30; seq -f 'err %g' 30 >&2<enter>");
    repl.sees("...[output truncated for display]");
    repl.sees("...[error output truncated for display]").ready();
    let screen = repl.terminal.screen();
    assert!(screen.contains("out 20\n") && !screen.contains("out 21"));
    assert!(screen.contains("err 20\n") && !screen.contains("err 21"));
    repl.keys("go<enter>").sees("Read.");
    let asked = repl.request(0);
    assert!(asked.contains("out 30") && asked.contains("err 30"));
}

#[test]
fn s3_68_the_context_is_told_again() {
    let repl = Repl::new([]);
    let tokens = |contents: &str| -> u32 {
        let (_, last) = contents.rsplit_once("context: ").unwrap();
        last.split_once(' ').unwrap().0.parse().unwrap()
    };
    let before = tokens(&repl.terminal.screen());
    repl.keys("! seq 500<enter>").sees("exit=0");
    repl.terminal
        .wait_until(|screen| tokens(&screen.contents()) > before);
}

#[test]
fn a_bang_alone_says_what_it_is_for() {
    let repl = Repl::new([]);
    repl.keys("!<enter>")
        .sees("note: a command to run follows")
        .ready();
    assert!(repl.server.requests().is_empty());
}

/// S3.60 and S3.62: what switches commands off here is a rule.
#[test]
fn s3_60_62_a_rule_switches_commands_of_ones_own_off() {
    let project = Project::new();
    std::fs::create_dir_all(project.pollux_home()).unwrap();
    let rules = "[[rule]]\ndecision = 'deny'\ncommand = ['touch']\n";
    std::fs::write(project.pollux_home().join("rules.toml"), rules).unwrap();
    let repl = Start::new([]).at(project).start();
    repl.keys("! touch made<enter>")
        .sees("command mode denied: ");
    repl.ready();
    repl.has_said("[COMMAND]\n$ touch made\ncommand mode denied: ");
    assert!(!repl.project.exists("made"));
    repl.keys("! echo works<enter>").sees("exit=0");
}
