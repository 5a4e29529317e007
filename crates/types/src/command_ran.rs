//! A command of the person's own that has ended.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

/// What came of a command that the person has typed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandRan {
    /// All of it.
    pub command: String,
    /// What it ended with; none if it was killed, or did not run.
    pub exit_code: Option<i32>,
    /// How long it ran.
    pub duration_ms: u64,
    /// What it printed. Where that is not all, its last line says so.
    pub stdout: String,
    /// What it complained about, in the same way; and what pollux has to say of its run.
    pub stderr: String,
    /// Not all of its output is here.
    pub truncated: bool,
    /// Why it did not run.
    pub denied: Option<String>,
}

impl CommandRan {
    /// All of it as text, for the model and for a screen.
    pub fn block(&self) -> String {
        let mut block = format!("$ {}\n", self.command);
        if let Some(reason) = &self.denied {
            return block + "command mode denied: " + reason;
        }
        let code = self.exit_code.map(|code| code.to_string());
        let code = code.as_deref().unwrap_or("none");
        let cut = if self.truncated { " (truncated)" } else { "" };
        write!(block, "exit={code} duration={}ms{cut}", self.duration_ms)
            .expect("a String takes any text");
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                let text = text.strip_suffix('\n').unwrap_or(text);
                block.extend(["\n", name, ":\n", text]);
            }
        }
        if self.stdout.is_empty() && self.stderr.is_empty() {
            block.push_str("\n(no output)");
        }
        block
    }

    /// What [`block`](Self::block) has told of `command`; `None` if the text is something else. A line
    /// `stderr:` in what the command has printed is taken for the heading.
    pub fn read(command: &str, block: &str) -> Option<Self> {
        let rest = block.strip_prefix("$ ")?.strip_prefix(command)?;
        let rest = rest.strip_prefix('\n')?;
        let mut ran = Self {
            command: command.to_owned(),
            ..Self::default()
        };
        if let Some(reason) = rest.strip_prefix("command mode denied: ") {
            ran.denied = Some(reason.to_owned());
            return Some(ran);
        }
        let (outcome, printed) = rest.split_once('\n')?;
        let (code, lasted) = outcome.strip_prefix("exit=")?.split_once(" duration=")?;
        let (lasted, cut) = lasted.split_once("ms")?;
        if code != "none" {
            ran.exit_code = Some(code.parse().ok()?);
        }
        ran.duration_ms = lasted.parse().ok()?;
        ran.truncated = !cut.is_empty();
        let (stdout, stderr) = match printed.strip_prefix("stdout:\n") {
            Some(text) => text.split_once("\nstderr:\n").unwrap_or((text, "")),
            None => ("", printed.strip_prefix("stderr:\n").unwrap_or_default()),
        };
        Some(Self {
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
            ..ran
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(stdout: &str, stderr: &str) -> CommandRan {
        CommandRan {
            command: "make all".into(),
            exit_code: Some(2),
            duration_ms: 34,
            stdout: stdout.into(),
            stderr: stderr.into(),
            ..CommandRan::default()
        }
    }

    #[test]
    fn both_streams_have_a_section() {
        insta::assert_snapshot!(ran("one\n\ntwo\n", "no rule").block(), @"
        $ make all
        exit=2 duration=34ms
        stdout:
        one

        two
        stderr:
        no rule
        ");
        insta::assert_snapshot!(ran("", "").block(), @"
        $ make all
        exit=2 duration=34ms
        (no output)
        ");
    }

    #[test]
    fn what_was_told_is_read_back() {
        let denied = CommandRan {
            denied: Some("a rule\nforbids it".into()),
            command: "make \\\n all".into(),
            ..CommandRan::default()
        };
        let killed = CommandRan {
            exit_code: None,
            truncated: true,
            ..ran("one\n\ntwo", "no rule")
        };
        for ran in [
            ran("", ""),
            ran("one", ""),
            ran("", "no\nrule"),
            killed,
            denied,
        ] {
            let block = ran.block();
            assert_eq!(CommandRan::read(&ran.command, &block), Some(ran));
        }
        for (command, text) in [
            ("make", "$ make all\nexit=2 duration=34ms\n(no output)"),
            ("make", "$ make\nand so on"),
            ("make", "I ran it."),
        ] {
            assert_eq!(CommandRan::read(command, text), None, "{text}");
        }
    }

    #[test]
    fn what_is_not_there_is_said() {
        let cut = CommandRan {
            truncated: true,
            exit_code: None,
            ..ran("one\n[output truncated]\n", "")
        };
        insta::assert_snapshot!(cut.block(), @"
        $ make all
        exit=none duration=34ms (truncated)
        stdout:
        one
        [output truncated]
        ");
        let denied = CommandRan {
            denied: Some("a rule forbids it".into()),
            ..ran("", "")
        };
        insta::assert_snapshot!(denied.block(), @"
        $ make all
        command mode denied: a rule forbids it
        ");
    }
}
