//! Programs that run another program: theirs is the class of that.

use super::{Rule, find, variables};
use crate::args::Arg;
use crate::judge::{Call, Judge};
use crate::options::{NONE, Options};

pub(super) const RULES: &[(&str, Rule)] = &[
    ("timeout gtimeout", |judge, call| {
        quiet(judge, call, &TIMEOUT, 1);
    }),
    ("nice", |judge, call| quiet(judge, call, &NICE, 0)),
    ("ionice", |judge, call| quiet(judge, call, &IONICE, 0)),
    ("chrt taskset", |judge, call| loud(judge, call, &ANY, 1)),
    ("stdbuf", |judge, call| quiet(judge, call, &STDBUF, 0)),
    ("builtin", |judge, call| quiet(judge, call, &NONE_GIVEN, 0)),
    ("command", command),
    (
        "nohup setsid unbuffer catchsegv fakeroot dbus-run-session torsocks proxychains proxychains4 tsocks eatmydata",
        |judge, call| {
            loud(judge, call, &ANY, 0);
        },
    ),
    ("exec", |judge, call| loud(judge, call, &EXEC, 0)),
    ("time gtime", |judge, call| loud(judge, call, &TIME, 0)),
    (
        "strace ltrace perf valgrind rlwrap xvfb-run prlimit numactl cgexec",
        |judge, call| {
            loud(judge, call, &TRACE, 0);
        },
    ),
    ("faketime", |judge, call| loud(judge, call, &ANY, 1)),
    ("busybox toybox", |judge, call| {
        loud(judge, call, &NONE_GIVEN, 0);
    }),
    ("env", env),
    ("watch hyperfine entr watchexec nodemon", line),
    ("flock", |judge, call| loud(judge, call, &FLOCK, 1)),
    ("script", |judge, call| {
        with_code(judge, call, "-c --command");
    }),
    ("su runuser", |judge, call| {
        judge.danger("runs something as somebody else", call.source);
        with_code(judge, call, "-c --command");
    }),
    (
        "sudo doas pkexec gosu su-exec sg newgrp run0",
        |judge, call| {
            judge.danger("runs something with other rights", call.source);
            loud(judge, call, &SUDO, 0);
        },
    ),
    (
        "chroot unshare nsenter systemd-run firejail bwrap machinectl capsh",
        |judge, call| {
            judge.danger("runs something in other surroundings", call.source);
            loud(judge, call, &ANY, 0);
        },
    ),
    ("xargs gxargs", xargs),
    ("parallel", parallel),
    ("coproc", |judge, call| loud(judge, call, &NONE_GIVEN, 0)),
];

const STOPPING: Options = Options {
    stop_at_operand: true,
    ..NONE
};

const NONE_GIVEN: Options = STOPPING;

const ANY: Options = Options {
    harmless_value: "-p",
    ..STOPPING
};

const TIMEOUT: Options = Options {
    harmless: "-v -f -p --foreground --preserve-status --verbose",
    harmless_value: "-k -s --kill-after --signal",
    ..STOPPING
};

const NICE: Options = Options {
    harmless: "-#",
    harmless_value: "-n --adjustment",
    ..STOPPING
};

const IONICE: Options = Options {
    harmless: "-t --ignore",
    harmless_value: "-c -n --class --classdata",
    asks_value: "-p -P -u --pid --pgid --uid",
    ..STOPPING
};

const STDBUF: Options = Options {
    harmless_value: "-i -o -e --input --output --error",
    ..STOPPING
};

const EXEC: Options = Options {
    harmless: "-c -l",
    harmless_value: "-a",
    ..STOPPING
};

const TIME: Options = Options {
    harmless: "-p -v -a -q --portability --verbose --append --quiet",
    harmless_value: "-f --format",
    writes: "-o --output",
    ..STOPPING
};

const TRACE: Options = Options {
    harmless_value: "-e -p -s -a -u -E -O -S -P -I -b -X",
    writes: "-o --output",
    ..STOPPING
};

const FLOCK: Options = Options {
    harmless: "-s -x -e -u -n -o -F --shared --exclusive --unlock --nonblock --close --no-fork --verbose",
    harmless_value: "-w -E --timeout --wait --conflict-exit-code",
    ..STOPPING
};

const SUDO: Options = Options {
    harmless: "-A -b -E -e -H -i -k -K -l -n -P -S -s -v -V",
    harmless_value: "-C -D -g -h -p -r -R -t -T -u -U",
    ..STOPPING
};

const ENV: Options = Options {
    harmless: "-i -0 -v - --ignore-environment --null --debug",
    harmless_value: "-u --unset",
    asks_value: "-C --chdir -S --split-string -P -a --argv0",
    asks_attached: "--block-signal --default-signal --ignore-signal --list-signal-handling",
    ..STOPPING
};

