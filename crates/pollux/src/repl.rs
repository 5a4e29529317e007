//! The front end on a terminal: the REPL with either of its faces, and what it asks of the program.

mod changes;
mod cost;
mod init;
mod memory;
mod models;
mod program;
mod skills;

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use pollux_model::Offline;
use pollux_store::settings::place_of;
use pollux_store::{NotificationSetting, Settings, ThemeSetting};
use pollux_tui::app::{Start, Status};
use pollux_tui::attention::{Attention, Call};
use pollux_tui::complete::Place;
use pollux_tui::completer::Sources;
use pollux_tui::composer::Composer;
use pollux_tui::run::{End, Repl};
use pollux_tui::screen::{Looks, Rewrap};
use pollux_tui::{Keymap, newest_panic, plain, run};
use pollux_types::Event;
use pollux_types::event::NoticeKind;
use tokio::sync::Notify;

use crate::args::Args;
use crate::environment::{Environment, working_directory};
use crate::failure::{Exit, Failure};
use crate::trust;
use crate::wire::{self, Ends, Plan, Started};
use program::Here;

/// How the REPL is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// On a screen, of which the last rows change.
    Screen,
    /// Line by line, in the terminal's own line mode.
    Plain,
}

impl Face {
    /// What the user wants, or else what the terminal can do.
    fn of(args: &Args, environment: &Environment) -> Self {
        if args.plain || environment.var("TERM") == Some("dumb") {
            Self::Plain
        } else {
            Self::Screen
        }
    }
}

/// Talks until the user leaves.
pub(crate) async fn run(args: Args, environment: &Environment) -> Result<ExitCode, Failure> {
    let face = Face::of(&args, environment);
    let cwd = working_directory(&args)?;
    let Some(folder) = trust::asked(&args, environment)? else {
        return Ok(Exit::Done.into());
    };
    let plan = Plan::new(&args, environment, folder)?.asking();
    let file = environment.home().ok();
    let file = file.and_then(|home| wire::settings_file(environment, &home).ok());
    let (keymap, notices) = keymap(plan.settings(), file.as_deref());
    let here = Here::new(&args, environment, &plan);
    let (commands, events, ends) = wire::channels();
    let status = Status {
        mode: plan.mode(),
        approval: plan.approval(),
        cwd: cwd.display().to_string(),
        home: environment.var("HOME").map(str::to_owned),
        model: plan.model_name().unwrap_or_default(),
        ..Status::default()
    };
    let more = Arc::new(Notify::new());
    let sources = Sources {
        place: Place {
            root: cwd,
            home: environment.var("HOME").map(PathBuf::from),
        },
        walk: pollux_tools::walk_shown,
        path: environment.var("PATH").map(OsString::from),
        more: Arc::clone(&more),
        resources: !plan.servers().is_empty(),
    };
    let mut composer = Composer::new(keymap, sources);
    if plan.settings().ui.vim {
        composer.toggle_vim();
    }
    let repl = Repl {
        commands: commands.clone(),
        events,
        program: &here,
        start: Start { status, composer },
        looks: looks(face, environment, plan.settings()),
        attention: attention(face, plan.settings()),
        more,
        first: args.words.clone(),
    };
    // Nobody waits for servers that may not be there: they are asked while the user types.
    let start = begin(plan, ends, notices, &here);
    let talk = async {
        match face {
            Face::Screen => run::run(repl).await,
            Face::Plain => plain::run(repl).await,
        }
    };
    let (ended, started) = tokio::join!(talk, start);
    let started = started?;
    let (end, events) = ended.map_err(broken)?;
    started.end(commands, events).await;
    match end {
        End::Done => Ok(Exit::Done.into()),
        End::Stopped => Ok(Exit::Cancelled.into()),
        End::AgentGone => Err(gone()),
    }
}

