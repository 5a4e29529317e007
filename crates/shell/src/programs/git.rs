//! `git`: what only looks, what changes, what cannot be undone, and what runs programs.
//!
//! Even looking runs programs that a repository's settings name, so that it is harmless only under
//! a hardened git, and only in the repository that the session started in.

mod changing;
mod reading;
mod settings;

use super::Rule;
use crate::args::Arg;
use crate::judge::{Call, Judge};
use crate::options::{NONE, Options};

pub(super) const RULES: &[(&str, Rule)] = &[("git", git)];

/// Options before the subcommand.
const GLOBAL: Options = Options {
    harmless: "-P --no-pager --no-optional-locks --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs \
        --icase-pathspecs --no-lazy-fetch --no-advice --html-path --man-path --info-path -v",
    harmless_value: "-c",
    asks: "-p --paginate --bare -h",
    asks_value: "-C --git-dir --work-tree --namespace --attr-source --super-prefix --list-cmds",
    endangers_value: "--config-env",
    asks_attached: "--exec-path",
    stop_at_operand: true,
    ..NONE
};

/// A call of one subcommand.
pub(super) struct Git<'a> {
    pub(super) sub: &'a str,
    /// What comes after the subcommand.
    pub(super) args: &'a [Arg],
    pub(super) source: &'a str,
}

impl Git<'_> {
    pub(super) fn has(&self, wanted: &str) -> bool {
        let mut before = self.args.iter().take_while(|arg| arg.text != "--");
        before.any(|arg| wanted.split(' ').any(|name| name == arg.text))
    }

    /// Whether a short option stands anywhere in a cluster: `D` in `-vD`.
    pub(super) fn has_letter(&self, letters: &[char]) -> bool {
        let before = self.args.iter().take_while(|arg| arg.text != "--");
        let mut clusters =
            before.filter(|arg| arg.text.starts_with('-') && !arg.text.starts_with("--"));
        clusters.any(|arg| arg.text.contains(letters))
    }

    /// Whether a long option begins like that.
    pub(super) fn has_start(&self, start: &str) -> bool {
        self.args.iter().any(|arg| arg.text.starts_with(start))
    }

    /// The arguments that are no options.
    pub(super) fn operands(&self) -> impl Iterator<Item = &Arg> {
        self.args.iter().filter(|arg| !arg.text.starts_with('-'))
    }

    pub(super) fn operand(&self, at: usize) -> &str {
        self.operands().nth(at).map_or("", |arg| arg.text.as_str())
    }
}

fn git(judge: &mut Judge<'_>, call: &Call<'_>) {
    if call.texts().eq(["--version"]) {
        return;
    }
    let parsed = GLOBAL.parse(call.rest());
    for given in &parsed.options {
        judge.option(given, true);
        let value = given.value.as_deref().unwrap_or_default();
        match given.name.as_str() {
            "-c" => settings::given(judge, value, &given.arg.source),
            "--exec-path" if given.value.is_some() => {
                judge.danger("chooses the programs that git runs", &given.arg.source);
            }
            _ => {}
        }
    }
    let Some((sub, _)) = parsed.operands.split_first() else {
        return judge.ask("has no subcommand", call.source);
    };
    let at = call
        .rest()
        .iter()
        .position(|arg| std::ptr::eq(arg, *sub))
        .unwrap_or_default();
    let git = Git {
        sub: &sub.text,
        args: &call.rest()[at + 1..],
        source: call.source,
    };
    elsewhere(judge, &git);
    for arg in git.args {
        let named = arg.text.rsplit(':').next().unwrap_or_default();
        judge.names(named, &crate::Use::Looks);
        if judge.reading(named) == crate::paths::Place::Secret {
            judge.danger("uses a file that holds secrets", &arg.source);
        }
    }
    if let Some(options) = reading::options(&git) {
        hardened(judge, call);
        reading::looks(judge, &git, &options);
    } else if git.sub == "config" {
        settings::config(judge, &git);
        if settings::only_reads(&git) {
            hardened(judge, call);
        }
    } else {
        changing::changes(judge, &git);
    }
}

/// Looking is harmless only where git is kept from running what a repository names.
fn hardened(judge: &mut Judge<'_>, call: &Call<'_>) {
    if !judge.context.git_hardened {
        judge.ask(
            "lets git run programs that the repository names",
            call.source,
        );
    }
    let start = judge.context.cwd.to_string_lossy();
    if judge.places.iter().any(|place| *place != start) {
        judge.ask(
            "uses git in another directory, which may have settings of its own",
            call.source,
        );
    }
}

/// Options and addresses that make git run a program, wherever they stand.
fn elsewhere(judge: &mut Judge<'_>, git: &Git<'_>) {
    for arg in git.args {
        let text = arg.text.as_str();
        let runs = [
            "--upload-pack",
            "--receive-pack",
            "--exec",
            "--extcmd",
            "--open",
            "--template",
            "--upload-p",
            "--receive-p",
        ];
        if runs.iter().any(|start| text.starts_with(start)) && !text.starts_with("--exec-") {
            judge.danger("makes git run a program", &arg.source);
        }
        if text == "--help" {
            judge.ask("opens a manual with what settings name", &arg.source);
        }
        if text.contains("ext::") || text.starts_with("fd::") {
            judge.danger("makes git run a program", &arg.source);
        }
        if text.starts_with("--config=") || text.starts_with("--config-env") {
            judge.danger("sets what git runs", &arg.source);
        }
    }
}
