//! Rules: what the user has allowed, asked for or forbidden for good.
//!
//! The user's own stand in `rules.toml` of pollux's home, those of a project, `always` answers among
//! them, in a file of that project there, never in the repository. What cannot be read is reported
//! with its line; whoever uses the rules must know that some are missing.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;

use crate::place::{at, in_one_line, line_at, line_of_error};

/// What a rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Saying {
    /// It may happen without asking, unless it is dangerous.
    Allow,
    /// It is asked each time.
    Ask,
    /// It does not happen.
    Deny,
}

/// One rule. It is about a call that fits all that it names.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// What it says.
    pub decision: Saying,
    /// The tool's name.
    pub tool: Option<String>,
    /// The words with which a program and its arguments begin.
    pub command: Option<Vec<String>>,
    /// It is an answer that was kept: what begins with its words and has more to it than they say
    /// is not covered.
    #[serde(default)]
    pub kept: bool,
    /// A whole command, to the letter.
    pub exactly: Option<String>,
    /// The directory of the project in which it runs; any if it is left out.
    pub dir: Option<String>,
    /// A glob of paths, below the project unless it is absolute.
    pub path: Option<String>,
    /// Whether it is about changing that path too; without, also.
    pub writes: Option<bool>,
    /// A host on the network, or `*.` and the end of the names of several.
    pub host: Option<String>,
    /// What to say about it.
    pub reason: Option<String>,
    /// Examples that it must fit, checked when it is read.
    #[serde(default, rename = "match")]
    pub matches: Vec<String>,
    /// Examples that it must not fit.
    #[serde(default)]
    pub not_match: Vec<String>,
}

/// A rule, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The rule.
    pub rule: Rule,
    /// Its file.
    pub file: PathBuf,
    /// Its line.
    pub line: usize,
}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    rule: Vec<Spanned<toml::Value>>,
}

/// The rules of a file that need not be there, and what could not be read of it.
pub fn read(file: &Path) -> (Vec<Placed>, Vec<String>) {
    let source = match fs_err::read_to_string(file) {
        Ok(source) => source,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return (vec![], vec![]),
        Err(error) => return (vec![], vec![error.to_string()]),
    };
    let problem = |line: usize, error: &toml::de::Error| {
        format!("{}: {}", at(file, line), in_one_line(error.message()))
    };
    let parsed: File = match toml::from_str(&source) {
        Ok(parsed) => parsed,
        Err(error) => {
            let line = line_of_error(&source, &error);
            return (vec![], vec![problem(line, &error)]);
        }
    };
    let (mut rules, mut problems) = (Vec::new(), Vec::new());
    let keys: Result<BTreeMap<Spanned<String>, toml::Value>, _> = toml::from_str(&source);
    for key in keys.iter().flatten().map(|(key, _)| key) {
        if key.get_ref() != "rule" {
            let line = line_at(&source, key.span().start);
            let place = at(file, line);
            problems.push(format!(
                "{place}: unknown key `{}`, expected `rule`",
                key.get_ref()
            ));
        }
    }
    for found in parsed.rule {
        let line = line_at(&source, found.span().start);
        match found.into_inner().try_into::<Rule>() {
            Ok(rule) => rules.push(Placed {
                rule,
                file: file.to_owned(),
                line,
            }),
            Err(error) => problems.push(problem(line, &error)),
        }
    }
    (rules, problems)
}

/// Adds a rule at the end of a file; comments and the other rules stay as they are.
pub fn append(file: &Path, rule: &[(&str, toml::Value)]) -> io::Result<()> {
    let mut text = String::from("\n[[rule]]\n");
    for (key, value) in rule {
        text.extend([key, " = ", &value.to_string(), "\n"]);
    }
    if let Some(dir) = file.parent() {
        crate::private::create_dir(dir)?;
    }
    let mut open = crate::private::append_to(file)?;
    open.write_all(text.as_bytes())?;
    open.sync_all()
}

/// Takes the rule that begins at this line out of a file.
pub fn remove(file: &Path, line: usize) -> io::Result<()> {
    let source = fs_err::read_to_string(file)?;
    let lines: Vec<&str> = source.lines().collect();
    let begins = |line: &str| line.trim_start().starts_with("[[");
    let start = line.saturating_sub(1);
    let end = lines
        .iter()
        .enumerate()
        .skip(start + 1)
        .find(|(_, line)| begins(line))
        .map_or(lines.len(), |(at, _)| at);
    let kept = lines[..start].iter().chain(&lines[end..]);
    let text: String = kept.flat_map(|line| [*line, "\n"]).collect();
    crate::private::replace(file, text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(source: &str) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("p/rules.toml");
        std::fs::create_dir(dir.path().join("p")).unwrap();
        std::fs::write(&file, source).unwrap();
        (dir, file)
    }

    #[test]
    fn rules_are_read_added_and_removed() {
        let (_dir, file) = file("# mine\n[[rule]]\ndecision = 'deny'\ncommand = ['git', 'push']\n");
        append(
            &file,
            &[
                ("decision", "allow".into()),
                ("exactly", "make \"all\"\n".into()),
            ],
        )
        .unwrap();
        let (rules, problems) = read(&file);
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!(rules[0].line, 2);
        assert_eq!(
            rules[0].rule.command,
            Some(vec!["git".into(), "push".into()])
        );
        assert_eq!(rules[1].rule.exactly.as_deref(), Some("make \"all\"\n"));
        remove(&file, rules[0].line).unwrap();
        let left = std::fs::read_to_string(&file).unwrap();
        assert!(left.starts_with("# mine\n"), "{left}");
        assert_eq!(read(&file).0.len(), 1);
        assert_eq!(read(Path::new("/none")), (vec![], vec![]));
    }

    #[test]
    fn what_cannot_be_read_is_placed() {
        let (_dir, broken) =
            file("[[rule]]\ndecision = 'allow'\n\n[[rule]]\ndecision = 'maybe'\n[[rule]]\nx = 1\n");
        let (rules, problems) = read(&broken);
        assert_eq!(rules.len(), 1);
        let problems: Vec<_> = problems
            .iter()
            .map(|problem| problem.replace(&broken.display().to_string(), "F"))
            .collect();
        insta::assert_snapshot!(problems.join("\n"), @"
        F:4: unknown variant `maybe`, expected one of `allow`, `ask`, `deny`
        F:6: unknown field `x`, expected one of `decision`, `tool`, `command`, `kept`, `exactly`, `dir`, `path`, `writes`, `host`, `reason`, `match`, `not_match`
        ");
        let (_dir, broken) = file("[[rule]]\ndecision = 'ask'\n\n[[rules]]\ndecision = 'deny'\n");
        let (rules, problems) = read(&broken);
        assert_eq!(rules.len(), 1);
        assert!(
            problems[0].ends_with(":4: unknown key `rules`, expected `rule`"),
            "{problems:?}"
        );
        let (_dir, broken) = file("a = \n");
        assert!(read(&broken).1[0].contains(":1: "));
    }
}
