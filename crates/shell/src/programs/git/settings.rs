//! Settings of git: many name a program that git runs later.

use super::Git;
use crate::judge::Judge;

/// Sections in which everything runs something, or reads settings from elsewhere.
const SECTIONS: [&str; 12] = [
    "alias",
    "include",
    "includeif",
    "pager",
    "protocol",
    "browser",
    "man",
    "hook",
    "sendemail",
    "guitool",
    "instaweb",
    "filter",
];

/// Last parts of keys whose value is a program, or leads to one.
const KEYS: [&str; 38] = [
    "fsmonitor",
    "pager",
    "editor",
    "sshcommand",
    "hookspath",
    "askpass",
    "gitproxy",
    "alternaterefscommand",
    "attributesfile",
    "external",
    "command",
    "cmd",
    "textconv",
    "driver",
    "clean",
    "smudge",
    "process",
    "helper",
    "program",
    "defaultkeycommand",
    "difffilter",
    "templatedir",
    "path",
    "insteadof",
    "pushinsteadof",
    "uploadpack",
    "receivepack",
    "vcs",
    "packobjectshook",
    "update",
    "browser",
    "tool",
    "proxy",
    "worktree",
    "excludesfile",
    "sslverify",
    "receive",
    "smtpserver",
];

/// Whether git would run what is set there.
fn runs(key: &str) -> bool {
    let key = key.to_lowercase();
    let section = key.split('.').next().unwrap_or_default();
    let last = key.rsplit('.').next().unwrap_or_default();
    SECTIONS.contains(&section) || KEYS.contains(&last)
}

/// `-c key=value`.
pub(super) fn given(judge: &mut Judge<'_>, setting: &str, about: &str) {
    let key = setting.split('=').next().unwrap_or_default();
    if runs(key) {
        judge.danger("sets what git runs", about);
    } else {
        judge.ask("changes how git works", about);
    }
}

/// Whether a `git config` only shows a setting.
pub(super) fn only_reads(git: &Git<'_>) -> bool {
    const LOOKING: &str = "--get --get-all --get-urlmatch --get-color --get-colorbool";
    let is_known = git.args.iter().all(|arg| {
        let text = arg.text.as_str();
        !text.starts_with('-')
            || LOOKING.split(' ').any(|name| name == text)
            || matches!(
                text,
                "--local"
                    | "--global"
                    | "--show-origin"
                    | "--show-scope"
                    | "--null"
                    | "-z"
                    | "--bool"
                    | "--int"
            )
    });
    let names = git.operands().count();
    let new_form = git.operand(0) == "get" && names == 2;
    is_known
        && (git.has(LOOKING) && names == 1
            || new_form
            || names == 1 && git.operand(0).contains('.'))
}

/// `git config`: showing a setting, or changing it.
pub(super) fn config(judge: &mut Judge<'_>, git: &Git<'_>) {
    if only_reads(git) {
        let key = git
            .operands()
            .last()
            .map_or("", |arg| arg.text.as_str())
            .to_lowercase();
        if key.contains("extraheader") || key.contains("password") || key.contains("token") {
            judge.danger("shows a secret", git.source);
        }
        return;
    }
    judge.ask("changes or lists the settings of git", git.source);
    if git
        .operands()
        .any(|arg| arg.text.contains('.') && runs(&arg.text))
    {
        judge.danger("sets what git runs", git.source);
    }
    for arg in git.operands() {
        judge.hands_over(arg);
    }
}
