//! The front end on a terminal: one line in, one answer out, again and again.

use std::io::{self, BufRead, Stderr, Stdout, Write};
use std::process::ExitCode;

use pollux_types::untrusted::visible;
use pollux_types::{Command, Event, Part, Usage};
use tokio::sync::mpsc;

use crate::args::Args;
use crate::environment::{Environment, working_directory};
use crate::failure::{Exit, Failure};
use crate::headless::{End, Report, Text, put};
use crate::signals::Signals;
use crate::wire::{Cost, Plan, Session};

/// Talks until the user leaves with Ctrl+C, Ctrl+D or `/quit`.
pub(crate) async fn run(args: Args, environment: &Environment) -> Result<ExitCode, Failure> {
    let cwd = working_directory(&args)?;
    let plan = Plan::new(&args, environment)?;
    let broken = |error| Failure::internal(format!("the terminal: {error}"));
    let mut screen = Screen {
        prompt: format!("[build] {}> ", visible(&cwd.display().to_string())),
        last: None,
        text: Text::new(io::stdout(), io::stderr()),
        signals: Signals::listen().map_err(broken)?,
        lines: read_lines(),
    };
    let first = args.words.clone().map(Said::Line);
    let (session, first) = if plan.looks_around() && first.is_none() {
        // Nobody waits for servers that may not be there: they are asked while the user types.
        let (session, first) = tokio::join!(plan.start(), screen.hear());
        (session?, Some(first.map_err(broken)?))
    } else {
        (plan.start().await?, first)
    };
    screen.serve(session, first).await.map_err(broken)
}

struct Screen {
    prompt: String,
    /// What the newest reply cost.
    last: Option<Usage>,
    text: Text<Stdout, Stderr>,
    signals: Signals,
    lines: mpsc::Receiver<String>,
}

/// What the user does at the prompt.
enum Said {
    Line(String),
    /// There will be no more lines.
    End,
    Stop,
}

impl Screen {
    /// Talks, and sees the session to its end whatever becomes of the terminal.
    async fn serve(&mut self, mut session: Session, first: Option<Said>) -> io::Result<ExitCode> {
        let exit = self.talk(&mut session, first).await;
        session.end().await;
        let exit = exit?;
        put(&mut io::stdout(), "\n")?;
        Ok(exit.into())
    }

    async fn talk(&mut self, session: &mut Session, first: Option<Said>) -> io::Result<Exit> {
        self.greet(session)?;
        let mut next = first;
        loop {
            let said = match next.take() {
                Some(said) => said,
                None => self.hear().await?,
            };
            let line = match &said {
                Said::Line(line) => line.trim(),
                Said::End => return Ok(Exit::Done),
                Said::Stop => return Ok(Exit::Cancelled),
            };
            match line {
                "/quit" | "/exit" => return Ok(Exit::Done),
                "" => {}
                "/context" => put(&mut io::stdout(), &context(session.cost, self.last))?,
                line if is_command(line) => {
                    let name = line.split_whitespace().next().unwrap_or(line);
                    let said = format!("Unknown command: {}\n", visible(name));
                    put(&mut io::stdout(), &said)?;
                }
                line => {
                    let prompt = vec![Part::text(line)];
                    session.commands.send(Command::Submit(prompt)).await.ok();
                    if !self.follow(session).await? {
                        return Ok(Exit::Cancelled);
                    }
                }
            }
        }
    }

    /// Asks for a line.
    async fn hear(&mut self) -> io::Result<Said> {
        put(&mut io::stdout(), &self.prompt)?;
        Ok(tokio::select! {
            line = self.lines.recv() => line.map_or(Said::End, Said::Line),
            () = self.signals.stop() => Said::Stop,
        })
    }

    fn greet(&mut self, session: &Session) -> io::Result<()> {
        let model = &session.model;
        let place = session.base_url.as_deref();
        let place = place.map_or_else(String::new, |url| format!(" at {url}"));
        let line = format!("model: {} ({}){place}\n", model.model, model.provider);
        io::stdout().write_all(visible(&line).as_bytes())?;
        session
            .notices()
            .try_for_each(|notice| self.text.event(&notice))
    }

    /// Prints one answer; false if the user wants to leave.
    async fn follow(&mut self, session: &mut Session) -> io::Result<bool> {
        loop {
            let event = tokio::select! {
                event = session.events.recv() => event,
                () = self.signals.stop() => return Ok(false),
            };
            match event {
                Some(Event::PromptEnded(end)) => {
                    self.text.end(&End::of(end))?;
                    return Ok(true);
                }
                Some(event) => {
                    if let Event::Finished { usage, .. } = &event {
                        self.last = Some(*usage);
                    }
                    self.text.event(&event)?;
                }
                None => return Ok(false),
            }
        }
    }
}

/// A path such as `/usr/bin/x` is text, and so is what comes after it.
fn is_command(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    word.starts_with('/') && !word[1..].contains('/')
}

fn context(cost: Cost, last: Option<Usage>) -> String {
    let Cost { system, tools } = cost;
    let told = format!(
        "before the conversation: about {} tokens (instructions {system}, tools {tools})\n",
        system + tools
    );
    let read = last.map(|usage| {
        let Usage { input, cached, .. } = usage;
        format!("last request: {input} tokens, {cached} of them cached\n")
    });
    told + &read.unwrap_or_default()
}

/// Lines from a thread of their own: a read from a terminal cannot be called off, and must not
/// keep the program from ending.
fn read_lines() -> mpsc::Receiver<String> {
    let (sender, lines) = mpsc::channel(1);
    std::thread::spawn(move || {
        let read = io::stdin().lock().split(b'\n').map_while(Result::ok);
        for line in read {
            let line = String::from_utf8_lossy(&line).into_owned();
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    lines
}
