//! Build tools and package managers: they run what the project says.

use super::{ASKED, Floor, Program, Rule};
use crate::args::Arg;
use crate::judge::{Call, Judge};
use crate::options::{NONE, Options, Parsed};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "make gmake ninja cmake meson bazel buck just task rake gradle gradlew mvn ant sbt lein scons tox nox invoke",
        options: Options {
            runs: "--eval -E --init-script -I",
            ..NONE
        },
        floor: Floor::Ask("runs what the project says"),
        rule: Some(make_variables),
        ..ASKED
    },
    Program {
        names: "npm pnpm yarn bunx",
        options: Options {
            runs: "--script-shell --node-options --shell",
            ..NONE
        },
        floor: Floor::Ask("runs what the project says, or fetches programs"),
        rule: Some(publishes),
        ..ASKED
    },
    Program {
        names: "pip pip3 pipx uv poetry pdm conda mamba gem bundle composer dotnet nuget swift mix cabal stack opam rustup \
            twine flit hatch vsce ovsx volta nvm asdf mise pyenv rbenv",
        floor: Floor::Ask("runs what the project says, or fetches programs"),
        rule: Some(publishes),
        ..ASKED
    },
    Program {
        names: "go",
        floor: Floor::Ask("runs what the project says, or fetches programs"),
        rule: Some(go_programs),
        ..ASKED
    },
    Program {
        names: "gcc g++ cc c++ clang clang++ ld gfortran",
        options: Options {
            runs: "-wrapper -fplugin --ld-path",
            writes: "-o",
            ..NONE
        },
        floor: Floor::Ask("writes a program"),
        rule: Some(plugins),
        ..ASKED
    },
    Program {
        names: "pytest jest vitest mocha tsc eslint mypy pylint flake8 phpunit rspec ctest clippy-driver rustc javac java kotlinc nasm",
        floor: Floor::Ask("runs what the project says"),
        ..ASKED
    },
];

pub(super) const RULES: &[(&str, Rule)] = &[("cargo", cargo), ("npx", npx)];

fn make_variables(judge: &mut Judge<'_>, call: &Call<'_>, _: &Parsed<'_>) {
    for arg in call.rest() {
        if arg.text.starts_with("SHELL=") || arg.text.starts_with("MAKEFLAGS=") {
            judge.danger("chooses the program that runs the recipes", &arg.source);
        }
        // `x:=$(shell ..)` runs as soon as it is read.
        if arg.text.contains('$') {
            judge.danger("gives make something to work out", &arg.source);
        }
    }
}

fn publishes(judge: &mut Judge<'_>, call: &Call<'_>, _: &Parsed<'_>) {
    let command = call
        .texts()
        .find(|text| !text.starts_with('-'))
        .unwrap_or_default();
    if matches!(
        command,
        "publish"
            | "unpublish"
            | "upload"
            | "push"
            | "deprecate"
            | "owner"
            | "yank"
            | "adduser"
            | "login"
            | "token"
    ) {
        judge.danger("publishes, or changes what is published", call.source);
    }
    let words: Vec<&str> = call.texts().collect();
    if words.contains(&"exec") || words.contains(&"dlx") {
        let at = words
            .iter()
            .position(|word| matches!(*word, "exec" | "dlx"))
            .unwrap_or_default();
        let args: Vec<Arg> = call.rest()[at + 1..]
            .iter()
            .filter(|arg| arg.text != "--")
            .cloned()
            .collect();
        judge.inner(&args, call);
    }
}

/// `go` lets its flags name the programs that it runs, also those of the linker.
fn go_programs(judge: &mut Judge<'_>, call: &Call<'_>, _: &Parsed<'_>) {
    for arg in call.rest() {
        let flag = arg.text.split('=').next().unwrap_or_default();
        let runs = matches!(
            flag.trim_start_matches('-'),
            "exec" | "toolexec" | "vettool"
        );
        if runs || arg.text.contains("-extld") {
            judge.danger("chooses a program that go runs", &arg.source);
        }
    }
}

fn plugins(judge: &mut Judge<'_>, call: &Call<'_>, _: &Parsed<'_>) {
    if call.texts().any(|text| {
        text.starts_with("-fplugin") || text.starts_with("-wrapper") || text.starts_with("-B")
    }) {
        judge.danger("runs a program that is not the compiler", call.source);
    }
}

/// `cargo` runs build scripts; its settings can name any program.
fn cargo(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.ask("runs what the project says", call.source);
    let words: Vec<&str> = call.texts().collect();
    let before: Vec<&str> = words
        .iter()
        .copied()
        .take_while(|word| *word != "--")
        .collect();
    if before.iter().any(|word| word.starts_with("--config")) {
        judge.danger("sets what cargo runs", call.source);
    }
    let command = before
        .iter()
        .find(|word| !word.starts_with(['-', '+']))
        .copied()
        .unwrap_or_default();
    if matches!(command, "publish" | "yank" | "owner" | "login" | "logout") {
        judge.danger("publishes, or changes what is published", call.source);
    }
    judge.anything(call);
}

fn npx(judge: &mut Judge<'_>, call: &Call<'_>) {
    judge.ask("fetches a program and runs it", call.source);
    let args: Vec<Arg> = call
        .rest()
        .iter()
        .skip_while(|arg| arg.text.starts_with('-'))
        .cloned()
        .collect();
    if call
        .texts()
        .next()
        .is_some_and(|text| matches!(text, "-c" | "--call"))
    {
        if let Some(code) = call.rest().get(1) {
            judge.code(&code.text, &code.source);
        }
        return;
    }
    judge.inner(&args, call);
}
