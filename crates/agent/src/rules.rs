//! What the user has allowed, asked for or forbidden.
//!
//! **Invariant:** deny wins over ask, ask over allow; a command is allowed only if each program in it
//! is, and what reaches several hosts only if each of them is.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::{GlobBuilder, GlobMatcher};
use pollux_store::rules::{self, Placed, Rule, Saying};
use pollux_tools::{Address, Effects, Forbidden, Hosts, Located, Registry, Workspace};
use pollux_types::Remember;
use toml::Value;

use crate::script::{Program, Reading};

/// The rules of a session.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    list: Vec<Compiled>,
    /// Where the user's stand.
    user: Option<PathBuf>,
    /// Where answers are kept.
    kept_in: Option<PathBuf>,
    /// What of them could not be read, if anything: what they forbid is not known, so everything is
    /// asked.
    pub broken: Option<String>,
}

#[derive(Clone, Debug)]
struct Compiled {
    placed: Placed,
    path: Option<GlobMatcher>,
    hosts: Option<Hosts>,
}

/// What the rules say to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ruling {
    None,
    Allow,
    Ask(String),
    Deny(String),
}

/// What a call does, in the words of rules.
pub(crate) struct Doing<'a> {
    pub(crate) tool: &'a str,
    pub(crate) effects: &'a Effects,
    pub(crate) workspace: &'a Workspace,
    /// What is known of its command, if it runs one.
    pub(crate) reading: Option<&'a Reading>,
}

impl Doing<'_> {
    /// The paths that count: what is changed, if anything is, and what a command names.
    fn paths(&self) -> impl Iterator<Item = &Located> {
        let found = self.reading.map(|reading| &reading.found.touched);
        let named = found.into_iter().flatten().map(|touched| &touched.file);
        paths(self.effects).chain(named)
    }
}

impl Rules {
    /// The user's rules and those of the project, and what is wrong with them. Answers are kept
    /// with the project's.
    pub fn load(user: &Path, project: &Path) -> (Self, Vec<String>) {
        let (mut placed, mut problems) = rules::read(user);
        let (more, wrong) = rules::read(project);
        placed.extend(more);
        problems.extend(wrong);
        let mut loaded = Self {
            user: Some(user.to_owned()),
            kept_in: Some(project.to_owned()),
            ..Self::default()
        };
        for placed in placed {
            let place = format!("{}:{}", placed.file.display(), placed.line);
            match Compiled::new(placed) {
                Ok(rule) => loaded.list.push(rule),
                Err(problem) => problems.push(format!("{place}: {problem}")),
            }
        }
        loaded.broken = problems.first().cloned();
        (loaded, problems)
    }

    /// What the files say now.
    pub(crate) fn read_again(&mut self) {
        if let (Some(user), Some(project)) = (&self.user, &self.kept_in) {
            *self = Self::load(user, project).0;
        }
    }

    /// All of them, for whoever wants to see them.
    pub fn all(&self) -> impl Iterator<Item = &Placed> {
        self.list.iter().map(|rule| &rule.placed)
    }

    pub(crate) fn about(&self, doing: &Doing<'_>) -> Ruling {
        let says = |saying| {
            let mut rules = self.list.iter();
            rules.find(|rule| rule.placed.rule.decision == saying && rule.touches(doing))
        };
        if let Some(rule) = says(Saying::Deny) {
            return Ruling::Deny(rule.reason("a rule forbids it"));
        }
        if let Some(rule) = says(Saying::Ask) {
            return Ruling::Ask(rule.reason("a rule asks for it"));
        }
        if doing.reading.is_some_and(|reading| !reading.is_told) && self.forbids_programs(doing) {
            let reason = "nobody can tell which programs it runs, and a rule forbids some";
            return Ruling::Ask(reason.to_owned());
        }
        let allow = || {
            let rules = self.list.iter();
            rules.filter(|rule| rule.placed.rule.decision == Saying::Allow)
        };
        let whole = allow().any(|rule| rule.covers(doing));
        let is_allowed = |program: &Program| {
            let mut rules = allow().filter(|rule| rule.is_about_place(doing));
            program.is_plain && rules.any(|rule| rule.allows(program))
        };
        // Each program may be allowed by another rule, where there is no more to it than programs.
        let each = doing.reading.is_some_and(|reading| {
            let mut asked = reading
                .programs
                .iter()
                .filter(|one| !one.only_reads)
                .peekable();
            reading.is_all && asked.peek().is_some() && asked.all(is_allowed)
        });
        let reaches = &doing.effects.reaches;
        let hosts = !reaches.is_empty()
            && reaches.iter().all(|address| {
                let mut rules = allow().filter(|rule| rule.is_about_tool(doing.tool));
                rules.any(|rule| rule.fits_host(address))
            });
        if whole || each || hosts {
            Ruling::Allow
        } else {
            Ruling::None
        }
    }

