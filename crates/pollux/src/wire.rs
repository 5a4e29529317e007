//! Putting a session together.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use pollux_agent::{Agent, Detail, Policy, RetryPolicy, Rules, Setup, run};
use pollux_model::{Model, ModelInfo};
use pollux_store::memory;
use pollux_store::settings::{self, Problem, ProjectSettings, Settings};
use pollux_store::{Answering, Damage, Found, Home, PromptSetting};
use pollux_tools::{McpServers, Notes, Reach, Registry, Sandbox, ShellLimits, Workspace};
use pollux_types::event::NoticeKind;
use pollux_types::{Again, ApprovalMode, Command, Event, Mode, SessionId, Skill, Todo};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::args::Args;
use crate::current::Current;
use crate::debug;
use crate::elsewhere::{self, Elsewhere};
use crate::environment::{Environment, working_directory};
use crate::failure::Failure;
use crate::mcp;
use crate::permissions::RuleFiles;
use crate::provider::{self, Located, Wanted};
use crate::sandbox;
use crate::told::{self, Told};
use crate::trust::Folder;

/// A session at work, and the way to it.
pub(crate) struct Session {
    pub(crate) started: Started,
    pub(crate) commands: mpsc::Sender<Command>,
    pub(crate) events: mpsc::Receiver<Event>,
}

/// A session at work, as a front end sees it.
pub(crate) struct Started {
    pub(crate) id: SessionId,
    pub(crate) model: ModelInfo,
    /// Who answers, and where, also later.
    pub(crate) who: Current<Answering>,
    /// What was read for it, also later.
    pub(crate) told: Current<Told>,
    /// What can be called.
    pub(crate) tools: Vec<Callable>,
    /// What was said and done before, for showing it again.
    pub(crate) again: Again,
    /// What the model has set out to do.
    pub(crate) todos: Vec<Todo>,
    /// What is wrong with memory and skills.
    notices: Vec<Event>,
    /// What could not be read of a resumed session.
    damage: Vec<Damage>,
    /// Settings that could not be used.
    problems: Vec<String>,
    /// What is not read since the folder is not trusted.
    untrusted: Vec<String>,
    /// What to tell of the server that answers because nothing says who is to.
    found: Option<String>,
    agent: JoinSet<()>,
}

/// The agent's ends of the channels between it and its front end.
pub(crate) struct Ends {
    pub(crate) inbox: mpsc::Receiver<Command>,
    pub(crate) outbox: mpsc::Sender<Event>,
}

/// The channels between a front end and its agent.
pub(crate) fn channels() -> (mpsc::Sender<Command>, mpsc::Receiver<Event>, Ends) {
    let (commands, inbox) = mpsc::channel(16);
    let (outbox, events) = mpsc::channel(256);
    (commands, events, Ends { inbox, outbox })
}

/// A session that could be started: all that can go wrong has been looked at.
pub(crate) struct Plan<'a> {
    args: &'a Args,
    environment: Environment,
    home: Home,
    cwd: PathBuf,
    workspace: Arc<Workspace>,
    resumed: Option<Found>,
    settings: Settings,
    project_settings: Option<ProjectSettings>,
    problems: Vec<String>,
    folder: Folder,
    located: Located,
    policy: Policy,
    rule_files: RuleFiles,
    /// Somebody is there to be asked.
    asks: bool,
    fallback: Vec<Arc<dyn Model>>,
    hidden_variables: Vec<String>,
    servers: McpServers,
}

