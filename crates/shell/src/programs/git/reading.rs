//! Subcommands of git that only look.

use super::Git;
use crate::args::Arg;
use crate::judge::Judge;
use crate::options::{Effect, NONE, Options};
use crate::paths::Place;

/// Options with which git looks into submodules: it runs what their settings name, which nothing
/// covers.
const SUBMODULES: &str = "--submodule --ignore-submodules --recurse-submodules --dirty --broken";

/// Options of everything that walks history or shows a difference.
const SHOWING: Options = Options {
    harmless: "-# -b -c -g -i -m -p -P -r -R -s -t -u -v -w -z -E -F --oneline --graph --decorate --no-decorate --all --branches --tags --remotes \
        --stat --shortstat --numstat --dirstat --summary --name-only --name-status --patch --no-patch --patch-with-stat --raw --cc --first-parent \
        --merges --no-merges --reverse --follow --full-history --simplify-merges --simplify-by-decoration --ancestry-path --topo-order \
        --date-order --author-date-order --left-right --left-only --right-only --cherry --cherry-pick --cherry-mark --boundary --count \
        --abbrev-commit --no-abbrev-commit --relative-date --no-color --no-renames --find-copies-harder --ignore-all-space \
        --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --ignore-cr-at-eol --function-context --no-ext-diff --no-textconv \
        --cached --staged --merge-base --quiet --exit-code --check --full-index --minimal --patience --histogram \
        --no-prefix --no-index --pickaxe-all --pickaxe-regex --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp \
        --invert-grep --all-match --walk-reflogs --reflog --source --use-mailmap --no-mailmap --mailmap --no-notes --show-pulls --clear-decorations \
        --full-diff --root --no-commit-id --always --compact-summary --no-walk --objects --no-object-names --parents --children --timestamp --header \
        --no-relative --combined-all-paths --dense --sparse --remove-empty --no-min-parents --no-max-parents --indent-heuristic \
        --no-indent-heuristic --default-prefix --itexpand-tabs --no-expand-tabs --line-prefix --log-size --exclude-promisor-objects --verbose",
    harmless_value: "-n -L -S -G -l -O -U --max-count --skip --since --after --until --before --author --committer --grep --format --date --diff-filter --unified \
        --inter-hunk-context --diff-algorithm --word-diff-regex --src-prefix --dst-prefix --min-parents --max-parents --exclude --glob --anchored \
        --diff-merges --encoding --ws-error-highlight --since-as-filter --no-walk --max-age --min-age --stat-width --stat-name-width --stat-count \
        --stat-graph-width --find-object",
    harmless_attached: "-C -M -B -X -D --pretty --color --decorate --abbrev --find-renames --find-copies --break-rewrites --word-diff --color-words --color-moved \
        --color-moved-ws --relative --stat --dirstat --no-walk --branches --tags --remotes --notes --show-notes \
        --irreversible-delete --decorate-refs --decorate-refs-exclude --expand-tabs --disk-usage --exclude-hidden --rotate-to --skip-to",
    // What is taken for binary may be so for the secrets in it.
    asks: "-a --text --binary --ext-diff --textconv --show-signature --stdin",
    asks_value: "--output --output-indicator-new",
    asks_attached: SUBMODULES,
    is_shared: true,
    ..NONE
};

const STATUS: Options = Options {
    harmless: "-s -b -v -z --short --branch --show-stash --long --verbose --no-renames --ahead-behind --no-ahead-behind --null",
    harmless_attached: "-u --porcelain --untracked-files --ignored --column --no-column --find-renames",
    asks_attached: SUBMODULES,
    is_shared: true,
    ..NONE
};

const BLAME: Options = Options {
    harmless: "-b -c -f -l -n -p -s -t -w -e --root --show-stats --porcelain --line-porcelain --incremental --show-name --show-number --show-email \
        --score-debug --color-lines --color-by-age --first-parent --minimal --no-progress",
    harmless_value: "-L -S --since --date --encoding --ignore-rev --reverse",
    harmless_attached: "-C -M --abbrev",
    reads: "--contents --ignore-revs-file",
    is_shared: true,
    ..NONE
};

const GREP: Options = Options {
    harmless: "-# -c -E -F -G -h -H -i -I -l -L -n -o -p -P -q -r -v -w -W -z --cached --no-index --untracked --ignore-case --word-regexp \
        --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column \
        --files-with-matches --name-only --files-without-match --only-matching --count --break --heading --show-function \
        --function-context --all-match --and --or --not --quiet --recursive --no-recursive --no-color \
        --exclude-standard --no-exclude-standard",
    harmless_value: "-A -B -C -e -m --context --after-context --before-context --max-depth --max-count --threads",
    harmless_attached: "--color",
    asks: "-a --text --textconv",
    asks_attached: SUBMODULES,
    reads: "-f",
    endangers: "-O",
    is_shared: true,
    ..NONE
};

const LISTING: Options = Options {
    harmless: "-a -c -d -h -i -k -l -m -n -o -p -q -r -s -S -t -u -v -V -e -z --abbrev-commit --cached --deleted --modified --others --ignored --stage --unmerged \
        --killed --directory --no-empty-directory --exclude-standard --error-unmatch --full-name --eol --deduplicate \
        --name-only --name-status --long --full-tree --heads --branches --tags --verify --quiet --dereference --hash --all --always --abbrev-ref \
        --symbolic-full-name --symbolic --show-toplevel --show-prefix --show-cdup --git-dir --git-common-dir --absolute-git-dir \
        --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --show-superproject-working-tree \
        --show-object-format --show-ref-format --sq --not --local-env-vars --contains --first-parent --long --exact-match --debug --summary --numbered \
        --email --no-merges --is-ancestor --octopus --fork-point --independent --non-matching --verbose --name-only --refs \
        --undefined --count --ignore-case --no-color --porcelain --no-index --stdin --date --root --human-readable --textconv-none --omit-empty --relative",
    harmless_value: "-x --exclude --candidates --match --format --sort --points-at --count --since --after --until --before --default --prefix --path-format",
    harmless_attached: "-w --abbrev --short --group --contains --no-contains --merged --no-merged --color --hash --exclude-existing --glob --branches --tags --remotes \
        --disambiguate --output-object-format --column --no-column --exclude --branches",
    asks_value: "-X --exclude-from --exclude-per-directory",
    asks_attached: SUBMODULES,
    is_shared: true,
    ..NONE
};

