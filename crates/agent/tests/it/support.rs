//! A session over a scripted model and real tools in a temporary project.

use std::fmt::Write as _;
use std::future::ready;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use jiff::Timestamp;
use pollux_agent::{
    Agent, Answerer, Elsewhere, Instructions, Policy, Record, Resumed, RetryPolicy, Rules, Setup,
    run,
};
use pollux_model::Model;
use pollux_store::{Answering, Found, Header, Home, SessionLog, memory};
use pollux_testkit::{Project, ScriptedModel, ScriptedReply};
use pollux_tools::{McpServers, Notes, Reach, Registry, Sandbox, ShellLimits, Tool, Workspace};
use pollux_types::{
    Again, ApprovalMode, ApprovalRequest, Command, Decision, Event, Message, Mode, Part, PromptEnd,
    Response, Role, SessionId, Told,
};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// A running session under test.
pub(crate) struct Bench {
    pub(crate) project: Project,
    pub(crate) model: ScriptedModel,
    pub(crate) commands: mpsc::Sender<Command>,
    pub(crate) events: mpsc::Receiver<Event>,
    /// How often memory was read.
    pub(crate) memory_reads: Arc<AtomicUsize>,
    agent: JoinSet<()>,
}

/// What to change of a usual session.
pub(crate) struct Options {
    pub(crate) mode: Mode,
    pub(crate) approval: ApprovalMode,
    /// Whether the test answers questions.
    pub(crate) asks: bool,
    /// Whether questions pass where nobody is asked.
    pub(crate) auto_approve: bool,
    pub(crate) max_turns: usize,
    pub(crate) attempts: u32,
    pub(crate) history: Vec<Message>,
    pub(crate) fallback: Vec<ScriptedModel>,
    /// Models that can be changed to.
    pub(crate) others: Vec<ScriptedModel>,
    /// Instead of the usual ones.
    pub(crate) tools: Vec<Arc<dyn Tool>>,
}

impl Options {
    /// A session that takes a failure for an answer.
    pub(crate) fn without_retries() -> Self {
        Self {
            attempts: 1,
            ..Self::default()
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mode: Mode::Build,
            approval: ApprovalMode::Yolo,
            asks: false,
            auto_approve: false,
            max_turns: Setup::MAX_TURNS,
            attempts: 6,
            history: vec![],
            fallback: vec![],
            others: vec![],
            tools: vec![],
        }
    }
}

/// What a session can leave for: these models, and the sessions on disk.
struct Others {
    home: Home,
    cwd: PathBuf,
    models: Vec<ScriptedModel>,
    tools: Registry,
    memory_reads: Arc<AtomicUsize>,
}

impl Elsewhere for Others {
    fn model<'a>(&'a mut self, name: &'a str) -> BoxFuture<'a, Result<Answerer, String>> {
        let named = |model: &&ScriptedModel| model.info().model == name;
        let found = self.models.iter().find(named);
        let answerer = found.map(|model| answerer(model, &self.tools));
        ready(answerer.ok_or_else(|| format!("no model `{name}`"))).boxed()
    }

    fn begin(&mut self) -> Record {
        let header = Header {
            id: SessionId::new("new"),
            ..header_in(&self.cwd)
        };
        Record {
            session: header.id.clone(),
            log: SessionLog::create(&self.home, &self.cwd, header),
            history: vec![],
            calls: vec![],
        }
    }

    fn read_memory(&mut self) -> BoxFuture<'_, (Instructions, Vec<String>)> {
        self.memory_reads.fetch_add(1, Ordering::Relaxed);
        let (memory, problems) = memory::read(memory::Places {
            home: &self.home,
            cwd: &self.cwd,
            forbids: |_, _| None,
        });
        let texts = memory.files.iter().map(|file| format!("; {}", file.text));
        let told = instructions(&self.tools, texts.collect());
        ready((told, problems)).boxed()
    }

    fn resume<'a>(&'a mut self, wanted: &'a str) -> BoxFuture<'a, Result<Resumed, String>> {
        let mut stored = pollux_store::list(&self.home, &self.cwd)
            .unwrap()
            .into_iter();
        let resumed = stored
            .find(|found| found.header.id.as_str() == wanted)
            .ok_or_else(|| format!("no session `{wanted}`"))
            .map(|found| Resumed {
                answerer: answerer(&self.models[0], &self.tools),
                record: record(&found),
                damage: vec!["line 7 is lost".into()],
            });
        ready(resumed).boxed()
    }
}

/// A stored session.
pub(crate) fn record(found: &Found) -> Record {
    let replay = pollux_store::replay(&found.path).unwrap();
    Record {
        session: found.header.id.clone(),
        log: SessionLog::open(&found.path).unwrap(),
        history: replay.messages,
        calls: replay.calls,
    }
}

fn answerer(model: &ScriptedModel, tools: &Registry) -> Answerer {
    Answerer {
        model: Arc::new(model.clone()),
        instructions: instructions(tools, String::new()),
        window: Some(100_000),
        base_url: None,
        found: false,
        doubt: None,
    }
}