impl<'a> Plan<'a> {
    /// What the flags ask for. Opens no connection.
    pub(crate) fn new(
        args: &'a Args,
        environment: &Environment,
        folder: Folder,
    ) -> Result<Self, Failure> {
        let cwd = working_directory(args)?;
        let workspace = Workspace::new(&cwd, &args.include_directories)
            .map_err(|error| Failure::input(error.to_string()))?;
        let home = environment.home()?;
        let resumed = match args.resumed() {
            Some(wanted) => {
                let found = pollux_store::find(&home, &cwd, wanted);
                Some(found.map_err(|error| Failure::input(error.to_string()))?)
            }
            None => None,
        };
        let (settings, problems) = settings(args, environment, &home, &folder)?;
        let approval = args.approval(settings.approval.mode.as_deref())?;
        let surroundings = provider::Surroundings {
            environment,
            settings: &settings,
        };
        let remembered = resumed.as_ref().map(|found| &found.header.answering);
        let wanted = Wanted::new(args, &surroundings, remembered);
        let located = match unusable(&wanted, &problems) {
            Some(failure) => Err(failure),
            // What is wrong with the settings may be what is wrong.
            None => {
                provider::locate(wanted, surroundings).map_err(|failure| failure.after(&problems))
            }
        }?;
        let (fallback, not_usable) = provider::stand_ins(surroundings);
        let rule_files = RuleFiles {
            user: home.rules(),
            project: home.project_rules(&cwd),
        };
        let (rules, wrong) = Rules::load(&rule_files.user, &rule_files.project);
        let mut problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        problems.extend(not_usable);
        problems.extend(debug::begin(&settings, &home));
        problems.extend(wrong);
        let sandbox = sandbox::for_session(args, environment, &settings, &workspace)?;
        let hidden_variables = hidden_variables(&settings, environment);
        let servers = mcp::servers(&settings, environment, &cwd);
        let workspace = Arc::new(workspace);
        let policy = Policy {
            mode: args.mode(),
            approval,
            rules,
            workspace: Arc::clone(&workspace),
            home: environment.var("HOME").map(PathBuf::from),
            own: vec![sandbox::own(&home)],
            readable: Vec::new(),
            notes: Some(memory::project_file(workspace.root())),
            sandbox,
        };
        Ok(Self {
            args,
            environment: environment.clone(),
            home,
            cwd,
            workspace,
            resumed,
            settings,
            project_settings: folder.settings(),
            problems,
            folder,
            located,
            policy,
            rule_files,
            asks: false,
            fallback,
            hidden_variables,
            servers,
        })
    }

    /// The same where somebody is there to be asked.
    #[must_use]
    pub(crate) fn asking(mut self) -> Self {
        self.asks = true;
        self
    }

    /// The working directory.
    pub(crate) fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// What is set.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What the folder sets.
    pub(crate) fn project_settings(&self) -> Option<&ProjectSettings> {
        self.project_settings.as_ref()
    }

    /// Building or planning.
    pub(crate) fn mode(&self) -> Mode {
        self.policy.mode
    }

    /// What may happen without asking.
    pub(crate) fn approval(&self) -> ApprovalMode {
        self.policy.approval
    }

    /// Who will answer, as far as that is known before anybody is asked.
    pub(crate) fn model_name(&self) -> Option<String> {
        match &self.located {
            Located::Offline => Some("offline".to_owned()),
            Located::At(place) => place.model.clone(),
            Located::Anyone(_) => None,
        }
    }

    /// Where the rules of this session stand.
    pub(crate) fn rule_files(&self) -> &RuleFiles {
        &self.rule_files
    }

    /// The MCP servers of this session.
    pub(crate) fn servers(&self) -> &McpServers {
        &self.servers
    }

    /// Whether starting takes a moment, since servers are asked.
    pub(crate) fn looks_around(&self) -> bool {
        matches!(self.located, Located::Anyone(_))
    }

    /// Decides who answers, and starts the agent.
    pub(crate) async fn start(self) -> Result<Session, Failure> {
        let (commands, events, ends) = channels();
        let started = self.start_at(ends).await?;
        Ok(Session {
            started,
            commands,
            events,
        })
    }

