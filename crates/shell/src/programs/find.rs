//! `find` and `fd`: what they look for, and what they run on it.

use super::Rule;
use super::search::is_hunt;
use crate::args::Arg;
use crate::judge::{Call, Judge};
use crate::options::{Effect, NONE, Options};
use crate::paths::{Place, is_secret_name};

pub(super) const RULES: &[(&str, Rule)] = &[("find gfind", find), ("fd fdfind", fd)];

/// Conditions and actions without an argument.
const ALONE: &str = "-true -false -empty -executable -readable -writable -nouser -nogroup -print -print0 -ls -prune -quit -and -or -not \
    -a -o ! ( ) , -depth -d -mount -xdev -daystart -follow -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn";

/// Conditions with one argument.
const WITH_VALUE: &str = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -regextype -type -xtype -size \
    -mtime -atime -ctime -mmin -amin -cmin -used -perm -user -group -uid -gid -links -inum -fstype -maxdepth -mindepth -printf -context";

/// Conditions whose argument is a file to compare with.
const WITH_FILE: &str = "-newer -anewer -cnewer -samefile";

fn find(judge: &mut Judge<'_>, call: &Call<'_>) {
    let mut rest = call.rest();
    let mut outside = false;
    while let Some((arg, after)) = rest.split_first() {
        let is_leading_flag = matches!(arg.text.as_str(), "-H" | "-L" | "-P" | "--");
        if !is_leading_flag {
            if arg.text.starts_with(['-', '(', '!', ',']) {
                break;
            }
            outside |= judge.reading(&arg.text) != Place::Inside;
            judge.looks_at(arg);
        }
        rest = after;
    }
    while let Some((arg, after)) = rest.split_first() {
        rest = expression(judge, call, (arg, after), outside);
    }
}

/// One condition or action of `find`; gives what comes after it.
fn expression<'a>(
    judge: &mut Judge<'_>,
    call: &Call<'_>,
    (arg, after): (&'a Arg, &'a [Arg]),
    outside: bool,
) -> &'a [Arg] {
    let is = |names: &str| names.split(' ').any(|name| name == arg.text);
    let value = after.first();
    let skipped = after.get(1..).unwrap_or_default();
    if is(ALONE) {
        return after;
    }
    if is(WITH_VALUE) {
        let hunted = value.is_some_and(|value| is_secret_name(&value.text) || is_hunt(&value.text));
        if outside && hunted {
            judge.danger("looks for secrets outside of the workspace", call.source);
        }
        return skipped;
    }
    if is(WITH_FILE) {
        if let Some(file) = value {
            judge.looks_at(file);
        }
        return skipped;
    }
    match arg.text.as_str() {
        "-delete" => judge.danger("deletes what it finds", &arg.source),
        "-exec" | "-execdir" | "-ok" | "-okdir" => {
            let ends = |arg: &Arg| arg.text == ";" || arg.text == "+";
            let end = after.iter().position(ends).unwrap_or(after.len());
            fed(judge, &after[..end], call);
            return after.get(end + 1..).unwrap_or_default();
        }
        "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
            judge.ask("writes what it finds to a file", call.source);
            if let Some(file) = value {
                judge.writes_text(&file.text, &file.source);
            }
            let used = if arg.text == "-fprintf" { 2 } else { 1 };
            return after.get(used..).unwrap_or_default();
        }
        text if text.starts_with("-newer") => return skipped,
        text if text.starts_with("-O") => {}
        _ => judge.ask("has a flag that is not known here", &arg.source),
    }
    after
}

/// A program that gets what another one has found.
pub(super) fn fed(judge: &mut Judge<'_>, args: &[Arg], call: &Call<'_>) {
    judge.ask("runs a program on what it finds", call.source);
    let name = args
        .first()
        .map_or("", |arg| arg.text.rsplit('/').next().unwrap_or_default());
    if super::is_interpreter(name)
        || name == "env"
            && args.len() > 1
            && args[1..].iter().any(|arg| super::is_interpreter(&arg.text))
    {
        judge.danger("runs an interpreter on what it finds", call.source);
    }
    if matches!(
        name,
        "rm" | "unlink" | "rmdir" | "shred" | "truncate" | "mv"
    ) {
        judge.danger("deletes what it finds", call.source);
    }
    let outer = std::mem::replace(&mut judge.is_fed, true);
    judge.inner(args, call);
    judge.is_fed = outer;
}

const FD: Options = Options {
    harmless: "-0 -1 -a -F -g -H -i -I -l -L -p -q -s -u --absolute-path --case-sensitive --fixed-strings --follow --full-path \
        --glob --has-results --hidden --ignore-case --list-details --max-one-result --no-follow --no-hidden --no-ignore \
        --no-ignore-parent --no-ignore-vcs --no-require-git --one-file-system --print0 --prune --quiet --regex --relative-path \
        --show-errors --unrestricted --and",
    harmless_value: "-c -d -e -E -j -o -S -t --changed-before --changed-within --changed-after --newer --older --color --exact-depth \
        --exclude --extension --format --max-buffer-time --max-depth --max-results --min-depth --owner --path-separator --size \
        --threads --type",
    harmless_attached: "--strip-cwd-prefix",
    reads: "--ignore-file --search-path --base-directory",
    endangers: "",
    asks: "-x -X --exec --exec-batch",
    ..NONE
};

fn fd(judge: &mut Judge<'_>, call: &Call<'_>) {
    let runs = |arg: &Arg| {
        matches!(arg.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch")
            || arg.text.starts_with("--exec")
            || arg.text.starts_with('-')
                && !arg.text.starts_with("--")
                && arg.text.ends_with(['x', 'X'])
    };
    let rest = call.rest();
    let at = rest.iter().position(runs).unwrap_or(rest.len());
    let parsed = FD.parse(&rest[..at]);
    for given in &parsed.options {
        judge.option(given, true);
        if given.effect == Effect::Asks {
            judge.danger("runs a program on what it finds", call.source);
        }
    }
    for arg in parsed.operands.iter().skip(1) {
        judge.looks_at(arg);
    }
    if at < rest.len() {
        let attached = rest[at]
            .text
            .split_once('=')
            .map(|(_, program)| Arg::of(program));
        let program: Vec<Arg> = attached
            .into_iter()
            .chain(rest[at + 1..].iter().cloned())
            .collect();
        fed(judge, &program, call);
    }
}