    /// Whether some programs are forbidden to this call.
    fn forbids_programs(&self, doing: &Doing<'_>) -> bool {
        self.list.iter().any(|rule| {
            let Rule {
                decision, command, ..
            } = &rule.placed.rule;
            *decision == Saying::Deny && command.is_some() && rule.is_about_tool(doing.tool)
        })
    }

    /// Whether some rule forbids or asks about the file at `path`.
    pub(crate) fn mention(&self, path: &Path, workspace: &Workspace) -> bool {
        let mut rules = self.list.iter();
        rules.any(|rule| rule.placed.rule.decision != Saying::Allow && rule.fits(path, workspace))
    }

    /// The files that `tool` may not read by itself, whatever it finds them by: what has to be asked
    /// about is asked about by its name.
    pub(crate) fn forbidden(&self, tool: &str, workspace: &Arc<Workspace>) -> Forbidden {
        let withholds = |rule: &&Compiled| {
            let Rule {
                decision, command, ..
            } = &rule.placed.rule;
            *decision != Saying::Allow && command.is_none() && rule.is_about_tool(tool)
        };
        let rules: Vec<Compiled> = self.list.iter().filter(withholds).cloned().collect();
        let workspace = Arc::clone(workspace);
        Forbidden::new(move |path| rules.iter().any(|rule| rule.fits(path, &workspace)))
    }

    /// Keeps an answer for good; that to a command for the directory in which it runs.
    pub(crate) fn remember(
        &mut self,
        remember: &Remember,
        dir: Option<&str>,
    ) -> Result<(), String> {
        let text = |text: &str| Value::String(text.to_owned());
        let shell = || ("tool", text("run_shell_command"));
        let path = |path: &str| ("path", text(&globset::escape(path)));
        let mut rule = vec![("decision", text("allow"))];
        rule.extend(match remember {
            Remember::Command(command) => vec![shell(), ("exactly", text(command))],
            Remember::Prefix(prefix) => {
                let words = prefix.iter().map(|word| text(word)).collect();
                let command = ("command", Value::Array(words));
                vec![shell(), ("kept", Value::Boolean(true)), command]
            }
            Remember::Edits(file) => vec![("writes", Value::Boolean(true)), path(file)],
            Remember::Reads(file) => vec![("writes", Value::Boolean(false)), path(file)],
            Remember::Host(host) => vec![("tool", text("web_fetch")), ("host", text(host))],
            Remember::Tool(tool) => vec![("tool", text(tool))],
        });
        rule.extend(dir.map(|dir| ("dir", text(dir))));
        let file = self.kept_in.clone().ok_or("there is no place for it")?;
        rules::append(&file, &rule).map_err(|error| error.to_string())?;
        self.read_again();
        Ok(())
    }
}

impl Compiled {
    fn new(mut placed: Placed) -> Result<Self, String> {
        if let Some(tool) = &mut placed.rule.tool {
            *tool = known_tool(tool)?;
        }
        let path = match &placed.rule.path {
            Some(glob) => {
                let glob = GlobBuilder::new(glob).literal_separator(true).build();
                Some(glob.map_err(|error| error.to_string())?.compile_matcher())
            }
            None => None,
        };
        let hosts = placed.rule.host.as_deref().map(Hosts::parse);
        let hosts = hosts.transpose().map_err(|bad| format!("`host`: {bad}"))?;
        let rule = Self {
            placed,
            path,
            hosts,
        };
        rule.check_host()?;
        rule.check_conditions()?;
        rule.check_examples()?;
        Ok(rule)
    }