const CONTENT: Options = Options {
    harmless: "-t -s -e -p -z --batch-all-objects --unordered --buffer --follow-symlinks --allow-unknown-type",
    harmless_attached: "--batch-check",
    asks: "--textconv --filters --batch-command --batch",
    asks_attached: "--batch",
    asks_value: "--path",
    is_shared: true,
    ..NONE
};

/// What is named by its hash may be any file.
const HASHED: Options = Options {
    harmless: "-t -s -e -z --follow-symlinks --allow-unknown-type",
    asks: "-p --textconv --filters",
    ..CONTENT
};

fn is_hash(arg: &Arg) -> bool {
    arg.text.len() >= 4 && arg.text.chars().all(|c| c.is_ascii_hexdigit())
}

/// The options of `git`'s subcommand if it only looks, whatever they are; none otherwise.
pub(super) fn options(git: &Git<'_>) -> Option<Options> {
    let lists = |also: &str| {
        let has_name = git.operands().next().is_some();
        git.has(also) || !has_name
    };
    let changes = |letters: &[char], words: &str| git.has_letter(letters) || git.has(words);
    Some(match git.sub {
        "log" | "show" | "diff" | "whatchanged" | "rev-list" | "diff-tree" | "diff-index"
        | "diff-files" | "range-diff" | "shortlog" => SHOWING,
        "status" => STATUS,
        "blame" | "annotate" => BLAME,
        "grep" => GREP,
        // The kind of something and its name: it is shown whatever it is.
        "cat-file" if git.operands().nth(1).is_some() => return None,
        "cat-file" if git.operands().any(is_hash) => HASHED,
        "cat-file" => CONTENT,
        "ls-files" | "ls-tree" | "rev-parse" | "describe" | "name-rev" | "for-each-ref"
        | "merge-base" | "count-objects" | "cherry" | "check-ignore" | "check-attr"
        | "check-ref-format" | "show-ref" | "show-branch" | "version" => LISTING,
        "branch"
            if lists(
                "--list -l --show-current --contains --no-contains --merged --no-merged --points-at -a -r --all --remotes",
            ) =>
        {
            let words = "--delete --move --copy --force --set-upstream-to --unset-upstream --edit-description --track --create-reflog --set-upstream";
            if changes(&['d', 'D', 'm', 'M', 'c', 'C', 'f', 'u', 't'], words) {
                return None;
            }
            let names_first = git.operands().next().is_some()
                && !git.has("--list -l --contains --no-contains --merged --no-merged --points-at");
            if names_first {
                return None;
            }
            BRANCH
        }
        "tag" if lists("--list -l --contains --no-contains --merged --no-merged --points-at") => {
            if changes(
                &['d', 'a', 's', 'f', 'm', 'F', 'u', 'e', 'v'],
                "--delete --annotate --sign --force --message --file --verify --edit --local-user",
            ) {
                return None;
            }
            BRANCH
        }
        "remote" if matches!(git.operand(0), "" | "get-url") => LISTING,
        "stash" if matches!(git.operand(0), "list" | "show") => SHOWING,
        "worktree" if git.operand(0) == "list" => LISTING,
        "notes" if matches!(git.operand(0), "list" | "show") => LISTING,
        "bisect" if git.operand(0) == "log" => LISTING,
        "reflog" if !matches!(git.operand(0), "expire" | "delete" | "drop" | "write") => SHOWING,
        "symbolic-ref" if git.operands().count() == 1 && !git.has("-d --delete") => LISTING,
        _ => return None,
    })
}

const BRANCH: Options = Options {
    harmless: "-# -a -r -v -q -i -l --all --remotes --list --verbose --show-current --no-color --ignore-case --no-column --quiet --omit-empty -n",
    harmless_value: "--sort --format --points-at",
    harmless_attached: "--color --abbrev --no-abbrev --column --contains --no-contains --merged --no-merged -n",
    is_shared: true,
    ..NONE
};

/// What is left to say about a subcommand that only looks.
pub(super) fn looks(judge: &mut Judge<'_>, git: &Git<'_>, options: &Options) {
    if matches!(git.sub, "diff-files" | "diff-index") {
        judge.ask(
            "looks into submodules, which may have settings of their own",
            git.source,
        );
    }
    let parsed = options.parse(git.args);
    for given in &parsed.options {
        let is_signature = given
            .value
            .as_deref()
            .is_some_and(|value| value.contains("%G") || value.contains("%(signature"));
        if is_signature {
            judge.ask("lets git run another program", &given.arg.source);
        }
        if given.effect == Effect::Endangers {
            judge.danger("makes git run a program", &given.arg.source);
        } else {
            judge.option(given, true);
        }
        if matches!(given.name.as_str(), "--output") {
            judge.writes_text(
                given.value.as_deref().unwrap_or_default(),
                &given.arg.source,
            );
        }
    }
    for arg in git.operands() {
        let named = arg.text.rsplit(':').next().unwrap_or_default();
        if judge.reading(named) == Place::Outside {
            judge.ask("looks outside of the workspace", &arg.source);
        }
    }
}