    /// The same for a front end that has its ends of the channels already.
    pub(crate) async fn start_at(self, ends: Ends) -> Result<Started, Failure> {
        let Self {
            args,
            cwd,
            workspace,
            settings,
            mut fallback,
            ..
        } = self;
        let read = told::read_aside(&self.home, &cwd, self.folder.belongings());
        let chosen = provider::choose(self.located, &settings);
        let (chosen, (read, notices)) = tokio::join!(chosen, read);
        let chosen = chosen.map_err(|failure| failure.after(&self.problems))?;
        let info = chosen.model.info().clone();
        let answering = chosen.answering();
        let (record, damage) = match self.resumed {
            Some(resumed) => elsewhere::resume(resumed, &info.provider)?,
            None => (
                elsewhere::begin(&self.home, &cwd, answering.clone()),
                vec![],
            ),
        };
        let found = chosen.found.clone();
        fallback.retain(|stand_in| *stand_in.info() != info);
        let limits = shell_limits(&settings, self.hidden_variables);
        let sandbox = &self.policy.sandbox;
        let typed_tools = Registry::typed(&workspace, &limits, sandbox, self.servers.clone());
        let tools = tools(&workspace, limits, sandbox, &self.home).skilled(read.skills.clone());
        let policy = reading(self.policy, &read.skills);
        let elsewhere = Elsewhere {
            environment: self.environment,
            settings: settings.clone(),
            home: self.home,
            cwd,
            workspace,
            tools: tools.clone(),
            tool_calls: args.tool_calls,
            who: Current::new(answering),
            told: Current::new(read),
            open: record.session.clone(),
        };
        let answerer = elsewhere.answerer(chosen);
        let told = answerer.instructions.size().total();
        let mut problems = self.problems;
        problems.extend(too_small_a_window(&settings, &info, told));
        let mut started = Started {
            id: record.session.clone(),
            model: info,
            who: elsewhere.who.clone(),
            told: elsewhere.told.clone(),
            notices,
            problems,
            again: record.again(&tools),
            tools: callable(&tools),
            todos: record.todos(),
            untrusted: self.folder.notices,
            damage,
            found,
            agent: JoinSet::new(),
        };
        let setup = Setup {
            answerer,
            fallback,
            tools,
            typed_tools,
            servers: self.servers,
            policy,
            asks: self.asks && settings.approval.interactive.unwrap_or(true),
            auto_approve: passes_unasked(&settings),
            max_turns: max_turns(args, &settings),
            retry: retry(&settings),
            record,
            elsewhere: Box::new(elsewhere),
            now: Timestamp::now,
        };
        let agent = Agent::new(setup, ends.outbox);
        started.agent.spawn(run(agent, ends.inbox));
        Ok(started)
    }
}

impl Session {
    /// Lets the agent end what it is doing, and waits for it.
    pub(crate) async fn end(self) {
        self.started.end(self.commands, self.events).await;
    }
}

impl Started {
    /// What the user should know before the first prompt.
    pub(crate) fn notices(&self) -> impl Iterator<Item = Event> {
        let problems = self.problems.iter().map(|problem| Event::Notice {
            kind: NoticeKind::BadSetting,
            message: problem.clone(),
        });
        let untrusted = self.untrusted.iter().map(|notice| Event::Notice {
            kind: NoticeKind::FolderUntrusted,
            message: notice.clone(),
        });
        let damage = self.damage.iter().map(|damage| Event::Notice {
            kind: NoticeKind::SessionDamaged,
            message: told_of_damage(damage),
        });
        let found = self.found.iter().map(|found| Event::Notice {
            kind: NoticeKind::LocalServer,
            message: found.clone(),
        });
        let read = self.notices.iter().cloned();
        let unread = untrusted.chain(problems).chain(read);
        unread.chain(damage).chain(found)
    }

    /// Lets the agent end what it is doing, and waits for it.
    pub(crate) async fn end(
        mut self,
        commands: mpsc::Sender<Command>,
        mut events: mpsc::Receiver<Event>,
    ) {
        // The agent may have ended by itself.
        commands.send(Command::Shutdown).await.ok();
        while events.recv().await.is_some() {}
        while self.agent.join_next().await.is_some() {}
    }
}

/// A policy under which the folders of skills may be read.
fn reading(policy: Policy, skills: &[Skill]) -> Policy {
    Policy {
        readable: skills.iter().map(|skill| skill.folder.clone()).collect(),
        ..policy
    }
}

/// What the model may do.
pub(crate) fn tools(
    workspace: &Arc<Workspace>,
    limits: ShellLimits,
    sandbox: &Sandbox,
    home: &Home,
) -> Registry {
    let reach = Reach::new(pollux_model::http_client);
    let shared = || Arc::clone(workspace);
    let tools = Registry::builtin(shared(), limits, sandbox.clone(), reach);
    let notes = Notes {
        project: memory::project_file(workspace.root()),
        user: home.memory(),
        keep: memory::write,
    };
    tools.remembering(shared(), notes)
}

/// What to say of a line that is lost.
pub(crate) fn told_of_damage(Damage { line, problem }: &Damage) -> String {
    format!("line {line} of the session's log cannot be read: {problem}")
}

/// From 0 to 1; good enough to keep clients apart.
fn random() -> f64 {
    let [low, high, ..] = *uuid::Uuid::new_v4().as_bytes();
    f64::from(u16::from_be_bytes([low, high])) / f64::from(u16::MAX)
}

fn retry(settings: &Settings) -> RetryPolicy {
    let usual = RetryPolicy::new(random);
    let attempts = settings.retry.max_attempts.unwrap_or(usual.attempts).max(1);
    RetryPolicy { attempts, ..usual }
}