    /// A rule that can never fit, or that allows everything, is a mistake.
    fn check_conditions(&self) -> Result<(), String> {
        let Rule {
            decision,
            tool,
            command,
            exactly,
            path,
            host,
            ..
        } = &self.placed.rule;
        if command.as_ref().is_some_and(Vec::is_empty) {
            return Err("`command` is empty: it takes the words that a command begins with".into());
        }
        let is_bare = tool.is_none() && command.is_none() && exactly.is_none();
        let is_bare = is_bare && path.is_none() && host.is_none();
        if *decision == Saying::Allow && is_bare {
            return Err(
                "`decision` allows everything: say which `tool`, `command`, `path` or `host`"
                    .into(),
            );
        }
        Ok(())
    }

    /// What reaches the network is neither a command nor a file: a rule about both would fit nothing.
    fn check_host(&self) -> Result<(), String> {
        let rule = &self.placed.rule;
        let others = [
            ("command", rule.command.is_some()),
            ("exactly", rule.exactly.is_some()),
            ("path", rule.path.is_some()),
        ];
        match others.iter().find(|(_, is_there)| *is_there) {
            Some((other, _)) if self.hosts.is_some() => Err(format!(
                "`host`: a rule about hosts has no `{other}`; write two rules"
            )),
            _ => Ok(()),
        }
    }

    /// Examples are commands for a rule about commands, paths for one about paths, and addresses for
    /// one about hosts.
    fn check_examples(&self) -> Result<(), String> {
        let rule = &self.placed.rule;
        for example in &rule.matches {
            if !self.fits_example(example)? {
                return Err(format!("the rule does not fit its own example `{example}`"));
            }
        }
        for example in &rule.not_match {
            if self.fits_example(example)? {
                return Err(format!("the rule fits `{example}`, which it must not"));
            }
        }
        Ok(())
    }

    fn fits_example(&self, example: &str) -> Result<bool, String> {
        if self.hosts.is_some() {
            let address = Address::parse(example);
            return address.map(|address| self.fits_host(&address));
        }
        let words: Vec<String> = example.split_whitespace().map(str::to_owned).collect();
        Ok(match (&self.placed.rule.exactly, &self.path) {
            (Some(exactly), _) => exactly == example,
            (None, Some(glob)) => glob.is_match(example),
            (None, None) => self.begins(&words),
        })
    }

    fn reason(&self, usual: &str) -> String {
        let reason = self.placed.rule.reason.as_deref();
        reason.unwrap_or(usual).to_owned()
    }

    fn is_about_tool(&self, tool: &str) -> bool {
        self.placed
            .rule
            .tool
            .as_deref()
            .is_none_or(|own| own == tool)
    }

    /// Whether it is about the tool, and about where a command runs.
    fn is_about_place(&self, doing: &Doing<'_>) -> bool {
        let script = doing.effects.script.as_ref();
        let dir = script.map(|script| doing.workspace.shown(&script.dir));
        let own = self.placed.rule.dir.as_ref();
        self.is_about_tool(doing.tool) && own.is_none_or(|own| Some(own) == dir.as_ref())
    }

    /// Whether a program with its arguments begins with the rule's words.
    fn begins(&self, argv: &[String]) -> bool {
        let words = self.placed.rule.command.as_deref();
        words.is_some_and(|words| !words.is_empty() && argv.starts_with(words))
    }

    /// Whether a rule that forbids or asks is about a program, however that is called.
    fn is_about_program(&self, call: &[String]) -> bool {
        let words = self.placed.rule.command.as_deref();
        let (Some((program, words)), Some((name, rest))) =
            (words.and_then(<[_]>::split_first), call.split_first())
        else {
            return false;
        };
        let program = program.rsplit('/').next().unwrap_or(program);
        program == name
            && (rest.starts_with(words) || without_options(name, rest).starts_with(words))
    }

    /// The same for a rule that allows. A kept answer was about these words and no more.
    fn allows(&self, program: &Program) -> bool {
        let words = self.placed.rule.command.as_ref().map(Vec::len);
        self.begins(&program.argv) && (!self.placed.rule.kept || program.prefix == words)
    }