/// Starts the session, and tells what the user should know of it.
async fn begin(
    plan: Plan<'_>,
    ends: Ends,
    notices: Vec<Event>,
    here: &Here<'_>,
) -> Result<Started, Failure> {
    let outbox = ends.outbox.clone();
    let chosen = !plan.looks_around();
    let mut started = plan.start_at(ends).await?;
    here.learn(&started);
    let changed = Event::SessionChanged {
        session: started.id.clone(),
        provider: started.model.provider.clone(),
        model: started.model.model.clone(),
        again: std::mem::take(&mut started.again),
        todos: started.todos.clone(),
    };
    let offline = !chosen && started.model.provider == Offline::NAME;
    let notices = notices.into_iter().chain(started.notices());
    let first = !offline && here.is_first();
    let notices = notices.chain(offline.then(nobody_else));
    let notices = notices.chain(first.then(welcome));
    for event in std::iter::once(changed).chain(notices) {
        // A front end that has gone needs to know nothing.
        outbox.send(event).await.ok();
    }
    Ok(started)
}

/// What to tell somebody who has set up nothing.
fn nobody_else() -> Event {
    let message = "there is no API key, and no model server answers on this machine, so the \
                   built-in offline model does: it knows a dozen requests, say `help`. For a real \
                   model set GEMINI_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY, or start with \
                   `--base-url`. `/help` lists commands and keys";
    Event::Notice {
        kind: NoticeKind::LocalServer,
        message: message.to_owned(),
    }
}

/// What to tell somebody who is here for the first time.
fn welcome() -> Event {
    let message = "`/help` lists commands and keys; `@` puts files into a message";
    Event::Notice {
        kind: NoticeKind::Welcome,
        message: message.to_owned(),
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "made to be given to `map_err`"
)]
fn broken(error: io::Error) -> Failure {
    Failure::internal(format!("the terminal: {error}"))
}

/// The agent has ended although nobody told it to.
fn gone() -> Failure {
    let why = newest_panic().unwrap_or_else(|| "the agent has ended".to_owned());
    Failure::internal(why).hint("the session is kept: `pollux --continue` goes on with it")
}

/// The user's keys; what is wrong with some of them is told, and the others count.
fn keymap(settings: &Settings, file: Option<&Path>) -> (Keymap, Vec<Event>) {
    let set = settings.ui.keys.iter();
    let set = set.map(|(action, keys)| (action.as_str(), keys.iter().map(String::as_str)));
    let (keymap, bad) = Keymap::with(set);
    let told = bad.into_iter().map(|bad| {
        let place = file.and_then(|file| place_of(file, &["ui", "keys", &bad.action]));
        let place = place.map_or_else(String::new, |place| format!("{place}: "));
        Event::Notice {
            kind: NoticeKind::BadSetting,
            message: format!("{place}`ui.keys`: {bad}"),
        }
    });
    (keymap, told.collect())
}

/// Plain lines hold no sequences, but a bell is none.
fn attention(face: Face, settings: &Settings) -> Attention {
    let call = match settings.ui.notifications {
        NotificationSetting::Off => Call::Off,
        NotificationSetting::Bell => Call::Bell,
        _ if face == Face::Plain => Call::Off,
        NotificationSetting::Osc9 => Call::Osc9,
        NotificationSetting::Osc777 => Call::Osc777,
    };
    Attention::new(call, face == Face::Screen)
}

/// What the terminal can show, and what the user wants to see.
fn looks(face: Face, environment: &Environment, settings: &Settings) -> Looks {
    let screen = face == Face::Screen;
    let wanted = match settings.ui.theme {
        ThemeSetting::Auto => environment.var("NO_COLOR").is_none(),
        ThemeSetting::Ansi => true,
        ThemeSetting::None => false,
    };
    Looks {
        color: screen && wanted,
        rewrap: Rewrap::of_terminal(|name| environment.var(name).map(str::to_owned)),
        links: screen,
        synchronized: screen,
    }
}