fn instructions(tools: &Registry, memory: String) -> Instructions {
    Instructions {
        system: format!("system{memory}"),
        memory,
        tools: tools.specs(),
    }
}

impl Bench {
    pub(crate) fn new(project: Project, replies: Vec<ScriptedReply>) -> Self {
        Self::with(project, replies, Options::default())
    }

    pub(crate) fn with(project: Project, replies: Vec<ScriptedReply>, options: Options) -> Self {
        let model = ScriptedModel::new(replies);
        let workspace = Arc::new(Workspace::new(project.path(), &[]).unwrap());
        let (commands, inbox) = mpsc::channel(16);
        let (outbox, events) = mpsc::channel(256);
        let limits = ShellLimits {
            output_limit: 1000,
            ..ShellLimits::default()
        };
        let shared = || Arc::clone(&workspace);
        let tools = if options.tools.is_empty() {
            let limits = ShellLimits::default();
            let reach = Reach::new(pollux_model::http_client);
            let notes = Notes {
                project: project.at("POLLUX.md"),
                user: project.pollux_home().join("POLLUX.md"),
                keep: memory::write,
            };
            let tools = Registry::builtin(shared(), limits, Sandbox::off(), reach);
            tools.remembering(shared(), notes)
        } else {
            Registry::new(options.tools)
        };
        let typed_tools =
            Registry::typed(&workspace, &limits, &Sandbox::off(), McpServers::default());
        let home = Home::new(project.pollux_home());
        let rules = project.pollux_home();
        let memory_reads = Arc::<AtomicUsize>::default();
        let stand_ins = options.fallback.into_iter();
        let setup = Setup {
            answerer: answerer(&model, &tools),
            fallback: stand_ins
                .map(|model| Arc::new(model) as Arc<dyn Model>)
                .collect(),
            elsewhere: Box::new(Others {
                home: Home::new(project.pollux_home()),
                cwd: project.path().to_owned(),
                models: options.others,
                tools: tools.clone(),
                memory_reads: Arc::clone(&memory_reads),
            }),
            tools,
            typed_tools,
            servers: McpServers::default(),
            policy: Policy {
                mode: options.mode,
                approval: options.approval,
                rules: Rules::load(&rules.join("rules.toml"), &rules.join("kept.toml")).0,
                workspace,
                home: None,
                own: Vec::new(),
                readable: Vec::new(),
                notes: None,
                sandbox: Sandbox::off(),
            },
            asks: options.asks,
            auto_approve: options.auto_approve,
            max_turns: options.max_turns,
            retry: RetryPolicy {
                attempts: options.attempts,
                ..RetryPolicy::new(|| 0.5)
            },
            record: Record {
                session: SessionId::new("s"),
                history: options.history,
                calls: vec![],
                log: SessionLog::create(&home, project.path(), header(&project)),
            },
            now: || Timestamp::UNIX_EPOCH,
        };
        let mut agent = JoinSet::new();
        agent.spawn(run(Agent::new(setup, outbox), inbox));
        Self {
            project,
            model,
            commands,
            events,
            memory_reads,
            agent,
        }
    }

    pub(crate) async fn submit(&self, prompt: &str) {
        self.commands
            .send(Command::Submit(vec![Part::text(prompt)]))
            .await
            .unwrap();
    }

    /// The next event that `wanted` picks.
    pub(crate) async fn wait_for<T>(&mut self, wanted: impl Fn(&Event) -> Option<T>) -> T {
        loop {
            let event = self.events.recv().await.expect("the agent is at work");
            if let Some(found) = wanted(&event) {
                return found;
            }
        }
    }

    /// The next question.
    pub(crate) async fn question(&mut self) -> ApprovalRequest {
        self.wait_for(|event| match event {
            Event::ApprovalNeeded(request) => Some(request.clone()),
            _ => None,
        })
        .await
    }

    /// Answers a question.
    pub(crate) async fn decide(&self, request: &ApprovalRequest, decision: Decision) {
        let command = Command::Decide {
            call: request.call.clone(),
            fingerprint: request.fingerprint.clone(),
            decision,
        };
        self.commands.send(command).await.unwrap();
    }

    /// All events up to the end of the prompt, and that end.
    pub(crate) async fn finish(&mut self) -> (Vec<Event>, PromptEnd) {
        let mut events = Vec::new();
        loop {
            match self.events.recv().await.expect("the agent is at work") {
                Event::PromptEnded(end) => return (events, end),
                event => events.push(event),
            }
        }
    }

    /// Submits `prompt` and sees it through.
    pub(crate) async fn ask(&mut self, prompt: &str) -> (Vec<Event>, PromptEnd) {
        self.submit(prompt).await;
        self.finish().await
    }

    /// Ends the session and gives the project back.
    pub(crate) async fn close(self) -> Project {
        let Self {
            project,
            commands,
            mut events,
            mut agent,
            ..
        } = self;
        drop(commands);
        while events.recv().await.is_some() {}
        agent.join_next().await.unwrap().unwrap();
        project
    }

