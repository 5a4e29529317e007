//! 1 Prompt.

use pollux_testkit::Turn;

use super::{Repl, Start};

fn prompts(screen: &str) -> (String, String) {
    let lines: Vec<&str> = screen.lines().collect();
    let [.., above, prompt] = lines[..] else {
        panic!("no prompt in {screen}");
    };
    (above.to_owned(), prompt.to_owned())
}

#[test]
fn s3_01_line_1_is_context_and_model_without_the_directory() {
    let repl = Repl::new([]);
    let (above, _) = prompts(&repl.terminal.screen());
    let tokens = above.strip_prefix("context: ");
    let tokens = tokens.and_then(|rest| rest.strip_suffix(" tokens · model: mock"));
    assert!(
        tokens.is_some_and(|count| count.parse::<u32>().is_ok()),
        "{above}"
    );
    repl.quit();
}

#[test]
fn s3_02_line_2_is_mode_and_directory() {
    let repl = Repl::new([]);
    let cwd = repl.project.path().display().to_string();
    let (_, prompt) = prompts(&repl.terminal.screen());
    assert_eq!(prompt, format!("[build] {cwd}>"));
    repl.keys("hello").typed("hello");
    let (_, prompt) = prompts(&repl.terminal.screen());
    assert_eq!(prompt, format!("[build] {cwd}> hello"));
}

#[test]
fn s3_03_both_lines_come_with_every_prompt() {
    let turns = ["One.", "Two."].map(|text| Turn::text([text]).usage(1200, 34));
    let repl = Repl::new(turns);
    for (message, answer) in [("first", "One."), ("second", "Two.")] {
        repl.keys(&format!("{message}<enter>")).sees(answer);
        repl.terminal.wait_until(|screen| {
            let (above, prompt) = prompts(screen.contents().trim_end());
            above.ends_with(" tokens · model: mock")
                && prompt.starts_with("[build] ")
                && !screen.contents().contains("esc to cancel")
        });
    }
    // What was asked stands in the transcript with its prompt.
    let said = repl.terminal.contents_with_scrollback();
    assert_eq!(said.matches("context: ").count(), 3, "{said}");
    assert_eq!(said.matches("[build] ").count(), 3, "{said}");
    repl.quit();
}

#[test]
fn the_prompt_stays_where_it_is_when_the_first_message_is_sent() {
    let repl = Repl::new([Turn::text(["One."])]);
    let row = |screen: &str| screen.lines().position(|row| row.starts_with("context: "));
    let before = row(&repl.terminal.screen());
    repl.keys("first<enter>").sees("One.").ready();
    let screen = repl.terminal.screen();
    assert_eq!(row(&screen), before, "{screen}");
    assert!(screen.contains("> first\n\n[ANSWER]\nOne."), "{screen}");
}

/// A path that is too long for the line is shortened; the mode and what is typed are not.
#[test]
fn s3_02_the_prompt_fits_narrow_and_wide_terminals() {
    for width in [40, 80, 120] {
        let repl = Start::new([]).size(24, width).start();
        repl.keys("hello").sees("hello");
        let (above, prompt) = prompts(&repl.terminal.screen());
        assert!(above.starts_with("context: "), "{above}");
        let name = repl.project.path().file_name().unwrap().to_str().unwrap();
        assert!(prompt.starts_with("[build] "), "{prompt}");
        assert!(prompt.contains(name) || width == 40, "{prompt}");
    }
}
