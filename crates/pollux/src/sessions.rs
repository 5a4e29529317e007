//! `pollux sessions`: what was recorded.

mod export;
mod save_as;

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use pollux_store::{Answering, Found, Header, Home, Replay, SessionLog};
use pollux_tui::program::Choice;
use pollux_types::untrusted::visible;
use pollux_types::{Message, Part, Response, Role};

use crate::args::{Args, SessionsCommand};
use crate::environment::{Environment, working_directory};
use crate::failure::{Exit, Failure};
pub(crate) use export::Format;
pub(crate) use save_as::save_as;

/// What is said where nothing was recorded.
const NONE: &str = "There is no session in this project yet.";

pub(crate) fn run(
    command: &SessionsCommand,
    args: &Args,
    environment: &Environment,
) -> Result<ExitCode, Failure> {
    let home = environment.home()?;
    let cwd = working_directory(args)?;
    let mut out = io::stdout().lock();
    let printed = match command {
        SessionsCommand::List => print_list(&mut out, &listed(args, environment)?),
        SessionsCommand::Show { session } => {
            let found = found(&home, &cwd, session)?;
            print_session(&mut out, &replayed(&found)?)
        }
        SessionsCommand::Export { session, format } => {
            let found = found(&home, &cwd, session)?;
            out.write_all(&exported(&found, *format)?)
        }
        SessionsCommand::Delete { session } => {
            let found = found(&home, &cwd, session)?;
            let deleted = SessionLog::delete(&found.path);
            deleted.map_err(|error| Failure::input(error.to_string()))?;
            let Found { header, title, .. } = &found;
            let told = format!("deleted session {}: {title}", header.id);
            writeln!(out, "{}", visible(&told))
        }
    };
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::internal(format!("writing the list: {error}")))
        }
        _ => Ok(Exit::Done.into()),
    }
}

fn found(home: &Home, cwd: &Path, session: &str) -> Result<Found, Failure> {
    let found = pollux_store::find(home, cwd, session);
    found.map_err(|error| Failure::input(error.to_string()))
}

fn replayed(found: &Found) -> Result<Replay, Failure> {
    let replay = pollux_store::replay(&found.path);
    replay.map_err(|error| Failure::internal(error.to_string()))
}

/// A session as a document.
fn exported(found: &Found, format: Format) -> Result<Vec<u8>, Failure> {
    let recorded = std::fs::read(&found.path);
    let recorded = recorded.map_err(|error| Failure::internal(error.to_string()))?;
    Ok(export::document(&replayed(found)?, recorded, format))
}

/// What each is called, beside its number and when it was last used.
pub(crate) fn rows(sessions: &[Found]) -> Vec<(String, String)> {
    let rows = sessions.iter().enumerate().map(|(at, session)| {
        let left = format!("{:>3}  {}", at + 1, when(session));
        (left, title(session))
    });
    rows.collect()
}

/// What to do with that list.
pub(crate) fn how_to_go_on(sessions: &[Found]) -> &'static str {
    match sessions {
        [] => NONE,
        _ => "`/resume NUMBER` goes on with one, and so does its name",
    }
}

/// The sessions of this project, newest first.
pub(crate) fn listed(args: &Args, environment: &Environment) -> Result<Vec<Found>, Failure> {
    let home = environment.home()?;
    let cwd = working_directory(args)?;
    let found = pollux_store::list(&home, &cwd);
    found.map_err(|error| Failure::internal(error.to_string()))
}

/// They as choices of a command.
pub(crate) fn choices(sessions: &[Found]) -> Vec<Choice> {
    let choices = sessions.iter().enumerate().map(|(at, session)| Choice {
        word: (at + 1).to_string(),
        description: visible(&called(session)).into_owned(),
    });
    choices.collect()
}

/// Its name, if it has one, and its first words.
fn called(session: &Found) -> Cow<'_, str> {
    match &session.name {
        Some(name) => format!("{name}: {}", session.title).into(),
        None => Cow::Borrowed(&session.title),
    }
}

fn print_list(out: &mut impl Write, sessions: &[Found]) -> io::Result<()> {
    if sessions.is_empty() {
        return writeln!(out, "{NONE}");
    }
    for (at, session) in sessions.iter().enumerate() {
        let (number, updated, title) = (at + 1, when(session), title(session));
        let id = visible(session.header.id.as_str());
        writeln!(out, "{number:>3}  {updated}  {id}  {title}")?;
    }
    Ok(())
}

/// When it was last used.
fn when(session: &Found) -> String {
    let updated = Timestamp::try_from(session.updated).unwrap_or(Timestamp::UNIX_EPOCH);
    let updated = updated.to_zoned(TimeZone::system());
    updated.strftime("%Y-%m-%d %H:%M").to_string()
}

/// What it is called, as far as that fits into a line.
fn title(session: &Found) -> String {
    visible(&called(session)).chars().take(60).collect()
}

fn print_session(out: &mut impl Write, replay: &Replay) -> io::Result<()> {
    if let Some(header) = &replay.header {
        let when = header
            .at
            .to_zoned(TimeZone::system())
            .strftime("%Y-%m-%d %H:%M");
        let Header { id, cwd, .. } = header;
        let Answering {
            provider, model, ..
        } = &header.answering;
        // A log may come from somebody else.
        let head = format!("session {id}\n{when}  {provider}/{model}  {cwd}\n");
        out.write_all(visible(&head).as_bytes())?;
    }
    for message in &replay.messages {
        print_message(out, message)?;
    }
    for damage in &replay.damage {
        writeln!(
            out,
            "\n(line {} of the log cannot be read: {})",
            damage.line,
            visible(&damage.problem)
        )?;
    }
    Ok(())
}

fn print_message(out: &mut impl Write, message: &Message) -> io::Result<()> {
    for part in &message.parts {
        match part {
            Part::Text(text) if message.role == Role::User => {
                writeln!(
                    out,
                    "\n> {}",
                    visible(text.trim_end()).replace('\n', "\n> ")
                )?;
            }
            Part::Text(text) => writeln!(out, "\n{}", visible(text.trim_end()))?,
            Part::Thought { .. } => {}
            Part::FunctionCall(call) => {
                let args = serde_json::to_string(&call.args)?;
                writeln!(out, "\n[tool] {} {}", visible(&call.name), visible(&args))?;
            }
            Part::FunctionResponse(response) => {
                let (sign, text) = match &response.response {
                    Response::Output(text) => ("", text),
                    Response::Error(text) => ("failed: ", text),
                };
                writeln!(out, "{sign}{}", visible(text.trim_end()))?;
            }
        }
    }
    Ok(())
}
