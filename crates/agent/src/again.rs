//! Telling a stored session again, so that it looks as it did.
//!
//! Words and results are in the messages; what else people saw of a call (what it was about, and what
//! it has changed) is recorded beside them.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pollux_tools::Registry;
use pollux_types::{
    Again, CallId, CallStatus, CallView, CommandRan, Event, FunctionCall, Message, Part, Response,
    Role, Todo, Told, ToolError, ToolErrorKind,
};

use crate::elsewhere::Record;
use crate::history::INTERRUPTED;
use crate::mention;
use crate::schedule::REFUSED;
use crate::thought;

/// How many bytes are told again: as much as somebody may want to scroll back.
const ROOM: usize = 100_000;

/// How many of them a message takes, and a result, of which people see the beginning at most.
const LEAST: usize = 100;
const RESULT: usize = 2_000;

impl Record {
    /// What was said and done, as far as it is told again.
    pub fn again(&self, tools: &Registry) -> Again {
        let views = self.calls.iter().map(|view| (&view.id, view));
        let teller = Teller {
            messages: &self.history,
            views: views.collect(),
            tools,
        };
        let left_out = teller.left_out();
        let told = (left_out..self.history.len()).flat_map(|at| teller.told(at));
        Again {
            left_out,
            told: told.collect(),
        }
    }

    /// What the model has set out to do.
    pub fn todos(&self) -> Vec<Todo> {
        let mut lists = self
            .calls
            .iter()
            .rev()
            .filter_map(|view| view.todos.as_ref());
        lists.next().cloned().unwrap_or_default()
    }
}

struct Teller<'a> {
    messages: &'a [Message],
    views: HashMap<&'a CallId, &'a CallView>,
    tools: &'a Registry,
}

impl Teller<'_> {
    /// How many messages are too many. The newest is always told.
    fn left_out(&self) -> usize {
        let mut room = ROOM;
        let fits = self.messages.iter().rev().take_while(|message| {
            let left = room.checked_sub(self.size(message));
            left.inspect(|left| room = *left).is_some()
        });
        let newest = fits.count().max(1);
        let mut left_out = self.messages.len().saturating_sub(newest);
        // Results are told with their calls.
        while let Some(message) = self.messages.get(left_out)
            && message.responses().next().is_some()
        {
            left_out += 1;
        }
        left_out
    }

    fn size(&self, message: &Message) -> usize {
        let of_part = |part: &Part| match part {
            Part::Text(text) | Part::Thought { text, .. } => text.len(),
            Part::FunctionCall(call) => {
                let view = self.views.get(&call.id);
                let changes = view.iter().flat_map(|view| &view.changes);
                changes.map(|change| change.diff.len()).sum()
            }
            Part::FunctionResponse(response) => response.response.text().len().min(RESULT),
        };
        let parts = match message.role {
            Role::User if !message.prompt().is_empty() => message.prompt().len(),
            _ => message.parts.iter().map(of_part).sum(),
        };
        LEAST + parts
    }

    fn told(&self, at: usize) -> Vec<Told> {
        let message = &self.messages[at];
        match message.role {
            Role::User if message.prompt().trim().is_empty() => vec![],
            Role::User => prompt(message),
            Role::Model => match self.own_command(at) {
                Some(ran) => vec![Event::CommandRan(ran).into()],
                None => self.reply(message, self.messages.get(at + 1)),
            },
        }
    }

    /// What came of a command of the person's own, which is recorded like an answer.
    fn own_command(&self, at: usize) -> Option<CommandRan> {
        let typed = self.messages.get(at.checked_sub(1)?)?.prompt();
        let command = typed.strip_prefix('!')?.trim();
        CommandRan::read(command, &self.messages[at].text())
    }

    fn reply(&self, message: &Message, next: Option<&Message>) -> Vec<Told> {
        let said = message.parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(Event::Content { text: text.clone() }),
            Part::Thought { text, .. } if text.trim().is_empty() => None,
            Part::Thought { text, .. } => Some(thought::event("", text)),
            Part::FunctionCall(call) => Some(Event::ToolCallRequest(call.clone())),
            Part::FunctionResponse(_) => None,
        });
        let ended = message.calls().map(|call| {
            let mut responses = next.iter().flat_map(|next| next.responses());
            let response = responses.find(|response| response.id == call.id);
            let response = response.map(|response| &response.response);
            Event::ToolCallUpdate(self.ended(call, response))
        });
        said.chain(ended).map(Told::from).collect()
    }

    /// How a call ended, by what is recorded of it.
    fn ended(&self, call: &FunctionCall, response: Option<&Response>) -> CallView {
        let recorded = self.views.get(&call.id).map(|view| (*view).clone());
        let mut view = recorded.unwrap_or_else(|| self.unrecorded(call, response));
        let kind = match view.status {
            CallStatus::Cancelled if response.is_some_and(is_refusal) => ToolErrorKind::Refused,
            CallStatus::Cancelled => ToolErrorKind::Cancelled,
            _ => ToolErrorKind::ExecutionFailed,
        };
        let failed = |message: &str| Some(ToolError::new(kind, message));
        match response {
            Some(Response::Output(text)) => view.output = Some(text.clone()),
            Some(Response::Error(text)) => view.error = failed(text),
            None => view.error = failed(INTERRUPTED),
        }
        view
    }

    /// A call of which only the messages tell: what it was about, its arguments say.
    fn unrecorded(&self, call: &FunctionCall, response: Option<&Response>) -> CallView {
        let status = match response {
            Some(Response::Output(_)) => CallStatus::Success,
            Some(Response::Error(_)) | None => CallStatus::Error,
        };
        let understood = AssertUnwindSafe(|| {
            let tool = self.tools.get(&call.name)?;
            let plan = tool.plan(call.args.clone()).ok()?;
            Some((tool.spec().name.clone(), plan.summary()))
        });
        // A tool that panics does not understand it.
        let understood = catch_unwind(understood).ok().flatten();
        let (name, summary) = understood.unwrap_or_else(|| (call.name.clone(), String::new()));
        CallView {
            summary,
            ..view(&call.id, name, status)
        }
    }
}

/// What the person has said, and what that has put before the model.
fn prompt(message: &Message) -> Vec<Told> {
    let text = message.prompt();
    let attached = message.parts.iter().filter_map(Part::as_text).skip(1);
    let attached = attached.flat_map(|part| mention::attached(text, part));
    let attached = attached.enumerate().map(|(at, (summary, read))| {
        let id = CallId::new(format!("attached-{at}"));
        Told::from(Event::ToolCallUpdate(CallView {
            summary,
            output: Some(read.to_owned()),
            ..view(&id, mention::TOOL.to_owned(), CallStatus::Success)
        }))
    });
    std::iter::once(Told::Prompt(text.to_owned()))
        .chain(attached)
        .collect()
}

fn is_refusal(response: &Response) -> bool {
    matches!(response, Response::Error(text) if text == REFUSED)
}

fn view(id: &CallId, name: String, status: CallStatus) -> CallView {
    CallView {
        id: id.clone(),
        name,
        summary: String::new(),
        status,
        live: None,
        output: None,
        error: None,
        changes: Vec::new(),
        todos: None,
    }
}
