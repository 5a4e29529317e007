//! Programs that create, change and delete files.

use super::{ASKED, Floor, Operands, Program};
use crate::judge::{Call, Judge};
use crate::options::{NONE, Options, Parsed};
use crate::paths::Place;

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "touch mkdir mkfifo mktemp",
        options: Options {
            reads: "-r --reference",
            ..NONE
        },
        operands: Operands::Written,
        floor: Floor::Ask("creates files"),
        rule: Some(touches),
        ..ASKED
    },
    Program {
        names: "tee sponge",
        options: Options {
            harmless: "-a -i -p --append --ignore-interrupts",
            ..NONE
        },
        operands: Operands::Written,
        floor: Floor::Ask("writes its input to files"),
        rule: Some(opens_all),
        ..ASKED
    },
    Program {
        names: "cp install",
        options: Options {
            writes: "-t --target-directory",
            ..NONE
        },
        operands: Operands::SourcesAndTarget,
        floor: Floor::Ask("copies files"),
        rule: Some(copies),
        ..ASKED
    },
    Program {
        names: "mv",
        options: Options {
            writes: "-t --target-directory",
            ..NONE
        },
        operands: Operands::SourcesAndTarget,
        floor: Floor::Ask("moves files"),
        rule: Some(moves),
        ..ASKED
    },
    Program {
        names: "ln link",
        operands: Operands::SourcesAndTarget,
        floor: Floor::Ask("creates a link"),
        ..ASKED
    },
    Program {
        names: "rm grm",
        options: Options {
            harmless: "-i -I -v -d --interactive --verbose --dir",
            endangers: "-r -R -f --recursive --force --no-preserve-root",
            ..NONE
        },
        operands: Operands::Written,
        floor: Floor::Ask("deletes files"),
        peril: "deletes whole directories, or without asking back",
        rule: Some(deletes),
        ..ASKED
    },
    Program {
        names: "rmdir unlink",
        operands: Operands::Written,
        floor: Floor::Ask("deletes files"),
        ..ASKED
    },
    Program {
        names: "shred srm wipe rimraf trash trash-put",
        floor: Floor::Danger("deletes for good"),
        ..ASKED
    },
    Program {
        names: "truncate",
        floor: Floor::Danger("cuts files off"),
        ..ASKED
    },
    Program {
        names: "chmod",
        options: Options {
            endangers: "-R --recursive",
            ..NONE
        },
        floor: Floor::Ask("changes who may use files"),
        peril: "changes everything below a directory",
        rule: Some(permissions),
        ..ASKED
    },
    Program {
        names: "chown chgrp",
        options: Options {
            endangers: "-R --recursive",
            ..NONE
        },
        operands: Operands::Anything,
        floor: Floor::Ask("changes who owns files"),
        peril: "changes everything below a directory",
        rule: Some(everything),
        ..ASKED
    },
    Program {
        names: "chattr setfacl setfattr setcap mknod",
        floor: Floor::Danger("changes how the system treats files"),
        ..ASKED
    },
    Program {
        names: "dd",
        floor: Floor::Ask("copies raw bytes"),
        rule: Some(raw_copy),
        ..ASKED
    },
    Program {
        names: "split",
        options: Options {
            runs: "--filter",
            ..NONE
        },
        floor: Floor::Ask("creates files"),
        ..ASKED
    },
    Program {
        names: "csplit dos2unix unix2dos rename fallocate indent clang-format rustfmt prettier gofmt black ruff",
        floor: Floor::Ask("may change files"),
        ..ASKED
    },
    Program {
        names: "patch",
        options: Options {
            writes: "-o --output -r --reject-file",
            reads: "-i --input",
            ..NONE
        },
        operands: Operands::Written,
        floor: Floor::Ask("changes files"),
        ..ASKED
    },
    Program {
        names: "rsync",
        options: Options {
            runs: "-e --rsh --rsync-path",
            endangers: "--delete --delete-before --delete-during --delete-delay --delete-after --delete-excluded --remove-source-files --del",
            ..NONE
        },
        operands: Operands::Anything,
        floor: Floor::Ask("copies files"),
        peril: "deletes files where it copies from or to",
        rule: Some(super::network::copies_away),
        ..ASKED
    },
];

