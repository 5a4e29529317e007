//! What a model may do.
//!
//! A call goes through three hands: [`Tool::plan`] understands it, the agent's policy looks at
//! the plan's [`Effects`] and decides, and only then [`Plan::run`] acts.
//!
//! **Invariant:** `plan` has no side effects; whatever a call will do is in its `Effects`.

mod blocking;
mod diff;
mod edit;
mod encoding;
mod endings;
mod existing;
mod failure;
mod fetch;
mod forbidden;
mod glob;
mod grep;
mod lines;
mod list;
mod located;
mod mcp;
mod mentioned;
mod net;
mod place;
mod question;
mod read;
mod registry;
mod remember;
mod replace;
mod save;
mod schema;
mod shell;
mod skill;
mod splice;
mod todos;
mod touched;
mod walk;
mod workspace;
mod write;

#[cfg(test)]
mod testing;

use std::path::PathBuf;

use futures_util::future::BoxFuture;
use pollux_types::{CommandRan, FileChange, Todo, ToolError, ToolSpec};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

pub use diff::{change, unseen_change};
pub use fetch::{Names, Reach};
pub use forbidden::Forbidden;
pub use located::Located;
pub use mcp::{Contact, McpServers, Means, Resource, ServerSetup, ServerState, Standing};
pub use mentioned::{GIT, MEMORY};
pub use net::{Address, Hosts, Zone};
pub use pollux_exec::sandbox::{self, Grant, Sandbox};
pub use pollux_exec::{Live, Watcher};
pub use question::{Asking, Prompter};
pub use registry::Registry;
pub use remember::{Keep, Notes};
pub use shell::{ShellLimits, hidden};
pub use touched::{Found, Touched};
pub use walk::walk_shown;
pub use workspace::Workspace;

/// Something a model can ask for.
pub trait Tool: Send + Sync {
    /// What the model is told about it.
    fn spec(&self) -> &ToolSpec;

    /// Other names under which models call it.
    fn aliases(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether changing files is what it is for. Such tools are not offered in plan mode.
    fn edits(&self) -> bool {
        false
    }

    /// Understands a call. Looks where names lead, and changes nothing.
    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs>;
}

/// A call that has been understood and not yet carried out.
pub trait Plan: Send + Sync {
    /// All that the policy and the scheduler get to see.
    fn effects(&self) -> Effects;

    /// One line for the person: a path, a pattern, a command.
    fn summary(&self) -> String;

    /// What a person is shown before deciding. Reads what it must, changes nothing; fails as the
    /// call itself would.
    fn preview(&self) -> BoxFuture<'static, Result<Preview, ToolError>> {
        Box::pin(std::future::ready(Ok(Preview::default())))
    }

    /// The same call with this as the content of its file, or as its command; `None` if it has
    /// neither.
    fn revised(&self, _content: String) -> Option<Box<dyn Plan>> {
        None
    }

    /// Does it. A panic inside becomes a failed result.
    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome>;
}

/// What a call will touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Files and directories it reads; a directory stands for all below it.
    pub reads: Vec<Located>,
    /// Files it creates or changes.
    pub writes: Vec<Located>,
    /// A shell script it runs, whose effects cannot be listed.
    pub script: Option<Script>,
    /// It has to do with the todo list, and so with all others that do.
    pub todos: bool,
    /// What it asks others for over the network.
    pub reaches: Vec<Address>,
    /// It is done by somebody else's program, and nothing is known of it.
    pub foreign: bool,
}

impl Effects {
    /// Reads a file and writes it anew.
    pub(crate) fn editing(target: &Located) -> Self {
        Self {
            reads: vec![target.clone()],
            writes: vec![target.clone()],
            ..Self::default()
        }
    }
}

/// A shell script, and where it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// All of it.
    pub command: String,
    /// The directory it starts in, links followed.
    pub dir: PathBuf,
}

/// What a person is shown of a call before it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// The change to a file.
    pub change: Option<FileChange>,
    /// The whole file after the change, where it is text.
    pub content: Option<String>,
    /// Stands for exactly this change; empty where there is none.
    pub fingerprint: String,
}

/// What a running plan gets from outside.
#[derive(Clone, Debug, Default)]
pub struct RunContext {
    /// Fires when the user stops the call; the plan then ends soon, leaving nothing behind.
    pub cancel: CancellationToken,
    /// The fingerprint of what a person has approved: nothing else is done.
    pub approved: Option<String>,
    /// It runs unasked because it only reads, with git among others, which must then not run what a
    /// repository names.
    pub guard_git: bool,
    /// Where its output is seen while it runs.
    pub live: Live,
    /// What the sandbox allows it besides the usual.
    pub granted: Vec<Grant>,
    /// What it leaves alone wherever it finds it.
    pub forbidden: Forbidden,
    /// Files outside of the project that a command says it writes.
    pub opens: Vec<PathBuf>,
    /// The way to the person.
    pub prompter: Prompter,
    /// The todo list of the session.
    pub todos: Vec<Todo>,
    /// What the model is told from memory files.
    pub memory: String,
}

/// How a call ended.
pub type Outcome = Result<Output, ToolError>;

/// What a call gave back.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// What the model reads. Bounded by the tool.
    pub text: String,
    /// Files that are different now.
    pub changes: Vec<FileChange>,
    /// How a command that the person has typed went.
    pub ran: Option<Box<CommandRan>>,
    /// The todo list from now on, where it is another.
    pub todos: Option<Vec<Todo>>,
    /// Memory is another now.
    pub remembered: bool,
    /// It failed for want of this, and could be run again with it.
    pub lacks: Option<Grant>,
}

impl Output {
    /// An output of words alone.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }
}

/// The arguments do not fit the tool; says which one and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadArgs(pub String);
