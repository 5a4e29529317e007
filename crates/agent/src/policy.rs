//! What may happen without asking, what is asked, and what is not done at all.
//!
//! A verdict depends on what a call would do, on both modes and on the rules, and on nothing else.
//! **Invariant:** a stricter mode never allows more, and deny wins over ask, ask over allow.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pollux_shell::Context;
use pollux_tools::sandbox::{Confinement, NoSandbox, Unconfined};
use pollux_tools::{Address, Effects, Grant, Located, Sandbox, Script, Workspace, Zone};
use pollux_types::protected::NAMES;
use pollux_types::{ApprovalMode, Mode, Remember};

use crate::rules::{Doing, Rules, Ruling};
use crate::script::{self, Class, Program, Reading};

/// What the policy goes by.
pub struct Policy {
    /// What the session is for.
    pub mode: Mode,
    /// How much is allowed beforehand.
    pub approval: ApprovalMode,
    /// What the user has allowed, asked for or forbidden.
    pub rules: Rules,
    /// What belongs to the project.
    pub workspace: Arc<Workspace>,
    /// The user's home directory.
    pub home: Option<PathBuf>,
    /// What belongs to pollux itself.
    pub own: Vec<PathBuf>,
    /// Directories outside of the project that can be read all the same.
    pub readable: Vec<PathBuf>,
    /// The project's memory file. It belongs to the project where that is but a part of a repository too.
    pub notes: Option<PathBuf>,
    /// What commands run in.
    pub sandbox: Sandbox,
}

/// What the policy says to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allow,
    /// It needs a person's approval.
    Ask(Question),
    /// A rule forbids it.
    Deny(String),
}

/// What was found out about a call.
pub(crate) struct Looked {
    pub(crate) verdict: Verdict,
    /// It is taken to only read, and is kept to that, whoever lets it run.
    pub(crate) guard_git: bool,
    /// Files outside of the project that a command says it writes.
    pub(crate) opens: Vec<PathBuf>,
}

/// Why a call needs approval, and what an approval could be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Question {
    /// A line each, the most important first.
    pub(crate) reasons: Vec<String>,
    /// Only a person can allow it, each time.
    pub(crate) dangerous: bool,
    /// What could be allowed for good.
    pub(crate) always: Vec<Remember>,
    /// Why nothing could, where that is not plain.
    pub(crate) once: Option<&'static str>,
    /// The programs that a command starts.
    pub(crate) parts: Vec<String>,
    /// The flag with which it would have been allowed.
    pub(crate) remedy: &'static str,
}

impl Question {
    fn about(reason: String, remedy: &'static str) -> Self {
        Self {
            reasons: vec![reason],
            remedy,
            ..Self::default()
        }
    }

    /// The same with a reason that comes first, and that only a person can settle.
    fn because(mut self, reason: String) -> Self {
        self.reasons.insert(0, reason);
        self.remedy = "a person";
        self
    }

    /// Both in one. What could be allowed for good is about one of them only.
    fn and(mut self, other: Self) -> Self {
        self.reasons.extend(other.reasons);
        self.dangerous |= other.dangerous;
        self.always.clear();
        self.remedy = other.remedy;
        self
    }
}

/// Why a command is not allowed for good.
const CHANGES: &str = "what it runs can change while its words stay the same";

impl Policy {
    /// Looks at what a call of `tool` would do.
    pub(crate) fn verdict(&self, tool: &str, effects: &Effects) -> Verdict {
        self.look(tool, effects).verdict
    }

    /// The same, and whether git has to be kept to reading.
    pub(crate) fn look(&self, tool: &str, effects: &Effects) -> Looked {
        let reading = effects.script.as_ref().map(|script| self.read(script));
        Looked {
            guard_git: reading.as_ref().is_some_and(only_reads_with_git),
            opens: reading
                .as_ref()
                .map(|reading| reading.opens.clone())
                .unwrap_or_default(),
            verdict: self.weigh(tool, effects, reading),
        }
    }