fn touches(judge: &mut Judge<'_>, call: &Call<'_>, parsed: &Parsed<'_>) {
    // The others of its kind make no ordinary files.
    let is_touch = call.args.first().is_some_and(|arg| arg.text == "touch");
    if is_touch && parsed.options.is_empty() {
        opens_all(judge, call, parsed);
    }
}

fn opens_all(judge: &mut Judge<'_>, _: &Call<'_>, parsed: &Parsed<'_>) {
    for arg in &parsed.operands {
        judge.opens_text(&arg.text, &arg.source);
    }
}

fn copies(judge: &mut Judge<'_>, call: &Call<'_>, parsed: &Parsed<'_>) {
    if parsed
        .operands
        .first()
        .is_some_and(|arg| arg.text == "/dev/null")
    {
        judge.danger("empties a file", call.source);
    }
    let is_cp = call.args.first().is_some_and(|arg| arg.text == "cp");
    if let [_, target] = parsed.operands[..]
        && is_cp
        && parsed.options.is_empty()
    {
        judge.opens_text(&target.text, &target.source);
    }
    if parsed.has("-t --target-directory") {
        for arg in &parsed.operands {
            judge.reads(arg);
        }
    }
}

fn moves(judge: &mut Judge<'_>, call: &Call<'_>, parsed: &Parsed<'_>) {
    let Some((target, sources)) = parsed.operands.split_last() else {
        return;
    };
    if target.text.starts_with("/dev/null") {
        judge.danger("throws files away", call.source);
    }
    for source in sources {
        // What is moved is written too: it is gone from where it was.
        judge.writes_text(&source.text, &source.source);
        if judge.is_everything(&source.text) {
            judge.danger("moves everything away", call.source);
        }
    }
}

fn deletes(judge: &mut Judge<'_>, call: &Call<'_>, parsed: &Parsed<'_>) {
    for arg in &parsed.operands {
        let last = arg
            .text
            .trim_end_matches('/')
            .rsplit('/')
            .next()
            .unwrap_or_default();
        if judge.is_everything(&arg.text) || arg.is_glob && last == "*" {
            judge.danger("deletes everything", call.source);
        }
    }
}

fn permissions(judge: &mut Judge<'_>, call: &Call<'_>, parsed: &Parsed<'_>) {
    everything(judge, call, parsed);
    let mode = call
        .texts()
        .find(|text| !text.starts_with("--"))
        .unwrap_or_default();
    let is_octal = mode.len() >= 3 && mode.chars().all(|c| c.is_digit(8));
    let is_special = is_octal && mode.len() == 4 && !mode.starts_with('0');
    let is_open = is_octal && mode.ends_with(['2', '3', '6', '7']);
    let by_letter =
        mode.contains("+s") || mode.contains("=s") || mode.contains("o+w") || mode.contains("a+w");
    if is_special || is_open || by_letter {
        judge.danger(
            "gives everybody rights, or a program those of its owner",
            call.source,
        );
    }
}

fn everything(judge: &mut Judge<'_>, call: &Call<'_>, parsed: &Parsed<'_>) {
    for arg in parsed.operands.iter().skip(1) {
        if judge.is_everything(&arg.text) {
            judge.danger("changes everything", call.source);
        }
        if judge.reading(&arg.text) == Place::Outside {
            judge.ask("changes files outside of the workspace", &arg.source);
        }
        judge.writes_text(&arg.text, &arg.source);
    }
}

fn raw_copy(judge: &mut Judge<'_>, call: &Call<'_>, _: &Parsed<'_>) {
    for arg in call.rest() {
        if let Some(target) = arg.text.strip_prefix("of=") {
            judge.writes_text(target, &arg.source);
        }
        if let Some(source) = arg.text.strip_prefix("if=") {
            judge.reads_text(source, &arg.source);
        }
    }
}
