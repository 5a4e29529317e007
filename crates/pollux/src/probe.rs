//! `pollux probe`: what a server can do, and the settings for it.
//!
//! A few short questions, one file each, asked through the very code that a conversation uses. All
//! of them together end in time: a server that is too slow for one is told so, and not failed.

mod answer;
mod canary;
mod parallel;
mod reach;
mod schema;
mod settings;
mod streaming;
mod tool_result;
mod tools;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use pollux_model::{ErrorKind, Inquiry, Model};
use pollux_store::Settings;
use tokio::time::Instant;

use crate::args::Args;
use crate::checks::{Check, Mark};
use crate::environment::Environment;
use crate::failure::{Exit, Failure};
use crate::provider::{self, Located, Place, Wanted};
use crate::trust;
use crate::wire;

use answer::Answer;
use canary::Paces;
use reach::Reached;
use settings::Found;
use tools::Calls;

/// Runs all checks within about so many seconds, and prints them as they are done.
pub(crate) async fn run(
    seconds: u64,
    args: &Args,
    environment: &Environment,
) -> Result<ExitCode, Failure> {
    let home = environment.home()?;
    let folder = trust::unasked(args, environment)?;
    let (settings, _) = wire::settings(args, environment, &home, &folder)?;
    let surroundings = provider::Surroundings {
        environment,
        settings: &settings,
    };
    let wanted = Wanted::new(args, &surroundings, None);
    let place = whom(provider::locate(wanted, surroundings)?, &settings).await?;
    let mut probe = Probe {
        budget: Budget::new(Duration::from_secs(seconds)),
        file: wire::settings_file(environment, &home)?,
        exit: Exit::Done,
        skipped: false,
    };
    match probe.run(&place, &settings).await {
        // Whoever read the output has had enough.
        Err(Stopped::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            Ok(Exit::Done.into())
        }
        Err(Stopped::Output(error)) => Err(Failure::internal(format!("writing: {error}"))),
        Err(Stopped::Settings(failure)) => Err(failure),
        Ok(()) => Ok(probe.exit.into()),
    }
}

/// The server to ask.
async fn whom(located: Located, settings: &Settings) -> Result<Place, Failure> {
    let hint = "name a server with `--base-url`, or a provider with `--provider`";
    match located {
        Located::At(place) => Ok(*place),
        Located::Offline => Err(Failure::usage("the offline model is no server").hint(hint)),
        Located::Anyone(anyone) => anyone.find(settings).await?.ok_or_else(|| {
            let message = "nothing is configured, and no model server answers on this machine";
            Failure::internal(message).hint(hint)
        }),
    }
}

/// Who is asked.
struct Subject {
    /// With native tools, and an eye on the wire.
    inquiry: Inquiry,
    /// The same model, told about its tools in words.
    in_words: Arc<dyn Model>,
}

/// How long things may take.
struct Budget {
    end: Instant,
    each: Duration,
}

impl Budget {
    fn new(total: Duration) -> Self {
        Self {
            end: Instant::now() + total,
            each: total / 2,
        }
    }

    /// When the next check has to be done.
    fn deadline(&self) -> Instant {
        self.end.min(Instant::now() + self.each)
    }
}

/// Why the checks end early.
enum Stopped {
    Output(io::Error),
    Settings(Failure),
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<Failure> for Stopped {
    fn from(failure: Failure) -> Self {
        Self::Settings(failure)
    }
}

struct Probe {
    budget: Budget,
    /// Where settings go.
    file: PathBuf,
    exit: Exit,
    /// There was no time for some check.
    skipped: bool,
}

/// What is said of a check for which there was no time.
const TOO_SLOW: &str = "too slow, skipped";

const MORE_TIME: &str = "\nA slow model gets more time with `--seconds N`.\n";

impl Probe {
    async fn run(&mut self, place: &Place, settings: &Settings) -> Result<(), Stopped> {
        let Some(reached) = self.reach(place, settings).await? else {
            return Ok(());
        };
        let model = reached.model.as_str();
        let subject = Subject {
            inquiry: place.inquiry(model, settings)?,
            in_words: place.in_words(model, settings)?,
        };
        let heard = streaming::ask(&subject, &self.budget).await;
        self.tell(&streaming::check(&heard, self.budget.each))?;
        if !heard.answer.spoke() {
            self.give_up(heard.answer.error.as_ref().map(|error| error.kind));
            return Ok(());
        }
        self.tell(&streaming::reasoning(&heard))?;
        let native = tools::ask(&subject, &self.budget, tools::TASK, false).await;
        let calls = self.tools(&subject, &native).await?;
        self.tell(&schema::check(&subject, &self.budget).await)?;
        let paces = Paces {
            short: heard.answer.pace(streaming::QUESTION_TOKENS),
            longer: native.pace(tools::TASK_TOKENS),
        };
        self.tell(&canary::check(&subject, &self.budget, &reached, &paces).await)?;
        let found = Found {
            place,
            kind: reached.kind,
            model,
            calls: &calls,
            trained: reached.trained,
        };
        let more = if self.skipped { MORE_TIME } else { "" };
        writeln!(
            io::stdout(),
            "{more}\n{}",
            settings::text(&found, &self.file)
        )?;
        Ok(())
    }

    async fn reach(
        &mut self,
        place: &Place,
        settings: &Settings,
    ) -> Result<Option<Reached>, Stopped> {
        let (check, reached) = reach::check(place, settings, &self.budget).await?;
        let model = reached.as_ref().ok().map(|reached| reached.model.as_str());
        let head = settings::head(place, model);
        writeln!(io::stdout(), "{head}\n")?;
        self.tell(&check)?;
        Ok(match reached {
            Ok(reached) => Some(reached),
            Err(kind) => {
                self.give_up(kind);
                None
            }
        })
    }

    /// Whether and how tools are called.
    async fn tools(&mut self, subject: &Subject, native: &Answer) -> Result<Calls, Stopped> {
        let (checks, calls) = tools::check(subject, &self.budget, native).await;
        for check in checks {
            self.tell(&check)?;
        }
        if calls.work() {
            self.tell(&tool_result::check(subject, &self.budget, &calls).await)?;
            self.tell(&parallel::check(subject, &self.budget, &calls).await)?;
        }
        Ok(calls)
    }

    fn tell(&mut self, check: &Check) -> io::Result<()> {
        self.skipped |= check.found.starts_with(TOO_SLOW);
        if check.mark == Mark::Fail && self.exit == Exit::Done {
            self.exit = Exit::Error;
        }
        crate::headless::put(&mut io::stdout(), &check.to_string())
    }

    fn give_up(&mut self, kind: Option<ErrorKind>) {
        self.exit = match kind {
            Some(ErrorKind::Auth) => Exit::Auth,
            _ => Exit::Error,
        };
    }
}