    fn weigh(&self, tool: &str, effects: &Effects, reading: Option<Reading>) -> Verdict {
        let parts = reading
            .as_ref()
            .map(|reading| parts(&reading.programs))
            .unwrap_or_default();
        let ruling = self.rules.about(&Doing {
            tool,
            effects,
            workspace: &self.workspace,
            reading: reading.as_ref(),
        });
        let mut question = match reading {
            Some(reading) => self.about_script(reading),
            None => self.about_the_rest(tool, effects),
        };
        // The todo list touches nothing that they could protect.
        let touches = Effects {
            todos: false,
            ..effects.clone()
        };
        if let Some(problem) = self.rules.broken.as_ref()
            && touches != Effects::default()
        {
            // What they forbid is not known.
            let reason = format!("the rules could not be read ({problem})");
            question = Some(Question {
                remedy: "mending that file",
                ..question.unwrap_or_default().because(reason)
            });
        }
        let counts = self.is_for_rules_to_allow(effects);
        if let Some(question) = question.as_mut().filter(|_| !counts) {
            question.always.clear();
            question.once = effects.script.as_ref().map(|_| match self.mode {
                Mode::Plan => "in plan mode each command is asked about",
                Mode::Build => "outside of the project each command is asked about",
            });
        }
        match (question, ruling) {
            (_, Ruling::Deny(reason)) => Verdict::Deny(reason),
            _ if self.mode == Mode::Plan && !effects.writes.is_empty() => {
                Verdict::Deny(NOT_IN_PLAN_MODE.to_owned())
            }
            (question, Ruling::Ask(reason)) => Verdict::Ask(Question {
                // It would be asked again all the same.
                always: vec![],
                parts,
                ..question.unwrap_or_default().because(reason)
            }),
            (Some(question), _) if question.dangerous => Verdict::Ask(question),
            (Some(_), Ruling::Allow) if counts => Verdict::Allow,
            (Some(question), _) => Verdict::Ask(question),
            (None, _) => Verdict::Allow,
        }
    }

    /// Whether a rule can allow it beforehand. What a command does depends on where it runs, and a
    /// rule is about the project; in plan mode nobody but a person lets more than reading pass.
    fn is_for_rules_to_allow(&self, effects: &Effects) -> bool {
        let may_change = effects.foreign && self.mode == Mode::Plan;
        let runs_here = effects.script.as_ref().is_none_or(|script| {
            let dir = Located::of(script.dir.clone());
            self.mode == Mode::Build && self.workspace.contains(&dir)
        });
        self.rules.broken.is_none() && runs_here && !may_change
    }

    /// Where some rules could not be read, nobody knows what they forbid: nothing is allowed
    /// beforehand.
    fn approval(&self) -> ApprovalMode {
        match self.approval {
            ApprovalMode::AutoEdit | ApprovalMode::Yolo if self.rules.broken.is_some() => {
                ApprovalMode::Default
            }
            mode => mode,
        }
    }

    /// Whether a command with this permission could do what only a person can answer for: change
    /// what other programs run, or everything around the project or in the home directory.
    pub(crate) fn is_dangerous(&self, grant: &Grant) -> bool {
        match grant {
            Grant::Write(path) => {
                let mut places = self.workspace.roots().chain(self.home.as_deref());
                let file = Located::of(path.clone());
                places.any(|place| place.starts_with(path))
                    || file.is_secret()
                    || self.danger_of(&file).is_some()
            }
            Grant::Protected(_) => true,
            Grant::Open(_) | Grant::Network => false,
        }
    }

    fn read(&self, script: &Script) -> Reading {
        let mut reading = script::read(script, &self.context(&script.dir));
        self.follow(&mut reading);
        reading
    }

    /// What commands and files are judged by.
    fn context(&self, dir: &Path) -> Context {
        Context {
            cwd: dir.to_owned(),
            roots: self.workspace.roots().map(PathBuf::from).collect(),
            home: self.home.clone(),
            protected: self.own.clone(),
            // What only reads is run with a guarded git.
            git_hardened: true,
        }
    }

    /// What there is to ask about a command.
    fn about_script(&self, mut reading: Reading) -> Option<Question> {
        if let Some(why) = self.lacks_sandbox() {
            // A list of harmless commands is a convenience in front of a sandbox.
            reading.class = reading.class.max(Class::Ask);
            reading
                .reasons
                .push(format!("no sandbox works here: {why}"));
        }
        reading.reasons.extend(self.hidden(&reading.opens));
        let allowed = match self.approval() {
            _ if self.mode == Mode::Plan => reading.class == Class::ReadOnly,
            ApprovalMode::Yolo => reading.class < Class::Dangerous,
            // The sandbox keeps a command from changing more than edits may, but not from reading.
            ApprovalMode::AutoEdit | ApprovalMode::Default => reading.class == Class::ReadOnly,
        };
        (!allowed).then(|| Question {
            dangerous: reading.class == Class::Dangerous,
            once: reading.always.is_empty().then_some(CHANGES),
            always: reading.always,
            parts: parts(&reading.programs),
            remedy: self.yolo(),
            reasons: reading.reasons,
        })
    }