    fn fits_host(&self, address: &Address) -> bool {
        let hosts = self.hosts.as_ref();
        hosts.is_some_and(|hosts| hosts.fit(address.host()))
    }

    fn fits(&self, path: &Path, workspace: &Workspace) -> bool {
        let Some(glob) = &self.path else { return false };
        glob.is_match(path) || glob.is_match(workspace.shown(path))
    }

    /// Whether the rule is about this file, by its name or by where that leads.
    fn fits_path(&self, path: &Located, workspace: &Workspace) -> bool {
        self.fits(&path.named, workspace) || self.fits(&path.real, workspace)
    }

    /// The same for a rule that allows: a link that leads out of the project takes no permission
    /// with it.
    fn allows_path(&self, path: &Located, workspace: &Workspace) -> bool {
        let stays = workspace.contains(path) && self.fits(&path.named, workspace);
        stays || self.fits(&path.real, workspace)
    }

    /// Whether the call does anything that the rule is about.
    fn touches(&self, doing: &Doing<'_>) -> bool {
        let rule = &self.placed.rule;
        let Doing {
            effects, workspace, ..
        } = doing;
        if !self.is_about_place(doing) {
            return false;
        }
        let script = effects
            .script
            .as_ref()
            .map(|script| script.command.as_str());
        let mut touched = doing.paths();
        let command = rule.command.is_none()
            || doing.reading.is_some_and(|reading| {
                let mut calls = reading.calls.iter();
                calls.any(|call| self.is_about_program(call))
            });
        let exactly = rule.exactly.is_none() || rule.exactly.as_deref() == script;
        let path = rule.path.is_none() || touched.any(|path| self.fits_path(path, workspace));
        let mut reached = effects.reaches.iter();
        let host = self.hosts.is_none() || reached.any(|address| self.fits_host(address));
        command && exactly && path && host
    }

    /// Whether the rule is about everything that the call does. Each host is looked at by itself.
    fn covers(&self, doing: &Doing<'_>) -> bool {
        let rule = &self.placed.rule;
        let Doing {
            effects, workspace, ..
        } = doing;
        if !self.is_about_place(doing) || self.hosts.is_some() {
            return false;
        }
        match &effects.script {
            Some(script) => {
                let is_bare = rule.command.is_none() && rule.path.is_none();
                match &rule.exactly {
                    Some(exactly) => *exactly == script.command,
                    None => is_bare && rule.tool.is_some(),
                }
            }
            None if rule.command.is_some() || rule.exactly.is_some() => false,
            None => match &self.path {
                Some(_) if effects.foreign || !effects.reaches.is_empty() => false,
                Some(_) => {
                    let mut touched = paths(effects).peekable();
                    let writes = effects.writes.is_empty() || rule.writes != Some(false);
                    writes
                        && touched.peek().is_some()
                        && touched.all(|path| self.allows_path(path, workspace))
                }
                None => rule.tool.is_some(),
            },
        }
    }
}

/// The tool that somebody means by `name`. Those of servers are not known here.
fn known_tool(name: &str) -> Result<String, String> {
    if name.starts_with("mcp__") {
        return Ok(name.to_owned());
    }
    Registry::canonical(name).ok_or_else(|| {
        let hint = Registry::near(name)
            .map_or_else(String::new, |near| format!(", did you mean `{near}`?"));
        format!("`tool` is `{name}`, which is no tool{hint}")
    })
}

/// `git -C dir push` is `git push`, and `cargo +nightly publish` is `cargo publish`.
fn without_options<'a>(name: &str, args: &'a [String]) -> &'a [String] {
    let mut rest = args;
    while let [option, after @ ..] = rest
        && option.starts_with(['-', '+'])
    {
        let takes = name == "git"
            && matches!(
                option.as_str(),
                "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--config-env"
            );
        rest = after.get(usize::from(takes)..).unwrap_or_default();
    }
    rest
}

/// What is changed, if anything is, or what is read.
fn paths(effects: &Effects) -> impl Iterator<Item = &Located> {
    let paths = if effects.writes.is_empty() {
        &effects.reads
    } else {
        &effects.writes
    };
    paths.iter()
}

#[cfg(test)]
mod tests;
