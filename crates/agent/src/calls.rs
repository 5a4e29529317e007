//! Carrying out the calls of one reply.
//!
//! All calls are understood and judged first, then they run: reading calls together, calls that
//! change something alone and in order. Every call gets exactly one response, whatever happens.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::stream::FuturesOrdered;
use futures_util::{FutureExt, StreamExt};
use pollux_tools::{Effects, Outcome, Output, Plan, Registry, RunContext, Workspace};
use pollux_types::event::{Failure, FailureKind};
use pollux_types::{
    CallStatus, CallView, Event, FunctionCall, FunctionResponse, Part, Response, ToolError,
    ToolErrorKind,
};
use tokio::sync::mpsc::Sender;
use tokio_util::sync::CancellationToken;

use crate::policy::{ApprovalMode, Verdict, Why, verdict};
use crate::reply::Asked;
use crate::session::Agent;

/// What carrying out calls needs.
pub(crate) struct Calls<'a> {
    tools: &'a Registry,
    workspace: &'a Workspace,
    approval: ApprovalMode,
    events: &'a Sender<Event>,
    cancel: &'a CancellationToken,
}

/// A call that has come to its end.
#[derive(Debug)]
pub(crate) struct Ended {
    call: FunctionCall,
    outcome: Outcome,
}

/// A call that has been understood and judged.
pub(crate) struct Judged {
    call: FunctionCall,
    verdict: Result<Scheduled, ToolError>,
}

/// A call that may run.
struct Scheduled {
    view: CallView,
    plan: Box<dyn Plan>,
    effects: Effects,
}

impl<'a> Calls<'a> {
    pub(crate) fn new(agent: &'a Agent, cancel: &'a CancellationToken) -> Self {
        Self {
            tools: &agent.tools,
            workspace: &agent.workspace,
            approval: agent.approval,
            events: &agent.events,
            cancel,
        }
    }

    /// Understands every call and asks the policy. Nothing has happened yet when this returns.
    pub(crate) async fn judge(&self, asked: Vec<Asked>) -> Vec<Judged> {
        let mut judged = Vec::with_capacity(asked.len());
        for asked in asked {
            let verdict = self.judge_one(&asked).await;
            let call = asked.call;
            judged.push(Judged { call, verdict });
        }
        judged
    }

    /// Ends every call without running any.
    pub(crate) async fn give_up(&self, judged: Vec<Judged>, why: &Failure) -> Vec<Ended> {
        let mut ended = Vec::with_capacity(judged.len());
        for Judged { call, verdict } in judged {
            let outcome = match verdict {
                Ok(Scheduled { view, .. }) => {
                    let error = ToolError::new(ToolErrorKind::ExecutionFailed, &why.message);
                    let outcome = Err(error);
                    self.end(view, &outcome).await;
                    outcome
                }
                Err(error) => Err(error),
            };
            ended.push(Ended { call, outcome });
        }
        ended
    }

    /// Runs what may run; the ends are in the order of the calls.
    pub(crate) async fn run(&self, judged: Vec<Judged>) -> Vec<Ended> {
        let mut ended = Vec::with_capacity(judged.len());
        for batch in batches(judged) {
            ended.extend(self.execute(batch).await);
        }
        ended
    }

    async fn judge_one(&self, asked: &Asked) -> Result<Scheduled, ToolError> {
        let call = &asked.call;
        let mut view = CallView {
            id: call.id.clone(),
            name: call.name.clone(),
            summary: String::new(),
            status: CallStatus::Validating,
            output: None,
            error: None,
            changes: Vec::new(),
        };
        self.update(&view).await;
        let judging = AssertUnwindSafe(|| self.understand(asked, &mut view));
        let judged = catch_unwind(judging).unwrap_or_else(|_| Err(defect()));
        match judged {
            Ok((plan, effects)) => {
                view.status = CallStatus::Scheduled;
                self.update(&view).await;
                Ok(Scheduled {
                    view,
                    plan,
                    effects,
                })
            }
            Err(error) => {
                self.end(view, &Err(error.clone())).await;
                Err(error)
            }
        }
    }

    fn understand(
        &self,
        asked: &Asked,
        view: &mut CallView,
    ) -> Result<(Box<dyn Plan>, Effects), ToolError> {
        let invalid = |message| ToolError::new(ToolErrorKind::InvalidToolParams, message);
        let name = &asked.call.name;
        let tool = self.tools.get(name).ok_or_else(|| self.unknown(name))?;
        view.name.clone_from(&tool.spec().name);
        if let Some(problem) = &asked.problem {
            return Err(invalid(format!("the arguments of `{name}` are {problem}")));
        }
        let plan = tool.plan(asked.call.args.clone());
        let plan = plan.map_err(|bad| invalid(bad.to_string()))?;
        view.summary = plan.summary();
        let effects = plan.effects();
        match verdict(self.approval, &effects, self.workspace) {
            Verdict::Allow => Ok((plan, effects)),
            Verdict::Ask(why) => Err(approval_required(&view.name, &why)),
        }
    }

