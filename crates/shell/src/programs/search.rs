//! Programs that search in files.

use super::{Operands, Program, READER};
use crate::judge::{Call, Judge, Stdin};
use crate::options::{NONE, Options, Parsed};
use crate::paths::{Place, is_secret_variable};
use crate::{Search, Use};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "grep egrep fgrep",
        options: Options {
            harmless: "-# -a -b -c -E -F -G -h -H -i -I -l -L -n -o -P -q -r -R -s -T -U -v -V -w -x -y -z -Z --text --byte-offset --count \
                --extended-regexp --fixed-strings --basic-regexp --perl-regexp --no-filename --with-filename --ignore-case \
                --no-ignore-case --files-with-matches --files-without-match --line-number --only-matching --quiet --silent --recursive \
                --dereference-recursive --no-messages --initial-tab --binary --invert-match --word-regexp --line-regexp --null-data --null \
                --line-buffered",
            harmless_value: "-A -B -C -D -d -e -m --after-context --before-context --context --devices --directories --regexp --max-count \
                --binary-files --exclude --exclude-dir --include --label --group-separator",
            harmless_attached: "--color --colour --no-group-separator",
            reads: "-f --file --exclude-from",
            ..NONE
        },
        operands: Operands::PatternAndFiles,
        rule: Some(searches),
        ..READER
    },
    Program {
        names: "rg",
        options: Options {
            harmless: "-. -0 -a -b -c -F -H -h -i -I -l -L -n -N -o -p -P -q -s -S -u -U -v -w -x --stop-on-nonmatch --auto-hybrid-regex --no-auto-hybrid-regex \
                --block-buffered --binary --byte-offset --case-sensitive --column --no-column --count --count-matches --crlf --debug \
                --files --files-with-matches --files-without-match --fixed-strings --follow --glob-case-insensitive --heading --no-heading \
                --hidden --no-hidden --ignore-case --include-zero --invert-match --json --line-buffered --line-number --no-line-number \
                --line-regexp --mmap --no-mmap --multiline --multiline-dotall --no-config --no-filename --no-ignore --no-ignore-dot \
                --no-ignore-exclude --no-ignore-files --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs \
                --no-messages --no-pcre2-unicode --no-require-git --no-unicode --null --null-data --one-file-system --only-matching --pcre2 \
                --pcre2-version --pretty --quiet --smart-case --stats --text --trim --type-list --unrestricted --vimgrep --with-filename \
                --word-regexp --passthru --passthrough",
            harmless_value: "-A -B -C -d -e -E -g -j -m -M -r -t -T --after-context --before-context --context --max-depth --maxdepth --regexp --encoding \
                --engine --glob --iglob --threads --max-count --max-columns --max-filesize --replace --sort --sortr --type --type-not \
                --type-add --type-clear --color --colors --context-separator --dfa-size-limit --regex-size-limit --field-context-separator \
                --field-match-separator --path-separator --pre-glob --generate --hyperlink-format",
            reads: "-f --file --ignore-file",
            asks: "-z --search-zip",
            runs: "--pre --hostname-bin",
            ..NONE
        },
        operands: Operands::PatternAndFiles,
        rule: Some(searches),
        ..READER
    },
    Program {
        names: "which",
        options: Options {
            harmless: "-a -s --all",
            ..NONE
        },
        operands: Operands::Text,
        ..READER
    },
    Program {
        names: "whereis",
        options: Options {
            harmless: "-b -m -s -u -l",
            ..NONE
        },
        operands: Operands::Text,
        ..READER
    },
];

/// Looking for secrets is another matter than looking for code; and a search without files waits.
fn searches(judge: &mut Judge<'_>, call: &Call<'_>, parsed: &Parsed<'_>) {
    let by_option = parsed.has("-e --regexp -f --file");
    let pattern = match parsed.value("-e --regexp") {
        Some(pattern) => pattern.to_owned(),
        None => parsed
            .operands
            .first()
            .map(|arg| arg.text.clone())
            .unwrap_or_default(),
    };
    let files: Vec<_> = parsed
        .operands
        .iter()
        .skip(usize::from(!by_option))
        .collect();
    let outside = files
        .iter()
        .any(|arg| judge.reading(&arg.text) != Place::Inside);
    if judge.is_environment && (is_hunt(&pattern) || is_secret_variable(&pattern)) {
        judge.danger("looks for secrets in the environment", call.source);
    }
    if outside && is_hunt(&pattern) {
        judge.danger("looks for secrets outside of the workspace", call.source);
    }
    if files
        .iter()
        .any(|arg| judge.reading(&arg.text) != Place::Inside && judge.is_everything(&arg.text))
    {
        judge.danger("searches everything, secrets included", call.source);
    }
    let is_grep = !call
        .args
        .first()
        .is_some_and(|arg| arg.text.ends_with("rg"));
    let searches_here = !is_grep
        || parsed.has("-r -R --recursive --dereference-recursive")
        || parsed
            .value("-d --directories")
            .is_some_and(|what| what.starts_with('r'));
    if searches_here {
        let [only, except_files, except_dirs] = patterns(parsed);
        let search = Search {
            skips_hidden: !is_grep && only.is_empty() && !shows_hidden(parsed),
            follows: parsed.has("-R --dereference-recursive -L --follow"),
            only,
            except_files,
            except_dirs,
        };
        let has_input = !is_grep && call.stdin != Stdin::Inherited;
        let here = (files.is_empty() && !has_input).then_some(".");
        for dir in files.iter().map(|arg| arg.text.as_str()).chain(here) {
            judge.names(dir, &Use::Searches(search.clone()));
        }
    }
    if files.is_empty() && !searches_here && call.stdin == Stdin::Inherited && !judge.is_fed {
        judge.ask("waits for input", call.source);
    }
}

/// Whether `rg` is told to look at hidden files too.
fn shows_hidden(parsed: &Parsed<'_>) -> bool {
    let all = "-. --hidden --iglob -u --unrestricted --no-ignore --no-ignore-vcs --no-ignore-dot \
        --no-ignore-files --no-ignore-exclude --no-ignore-parent --no-ignore-global";
    parsed
        .options
        .iter()
        .any(|given| all.split_whitespace().any(|name| name == given.name))
}

/// Patterns of names outside of which nothing is searched, and of those that are left out: of files,
/// and of directories.
fn patterns(parsed: &Parsed<'_>) -> [Vec<String>; 3] {
    let [mut only, mut files, mut dirs] = [const { Vec::new() }; 3];
    for given in &parsed.options {
        let value = given.value.clone().unwrap_or_default();
        match (given.name.as_str(), value.strip_prefix('!')) {
            ("-g" | "--glob", Some(value)) => {
                files.push(value.to_owned());
                dirs.push(value.to_owned());
            }
            ("--include" | "-g" | "--glob", _) => only.push(value),
            ("--exclude", _) => files.push(value),
            ("--exclude-dir", _) => dirs.push(value),
            _ => {}
        }
    }
    // A later pattern takes back what an earlier one left out.
    if !only.is_empty() || parsed.has("--iglob") {
        files.clear();
        dirs.clear();
    }
    if parsed.has("--iglob") {
        only.clear();
    }
    [only, files, dirs]
}

/// Whether somebody who looks for that looks for secrets.
pub(super) fn is_hunt(pattern: &str) -> bool {
    const WORDS: [&str; 11] = [
        "passw",
        "secret",
        "token",
        "api_key",
        "apikey",
        "api-key",
        "credential",
        "private key",
        "private_key",
        "aws_",
        "akia",
    ];
    let pattern = pattern.to_lowercase();
    WORDS.iter().any(|word| pattern.contains(word))
}
