//! `write_todos` and `read_todos`: the model keeps track of what it has set out to do.
//!
//! The list belongs to the session, so the agent keeps it: a call gets it with its `RunContext`, and
//! gives a new one back with its `Output`.

use std::fmt::Write as _;

use futures_util::future::BoxFuture;
use pollux_types::{Todo, TodoStatus, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::schema::{self, refusal};
use crate::{BadArgs, Effects, Outcome, Output, Plan, RunContext, Tool};

/// How many there may be, and how long each, in characters: what nobody could keep in view is no
/// plan.
const MOST: usize = 100;
const LONGEST: usize = 500;

/// The tool that puts a list in place of the one before.
pub(crate) struct WriteTodos {
    spec: ToolSpec,
}

/// What the model writes.
#[derive(Debug, Deserialize, JsonSchema)]
struct Args {
    /// All of them, in order.
    #[serde(alias = "items", alias = "tasks", alias = "plan")]
    todos: Vec<WrittenTodo>,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct WrittenTodo {
    #[serde(alias = "content", alias = "text", alias = "task", alias = "step")]
    description: String,
    #[serde(default, alias = "state")]
    status: WrittenStatus,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum WrittenStatus {
    #[default]
    #[serde(alias = "todo", alias = "open", alias = "not_started")]
    Pending,
    #[serde(alias = "in-progress", alias = "in progress", alias = "doing")]
    InProgress,
    #[serde(alias = "done", alias = "complete", alias = "finished")]
    Completed,
    #[serde(alias = "canceled", alias = "skipped")]
    Cancelled,
}

impl WriteTodos {
    pub(crate) fn new() -> Self {
        let description = "Sets the todo list, in place of the one before. For work of several \
                           steps: at most one is in_progress, and each is marked completed as soon \
                           as it is.";
        let spec = schema::spec::<Args>("write_todos", description);
        Self { spec }
    }
}

impl Tool for WriteTodos {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["todowrite", "todo"]
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let args: Args = schema::parse(&self.spec, args)?;
        let todos: Vec<Todo> = args.todos.into_iter().map(Todo::from).collect();
        match wrong(&todos) {
            Some(wrong) => Err(refusal(&self.spec, &format!("`todos`: {wrong}"))),
            None => Ok(Box::new(Writing(todos))),
        }
    }
}

impl From<WrittenTodo> for Todo {
    fn from(written: WrittenTodo) -> Self {
        Self {
            description: written.description.trim().to_owned(),
            status: match written.status {
                WrittenStatus::Pending => TodoStatus::Pending,
                WrittenStatus::InProgress => TodoStatus::InProgress,
                WrittenStatus::Completed => TodoStatus::Completed,
                WrittenStatus::Cancelled => TodoStatus::Cancelled,
            },
        }
    }
}

/// What is wrong with a list, if anything.
fn wrong(todos: &[Todo]) -> Option<String> {
    let number = |is: fn(&Todo) -> bool| todos.iter().position(is).map(|at| at + 1);
    if todos.len() > MOST {
        return Some(format!("there are {}, and at most {MOST}", todos.len()));
    }
    if let Some(number) = number(|todo| todo.description.is_empty()) {
        return Some(format!("number {number} has no description"));
    }
    if let Some(number) = number(|todo| todo.description.chars().count() > LONGEST) {
        let most = format!("a description has at most {LONGEST} characters");
        return Some(format!("number {number} is too long: {most}"));
    }
    let current = todos
        .iter()
        .filter(|todo| todo.status == TodoStatus::InProgress);
    match current.count() {
        0 | 1 => None,
        several => Some(format!(
            "{several} are in_progress, and only one can be at a time"
        )),
    }
}

struct Writing(Vec<Todo>);

impl Plan for Writing {
    fn effects(&self) -> Effects {
        Effects {
            todos: true,
            ..Effects::default()
        }
    }

    fn summary(&self) -> String {
        let done = |todo: &&Todo| todo.status == TodoStatus::Completed;
        let done = self.0.iter().filter(done).count();
        match self.0.len() {
            0 => "none left".to_owned(),
            all => format!("{done} of {all} done"),
        }
    }

    fn run(self: Box<Self>, _context: RunContext) -> BoxFuture<'static, Outcome> {
        let output = Output {
            text: told(&self.0),
            todos: Some(self.0),
            ..Output::default()
        };
        Box::pin(std::future::ready(Ok(output)))
    }
}

/// The tool that tells the list.
pub(crate) struct ReadTodos {
    spec: ToolSpec,
}

/// Nothing needs to be said.
#[derive(Debug, Deserialize, JsonSchema)]
struct NoArgs {}

impl ReadTodos {
    pub(crate) fn new() -> Self {
        let spec = schema::spec::<NoArgs>("read_todos", "Tells the todo list.");
        Self { spec }
    }
}

impl Tool for ReadTodos {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["todoread"]
    }

    fn plan(&self, args: Map<String, Value>) -> Result<Box<dyn Plan>, BadArgs> {
        let NoArgs {} = schema::parse(&self.spec, args)?;
        Ok(Box::new(Reading))
    }
}

struct Reading;

impl Plan for Reading {
    fn effects(&self) -> Effects {
        Effects {
            todos: true,
            ..Effects::default()
        }
    }

    fn summary(&self) -> String {
        String::new()
    }

    fn run(self: Box<Self>, context: RunContext) -> BoxFuture<'static, Outcome> {
        let output = Output::text(told(&context.todos));
        Box::pin(std::future::ready(Ok(output)))
    }
}

/// The list, for the model.
fn told(todos: &[Todo]) -> String {
    if todos.is_empty() {
        return "The todo list is empty.".to_owned();
    }
    let mut text = "The todo list:\n".to_owned();
    for (
        at,
        Todo {
            description,
            status,
        },
    ) in todos.iter().enumerate()
    {
        let status = status.name();
        writeln!(text, "{}. [{status}] {description}", at + 1).expect("a String takes any text");
    }
    text
}

#[cfg(test)]
mod tests;
