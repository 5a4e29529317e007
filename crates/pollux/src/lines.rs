//! The front end on a terminal: one line in, one answer out, again and again.

use std::io::{self, BufRead, Stderr, Stdout, Write};
use std::pin::pin;
use std::process::ExitCode;

use pollux_tui::approval::{self, Answer};
use pollux_tui::line::Line;
use pollux_tui::todos::{NONE, UNBROKEN, todo_lines};
use pollux_tui::{question, slash};
use pollux_types::untrusted::visible;
use pollux_types::{
    ApprovalRequest, CallView, Command, Decision, Event, Mode, Part, Question, Todo, Usage,
};
use tokio::sync::mpsc;

use crate::args::Args;
use crate::countdown::Countdown;
use crate::editor;
use crate::environment::{Environment, working_directory};
use crate::failure::{Exit, Failure};
use crate::headless::{End, Report, Text, put};
use crate::signals::{Signals, Stop};
use crate::trust;
use crate::wire::{Cost, Plan, Session};

const HELP: &str = "\
/build, /plan               let the model change things, or only look and plan
/context                    how many tokens every request begins with
/help                       this list
/permissions [remove N]     what is always allowed or denied, or take a rule out
/quit                       leave; the session is kept, and `pollux -c` goes on with it
/todos                      what the model has set out to do, and how far it is
!COMMAND                    run a command of your own
@FILE in a message          puts a file or directory into it
Ctrl+C                      end an answer; at the prompt, leave
Without --plain there are more commands.
";

/// Talks until the user leaves with Ctrl+C at the prompt, Ctrl+D or `/quit`.
pub(crate) async fn run(args: Args, environment: &Environment) -> Result<ExitCode, Failure> {
    let cwd = working_directory(&args)?;
    let Some(folder) = trust::asked(&args, environment)? else {
        return Ok(Exit::Done.into());
    };
    let plan = Plan::new(&args, environment, folder)?.asking();
    let mut screen = Screen {
        place: visible(&cwd.display().to_string()).into_owned(),
        mode: args.mode(),
        last: None,
        todos: Vec::new(),
        text: Text::new(io::stdout(), io::stderr()),
        signals: Signals::listen().map_err(broken)?,
        lines: Lines::read(),
        editor: editor::of(environment),
    };
    let first = args.words.clone().map(Said::Line);
    let (session, first) = if plan.looks_around() && first.is_none() {
        // Nobody waits for servers that may not be there: they are asked while the user types.
        let (session, first) = screen.hear_while(plan.start()).await?;
        (session, Some(first))
    } else {
        (plan.start().await?, first)
    };
    screen.serve(session, first).await.map_err(broken)
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "made to be given to `map_err`"
)]
fn broken(error: io::Error) -> Failure {
    Failure::internal(format!("the terminal: {error}"))
}

