//! Editors and pagers: interactive, and able to run programs.

use super::{ASKED, Floor, Program};
use crate::judge::{Call, Judge};
use crate::options::{NONE, Options, Parsed};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "vim vi nvim view ex vimdiff gvim ed",
        options: Options {
            runs: "-S -s -u -U",
            asks_value: "-c --cmd",
            ..NONE
        },
        floor: Floor::Ask("opens an editor"),
        rule: Some(commands),
        ..ASKED
    },
    Program {
        names: "emacs",
        options: Options {
            runs: "--eval -eval --execute -l --load -f --funcall --script",
            ..NONE
        },
        floor: Floor::Ask("opens an editor"),
        ..ASKED
    },
    Program {
        names: "nano pico micro helix hx code subl emacsclient joe mcedit",
        floor: Floor::Ask("opens an editor"),
        ..ASKED
    },
    Program {
        names: "less more most pg zless zmore",
        options: Options {
            runs: "-k --lesskey-file --lesskey-src --lesskey-content",
            writes: "-o -O --log-file --LOG-FILE",
            ..NONE
        },
        floor: Floor::Ask("opens a pager"),
        rule: Some(commands),
        ..ASKED
    },
    Program {
        names: "man apropos info whatis",
        options: Options {
            runs: "-P --pager -H --html --preprocessor",
            asks_value: "-C --config-file -M --manpath",
            ..NONE
        },
        floor: Floor::Ask("opens a pager"),
        ..ASKED
    },
    Program {
        names: "bat batcat delta difft",
        options: Options {
            runs: "--pager --diff-so-fancy",
            ..NONE
        },
        floor: Floor::Ask("opens a pager"),
        ..ASKED
    },
    Program {
        names: "gdb lldb",
        options: Options {
            runs: "-x --command",
            asks_value: "-ex -eval-command --eval-command -o -p",
            ..NONE
        },
        floor: Floor::Ask("opens a debugger"),
        rule: Some(commands),
        ..ASKED
    },
    Program {
        names: "tmux screen zellij fzf dialog whiptail",
        floor: Floor::Ask("waits for keys"),
        rule: Some(commands),
        ..ASKED
    },
    Program {
        names: "open xdg-open start wslview",
        floor: Floor::Ask("opens something in another program"),
        ..ASKED
    },
    Program {
        names: "pbcopy pbpaste xclip xsel wl-copy wl-paste",
        floor: Floor::Ask("uses the clipboard"),
        ..ASKED
    },
];

/// Programs that take a whole screen, and without one wait for keys that never come.
const FULL_SCREEN: [&str; 13] = [
    "vim", "vi", "nvim", "view", "vimdiff", "emacs", "nano", "pico", "micro", "helix", "hx", "joe",
    "mcedit",
];

/// Whether this call takes a whole screen. With options it may be meant for a script.
pub(crate) fn is_full_screen(argv: &[String]) -> bool {
    let Some((program, rest)) = argv.split_first() else {
        return false;
    };
    let name = program.rsplit('/').next().unwrap_or_default();
    FULL_SCREEN.contains(&name) && !rest.iter().any(|arg| arg.starts_with(['-', '+']))
}

/// Commands of an editor can run programs: `:!ls`, `+!ls`, `shell ls`.
fn commands(judge: &mut Judge<'_>, call: &Call<'_>, _: &Parsed<'_>) {
    const SIGNS: [&str; 10] = [
        "!",
        "system(",
        "shell ",
        "python ",
        "py3",
        ":lua",
        ":py",
        "os.execute",
        "execute:",
        "execute(",
    ];
    for arg in call.rest() {
        if SIGNS.iter().any(|sign| arg.text.contains(sign)) {
            judge.danger("runs a program from an editor", &arg.source);
        }
    }
}