    fn unknown(&self, name: &str) -> ToolError {
        let hint = if let Some(near) = self.tools.nearest(name) {
            format!("Did you mean `{near}`?")
        } else {
            let specs = self.tools.specs();
            let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
            format!("There are: {}.", names.join(", "))
        };
        let message = format!("Tool \"{name}\" not found in registry. {hint}");
        ToolError::new(ToolErrorKind::ToolNotRegistered, message)
    }

    /// Runs calls that do not get in each other's way. Their ends are told in the order of the
    /// calls, so that the same work gives the same events.
    async fn execute(&self, batch: Vec<Judged>) -> Vec<Ended> {
        let mut running = FuturesOrdered::new();
        for Judged { call, verdict } in batch {
            let started = match verdict {
                Ok(scheduled) => Ok(self.start(scheduled).await),
                Err(error) => Err(error),
            };
            running.push_back(async move {
                match started {
                    Ok((view, work)) => (call, Some(view), work.await),
                    Err(error) => (call, None, Err(error)),
                }
            });
        }
        let mut ended = Vec::with_capacity(running.len());
        while let Some((call, view, outcome)) = running.next().await {
            if let Some(view) = view {
                self.end(view, &outcome).await;
            }
            ended.push(Ended { call, outcome });
        }
        ended
    }

    async fn start(
        &self,
        scheduled: Scheduled,
    ) -> (CallView, impl Future<Output = Outcome> + use<>) {
        let Scheduled { mut view, plan, .. } = scheduled;
        if !self.cancel.is_cancelled() {
            view.status = CallStatus::Executing;
            self.update(&view).await;
        }
        let context = RunContext {
            cancel: self.cancel.clone(),
        };
        (view, guarded(plan, context))
    }

    async fn end(&self, mut view: CallView, outcome: &Outcome) {
        match outcome {
            Ok(Output { text, changes }) => {
                view.status = CallStatus::Success;
                view.output = Some(text.clone());
                view.changes.clone_from(changes);
            }
            Err(error) => {
                view.status = match error.kind {
                    ToolErrorKind::Cancelled => CallStatus::Cancelled,
                    _ => CallStatus::Error,
                };
                view.error = Some(error.clone());
            }
        }
        self.update(&view).await;
    }

    async fn update(&self, view: &CallView) {
        self.events
            .send(Event::ToolCallUpdate(view.clone()))
            .await
            .ok();
    }
}

/// Runs a plan so that nothing it does wrong reaches the others.
async fn guarded(plan: Box<dyn Plan>, context: RunContext) -> Outcome {
    if context.cancel.is_cancelled() {
        let message = "User cancelled tool execution.";
        return Err(ToolError::new(ToolErrorKind::Cancelled, message));
    }
    // Nothing of the plan is used after a panic.
    let run = AssertUnwindSafe(async move { plan.run(context).await });
    run.catch_unwind().await.unwrap_or_else(|_| Err(defect()))
}

fn defect() -> ToolError {
    let message = "the tool failed through a defect of its own; try another way";
    ToolError::new(ToolErrorKind::UnhandledException, message)
}

/// Neighbours that only read form one batch; whatever changes something is a batch of its own.
fn batches(judged: Vec<Judged>) -> Vec<Vec<Judged>> {
    let mut batches: Vec<Vec<Judged>> = Vec::new();
    for call in judged {
        let alone = call.changes_something();
        match batches.last_mut() {
            Some(batch) if !alone && !batch.iter().any(Judged::changes_something) => {
                batch.push(call);
            }
            _ => batches.push(vec![call]),
        }
    }
    batches
}

fn approval_required(name: &str, why: &Why) -> ToolError {
    let message = format!(
        "`{name}` was not run: {why}, which is not allowed. {} would allow it.",
        why.remedy()
    );
    ToolError::new(ToolErrorKind::ApprovalRequired, message)
}

impl Judged {
    /// Whether running it may leave the world different.
    pub(crate) fn changes_something(&self) -> bool {
        self.verdict
            .as_ref()
            .is_ok_and(|Scheduled { effects, .. }| {
                !effects.writes.is_empty() || effects.script.is_some()
            })
    }
}

impl Ended {
    /// Why nothing further can work, if so: a full disk fails every call to come.
    pub(crate) fn fatal(&self) -> Option<Failure> {
        let error = self.outcome.as_ref().err()?;
        (error.kind == ToolErrorKind::NoSpaceLeft).then(|| Failure {
            kind: FailureKind::FatalTool,
            message: format!("{}: {}", self.call.name, error.message),
            hint: None,
        })
    }
}

impl From<Ended> for Part {
    fn from(ended: Ended) -> Self {
        let FunctionCall { id, name, .. } = ended.call;
        let response = match ended.outcome {
            Ok(output) => Response::Output(output.text),
            Err(error) => Response::Error(error.message),
        };
        Self::FunctionResponse(FunctionResponse { id, name, response })
    }
}
