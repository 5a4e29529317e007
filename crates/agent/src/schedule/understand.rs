//! Understanding a call, and asking a person about it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_util::FutureExt;
use pollux_tools::{Address, Effects, Grant, Plan, Preview};
use pollux_types::event::NoticeKind;
use pollux_types::{
    ApprovalRequest, CallId, CallView, Command, Decision, Event, FunctionCall, Mode, Page,
    Proposal, Remember, ToolError, ToolErrorKind, fingerprint,
};
use tokio_util::sync::CancellationToken;

use super::{Judgement, Ready, Terms, cancelled, defect};
use crate::batch::{Answer, Judged};
use crate::policy::{Question, Verdict};
use crate::reply::Asked;
use crate::session::Agent;

/// What the model is told when a person has said no.
pub(crate) const REFUSED: &str = "The user did not allow this. Ask what to do instead.";

impl Agent {
    /// Understands a call and asks the policy. Nothing has happened yet when this returns.
    pub(super) async fn judge(&self, asked: &Asked, view: &mut CallView) -> Judgement {
        let (plan, effects) = match self.understand(asked, view) {
            Ok(understood) => understood,
            Err(error) => return Judged::Refuse(error),
        };
        let looked = self.policy.look(&view.name, &effects);
        let ready = Ready {
            plan,
            effects,
            request: None,
            terms: Terms {
                guard_git: looked.guard_git,
                opens: looked.opens,
                ..Terms::default()
            },
        };
        match looked.verdict {
            Verdict::Allow => Judged::Allow(ready),
            Verdict::Deny(reason) => Judged::Refuse(denied(&view.name, &reason)),
            Verdict::Ask(question) if self.passes_unasked(&question, &ready.effects) => {
                Judged::Allow(ready)
            }
            Verdict::Ask(question) if !self.asks => {
                let named = named(&view.name, &ready.effects);
                Judged::Refuse(approval_required(&named, &question))
            }
            Verdict::Ask(question) => self.ask_about(ready, question, view).await,
        }
    }

    /// Where nobody is asked, questions may pass; not so what is dangerous, nor in plan mode what may do
    /// more than read.
    fn passes_unasked(&self, question: &Question, effects: &Effects) -> bool {
        let may_change = effects.script.is_some() || effects.foreign;
        let is_planned = self.policy.mode == Mode::Plan && may_change;
        let is_known = self.policy.rules.broken.is_none();
        self.auto_approve && !self.asks && !question.dangerous && !is_planned && is_known
    }

    /// What a call would do. A tool that panics does not understand it.
    pub(super) fn understand(
        &self,
        asked: &Asked,
        view: &mut CallView,
    ) -> Result<(Box<dyn Plan>, Effects), ToolError> {
        let understanding = AssertUnwindSafe(|| self.plan(asked, view));
        catch_unwind(understanding).unwrap_or_else(|_| Err(defect()))
    }