    /// What the model was sent in its `n`-th request.
    pub(crate) fn sent(&self, n: usize) -> String {
        shown(&self.model.asked()[n].messages)
    }
}

pub(crate) fn header(project: &Project) -> Header {
    header_in(project.path())
}

fn header_in(cwd: &Path) -> Header {
    Header {
        version: Header::VERSION,
        id: SessionId::new("s"),
        at: Timestamp::UNIX_EPOCH,
        cwd: cwd.display().to_string(),
        answering: Answering {
            provider: "scripted".into(),
            model: "scripted".into(),
            base_url: None,
            found: false,
        },
    }
}

/// What is on disk.
pub(crate) fn stored(project: &Project) -> String {
    shown(&stored_messages(project))
}

pub(crate) fn stored_messages(project: &Project) -> Vec<Message> {
    let home = Home::new(project.pollux_home());
    let found = pollux_store::find(&home, project.path(), "latest").unwrap();
    pollux_store::replay(&found.path).unwrap().messages
}

/// Messages a line each, for snapshots.
pub(crate) fn shown(messages: &[Message]) -> String {
    let mut out = String::new();
    for message in messages {
        out.push_str(if message.role == Role::User {
            "user:"
        } else {
            "model:"
        });
        for part in &message.parts {
            match part {
                Part::Text(text) => write!(out, " {text:?}"),
                Part::Thought { text, .. } => write!(out, " thought {text:?}"),
                Part::FunctionCall(call) => {
                    let args = serde_json::to_string(&call.args).unwrap();
                    write!(out, " {}={}{args}", call.id, call.name)
                }
                Part::FunctionResponse(response) => match &response.response {
                    Response::Output(text) => write!(out, " {} -> {text:?}", response.id),
                    Response::Error(text) => write!(out, " {} failed {text:?}", response.id),
                },
            }
            .unwrap();
        }
        out.push('\n');
    }
    out
}

/// What is told again, a line each.
fn retold(again: &Again) -> String {
    let lines = again.told.iter().map(|line| match line {
        Told::Prompt(text) => format!("  prompt {text:?}\n"),
        Told::Event(event) => format!("  {}", told(std::slice::from_ref(event))),
    });
    lines.collect()
}

/// Events a line each, for snapshots, without what a call prints while it runs.
pub(crate) fn told(events: &[Event]) -> String {
    let mut out = String::new();
    for event in events {
        match event {
            Event::ApprovalNeeded(request) => {
                writeln!(out, "asks {}: {}", request.call, request.reasons.join("; "))
            }
            Event::QuestionsAsked { questions } => {
                let asked: Vec<&str> = questions.iter().map(|q| q.question.as_str()).collect();
                writeln!(out, "questions {}", asked.join("; "))
            }
            Event::PromptStarted { prompt_id } => writeln!(out, "started {prompt_id}"),
            Event::Content { text } => writeln!(out, "content {text:?}"),
            Event::Thought {
                subject,
                description,
            } => {
                writeln!(out, "thought {subject:?} {description:?}")
            }
            Event::ToolCallRequest(call) => writeln!(out, "request {} {}", call.id, call.name),
            // How often depends on the machine.
            Event::ToolCallUpdate(view) if view.live.is_some() => Ok(()),
            Event::ToolCallUpdate(view) => {
                let status = serde_json::to_value(view.status).unwrap();
                let error = view.error.as_ref().map(|error| &error.message);
                let told = view.output.as_ref().or(error);
                write!(out, "call {} {}", view.id, status.as_str().unwrap()).unwrap();
                match told {
                    Some(text) => writeln!(out, " {text:?}"),
                    None => writeln!(out),
                }
            }
            Event::WasThought => writeln!(out, "was thought"),
            Event::Finished { reason, .. } => writeln!(out, "finished {reason:?}"),
            Event::Retry {
                attempt,
                attempts,
                wait,
                reason,
            } => writeln!(out, "retry {attempt} of {attempts} in {wait:?}: {reason}"),
            Event::ModelChanged {
                provider,
                model,
                reason,
            } => writeln!(out, "model {model} of {provider}: {reason}"),
            Event::Notice { message, .. } => writeln!(out, "notice {message}"),
            Event::ModeChanged { mode } => writeln!(out, "mode {}", mode.name()),
            Event::CommandRan(ran) => writeln!(out, "ran {:?}", ran.block()),
            Event::SessionChanged { session, again, .. } => {
                writeln!(out, "session {session}").unwrap();
                out.push_str(&retold(again));
                Ok(())
            }
            Event::SessionNamed { name } => writeln!(out, "named {name}"),
            // How tokens are counted is another matter.
            Event::Context { .. } => Ok(()),
            Event::PromptEnded(end) => writeln!(out, "ended {end:?}"),
        }
        .unwrap();
    }
    out
}
