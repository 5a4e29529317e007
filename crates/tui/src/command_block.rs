//! What came of a command of the person's own.

use pollux_types::untrusted::visible;

use crate::highlight::TAB;
use crate::line::Line;
use crate::style::{Color, Style};

/// How many lines are shown of what a command prints, and of what it complains about.
const SHOWN_LINES: usize = 20;

/// A command that has ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended<'a> {
    /// All of it.
    pub command: &'a str,
    /// What it ended with; none if it was killed.
    pub exit_code: Option<i32>,
    /// How long it ran.
    pub duration_ms: u64,
    /// What it printed.
    pub stdout: &'a str,
    /// What it complained about.
    pub stderr: &'a str,
    /// Whether not all of its output is here.
    pub truncated: bool,
}

/// The lines of the block: heading, command, how it ended, what it printed.
pub fn command_block(ended: Ended<'_>) -> Vec<Line> {
    let mut lines = vec![Line::new("[COMMAND]", Style::color(Color::CYAN).bold())];
    lines.extend(safe_lines(&format!("$ {}", ended.command)));
    let code = ended.exit_code.map(|code| code.to_string());
    let code = code.as_deref().unwrap_or("none");
    let cut = if ended.truncated { " (truncated)" } else { "" };
    let outcome = if ended.exit_code == Some(0) {
        Color::GREEN
    } else {
        Color::RED
    };
    let outcome = Style::color(outcome);
    lines.push(Line::new(
        format!("exit={code} duration={}ms{cut}", ended.duration_ms),
        outcome,
    ));
    let sections = [
        ("stdout:", ended.stdout, "...[output truncated for display]"),
        (
            "stderr:",
            ended.stderr,
            "...[error output truncated for display]",
        ),
    ];
    for (name, text, notice) in sections {
        if !text.is_empty() {
            lines.push(Line::plain(name));
            lines.extend(section(text, notice));
        }
    }
    if ended.stdout.is_empty() && ended.stderr.is_empty() {
        lines.push(Line::plain("(no output)"));
    }
    lines
}

fn section(text: &str, notice: &str) -> Vec<Line> {
    let mut rest = text.strip_suffix('\n').unwrap_or(text).split('\n');
    let shown = rest.by_ref().take(SHOWN_LINES);
    let mut lines: Vec<Line> = shown.flat_map(safe_lines).collect();
    if rest.next().is_some() {
        lines.push(Line::new(notice, Style::DIM));
    }
    lines
}

fn safe_lines(text: &str) -> Vec<Line> {
    let lines = text.split('\n').map(|line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        Line::plain(visible(line).replace('\t', TAB))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(ended: Ended<'_>) -> String {
        let lines = command_block(ended);
        let lines: Vec<String> = lines.iter().map(Line::text).collect();
        lines.join("\n")
    }

    const MADE: Ended<'static> = Ended {
        command: "make all",
        exit_code: Some(0),
        duration_ms: 34,
        stdout: "",
        stderr: "",
        truncated: false,
    };

    #[test]
    fn both_streams_have_a_section() {
        let ended = Ended {
            exit_code: Some(2),
            stdout: "one\r\n\n\ttwo\x1b[2J\n",
            stderr: "no rule",
            truncated: true,
            ..MADE
        };
        insta::assert_snapshot!(block(ended), @r"
        [COMMAND]
        $ make all
        exit=2 duration=34ms (truncated)
        stdout:
        one

            two\e[2J
        stderr:
        no rule
        ");
        assert_eq!(
            command_block(ended)[2].spans[0].style,
            Style::color(Color::RED)
        );
        insta::assert_snapshot!(block(MADE), @"
        [COMMAND]
        $ make all
        exit=0 duration=34ms
        (no output)
        ");
        assert_eq!(
            command_block(MADE)[2].spans[0].style,
            Style::color(Color::GREEN)
        );
    }

    #[test]
    fn each_section_is_cut_by_itself() {
        let twenty = "x\n".repeat(20);
        let more = "y\n".repeat(21);
        let ended = Ended {
            stdout: &twenty,
            stderr: &more,
            ..MADE
        };
        let text = block(ended);
        assert_eq!(text.matches("\nx").count(), 20);
        assert!(!text.contains("...[output truncated"));
        assert_eq!(text.matches("\ny").count(), 20);
        assert!(text.ends_with("y\n...[error output truncated for display]"));
        let ended = Ended {
            stdout: &more,
            ..MADE
        };
        assert!(block(ended).ends_with("y\n...[output truncated for display]"));
    }
}