    /// What becomes of files that are written where the sandbox has a place of its own.
    fn hidden(&self, opens: &[PathBuf]) -> Option<String> {
        match self.sandbox.confinement() {
            Ok(Confinement::Confined(cell)) => {
                let path = opens.iter().find(|path| cell.hides(path));
                path.map(|path| pollux_tools::hidden(path))
            }
            _ => None,
        }
    }

    /// Why there is no sandbox, if there should be one.
    fn lacks_sandbox(&self) -> Option<String> {
        match self.sandbox.confinement() {
            Ok(Confinement::Confined(_) | Confinement::Unconfined(Unconfined::Off)) => None,
            Ok(Confinement::Unconfined(Unconfined::Unavailable(why))) | Err(NoSandbox(why)) => {
                Some(why)
            }
        }
    }

    /// What there is to ask about a call that runs no command.
    fn about_the_rest(&self, tool: &str, effects: &Effects) -> Option<Question> {
        let questions = [
            self.about_files(effects),
            self.about_network(effects),
            self.about_foreign(tool, effects),
        ];
        questions.into_iter().flatten().reduce(Question::and)
    }

    /// What there is to ask about whom it reaches. An address alone can give something away, also
    /// while planning.
    fn about_network(&self, effects: &Effects) -> Option<Question> {
        let reached = &effects.reaches;
        let is_private = |address: &&Address| address.zone() == Zone::Private;
        if let Some(address) = reached.iter().find(is_private) {
            let host = address.host();
            let reason = format!(
                "it reaches `{host}`: this machine or a network of yours, not the internet"
            );
            let mut question = Question::about(reason, "a person");
            question.dangerous = true;
            return Some(question);
        }
        let mut hosts: Vec<&str> = reached.iter().map(Address::host).collect();
        hosts.sort_unstable();
        hosts.dedup();
        let (first, others) = hosts.split_first()?;
        if self.is_yolo() {
            return None;
        }
        let named: Vec<String> = hosts.iter().map(|host| format!("`{host}`")).collect();
        let reason = format!("it reaches {} over the network", named.join(", "));
        let mut question = Question::about(reason, self.yolo());
        let foreign = hosts.iter().filter(|host| host.contains("xn--"));
        question.reasons.extend(
            foreign.map(|host| format!("`{host}` is a name in letters that may look like others")),
        );
        if others.is_empty() {
            question.always = vec![Remember::Host((*first).to_owned())];
        }
        Some(question)
    }

    /// What there is to ask about what somebody else's program does.
    fn about_foreign(&self, tool: &str, effects: &Effects) -> Option<Question> {
        (effects.foreign && !self.is_yolo()).then(|| {
            let reason =
                "a program that is not pollux's does it, and nothing is known of what it does";
            let mut question = Question::about(reason.to_owned(), self.yolo());
            question.always = vec![Remember::Tool(tool.to_owned())];
            question
        })
    }

    /// Whether everything but what is dangerous is allowed.
    fn is_yolo(&self) -> bool {
        self.mode == Mode::Build && self.approval() == ApprovalMode::Yolo
    }

