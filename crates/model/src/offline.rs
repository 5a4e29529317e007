//! A small model that lives inside pollux: no network, no key, no chance.
//!
//! It understands a dozen requests and answers them with real tool calls through the whole loop,
//! so that everything but intelligence can be tried, shown and tested on any machine. What it
//! says depends on the conversation alone.

mod tour;
mod understand;

use futures_util::stream;
use pollux_types::{
    CallId, FinishReason, FunctionCall, FunctionResponse, Message, Part, Response, ToolSpec, Usage,
    tokens,
};
use serde_json::{Map, Value};

use crate::{Delta, Model, ModelInfo, Reply, Request};
use understand::Wish;

/// The built-in model.
#[derive(Debug)]
pub struct Offline {
    info: ModelInfo,
}

impl Offline {
    /// The name of the provider and of its one model.
    pub const NAME: &str = "offline";
}

impl Default for Offline {
    fn default() -> Self {
        Self {
            info: ModelInfo {
                provider: Self::NAME.into(),
                model: Self::NAME.into(),
            },
        }
    }
}

impl Model for Offline {
    fn info(&self) -> &ModelInfo {
        &self.info
    }

    fn reply(&self, request: Request<'_>) -> Reply {
        let says = answer(&request);
        let deltas = says.into_deltas(&request);
        Box::pin(stream::iter(deltas.into_iter().map(Ok)))
    }
}

/// What the model says next.
#[derive(Debug, PartialEq)]
struct Says {
    text: String,
    call: Option<Step>,
}

/// A tool call to make.
#[derive(Clone, Debug, PartialEq)]
struct Step {
    tool: &'static str,
    args: Map<String, Value>,
}

impl Step {
    fn new<const N: usize>(tool: &'static str, args: [(&str, &str); N]) -> Self {
        let args = args
            .iter()
            .map(|(key, value)| ((*key).to_owned(), Value::from(*value)));
        Self {
            tool,
            args: args.collect(),
        }
    }
}

impl Says {
    fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            call: None,
        }
    }

    fn call(text: impl Into<String>, step: Step) -> Self {
        Self {
            text: text.into(),
            call: Some(step),
        }
    }

    /// A stream like that of any other model: words one by one, then the call, then the end.
    fn into_deltas(self, request: &Request<'_>) -> Vec<Delta> {
        let said = tokens::estimate(&self.text);
        let words = self.text.split_inclusive(char::is_whitespace);
        let mut deltas: Vec<Delta> = words.map(|word| Delta::Text(word.to_owned())).collect();
        let reason = match self.call {
            None => FinishReason::Stop,
            Some(step) => {
                let id = CallId::new(format!("offline-{}", request.messages.len()));
                let name = step.tool.to_owned();
                let call = FunctionCall {
                    id,
                    name,
                    args: step.args,
                    signature: None,
                };
                deltas.push(Delta::Call(call));
                FinishReason::ToolCalls
            }
        };
        let usage = Usage {
            input: size(request),
            output: said,
            ..Usage::default()
        };
        deltas.extend([
            Delta::Usage(usage),
            Delta::Finish {
                reason,
                detail: None,
            },
        ]);
        deltas
    }
}

/// How many tokens a model would have read.
fn size(request: &Request<'_>) -> u64 {
    let of_part = |part: &Part| match part {
        Part::Text(text) | Part::Thought { text, .. } => tokens::estimate(text),
        Part::FunctionCall(call) => {
            let args = serde_json::to_string(&call.args).unwrap_or_default();
            tokens::estimate(&call.name) + tokens::estimate(&args)
        }
        Part::FunctionResponse(response) => tokens::estimate(response.response.text()),
    };
    let told: u64 = request.tools.iter().map(ToolSpec::tokens).sum();
    let parts = request.messages.iter().flat_map(|message| &message.parts);
    tokens::estimate(request.system) + told + parts.map(of_part).sum::<u64>()
}

fn answer(request: &Request<'_>) -> Says {
    let asked = request
        .messages
        .iter()
        .rposition(|message| is_prompt(message));
    let (prompt, since) = match asked {
        // What follows the prompt in its message was put there by pollux.
        Some(at) => (request.messages[at].prompt(), &request.messages[at + 1..]),
        None => return Says::text(understand::help()),
    };
    let results: Vec<&FunctionResponse> = since.iter().flat_map(|m| m.responses()).collect();
    let wish = Wish::read(prompt);
    if wish == Wish::Tour {
        return tour::next(&results);
    }
    match (wish.step(), results.last()) {
        (None, _) => Says::text(understand::help()),
        (Some(step), None) => begin(request, step),
        (Some(_), Some(result)) => Says::text(report(&wish, &result.response)),
    }
}

/// A message that the person wrote, and not one that only brings results.
fn is_prompt(message: &Message) -> bool {
    message.role == pollux_types::Role::User && message.responses().next().is_none()
}

fn begin(request: &Request<'_>, step: Step) -> Says {
    if request.tools.iter().any(|tool| tool.name == step.tool) {
        Says::call("", step)
    } else {
        Says::text(format!(
            "That would need the tool `{}`, which is not offered here.",
            step.tool
        ))
    }
}

/// What came of it, in words.
fn report(wish: &Wish, response: &Response) -> String {
    match response {
        Response::Output(output) => format!("{}\n\n{}\n", wish.heading(), output.trim_end()),
        Response::Error(error) => format!("That did not work: {}\n", error.trim_end()),
    }
}

#[cfg(test)]
mod tests;
