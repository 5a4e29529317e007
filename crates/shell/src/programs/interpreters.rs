//! Shells and interpreters: what they run is read where it can be.

use super::{Rule, network};
use crate::judge::{Call, Judge, Stdin};
use crate::options::{NONE, Options};

pub(super) const RULES: &[(&str, Rule)] =
    &[("bash sh zsh dash ksh mksh ash fish csh tcsh rbash", shell)];

const SHELLS: [&str; 11] = [
    "bash", "sh", "zsh", "dash", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "rbash",
];

const OTHERS: [&str; 26] = [
    "python",
    "pypy",
    "perl",
    "ruby",
    "node",
    "nodejs",
    "deno",
    "bun",
    "php",
    "lua",
    "luajit",
    "Rscript",
    "tclsh",
    "expect",
    "osascript",
    "groovy",
    "julia",
    "irb",
    "jjs",
    "jrunscript",
    "elixir",
    "ghci",
    "scala",
    "raku",
    "pwsh",
    "ts-node",
];

/// Whether a program of that name runs what it reads.
pub(crate) fn is_interpreter(name: &str) -> bool {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    SHELLS.contains(&name) || OTHERS.contains(&bare)
}

const SHELL: Options = Options {
    harmless: "-e -u -x -v -l -r -i -n -f -a -b -h -k -m -p -t -B -C -E -H -P -T -s --login --noprofile --norc --posix --restricted --verbose",
    harmless_value: "-o -O",
    asks: "-c",
    runs: "--rcfile --init-file",
    stop_at_operand: true,
    ..NONE
};

/// A shell: its code is read like any other.
fn shell(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.is_fixed = false;
    judge.ask("runs a shell", call.source);
    fetched(judge, call);
    let parsed = SHELL.parse(call.rest());
    for given in &parsed.options {
        judge.option(given, true);
    }
    if parsed.has("-c") {
        match parsed.operands.first() {
            Some(code) => judge.code(&code.text, call.source),
            None => judge.ask("runs a shell", call.source),
        }
        return;
    }
    let reads_input = parsed.has("-s") || parsed.operands.is_empty();
    input(judge, call, reads_input, true);
    for arg in &parsed.operands {
        if arg.is_process {
            judge.danger("runs what another command prints", call.source);
        }
        judge.runs_file(&arg.text, call.source);
        judge.hands_over(arg);
    }
}

/// Flags after which code follows.
const INLINE: [&str; 9] = [
    "-c", "-e", "-E", "-p", "-r", "--eval", "--print", "eval", "-pe",
];

/// Any other interpreter: its language is not read, only searched for what stands out.
pub(super) fn interpreter(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.is_fixed = false;
    judge.ask("runs an interpreter", call.source);
    fetched(judge, call);
    let mut has_code = false;
    let mut rest = call.rest().iter();
    while let Some(arg) = rest.next() {
        let is_cluster = arg.text.starts_with('-')
            && !arg.text.starts_with("--")
            && arg.text.ends_with(['e', 'c', 'E']);
        if INLINE.contains(&arg.text.as_str()) || is_cluster {
            has_code = true;
            judge.cannot_tell();
            if let Some(code) = rest.next() {
                foreign(judge, &code.text, &code.source);
                judge.hands_over(code);
            }
        } else if arg.text.starts_with('-') && arg.text.len() > 1 {
            // `-c'code'` and `--eval=code`.
            judge.cannot_tell();
            foreign(judge, &arg.text, &arg.source);
        } else {
            has_code |= arg.text != "-";
            judge.runs_file(&arg.text, call.source);
            if arg.is_process {
                judge.danger("runs what another command prints", call.source);
            }
            judge.hands_over(arg);
        }
    }
    input(judge, call, !has_code, false);
}

/// What an interpreter without a script makes of its standard input.
fn input(judge: &mut Judge<'_>, call: &Call<'_>, is_code: bool, is_shell: bool) {
    if is_code && !(is_shell && matches!(call.stdin, Stdin::Text(_))) {
        judge.cannot_tell();
    }
    match &call.stdin {
        Stdin::Pipe if is_code => judge.danger("runs what another command prints", call.source),
        Stdin::Text(text) if is_code && is_shell => judge.code(text, call.source),
        Stdin::Text(text) => foreign(judge, text, call.source),
        _ => {}
    }
}

/// Code in a language that is not read here.
fn foreign(judge: &mut Judge<'_>, code: &str, about: &str) {
    const SIGNS: [&str; 42] = [
        "os.system",
        "subprocess",
        "os.popen",
        "os.exec",
        "os.spawn",
        "pty.spawn",
        "shutil.rmtree",
        "os.remove",
        "os.unlink",
        "os.rmdir",
        "os.removedirs",
        "os.kill",
        ".unlink(",
        "rmtree",
        "__import__",
        "socket",
        "urllib",
        "requests.",
        "http.client",
        "ctypes",
        "child_process",
        "execSync",
        "spawnSync",
        "unlinkSync",
        "rmSync",
        "rmdirSync",
        "fs.rm",
        "require('http",
        "require(\"http",
        "fetch(",
        "process.env",
        "os.environ",
        "%ENV",
        "$ENV{",
        "ENV[",
        "system(",
        "system ",
        "exec(",
        "popen(",
        "shell_exec",
        "passthru(",
        "`",
    ];
    if let Some(sign) = SIGNS.iter().find(|sign| code.contains(**sign)) {
        judge.danger(
            format!("runs code that may run programs, delete, or reach out ({sign})"),
            about,
        );
    }
}

/// Whether what is run was fetched from somewhere, or unpacked from something unreadable.
pub(super) fn fetched(judge: &mut Judge<'_>, call: &Call<'_>) {
    let is = |name: &str| {
        network::is_network(name) || matches!(name, "base64" | "xxd" | "uudecode" | "openssl")
    };
    if call
        .words
        .iter()
        .any(|word| crate::judge::in_pieces(&word.pieces, &is))
    {
        judge.danger(
            "runs what comes from the network, or what nobody can read",
            call.source,
        );
    }
}
