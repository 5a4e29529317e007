//! What came of a command of the person's own.

use pollux_types::CommandRan;
use pollux_types::untrusted::visible;

use crate::line::{Line, untabbed};
use crate::style::{Color, Style};

/// How many lines are shown of what a command prints, and of what it complains about.
const SHOWN_LINES: usize = 20;

/// The lines of the block: heading, command, how it ended, what it printed.
pub fn command_block(ran: &CommandRan) -> Vec<Line> {
    let mut lines = vec![Line::new("[COMMAND]", Style::BOLD)];
    lines.extend(safe_lines(&format!("$ {}", ran.command)));
    if let Some(reason) = &ran.denied {
        let denied = format!("command mode denied: {reason}");
        lines.extend(safe_lines(&denied));
        return lines;
    }
    let code = ran.exit_code.map(|code| code.to_string());
    let code = code.as_deref().unwrap_or("none");
    let cut = if ran.truncated { " (truncated)" } else { "" };
    let outcome = if ran.exit_code == Some(0) {
        Color::GREEN
    } else {
        Color::RED
    };
    let outcome = Style::color(outcome);
    lines.push(Line::new(
        format!("exit={code} duration={}ms{cut}", ran.duration_ms),
        outcome,
    ));
    let sections = [
        ("stdout:", &ran.stdout, "...[output truncated for display]"),
        (
            "stderr:",
            &ran.stderr,
            "...[error output truncated for display]",
        ),
    ];
    for (name, text, notice) in sections {
        if !text.is_empty() {
            lines.push(Line::plain(name));
            lines.extend(section(text, notice));
        }
    }
    if ran.stdout.is_empty() && ran.stderr.is_empty() {
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
        Line::plain(untabbed(&visible(line)))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(ran: &CommandRan) -> String {
        let lines = command_block(ran);
        let lines: Vec<String> = lines.iter().map(Line::text).collect();
        lines.join("\n")
    }

    fn made() -> CommandRan {
        CommandRan {
            command: "make all".into(),
            exit_code: Some(0),
            duration_ms: 34,
            ..CommandRan::default()
        }
    }

    #[test]
    fn both_streams_have_a_section() {
        let ended = CommandRan {
            exit_code: Some(2),
            stdout: "one\r\n\n\ttwo\x1b[2J\n".into(),
            stderr: "no rule".into(),
            truncated: true,
            ..made()
        };
        insta::assert_snapshot!(block(&ended), @r"
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
            command_block(&ended)[2].spans[0].style,
            Style::color(Color::RED)
        );
        insta::assert_snapshot!(block(&made()), @"
        [COMMAND]
        $ make all
        exit=0 duration=34ms
        (no output)
        ");
        assert_eq!(
            command_block(&made())[2].spans[0].style,
            Style::color(Color::GREEN)
        );
    }

    #[test]
    fn each_section_is_cut_by_itself() {
        let twenty = "x\n".repeat(20);
        let more = "y\n".repeat(21);
        let ended = CommandRan {
            stdout: twenty,
            stderr: more.clone(),
            ..made()
        };
        let text = block(&ended);
        assert_eq!(text.matches("\nx").count(), 20);
        assert!(!text.contains("...[output truncated"));
        assert_eq!(text.matches("\ny").count(), 20);
        assert!(text.ends_with("y\n...[error output truncated for display]"));
        let ended = CommandRan {
            stdout: more,
            ..made()
        };
        assert!(block(&ended).ends_with("y\n...[output truncated for display]"));
    }
}