pub(crate) fn detail(settings: &Settings, model: &ModelInfo) -> Detail {
    match settings.agent.prompt {
        PromptSetting::Auto => Detail::for_model(&model.model),
        PromptSetting::Full => Detail::Full,
        PromptSetting::Lean => Detail::Lean,
    }
}

/// What to say of a context window that is full before anybody has said a word.
fn too_small_a_window(settings: &Settings, model: &ModelInfo, told: u64) -> Option<String> {
    let provider = &model.provider;
    let window = settings.providers.get(provider)?.context_window?;
    (window <= told).then(|| {
        format!(
            "`providers.{provider}.context_window`: {window} tokens are too few, since about {told} \
             go to the model before the conversation: the server will cut them off"
        )
    })
}

/// Whether questions pass where nobody is asked.
fn passes_unasked(settings: &Settings) -> bool {
    let set = &settings.approval;
    set.auto_approve_ask == Some(true) || set.interactive == Some(false)
}

/// A tool, for people.
#[derive(Clone)]
pub(crate) struct Callable {
    pub(crate) name: String,
    pub(crate) description: String,
    /// It is not offered while planning.
    pub(crate) edits: bool,
}

fn callable(tools: &Registry) -> Vec<Callable> {
    let specs = tools.specs().into_iter();
    let callable = specs.map(|spec| Callable {
        edits: tools.get(&spec.name).is_some_and(|tool| tool.edits()),
        name: spec.name,
        description: spec.description,
    });
    callable.collect()
}

fn max_turns(args: &Args, settings: &Settings) -> usize {
    let flag = args.max_turns.map(|turns| turns as usize);
    let turns = flag.or(settings.agent.max_turns);
    turns.unwrap_or(Setup::MAX_TURNS).max(1)
}

/// What commands do not get to see of the environment.
pub(crate) fn hidden_variables(settings: &Settings, environment: &Environment) -> Vec<String> {
    let keys = provider::key_variables(settings);
    keys.into_iter()
        .chain(environment.hidden_variables())
        .collect()
}

fn shell_limits(settings: &Settings, hidden_variables: Vec<String>) -> ShellLimits {
    let usual = ShellLimits::default();
    let set = &settings.shell;
    let timeout = set.command_timeout_ms.map(Duration::from_millis);
    ShellLimits {
        timeout: timeout.unwrap_or(usual.timeout),
        output_limit: set.output_limit_bytes.unwrap_or(usual.output_limit),
        hidden_variables,
    }
}

/// What the user has set, and the folder if it is trusted. A bad file is no reason not to start,
/// unless it may have said who is to answer; a bad flag always is.
pub(crate) fn settings(
    args: &Args,
    environment: &Environment,
    home: &Home,
    folder: &Folder,
) -> Result<(Settings, Vec<Problem>), Failure> {
    let file = settings_file(environment, home)?;
    let project = folder.settings();
    let (settings, problems) = settings::load(&file, project.as_ref(), &args.config);
    let chosen = args.provider.is_some()
        || args.base_url.is_some()
        || environment.var("POLLUX_PROVIDER").is_some();
    let fatal = problems
        .iter()
        .find(|problem| problem.from_flag || (problem.decides_the_model && !chosen));
    match fatal {
        Some(problem) => Err(fatal_setting(problem, &problems)),
        None => Ok((settings, problems)),
    }
}

/// The failure if a provider is wanted whose settings cannot be used.
fn unusable(wanted: &Wanted, problems: &[Problem]) -> Option<Failure> {
    let problem = problems.iter().find(|problem| {
        let provider = problem.provider.as_deref();
        provider.is_some_and(|provider| wanted.names(provider))
    })?;
    Some(fatal_setting(problem, problems))
}

/// A setting without which there is no going on; the others are told before it.
fn fatal_setting(problem: &Problem, all: &[Problem]) -> Failure {
    let others: Vec<&Problem> = all.iter().filter(|other| *other != problem).collect();
    let failure = Failure::config(problem.to_string()).after(&others);
    if problem.from_flag {
        return failure;
    }
    failure.hint("correct it, or name another provider for this run with `--provider`")
}

/// The file with the user's settings, which need not be there.
pub(crate) fn settings_file(environment: &Environment, home: &Home) -> Result<PathBuf, Failure> {
    let named = environment.var("POLLUX_CONFIG").map(PathBuf::from);
    if let Some(file) = named.as_ref().filter(|file| !file.exists()) {
        let message = format!("POLLUX_CONFIG: `{}` is not there", file.display());
        return Err(Failure::config(message));
    }
    Ok(named.unwrap_or_else(|| home.config()))
}