const XARGS: Options = Options {
    harmless: "-0 -o -p -r -t -x --null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits",
    harmless_value: "-a -d -E -I -L -n -P -s -J -R --arg-file --delimiter --max-lines --max-args --max-procs --max-chars --process-slot-var",
    harmless_attached: "-e -i -l --eof --replace",
    ..STOPPING
};

/// The program after the options and `skipped` more arguments.
fn program(judge: &mut Judge<'_>, call: &Call<'_>, options: &Options, skipped: usize) -> Vec<Arg> {
    let parsed = options.parse(call.rest());
    for given in &parsed.options {
        judge.option(given, true);
    }
    parsed
        .operands
        .iter()
        .skip(skipped)
        .map(|arg| (*arg).clone())
        .collect()
}

/// A wrapper that adds nothing to what it runs.
fn quiet(judge: &mut Judge<'_>, call: &Call<'_>, options: &Options, skipped: usize) {
    let args = program(judge, call, options, skipped);
    judge.is_fixed = false;
    if args.is_empty() && call.args.len() > 1 {
        judge.ask("runs nothing that is known here", call.source);
    }
    judge.inner(&args, call);
}

/// A wrapper that is asked about whatever it runs.
fn loud(judge: &mut Judge<'_>, call: &Call<'_>, options: &Options, skipped: usize) {
    judge.ask("runs another program", call.source);
    let args = program(judge, call, options, skipped);
    judge.inner(&args, call);
    // Options that are not known may have taken the program for their value.
    let unknown = options
        .parse(call.rest())
        .options
        .iter()
        .any(|given| given.effect == crate::options::Effect::Unknown);
    if unknown && args.len() > 1 {
        judge.inner(&args[1..], call);
    }
}

fn command(judge: &mut Judge<'_>, call: &Call<'_>) {
    let looks_up = call
        .texts()
        .next()
        .is_some_and(|text| matches!(text, "-v" | "-V"));
    if !looks_up {
        let options = Options {
            harmless: "-p",
            ..STOPPING
        };
        quiet(judge, call, &options, 0);
    }
}

/// `env` sets variables for what it runs, or prints them all.
fn env(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.is_fixed = false;
    judge.ask(
        "runs a program in another environment, or prints it",
        call.source,
    );
    let parsed = ENV.parse(call.rest());
    for given in &parsed.options {
        judge.option(given, true);
        let splits = matches!(given.name.as_str(), "-S" | "--split-string");
        if let Some(code) = given.value.as_deref().filter(|_| splits) {
            judge.code(code, call.source);
        }
    }
    let mut args = parsed.operands.as_slice();
    while let Some((first, rest)) = args.split_first() {
        if !variables::assigned_in(judge, &first.text, &first.source) && !first.text.contains('=') {
            break;
        }
        args = rest;
    }
    let args: Vec<Arg> = args.iter().map(|arg| (*arg).clone()).collect();
    judge.inner(&args, call);
}

/// Programs that run a line of text, or words, again and again.
fn line(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.ask("runs a command again and again", call.source);
    let parsed = STOPPING_AT_WORDS.parse(call.rest());
    let words: Vec<&str> = parsed
        .operands
        .iter()
        .map(|arg| arg.text.as_str())
        .collect();
    judge.code(&words.join(" "), call.source);
    for given in &parsed.options {
        if let Some(code) = given.value.as_deref().filter(|_| given.name == "--exec") {
            judge.code(code, call.source);
        }
    }
}

const STOPPING_AT_WORDS: Options = Options {
    harmless_value: "-n --interval --exec -w -r -e -m",
    ..STOPPING
};

fn with_code(judge: &mut Judge<'_>, call: &Call<'_>, names: &'static str) {
    let options = Options {
        harmless_value: names,
        ..NONE
    };
    let parsed = options.parse(call.rest());
    judge.ask("runs another program", call.source);
    if let Some(code) = parsed.value(names) {
        judge.code(code, call.source);
    }
    for arg in &parsed.operands {
        judge.writes_text(&arg.text, &arg.source);
    }
}

fn xargs(judge: &mut Judge<'_>, call: &Call<'_>) {
    let args = program(judge, call, &XARGS, 0);
    let file = XARGS
        .parse(call.rest())
        .value("-a --arg-file")
        .map(str::to_owned);
    if let Some(file) = file {
        judge.reads_text(&file, call.source);
    }
    if args.is_empty() {
        judge.ask("runs a program on what it reads", call.source);
    } else {
        find::fed(judge, &args, call);
    }
}

fn parallel(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.ask("runs a program on what it reads", call.source);
    let words: Vec<&str> = call
        .texts()
        .skip_while(|text| text.starts_with('-'))
        .take_while(|text| !text.starts_with(":::"))
        .collect();
    let outer = std::mem::replace(&mut judge.is_fed, true);
    judge.code(&words.join(" "), call.source);
    judge.is_fed = outer;
    let args: Vec<Arg> = words.iter().map(|word| Arg::of(word)).collect();
    find::fed(judge, &args, call);
}