    fn plan(
        &self,
        asked: &Asked,
        view: &mut CallView,
    ) -> Result<(Box<dyn Plan>, Effects), ToolError> {
        let invalid = |message| ToolError::new(ToolErrorKind::InvalidToolParams, message);
        let FunctionCall { name, args, .. } = &asked.call;
        let tools = if asked.typed {
            &self.typed_tools
        } else {
            &self.tools
        };
        let tool = tools.get(name).ok_or_else(|| self.unknown(name))?;
        view.name.clone_from(&tool.spec().name);
        if let Some(problem) = &asked.problem {
            return Err(invalid(format!("the arguments of `{name}` are {problem}")));
        }
        let plan = tool.plan(args.clone());
        let plan = plan.map_err(|bad| invalid(bad.to_string()))?;
        view.summary = plan.summary();
        let effects = plan.effects();
        Ok((plan, effects))
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

    /// Makes a question of a call. One that would fail anyway fails without it.
    async fn ask_about(
        &self,
        mut ready: Ready,
        question: Question,
        view: &mut CallView,
    ) -> Judgement {
        let preview = AssertUnwindSafe(ready.plan.preview()).catch_unwind().await;
        let preview = match preview.unwrap_or_else(|_| Err(defect())) {
            Ok(preview) => preview,
            Err(error) => return Judged::Refuse(error),
        };
        view.changes = preview.change.clone().into_iter().collect();
        ready.request = Some(self.request(view, &ready.effects, question, preview));
        Judged::Ask(ready)
    }

    pub(super) fn request(
        &self,
        view: &CallView,
        effects: &Effects,
        question: Question,
        preview: Preview,
    ) -> ApprovalRequest {
        let summary = &view.summary;
        let (proposal, print) = match (&effects.script, preview.change) {
            (Some(script), _) => {
                let dir = self.policy.workspace.shown(&script.dir);
                let pieces = [script.command.as_bytes(), dir.as_bytes()];
                let print = fingerprint(&pieces);
                let command = script.command.clone();
                let parts = question.parts;
                (
                    Proposal::Exec {
                        command,
                        dir,
                        parts,
                    },
                    print,
                )
            }
            (None, Some(change)) => {
                let content = preview.content;
                (Proposal::Edit { change, content }, preview.fingerprint)
            }
            (None, None) if !effects.reaches.is_empty() => {
                let urls: Vec<&[u8]> = effects
                    .reaches
                    .iter()
                    .map(|address| address.url().as_bytes())
                    .collect();
                let pages = effects.reaches.iter().map(page).collect();
                (Proposal::Fetch { pages }, fingerprint(&urls))
            }
            (None, None) if !effects.reads.is_empty() => {
                let path = self.policy.workspace.shown(&effects.reads[0].named);
                let print = fingerprint(&[path.as_bytes(), summary.as_bytes()]);
                (Proposal::Read { path }, print)
            }
            (None, None) => {
                let print = fingerprint(&[view.name.as_bytes(), summary.as_bytes()]);
                let summary = summary.clone();
                (Proposal::Other { summary }, print)
            }
        };
        ApprovalRequest {
            call: view.id.clone(),
            tool: view.name.clone(),
            proposal,
            reasons: question.reasons,
            dangerous: question.dangerous,
            once: question
                .once
                .filter(|_| !question.dangerous)
                .map(str::to_owned),
            always: if question.dangerous {
                vec![]
            } else {
                question.always
            },
            printed: String::new(),
            fingerprint: print,
        }
    }

    /// Asks until nothing is left to ask, or nobody to be asked.
    pub(super) async fn settle_questions(&mut self, cancel: &CancellationToken) {
        let mut told: Option<ApprovalRequest> = None;
        while let Some((index, ready)) = self.batch.question() {
            let Some(request) = ready.request.clone() else {
                return self.batch.give_up(&defect());
            };
            if cancel.is_cancelled() {
                return;
            }
            if told.as_ref() != Some(&request) {
                told = Some(request.clone());
                self.emit(Event::ApprovalNeeded(request.clone())).await;
            }
            let heard = tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                heard = self.interactions.recv() => heard,
            };
            match heard {
                // Nobody is there to answer any more.
                None => return self.batch.give_up(&cancelled()),
                Some(Command::Decide {
                    call,
                    fingerprint,
                    decision,
                }) if is_about(&request, &call, &fingerprint) => {
                    self.decide(index, &request, decision).await;
                    // Whoever has answered waits for a question, be it the same one.
                    told = None;
                }
                // An answer to another question, or to one that has changed meanwhile, is none.
                Some(other) => {
                    self.take_in(&other);
                    self.judge_again();
                }
            }
            self.tell().await;
        }
    }

    /// Another mode and other rules settle the questions that would not be asked under them, and take
    /// back what may no longer run.
    pub(super) fn judge_again(&mut self) {
        let batch = &self.batch;
        let verdict = |index, ready: &Ready| {
            let tool = &batch.view(index).name;
            match self.policy.verdict(tool, &ready.effects) {
                Verdict::Allow => Some(Answer::Accept),
                Verdict::Deny(reason) => Some(Answer::Refuse(denied(tool, &reason))),
                // Whoever was asked before has answered.
                Verdict::Ask(question)
                    if ready.request.is_none()
                        && !self.passes_unasked(&question, &ready.effects) =>
                {
                    Some(Answer::Refuse(no_longer(tool, &question)))
                }
                Verdict::Ask(_) => None,
            }
        };
        let questions = batch.questions();
        // What is to leave the sandbox is asked in all modes.
        let questions = questions.filter(|(_, ready)| ready.terms.granted.is_empty());
        let settled: Vec<_> = questions
            .chain(batch.scheduled())
            .filter_map(|(index, ready)| Some((index, verdict(index, ready)?)))
            .collect();
        for (index, answer) in settled {
            self.batch.answer(index, answer);
        }
    }