struct Screen {
    /// Where we are.
    place: String,
    mode: Mode,
    /// What the newest reply cost.
    last: Option<Usage>,
    /// What the model has set out to do.
    todos: Vec<Todo>,
    text: Text<Stdout, Stderr>,
    signals: Signals,
    lines: Lines,
    /// The user's editor.
    editor: String,
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
                "/help" => put(&mut io::stdout(), HELP)?,
                "" => {}
                "/context" => put(&mut io::stdout(), &context(session.started.cost, self.last))?,
                line if line == "/permissions" || line.starts_with("/permissions ") => {
                    let words = line.trim_start_matches("/permissions").trim();
                    let (answer, changed) = session.started.rule_files.serve(words);
                    put(&mut io::stdout(), &answer)?;
                    if changed {
                        session.commands.send(Command::ReadRules).await.ok();
                    }
                }
                "/todos" => put(&mut io::stdout(), &listed(&self.todos))?,
                "/plan" => self.enter(Mode::Plan, session).await,
                "/build" => self.enter(Mode::Build, session).await,
                line if let Some((name, _)) = slash::split(line) => {
                    let said = format!("Unknown command: /{}. /help lists them.\n", visible(name));
                    put(&mut io::stdout(), &said)?;
                }
                line => {
                    let command = match line.strip_prefix('!') {
                        Some(command) => Command::Run {
                            command: command.trim().to_owned(),
                            raw: line.to_owned(),
                        },
                        None => Command::Submit(vec![Part::text(line)]),
                    };
                    session.commands.send(command).await.ok();
                    if !self.follow(session).await? {
                        return Ok(Exit::Cancelled);
                    }
                }
            }
        }
    }

    async fn enter(&mut self, mode: Mode, session: &Session) {
        self.mode = mode;
        session.commands.send(Command::Mode(mode)).await.ok();
    }

    /// Asks until there is an answer; false if the user wants to leave.
    async fn approve(
        &mut self,
        request: &ApprovalRequest,
        session: &mut Session,
    ) -> io::Result<bool> {
        put(&mut io::stdout(), &text(&approval::shown(request)))?;
        loop {
            let line = match self.ask(&approval::choices(request)).await? {
                Said::Line(line) => line,
                Said::End | Said::Stop => return Ok(false),
            };
            let decision = match approval::understood(&line, request) {
                Answer::Decision(decision) => decision,
                Answer::Unclear => continue,
                Answer::Edit => match self.edit(request)? {
                    Some(content) => Decision::Modify(content),
                    None => continue,
                },
            };
            let command = Command::Decide {
                call: request.call.clone(),
                fingerprint: request.fingerprint.clone(),
                decision,
            };
            session.commands.send(command).await.ok();
            return Ok(true);
        }
    }

    /// Puts the model's questions, one after the other; false if the user wants to leave.
    async fn answer(&mut self, questions: &[Question], session: &Session) -> io::Result<bool> {
        let mut answers = Vec::new();
        for (at, question) in questions.iter().enumerate() {
            let shown = question::shown(question, at + 1, questions.len());
            put(&mut io::stdout(), &text(&shown))?;
            let answer = loop {
                match self.ask(question::PROMPT).await? {
                    Said::Line(line) => {
                        if let Some(answer) = question::understood(&line, question) {
                            break answer;
                        }
                    }
                    Said::End | Said::Stop => return Ok(false),
                }
            };
            answers.push(answer);
        }
        session
            .commands
            .send(Command::Answer(Some(answers)))
            .await
            .ok();
        Ok(true)
    }

    fn edit(&mut self, request: &ApprovalRequest) -> io::Result<Option<String>> {
        let Some((content, name)) = approval::editable(request) else {
            return Ok(None);
        };
        editor::edited(&self.editor, content, name).or_else(|error| {
            put(&mut io::stderr(), &format!("error: the editor: {error}\n"))?;
            Ok(None)
        })
    }

    /// Asks for a line.
    async fn hear(&mut self) -> io::Result<Said> {
        let prompt = format!("[{}] {}> ", self.mode.name(), self.place);
        self.ask(&prompt).await
    }

    async fn ask(&mut self, prompt: &str) -> io::Result<Said> {
        put(&mut io::stdout(), prompt)?;
        self.lines.want();
        Ok(tokio::select! {
            line = self.lines.recv() => line.map_or(Said::End, Said::Line),
            _ = self.signals.stop() => Said::Stop,
        })
    }

    /// Asks for a line while the session starts. If it does not, nobody needs to type on.
    async fn hear_while(
        &mut self,
        start: impl Future<Output = Result<Session, Failure>>,
    ) -> Result<(Session, Said), Failure> {
        let mut start = pin!(start);
        let mut hear = pin!(self.hear());
        tokio::select! {
            started = &mut start => {
                if started.is_err() {
                    // The prompt is on the line where the error will be.
                    put(&mut io::stdout(), "\n").map_err(broken)?;
                }
                let session = started?;
                Ok((session, hear.await.map_err(broken)?))
            }
            said = &mut hear => Ok((start.await?, said.map_err(broken)?)),
        }
    }

    fn greet(&mut self, session: &Session) -> io::Result<()> {
        let model = &session.started.model;
        self.todos.clone_from(&session.started.todos);
        let place = session.started.who.get().base_url;
        let place = place.map_or_else(String::new, |url| format!(" at {url}"));
        let line = format!("model: {} ({}){place}\n", model.model, model.provider);
        io::stdout().write_all(visible(&line).as_bytes())?;
        session
            .started
            .notices()
            .try_for_each(|notice| self.text.event(&notice))
    }

    /// Keeps what may be asked for.
    fn note(&mut self, event: &Event) {
        match event {
            Event::Finished { usage, .. } => self.last = Some(*usage),
            Event::ToolCallUpdate(CallView {
                todos: Some(todos), ..
            }) => self.todos.clone_from(todos),
            _ => {}
        }
    }

    /// Prints one answer, which Ctrl+C ends early; false if the user wants to leave.
    async fn follow(&mut self, session: &mut Session) -> io::Result<bool> {
        let mut countdown = Countdown::new();
        let mut cancelled = false;
        loop {
            let event = tokio::select! {
                event = session.events.recv() => event,
                stop = self.signals.stop() => {
                    countdown.end()?;
                    if cancelled || stop == Stop::Program {
                        return Ok(false);
                    }
                    cancelled = true;
                    self.signals.heed();
                    session.commands.send(Command::Cancel).await.ok();
                    continue;
                }
                () = countdown.tick() => {
                    countdown.show()?;
                    continue;
                }
            };
            countdown.end()?;
            match event {
                Some(Event::PromptEnded(end)) => {
                    self.text.end(&End::of(end))?;
                    return Ok(true);
                }
                Some(Event::ApprovalNeeded(request)) => {
                    if !self.approve(&request, session).await? {
                        return Ok(false);
                    }
                }
                Some(Event::QuestionsAsked { questions }) => {
                    if !self.answer(&questions, session).await? {
                        return Ok(false);
                    }
                }
                Some(event) => {
                    self.note(&event);
                    self.text.event(&event)?;
                    countdown.begin(&event)?;
                }
                None => return Ok(false),
            }
        }
    }
}

