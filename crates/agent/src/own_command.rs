//! A command of the person's own: it goes the way of any other, but no model has asked for it.

use pollux_tools::Outcome;
use pollux_types::event::Failure;
use pollux_types::{CallId, CommandRan, Event, FunctionCall, Message, Part, PromptEnd, ToolError};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::reply::Asked;
use crate::schedule::Ended;
use crate::session::Agent;

/// The tool that runs it, which is what rules call it.
const TOOL: &str = "run_shell_command";

impl Agent {
    /// Runs it and records what came of it as words, never as a call: the model reads both with the
    /// next prompt.
    pub(crate) async fn run_command(
        &mut self,
        command: String,
        raw: String,
        cancel: &CancellationToken,
    ) -> Result<PromptEnd, Failure> {
        self.begin(vec![Part::text(raw)]).await?;
        let asked = self.typed(TOOL, "command", command.clone());
        let mut ended = self.carry_out(vec![asked], cancel).await?;
        let outcome = ended.pop().map(Ended::into_outcome);
        let (ran, text) = told(command, outcome, cancel.is_cancelled());
        let recorded = self.record_done(Message::model(vec![Part::text(text)]), vec![]);
        self.emit(Event::CommandRan(ran)).await;
        self.tell_context().await;
        recorded?;
        self.settle().await?;
        Ok(if cancel.is_cancelled() {
            PromptEnd::UserCancelled
        } else {
            PromptEnd::Completed
        })
    }

    /// A call that the person has typed.
    pub(crate) fn typed(&mut self, tool: &str, name: &str, value: String) -> Asked {
        self.typed_count += 1;
        Asked {
            call: FunctionCall {
                id: CallId::new(format!("typed-{}", self.typed_count)),
                name: tool.to_owned(),
                args: Map::from_iter([(name.to_owned(), Value::String(value))]),
                signature: None,
            },
            problem: None,
            typed: true,
        }
    }
}

/// What the front end is told, and what is recorded: the same, but for a mark on hidden text.
fn told(command: String, outcome: Option<Outcome>, cancelled: bool) -> (CommandRan, String) {
    let denied = match outcome {
        Some(Ok(output)) => match output.ran {
            Some(ran) => return (*ran, output.text),
            None => output.text,
        },
        Some(Err(_)) if cancelled => "cancelled".to_owned(),
        Some(Err(error)) => reason(error),
        None => "it did not run".to_owned(),
    };
    let ran = CommandRan {
        command,
        denied: Some(denied),
        ..CommandRan::default()
    };
    let block = ran.block();
    (ran, block)
}

/// Why a call of the person's own did not run, in words for the person.
pub(crate) fn reason(error: ToolError) -> String {
    if error.is_cancelled() {
        return "you did not allow it".to_owned();
    }
    match error.message.split_once("` was not run: ") {
        Some((_, why)) => why.to_owned(),
        None => error.message,
    }
}
