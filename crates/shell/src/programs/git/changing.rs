//! Subcommands of git that change something: most can be undone, some cannot.

use super::Git;
use crate::judge::Judge;

pub(super) fn changes(judge: &mut Judge<'_>, git: &Git<'_>) {
    judge.ask(
        "changes the repository, or talks to another one",
        git.source,
    );
    if cannot_be_undone(git) {
        judge.danger("throws away what git cannot bring back", git.source);
    }
    match git.sub {
        "push" => push(judge, git),
        "clone" | "fetch" | "pull" | "ls-remote" | "remote" | "submodule" | "archive" => {
            if git.sub == "clone"
                && (git.has("-c -u --config") || git.has_start("-c") && !git.has_start("--"))
            {
                judge.danger("sets what git runs", git.source);
            }
            if git.sub == "submodule" && git.operand(0) == "foreach" {
                inner(judge, git, 1);
            }
        }
        "bisect" if git.operand(0) == "run" => inner(judge, git, 1),
        "rebase" if git.has("-x --exec") || git.has_start("--exec") => {
            judge.danger("makes git run a program", git.source);
        }
        "difftool" | "mergetool" if git.has_letter(&['x']) || git.has_start("--extcmd") => {
            judge.danger("makes git run a program", git.source);
        }
        "credential" | "credential-store" | "credential-cache" => {
            judge.danger("shows or changes credentials", git.source);
        }
        "send-email" | "imap-send" | "daemon" | "http-push" | "upload-pack" | "receive-pack"
        | "shell" | "instaweb" => {
            judge.danger("gives the repository away", git.source);
        }
        "init" if git.has_start("--template") => {
            judge.danger("makes git run a program", git.source);
        }
        _ => {}
    }
    for arg in git.operands() {
        judge.hands_over(arg);
    }
}

fn inner(judge: &mut Judge<'_>, git: &Git<'_>, skipped: usize) {
    let words: Vec<&str> = git
        .args
        .iter()
        .map(|arg| arg.text.as_str())
        .skip_while(|text| text.starts_with('-'))
        .skip(skipped)
        .skip_while(|text| text.starts_with("--"))
        .collect();
    judge.code(&words.join(" "), git.source);
}

/// Whether work or history is lost for good.
fn cannot_be_undone(git: &Git<'_>) -> bool {
    let first = git.operand(0);
    match git.sub {
        "clean" => git.has_letter(&['f']) || git.has_start("--f"),
        "reset" => {
            git.has_start("--hard")
                || git.has_start("--merge")
                || git.has_start("--keep")
                || git.has_start("--har")
        }
        "checkout" => {
            git.args.iter().any(|arg| arg.text == "--")
                || git.has_letter(&['f', 'B'])
                || git.has("--force --ours --theirs -p --patch --orphan")
                || git.operands().any(|arg| arg.text.starts_with('.'))
                || git.operands().count() > 1 && !git.has_letter(&['b']) && !git.has("--track -t")
        }
        "restore" => {
            !git.has_letter(&['S']) && !git.has("--staged")
                || git.has_letter(&['W'])
                || git.has("--worktree")
        }
        "switch" => {
            git.has_letter(&['f', 'C']) || git.has("--force --discard-changes --force-create")
        }
        "branch" => {
            git.has_letter(&['d', 'D', 'M', 'C', 'f']) || git.has_start("--d") || git.has("--force")
        }
        "tag" => git.has_letter(&['d', 'f']) || git.has_start("--d") || git.has("--force"),
        "stash" => matches!(first, "drop" | "clear"),
        "reflog" => matches!(first, "expire" | "delete" | "drop"),
        "update-ref" => git.has_letter(&['d']) || git.has("--stdin"),
        "gc" => git.has_start("--prune") || git.has_start("--aggressive"),
        "prune" | "filter-branch" | "filter-repo" | "fast-import" => true,
        "rm" => git.has_letter(&['f', 'r']) || git.has("--force"),
        "worktree" => {
            matches!(first, "remove" | "prune") && (git.has_letter(&['f']) || git.has("--force"))
        }
        "submodule" => first == "deinit" && (git.has_letter(&['f']) || git.has("--force")),
        "read-tree" | "checkout-index" => git.has_letter(&['f', 'u']) || git.has("--reset"),
        "replace" | "notes" => matches!(first, "remove" | "prune") || git.has_letter(&['d', 'f']),
        "lfs" => first == "prune",
        _ => false,
    }
}

fn push(judge: &mut Judge<'_>, git: &Git<'_>) {
    let forces = git.has_letter(&['f', 'd'])
        || [
            "--force", "--delete", "--mirror", "--prune", "--del", "--mir", "--forc",
        ]
        .iter()
        .any(|start| git.has_start(start));
    let deletes = git.operands().any(|arg| arg.text.starts_with(['+', ':']));
    if forces || deletes {
        judge.danger("overwrites or deletes on another machine", git.source);
    }
    let is_address = |text: &str| {
        text.contains("://")
            || text.contains('@') && text.contains(':')
            || text.starts_with(['/', '.'])
    };
    if git.operands().any(|arg| is_address(&arg.text)) || git.has_start("--repo") {
        judge.danger("sends the repository to an address of its own", git.source);
    }
    let texts: Vec<&str> = git.args.iter().map(|arg| arg.text.as_str()).collect();
    let sets = texts
        .windows(2)
        .any(|pair| matches!(pair[0], "-o" | "--push-option") && pair[1].contains("merge_request"));
    if sets {
        judge.ask("asks for a merge", git.source);
    }
}
