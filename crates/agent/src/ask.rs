//! Asking for a reply: as many requests to as many models as it takes.

use futures_util::{StreamExt, stream};
use pollux_model::{ModelInfo, Request};
use pollux_types::event::Failure;
use pollux_types::{Event, Part, tokens};
use tokio_util::sync::CancellationToken;

use crate::reply::{self, ReplyEnd, Said};
use crate::session::Agent;

impl Agent {
    /// Another prompt, another chance for the model that was chosen.
    pub(crate) async fn begin_with_the_chosen_model(&mut self) {
        let provider = self.provider();
        if self.models.start_over() {
            let reason = "what was wrong with it may have passed".to_owned();
            self.tell_of_change(&provider, reason).await;
        }
    }

    /// Asks one model after the other until there is a reply, or nobody left to ask.
    pub(crate) async fn ask(&mut self, cancel: &CancellationToken) -> Result<Said, Failure> {
        loop {
            let said = self.ask_current(cancel).await?;
            let ReplyEnd::Failed(error) = &said.end else {
                return Ok(said);
            };
            let provider = self.provider();
            if !self.models.pass_on(error) {
                return Ok(said);
            }
            self.tell_of_change(&provider, error.message.clone()).await;
        }
    }

    fn provider(&self) -> String {
        self.models.current().info().provider.clone()
    }

    /// Another model goes on; `before` is the provider of the last one.
    async fn tell_of_change(&mut self, before: &str, reason: String) {
        let ModelInfo { provider, model } = self.models.current().info().clone();
        if provider != before {
            // What one provider has signed, another refuses.
            self.history.forget_signatures();
        }
        self.emit(Event::ModelChanged {
            provider,
            model,
            reason,
        })
        .await;
    }

    /// Asks the current model until there is a reply, or no hope of one. A failed attempt leaves no
    /// trace but the last.
    async fn ask_current(&self, cancel: &CancellationToken) -> Result<Said, Failure> {
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
        let mut reply = self.models.current().reply(Request {
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
}
