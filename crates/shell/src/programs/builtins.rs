//! What bash does by itself.

use super::{Rule, conditions, variables};
use crate::Use;
use crate::args::{Arg, UNKNOWN};
use crate::judge::{Call, Judge, Places, Stdin};
use crate::options::{NONE, Options};
use crate::paths::{self, Place};

pub(super) const RULES: &[(&str, Rule)] = &[
    (
        ": true false exit return break continue pwd times",
        |_, _| (),
    ),
    ("jobs", jobs),
    ("test [", conditions::single),
    ("cd", change_directory),
    ("pushd popd", |judge, call| {
        judge.ask("changes the directory", call.source);
    }),
    ("dirs hash umask shift", small),
    ("type", |_, _| ()),
    ("printf", print_formatted),
    ("export declare typeset local readonly", declare),
    ("let", |judge, call| {
        judge.ask("calculates, which may run commands", call.source);
        evaluate(judge, call);
        for arg in call.rest() {
            variables::calculated(judge, &arg.text, &arg.source);
        }
    }),
    (
        "read mapfile readarray unset getopts wait",
        |judge, call| {
            judge.ask("changes variables", call.source);
            evaluate(judge, call);
            for arg in call.rest() {
                // `-aNAME` and `-pNAME` name one as well.
                variables::counted(judge, &arg.text);
                variables::counted(judge, arg.text.get(2..).unwrap_or_default());
            }
        },
    ),
    ("set shopt ulimit", |judge, call| {
        judge.ask("changes how the shell works", call.source);
    }),
    ("alias unalias", alias),
    ("eval", eval),
    ("source .", source),
    ("trap", trap),
    ("enable", |judge, call| {
        judge.danger("loads code into the shell", call.source);
    }),
    ("bind complete compgen compopt", completion),
    ("history fc", |judge, call| {
        judge.danger("shows or changes what was typed before", call.source);
    }),
    ("help logout suspend fg bg disown caller", |judge, call| {
        judge.ask("changes how the shell works", call.source);
    }),
];

fn small(judge: &mut Judge<'_>, call: &Call<'_>) {
    if call.args.len() > 1 {
        judge.ask("changes how the shell works", call.source);
    }
}

/// `jobs` lists, and with `-x` it runs a program.
fn jobs(judge: &mut Judge<'_>, call: &Call<'_>) {
    let options = Options {
        harmless: "-l -n -p -r -s",
        asks: "-x",
        stop_at_operand: true,
        ..NONE
    };
    let parsed = options.parse(call.rest());
    for given in &parsed.options {
        judge.option(given, true);
    }
    if parsed.has("-x") {
        let args: Vec<Arg> = parsed.operands.iter().map(|arg| (*arg).clone()).collect();
        judge.inner(&args, call);
    }
}

/// Where `cd` leads. Only a fixed directory in the workspace is harmless.
fn change_directory(judge: &mut Judge<'_>, call: &Call<'_>) {
    let mut operands = call
        .rest()
        .iter()
        .filter(|arg| !matches!(arg.text.as_str(), "-L" | "-P" | "-e" | "--"));
    let home = judge
        .context
        .home
        .as_ref()
        .map(|home| home.to_string_lossy().into_owned());
    let target = match operands.next() {
        None => home.unwrap_or_default(),
        Some(arg) => arg.text.clone(),
    };
    if operands.next().is_some() || target == "-" || target.starts_with('-') {
        judge.ask("changes to a directory that is not known", call.source);
    }
    let mut after = Places::new();
    for place in &judge.places {
        // From nowhere in particular one gets nowhere in particular.
        let path = paths::resolve(&target, place);
        let is_lost = path.starts_with(UNKNOWN);
        after.insert(if is_lost { UNKNOWN.to_string() } else { path });
    }
    judge.names(&target, &Use::Looks);
    match judge.reading(&target) {
        Place::Inside => {}
        Place::Secret => judge.danger("changes to a directory that holds secrets", call.source),
        _ => judge.ask(
            "changes to a directory outside of the workspace",
            call.source,
        ),
    }
    judge.places_after = Some(after);
}

fn print_formatted(judge: &mut Judge<'_>, call: &Call<'_>) {
    let mut rest = call.rest().iter();
    while let Some(arg) = rest.next() {
        if arg.text == "--" || !arg.text.starts_with('-') {
            break;
        }
        judge.ask("sets a variable", call.source);
        let attached = arg.text.strip_prefix("-v").unwrap_or_default();
        let name = if attached.is_empty() {
            rest.next().map_or("", |arg| arg.text.as_str())
        } else {
            attached
        };
        judge.evaluated(name, call.source);
        variables::assigned(judge, name, "", call.source);
    }
    let mut operands = call.rest().iter().skip_while(|arg| arg.text == "--");
    if operands.next().is_some_and(|format| counts(&format.text)) {
        judge.ask("sets a variable", call.source);
        for name in operands {
            judge.evaluated(&name.text, call.source);
            variables::assigned(judge, &name.text, "", call.source);
        }
    }
}

/// Whether a format has a `%n`, which sets a variable to how much was printed so far.
fn counts(format: &str) -> bool {
    let is_between = |c: char| c.is_ascii_digit() || "-+ #'.*hlLjzt".contains(c);
    let mut rest = format;
    while let Some((_, after)) = rest.split_once('%') {
        let mut conversion = after.trim_start_matches(is_between).chars();
        if conversion.next() == Some('n') {
            return true;
        }
        rest = conversion.as_str();
    }
    false
}

/// Arguments that bash evaluates as names or numbers.
fn evaluate(judge: &mut Judge<'_>, call: &Call<'_>) {
    for arg in call.rest() {
        judge.evaluated(&arg.text, &arg.source);
    }
}

fn declare(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.ask("sets variables for the commands after it", call.source);
    evaluate(judge, call);
    for arg in call.rest() {
        variables::assigned_in(judge, &arg.text, &arg.source);
    }
}

fn alias(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.is_fixed = false;
    judge.ask("gives a command another meaning", call.source);
    for arg in call.rest() {
        if let Some((_, code)) = arg.text.split_once('=') {
            judge.code(code, &arg.source);
        }
    }
}

fn eval(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.ask("runs text as a command", call.source);
    super::interpreters::fetched(judge, call);
    let texts: Vec<&str> = call.texts().filter(|text| *text != "--").collect();
    judge.code(&texts.join(" "), call.source);
}

fn source(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.is_fixed = false;
    judge.ask("runs a file in the shell", call.source);
    super::interpreters::fetched(judge, call);
    let Some(file) = call.rest().first() else {
        return;
    };
    let from_input = matches!(
        file.text.as_str(),
        "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" | "-"
    );
    if file.is_process || from_input && call.stdin == Stdin::Pipe {
        judge.danger("runs what another command prints", call.source);
    }
    judge.runs_file(&file.text, call.source);
    judge.hands_over(file);
}

fn trap(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.ask("runs a command later", call.source);
    let code = call.texts().find(|text| !text.starts_with('-'));
    if let Some(code) = code.filter(|_| call.args.len() > 2) {
        judge.code(code, call.source);
    }
}

/// Completion can run commands whenever a key is pressed, or at once.
fn completion(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.ask("changes how the shell works", call.source);
    let runs =
        |text: &str| text.starts_with("-C") || text.starts_with("-F") || text.starts_with("-x");
    if call.texts().any(runs) {
        judge.danger("runs a command through completion", call.source);
    }
    evaluate(judge, call);
}