    async fn decide(&mut self, index: usize, request: &ApprovalRequest, decision: Decision) {
        let answer = match decision {
            Decision::Approve => {
                self.grant(index, request);
                Answer::Accept
            }
            Decision::Refuse => {
                let message = match self.batch.question() {
                    Some((_, ready)) if !ready.terms.granted.is_empty() => {
                        "The user did not allow it to run again with that permission."
                    }
                    _ => REFUSED,
                };
                Answer::Refuse(ToolError::new(ToolErrorKind::Refused, message))
            }
            // Nothing is remembered that was not offered.
            Decision::Always(remember) if request.always.contains(&remember) => {
                let dir = match &request.proposal {
                    Proposal::Exec { dir, .. } => Some(dir.as_str()),
                    _ => None,
                };
                self.remember(&remember, dir).await;
                self.grant(index, request);
                self.batch.answer(index, Answer::Accept);
                return self.judge_again();
            }
            Decision::Always(_) => return,
            Decision::Modify(content) => match self.revise(index, content).await {
                Some(answer) => answer,
                None => return,
            },
        };
        self.batch.answer(index, answer);
    }

    /// Whoever lets a command write files outside of the project lets it through the sandbox for
    /// that. Beside a danger those files are not named, so there they are asked about.
    fn grant(&mut self, index: usize, request: &ApprovalRequest) {
        if let Some(ready) = self.batch.asked_mut(index)
            && !request.dangerous
            && ready.terms.granted.is_empty()
        {
            let opens = ready.terms.opens.iter().cloned();
            ready.terms.granted = opens.map(Grant::Open).collect();
        }
    }

    /// Keeps an answer for good. Where that fails it still counts for this call.
    async fn remember(&mut self, remember: &Remember, dir: Option<&str>) {
        if let Err(error) = self.policy.rules.remember(remember, dir) {
            let message = format!("The answer could not be kept: {error}");
            let kind = NoticeKind::BadSetting;
            self.emit(Event::Notice { kind, message }).await;
        }
    }

    /// The same call with other content, to be asked about again.
    async fn revise(&mut self, index: usize, content: String) -> Option<Answer<Ready>> {
        let (_, ready) = self.batch.question()?;
        let plan = ready.plan.revised(content.clone())?;
        let effects = plan.effects();
        let name = ready.request.as_ref()?.tool.clone();
        let looked = self.policy.look(&name, &effects);
        let question = match looked.verdict {
            Verdict::Ask(question) => question,
            Verdict::Allow => Question::default(),
            Verdict::Deny(reason) => return Some(Answer::Refuse(denied(&name, &reason))),
        };
        // What was granted to the other is not granted to this.
        let terms = Terms {
            guard_git: looked.guard_git,
            opens: looked.opens,
            revised: Some(content),
            ..Terms::default()
        };
        self.batch.view_mut(index).summary = plan.summary();
        let revised = Ready {
            plan,
            effects,
            request: None,
            terms,
        };
        let mut view = self.batch.view(index).clone();
        let judged = self.ask_about(revised, question, &mut view).await;
        *self.batch.view_mut(index) = view;
        Some(match judged {
            Judged::Ask(ready) | Judged::Allow(ready) => Answer::Revise(ready),
            Judged::Refuse(error) => Answer::Refuse(error),
        })
    }
}

fn is_about(request: &ApprovalRequest, call: &CallId, fingerprint: &str) -> bool {
    request.call == *call && request.fingerprint == fingerprint
}

fn page(address: &Address) -> Page {
    Page {
        url: address.url().to_owned(),
        host: address.host().to_owned(),
    }
}

/// A call that nobody is shown, for those who read why it was not run: what it would have fetched
/// belongs to it.
fn named(tool: &str, effects: &Effects) -> String {
    let urls = effects.reaches.iter().map(Address::url);
    let words: Vec<&str> = std::iter::once(tool).chain(urls).collect();
    words.join(" ")
}

fn denied(name: &str, reason: &str) -> ToolError {
    let message = format!("`{name}` was not run: {reason}");
    ToolError::new(ToolErrorKind::Denied, message)
}

/// It was allowed beforehand, which has been taken back.
fn no_longer(name: &str, question: &Question) -> ToolError {
    let why = question.reasons.join("; ");
    denied(
        name,
        &format!("{why}, which is not allowed any more. Call it again to have it asked about."),
    )
}

fn approval_required(name: &str, question: &Question) -> ToolError {
    let why = question.reasons.join("; ");
    let remedy = if question.dangerous {
        "Only a person can allow it.".to_owned()
    } else {
        format!("{} would allow it.", question.remedy)
    };
    let message = format!("`{name}` was not run: {why}, which is not allowed. {remedy}");
    ToolError::new(ToolErrorKind::ApprovalRequired, message)
}
