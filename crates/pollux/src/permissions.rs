//! `/permissions`: the rules there are, and taking one back.

use std::path::{Path, PathBuf};

use pollux_agent::Rules;
use pollux_store::rules::{self, Placed, Saying};
use pollux_types::untrusted::visible;

/// Where the rules of a session stand.
#[derive(Clone, Debug)]
pub(crate) struct RuleFiles {
    pub(crate) user: PathBuf,
    pub(crate) project: PathBuf,
}

impl RuleFiles {
    /// What `/permissions` answers, and whether the rules are different now.
    pub(crate) fn serve(&self, words: &str) -> (String, bool) {
        let (rules, problems) = Rules::load(&self.user, &self.project);
        let rules: Vec<&Placed> = rules.all().collect();
        let number = words
            .strip_prefix("remove")
            .map(|word| word.trim().parse::<usize>());
        match number {
            None if words.is_empty() => (self.list(&rules, &problems), false),
            Some(Ok(number)) if (1..=rules.len()).contains(&number) => {
                let Placed { file, line, .. } = rules[number - 1];
                let removed = self.in_words(rules[number - 1]);
                match rules::remove(file, *line) {
                    Ok(()) => (format!("removed: {}\n", visible(&removed)), true),
                    Err(error) => (format!("error: {error}\n"), false),
                }
            }
            Some(Ok(number)) => {
                let count = rules.len();
                let text = format!("there is no rule {number}: there are {count}\n");
                (text, false)
            }
            _ => ("usage: /permissions [remove NUMBER]\n".to_owned(), false),
        }
    }

    fn list(&self, rules: &[&Placed], problems: &[String]) -> String {
        let mut lines: Vec<String> = problems
            .iter()
            .map(|problem| format!("error: {problem}"))
            .collect();
        let listed = rules.iter().enumerate();
        lines.extend(listed.map(|(at, placed)| format!("{}. {}", at + 1, self.in_words(placed))));
        if lines.is_empty() {
            lines.push("no rules: what is not allowed by the mode is asked".to_owned());
        }
        let lines: Vec<_> = lines.iter().map(|line| visible(line)).collect();
        lines.join("\n") + "\n"
    }

    fn in_words(&self, placed: &Placed) -> String {
        let rule = &placed.rule;
        let saying = match rule.decision {
            Saying::Allow => "allow",
            Saying::Ask => "ask",
            Saying::Deny => "deny",
        };
        let about = [
            rule.tool.clone(),
            rule.exactly.as_ref().map(|command| format!("`{command}`")),
            rule.command
                .as_ref()
                .map(|words| format!("`{} ..`", words.join(" "))),
            rule.path.clone(),
            rule.host.clone(),
            rule.dir.as_ref().map(|dir| format!("in `{dir}`")),
        ];
        let about: Vec<String> = about.into_iter().flatten().collect();
        let place = if self.is_project(&placed.file) {
            "this project"
        } else {
            "everywhere"
        };
        format!("{saying} {} ({place})", about.join(" "))
    }

    fn is_project(&self, file: &Path) -> bool {
        file == self.project
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_listed_and_taken_back() {
        let dir = tempfile::tempdir().unwrap();
        let files = RuleFiles {
            user: dir.path().join("user.toml"),
            project: dir.path().join("project.toml"),
        };
        insta::assert_snapshot!(files.serve("").0, @"no rules: what is not allowed by the mode is asked");
        std::fs::write(&files.user, "[[rule]]\ndecision = 'deny'\npath = 'gen/*'\n").unwrap();
        let kept = "[[rule]]\ndecision = 'allow'\ntool = 'run_shell_command'\nexactly = 'make'\n";
        std::fs::write(&files.project, kept).unwrap();
        insta::assert_snapshot!(files.serve("").0, @"
        1. deny gen/* (everywhere)
        2. allow run_shell_command `make` (this project)
        ");
        let said = |text: &str, changed| (text.to_owned(), changed);
        let none = said("there is no rule 3: there are 2\n", false);
        assert_eq!(files.serve("remove 3"), none);
        let usage = said("usage: /permissions [remove NUMBER]\n", false);
        assert_eq!(files.serve("remov 1"), usage);
        let removed = "removed: allow run_shell_command `make` (this project)\n";
        assert_eq!(files.serve("remove 2"), said(removed, true));
        insta::assert_snapshot!(files.serve("").0, @"1. deny gen/* (everywhere)");
    }
}
