//! The front end without a screen: one prompt in, one answer out.

mod fields;
mod json;
mod stats;
mod stream_json;
mod text;

use std::fs::File;
use std::io::{self, Stdout};
use std::os::fd::AsFd as _;
use std::process::ExitCode;

use jiff::Timestamp;
use pollux_model::ModelInfo;
use pollux_types::event::Failure as AgentFailure;
use pollux_types::untrusted::visible_json;
use pollux_types::{Command, Event, PromptEnd, SessionId};

use crate::args::{Args, OutputFormat};
use crate::environment::Environment;
use crate::failure::{Exit, Failure};
use crate::input::{self, Prompt};
use crate::signals::Signals;
use crate::trust;
use crate::wire::{Plan, Session};

use text::Text;

/// What a report is about.
#[derive(Clone, Debug)]
pub(crate) struct About {
    pub(crate) session: SessionId,
    pub(crate) model: ModelInfo,
    pub(crate) base_url: Option<String>,
    pub(crate) prompt: String,
    pub(crate) now: fn() -> Timestamp,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct End {
    pub(crate) exit: Exit,
    pub(crate) failure: Option<Failure>,
}

/// A way of printing a run.
pub(crate) trait Report {
    fn begin(&mut self, about: &About) -> io::Result<()>;
    fn event(&mut self, event: &Event) -> io::Result<()>;
    fn end(&mut self, end: &End) -> io::Result<()>;
}

/// Answers one prompt and says how it went.
pub(crate) async fn run(args: Args, environment: &Environment) -> Result<ExitCode, Failure> {
    let mut report: Box<dyn Report> = match args.output_format {
        OutputFormat::Text => {
            let text = Text::new(io::stdout(), io::stderr());
            Box::new(if goes_to_a_file() {
                text.whole_replies()
            } else {
                text
            })
        }
        OutputFormat::Json => Box::new(json::Json::new(io::stdout())),
        OutputFormat::StreamJson => Box::new(stream_json::StreamJson::new(io::stdout())),
    };
    let started = start(&args, environment).await;
    let printed = match started {
        Ok((session, about, prompt)) => converse(session, &about, prompt, report.as_mut()).await,
        // Scripts that read JSON get the error there; people get it in words.
        Err(failure) if args.output_format == OutputFormat::Text => return Err(failure),
        Err(failure) => {
            let exit = failure.exit;
            report
                .end(&End {
                    exit,
                    failure: Some(failure),
                })
                .map(|()| exit)
        }
    };
    match printed {
        Ok(exit) => Ok(exit.into()),
        // Whoever read the output has had enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Done.into()),
        Err(error) => Err(Failure::internal(format!("writing the answer: {error}"))),
    }
}

async fn start(
    args: &Args,
    environment: &Environment,
) -> Result<(Session, About, Prompt), Failure> {
    let prompt = input::prompt(args)?;
    let session = Plan::new(args, environment, trust::unasked(args, environment)?)?
        .start()
        .await?;
    let about = About {
        session: session.started.id.clone(),
        model: session.started.model.clone(),
        base_url: session.started.who.get().base_url,
        prompt: prompt.text(),
        now: Timestamp::now,
    };
    Ok((session, about, prompt))
}

/// Sees a prompt through, and the session to its end whatever becomes of the output.
async fn converse(
    mut session: Session,
    about: &About,
    prompt: Prompt,
    report: &mut dyn Report,
) -> io::Result<Exit> {
    let outcome = follow(&mut session, about, prompt, report).await;
    session.end().await;
    let end = outcome?;
    report.end(&end)?;
    Ok(end.exit)
}

async fn follow(
    session: &mut Session,
    about: &About,
    prompt: Prompt,
    report: &mut dyn Report,
) -> io::Result<End> {
    let mut signals = Signals::listen()?;
    report.begin(about)?;
    for notice in session.started.notices() {
        report.event(&notice)?;
    }
    let submit = Command::Submit(prompt.into_parts());
    session.commands.send(submit).await.ok();
    loop {
        let event = tokio::select! {
            event = session.events.recv() => event,
            () = signals.stop() => {
                session.commands.send(Command::Cancel).await.ok();
                continue;
            }
        };
        match event {
            Some(Event::PromptEnded(end)) => return Ok(End::of(end)),
            Some(event) => report.event(&event)?,
            None => {
                let failure = Failure::internal("the agent ended without an answer");
                return Ok(End {
                    exit: failure.exit,
                    failure: Some(failure),
                });
            }
        }
    }
}

impl End {
    pub(crate) fn of(end: PromptEnd) -> Self {
        let failure = match end {
            PromptEnd::Completed => {
                return Self {
                    exit: Exit::Done,
                    failure: None,
                };
            }
            PromptEnd::UserCancelled => Failure::new(Exit::Cancelled, "cancelled"),
            PromptEnd::MaxTurns { limit } => {
                let message = format!("stopped: the limit of requests to the model is {limit}");
                let hint = "`--max-turns` sets the limit; `--continue -p TEXT` goes on from here";
                Failure::new(Exit::Limit, message).hint(hint)
            }
            PromptEnd::Error(AgentFailure {
                kind,
                message,
                hint,
            }) => Failure {
                hint,
                ..Failure::new(kind.into(), message)
            },
        };
        Self {
            exit: failure.exit,
            failure: Some(failure),
        }
    }
}

/// Whether nobody reads standard output along.
fn goes_to_a_file() -> bool {
    let stdout = io::stdout().as_fd().try_clone_to_owned();
    let metadata = stdout.and_then(|stdout| File::from(stdout).metadata());
    metadata.is_ok_and(|metadata| metadata.is_file())
}

/// Standard output, flushed after each piece: whoever reads it reads along.
pub(crate) fn put(out: &mut impl io::Write, text: &str) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// One JSON document on a line of its own.
fn put_line(out: &mut Stdout, value: &impl serde::Serialize) -> io::Result<()> {
    let line = serde_json::to_string(value)?;
    put(out, &format!("{}\n", visible_json(&line)))
}
