//! `pollux policy`: what would a command do? Nothing is run.

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use pollux_shell::{Context, Reading, Reason, read};
use pollux_types::untrusted::{visible_command, visible_json};
use serde::{Deserialize, Serialize};

use crate::args::{Args, PolicyCommand};
use crate::environment::{Environment, working_directory};
use crate::failure::{Exit, Failure};

pub(crate) fn run(
    command: &PolicyCommand,
    args: &Args,
    environment: &Environment,
) -> Result<ExitCode, Failure> {
    let PolicyCommand::Check { shell, json } = command;
    let context = context(args, environment)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let printed = match shell {
        Some(command) if *json => print_json(&mut out, command, &context),
        Some(command) => print_reading(&mut out, &read(command, &context)),
        None if *json => {
            check_lines(&mut out, io::stdin().lock(), &context)?;
            Ok(())
        }
        None => {
            let failure = Failure::input("there is no command to check");
            return Err(
                failure.hint("give one as one word, or `--json` and lines on standard input")
            );
        }
    };
    written(printed.and_then(|()| out.flush()))?;
    Ok(Exit::Done.into())
}

/// A command of the workspace, with git as read-only commands get it.
fn context(args: &Args, environment: &Environment) -> Result<Context, Failure> {
    let cwd = working_directory(args)?;
    let own = environment.home();
    let further = args.include_directories.iter().map(|dir| cwd.join(dir));
    Ok(Context {
        roots: std::iter::once(cwd.clone()).chain(further).collect(),
        cwd,
        home: environment.var("HOME").map(Into::into),
        protected: own.iter().map(|home| home.path().to_owned()).collect(),
        git_hardened: true,
    })
}

/// A line of input.
#[derive(Deserialize)]
struct Question {
    command: String,
}

/// A line of output.
#[derive(Serialize)]
struct Answer<'a> {
    command: &'a str,
    class: &'static str,
    reasons: Vec<String>,
}

/// Answers line by line, so that somebody who asks one at a time is not kept waiting.
fn check_lines(
    out: &mut impl Write,
    lines: impl BufRead,
    context: &Context,
) -> Result<(), Failure> {
    for (at, line) in lines.lines().enumerate() {
        let bad = |problem: String| {
            Failure::input(format!("line {} of standard input: {problem}", at + 1))
                .hint(r#"each line is an object like {"command": "ls -la"}"#)
        };
        let line = line.map_err(|error| bad(error.to_string()))?;
        if line.trim().is_empty() {
            continue;
        }
        let question: Question =
            serde_json::from_str(&line).map_err(|error| bad(error.to_string()))?;
        let printed = print_json(out, &question.command, context).and_then(|()| out.flush());
        if !written(printed)? {
            break;
        }
    }
    Ok(())
}

fn print_json(out: &mut impl Write, command: &str, context: &Context) -> io::Result<()> {
    let reading = read(command, context);
    let answer = Answer {
        command,
        class: reading.class.word(),
        reasons: reading.reasons.iter().map(sentence).collect(),
    };
    let answer = serde_json::to_string(&answer)?;
    writeln!(out, "{}", visible_json(&answer))
}

fn print_reading(out: &mut impl Write, reading: &Reading) -> io::Result<()> {
    writeln!(out, "{}", reading.class.word())?;
    for reason in &reading.reasons {
        writeln!(out, "- {}", visible_command(&sentence(reason)))?;
    }
    if reading.parts.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nparts:")?;
    for part in &reading.parts {
        let argv = part.argv.iter().map(|word| format!("`{word}`"));
        let words = part.assignments.iter().cloned().chain(argv);
        let words: Vec<String> = words.chain(part.redirections.iter().cloned()).collect();
        let line = words.join(" ").replace('\n', "\\n");
        writeln!(
            out,
            "  {:<9}  {}",
            part.class.word(),
            visible_command(&line)
        )?;
    }
    Ok(())
}

fn sentence(reason: &Reason) -> String {
    if reason.about.is_empty() {
        reason.text.clone()
    } else {
        format!("{}: {}", reason.text, reason.about)
    }
}

/// Whether somebody still reads what is written.
fn written(printed: io::Result<()>) -> Result<bool, Failure> {
    match printed {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(Failure::internal(format!("writing the answer: {error}"))),
    }
}
