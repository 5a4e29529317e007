//! The whole loop: ask the model, run what it asks for, ask again, until it asks for nothing.

use futures_util::{StreamExt, stream};
use pollux_model::{ErrorKind, ModelError, Request};
use pollux_types::event::{Failure, FailureKind, NoticeKind};
use pollux_types::{Event, Message, Part, PromptEnd, PromptId, tokens};
use tokio_util::sync::CancellationToken;

use crate::calls::{Calls, Ended, Judged};
use crate::reply::{self, Asked, ReplyEnd, Said};
use crate::session::Agent;

impl Agent {
    /// Answers one prompt.
    ///
    /// **Invariant:** what the model is sent is in the log before the request goes out, and safe
    /// from a power cut before anything of the reply is shown or done.
    pub(crate) async fn answer(
        &mut self,
        prompt: Vec<Part>,
        cancel: &CancellationToken,
    ) -> Result<PromptEnd, Failure> {
        self.prompt_count += 1;
        let prompt_id = PromptId::of(&self.session, self.prompt_count);
        self.record(Message::user(prompt))?;
        self.emit(Event::PromptStarted { prompt_id }).await;
        let end = self.take_turns(cancel).await;
        self.settle().await?;
        end
    }

    async fn take_turns(&mut self, cancel: &CancellationToken) -> Result<PromptEnd, Failure> {
        for _ in 0..self.max_turns {
            let Said {
                message,
                asked,
                end,
            } = self.ask(cancel).await?;
            self.keep(message, &end).await?;
            match end {
                ReplyEnd::Complete if asked.is_empty() => return Ok(PromptEnd::Completed),
                ReplyEnd::Complete => {}
                ReplyEnd::Cancelled => return Ok(PromptEnd::UserCancelled),
                ReplyEnd::Failed(error) => return Err(failure(&error)),
            }
            let ended = self.carry_out(asked, cancel).await;
            let fatal = ended.iter().find_map(Ended::fatal);
            let recorded =
                self.record_done(Message::user(ended.into_iter().map(Part::from).collect()));
            if let Some(failure) = fatal {
                return Err(failure);
            }
            recorded?;
            if cancel.is_cancelled() {
                return Ok(PromptEnd::UserCancelled);
            }
        }
        Ok(PromptEnd::MaxTurns {
            limit: self.max_turns,
        })
    }

    /// Nothing is changed before what led to it is safe.
    async fn carry_out(&self, asked: Vec<Asked>, cancel: &CancellationToken) -> Vec<Ended> {
        let calls = Calls::new(self, cancel);
        let judged = calls.judge(asked).await;
        if judged.iter().any(Judged::changes_something)
            && let Err(failure) = self.settle().await
        {
            return calls.give_up(judged, &failure).await;
        }
        calls.run(judged).await
    }

    /// Asks until there is a reply, or no hope of one. A failed attempt leaves no trace but the last.
    async fn ask(&self, cancel: &CancellationToken) -> Result<Said, Failure> {
        let mut failed = 0;
        loop {
            let said = self.ask_once(cancel).await?;
            failed += 1;
            let wait = match &said.end {
                ReplyEnd::Failed(error) => self.retry.wait(failed, error).map(|wait| (wait, error)),
                ReplyEnd::Complete | ReplyEnd::Cancelled => None,
            };
            let Some((wait, error)) = wait else {
                return Ok(said);
            };
            self.emit(Event::Retry {
                attempt: failed + 1,
                attempts: self.retry.attempts,
                wait,
                reason: error.message.clone(),
            })
            .await;
            tokio::select! {
                biased;
                () = cancel.cancelled() => return Ok(Said { end: ReplyEnd::Cancelled, ..said }),
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    /// Sends the conversation and takes in the reply. The request goes out while the disk is still
    /// at work; the reply waits for the disk, which is done long before the model is.
    async fn ask_once(&self, cancel: &CancellationToken) -> Result<Said, Failure> {
        let mut reply = self.model.reply(Request {
            system: &self.instructions.system,
            tools: &self.instructions.tools,
            messages: self.history.curated(),
        });
        let (settled, first) = tokio::select! {
            biased;
            () = cancel.cancelled() => return Ok(Said::nothing(ReplyEnd::Cancelled)),
            both = async { tokio::join!(self.settle(), reply.next()) } => both,
        };
        settled?;
        let reply = Box::pin(stream::iter(first).chain(reply));
        let sent = || self.estimate_request();
        Ok(reply::listen(reply, &self.history, &self.events, cancel, sent).await)
    }

    /// What the request may have cost, where the server does not say.
    fn estimate_request(&self) -> u64 {
        let parts = self
            .history
            .curated()
            .into_iter()
            .flat_map(|message| &message.parts);
        let words = parts.map(|part| match part {
            Part::Text(text) | Part::Thought { text, .. } => tokens::estimate(text),
            Part::FunctionResponse(response) => tokens::estimate(response.response.text()),
            Part::FunctionCall(call) => tokens::estimate(&format!("{:?}", call.args)),
        });
        let told = &self.instructions;
        told.system_tokens() + told.tool_tokens() + words.sum::<u64>()
    }

    /// Records what the model said, also where it broke off or is of no use.
    async fn keep(&mut self, message: Message, end: &ReplyEnd) -> Result<(), Failure> {
        let empty = matches!(end, ReplyEnd::Failed(e) if e.kind == ErrorKind::EmptyResponse);
        if empty && !self.history.ends_with_results() {
            let message = "The last message got no answer and is left out from now on; \
                           send it again if it still matters.";
            let kind = NoticeKind::TurnLeftOut;
            self.emit(Event::Notice {
                kind,
                message: message.to_owned(),
            })
            .await;
        }
        // Half a thought is no reason to leave the prompt out.
        if empty || message.is_valid() {
            self.record(message)
        } else {
            Ok(())
        }
    }
}

fn failure(error: &ModelError) -> Failure {
    let kind = match error.kind {
        ErrorKind::Auth => FailureKind::Auth,
        _ => FailureKind::Model,
    };
    Failure {
        kind,
        message: error.message.clone(),
        hint: error.hint.clone(),
    }
}