/// The list for those who ask for it.
fn listed(todos: &[Todo]) -> String {
    if todos.is_empty() {
        return format!("{NONE}\n");
    }
    text(&todo_lines(todos, UNBROKEN))
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

/// Lines without their looks.
fn text(lines: &[Line]) -> String {
    lines.iter().map(|line| line.text() + "\n").collect()
}

/// Lines from a thread of their own: a read from a terminal cannot be called off, and must not
/// keep the program from ending. It reads only when a line is wanted: at other times the terminal
/// belongs to the editor.
struct Lines {
    wanted: std::sync::mpsc::Sender<()>,
    typed: mpsc::Receiver<String>,
    /// A line was asked for and has not come.
    waiting: bool,
}

impl Lines {
    fn read() -> Self {
        let (wanted, requests) = std::sync::mpsc::channel();
        let (sender, typed) = mpsc::channel(1);
        std::thread::spawn(move || {
            let mut read = io::stdin().lock().split(b'\n').map_while(Result::ok);
            for () in requests {
                let Some(line) = read.next() else { return };
                let line = String::from_utf8_lossy(&line).into_owned();
                if sender.blocking_send(line).is_err() {
                    return;
                }
            }
        });
        Self {
            wanted,
            typed,
            waiting: false,
        }
    }

    /// Begins to read a line, unless that has begun.
    fn want(&mut self) {
        if !std::mem::replace(&mut self.waiting, true) {
            self.wanted.send(()).ok();
        }
    }

    /// The line that is wanted; `None` if there will be no more.
    async fn recv(&mut self) -> Option<String> {
        let line = self.typed.recv().await;
        self.waiting = false;
        line
    }
}