    /// The flags that would make it so.
    fn yolo(&self) -> &'static str {
        match self.mode {
            Mode::Build => "`--approval-mode yolo`",
            Mode::Plan => "`--mode build` with `--approval-mode yolo`",
        }
    }

    /// What there is to ask about files that are read and changed.
    fn about_files(&self, effects: &Effects) -> Option<Question> {
        let shown = |path: &Path| self.workspace.shown(path);
        if let Some(reason) = effects.writes.iter().find_map(|file| self.danger_of(file)) {
            let mut question = Question::about(reason, "a person");
            question.dangerous = true;
            return Some(question);
        }
        // An edit tells nobody what was in the file.
        let is_told = |file: &&Located| !effects.writes.contains(file);
        let mut told = effects.reads.iter().filter(is_told);
        if let Some(file) = told.find(|file| file.is_secret()) {
            let path = shown(&file.named);
            let reason = format!("it reads `{path}`, which may hold secrets");
            let mut question = Question::about(reason, "a person");
            question.dangerous = true;
            return Some(question);
        }
        if self.approval() == ApprovalMode::Yolo {
            return None;
        }
        let outside = |file: &&Located| !self.workspace.contains(file) && !self.is_notes(file);
        if let Some(file) = effects.writes.iter().find(outside) {
            let path = shown(&file.real);
            let reason = format!("it changes `{path}`, outside the project");
            let mut question = Question::about(reason, "`--approval-mode yolo`");
            question.always = vec![Remember::Edits(path)];
            return Some(question);
        }
        let is_open = |file: &Located| {
            let mut readable = self.readable.iter();
            readable.any(|dir| file.real.starts_with(dir))
        };
        let mut outside = effects.reads.iter().filter(outside);
        if let Some(file) = outside.find(|file| !is_open(file)) {
            let path = shown(&file.real);
            let reason = format!("it reads `{path}`, outside the project");
            let remedy = "`--include-directories`, or `--approval-mode yolo`,";
            let mut question = Question::about(reason, remedy);
            question.always = vec![Remember::Reads(path)];
            return Some(question);
        }
        let file = effects.writes.first()?;
        if self.approval() == ApprovalMode::AutoEdit {
            return None;
        }
        let reason = "it changes files".to_owned();
        let mut question = Question::about(reason, "`--approval-mode auto-edit`");
        question.always = vec![Remember::Edits(shown(&file.named))];
        Some(question)
    }

    /// Whether it is the project's memory file itself: no link counts, which may lead anywhere.
    fn is_notes(&self, file: &Located) -> bool {
        self.notes.as_ref() == Some(&file.real) && file.named == file.real
    }

    /// Why only a person can allow that `file` is changed, each time.
    fn danger_of(&self, file: &Located) -> Option<String> {
        let mut context = self.context(self.workspace.root());
        if self.is_notes(file) {
            let root = self.notes.as_ref().and_then(|notes| notes.parent());
            context.roots.extend(root.map(PathBuf::from));
        }
        let mut names = [&file.named, &file.real].into_iter();
        let shown = |path: &Path| self.workspace.shown(path);
        if let Some(path) = names.find(|path| pollux_shell::is_protected(path, &context)) {
            let path = shown(path);
            let reason = format!("it changes `{path}`, which decides what other programs run");
            return Some(reason);
        }
        if let Some(link) = self.protected_link_to(&file.real) {
            let (path, link) = (shown(&file.real), shown(&link));
            let reason = format!(
                "it changes `{path}`, where `{link}` leads, which decides what other programs run"
            );
            return Some(reason);
        }
        if repository::is_in_bare(&file.real) {
            let path = shown(&file.real);
            let reason =
                format!("it changes `{path}` in a repository, which decides what git runs");
            return Some(reason);
        }
        file.has_other_names.then(|| {
            let path = shown(&file.real);
            format!(
                "it changes `{path}`, a file with other names (hard links), which may be anything"
            )
        })
    }

    /// The protected link through which `path` is read, if there is one.
    fn protected_link_to(&self, path: &Path) -> Option<PathBuf> {
        let roots = self.workspace.roots().chain(self.home.as_deref());
        let mut names = roots.flat_map(|root| NAMES.iter().map(|name| root.join(name)));
        names.find(|name| {
            let target = Located::of(name.clone()).real;
            // A link to all of the project protects nothing, or nothing could be done.
            let is_all = self.workspace.roots().any(|root| root.starts_with(&target));
            target != *name && !is_all && path.starts_with(target)
        })
    }
}

/// What a person is shown of the programs that a command starts.
fn parts(programs: &[Program]) -> Vec<String> {
    let parts = programs.iter().map(|program| program.argv.join(" "));
    parts.collect()
}

/// Whether a command is taken to read only though it uses git, which has to be kept to that.
fn only_reads_with_git(reading: &Reading) -> bool {
    let mut words = reading.programs.iter().flat_map(|program| &program.argv);
    let uses_git = words.any(|word| word == "git" || word.ends_with("/git"));
    uses_git && reading.class == Class::ReadOnly
}

const NOT_IN_PLAN_MODE: &str =
    "it changes files, and this is plan mode. Say what you would change instead.";

mod links;
mod repository;

#[cfg(test)]
mod tests;
