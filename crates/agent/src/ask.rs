//! Asking for a reply: as many requests to as many models as it takes.

use futures_util::{StreamExt, stream};
use pollux_model::{ModelInfo, Request};
use pollux_types::event::{Failure, NoticeKind};
use pollux_types::{Event, Usage};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::info;

use crate::reply::{self, ReplyEnd, Said};
use crate::session::Agent;
use crate::size::Sent;

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
        self.heed();
        let sent = self.weigh();
        loop {
            let said = self.ask_current(sent, cancel).await?;
            let ReplyEnd::Failed(error) = &said.end else {
                self.check_reading(sent, said.counted).await;
                return Ok(said);
            };
            let provider = self.provider();
            if !self.models.pass_on(error) {
                return Ok(said);
            }
            self.tell_of_change(&provider, error.to_string()).await;
        }
    }

    fn provider(&self) -> String {
        self.models.current().info().provider.clone()
    }

    /// Another model goes on; `before` is the provider of the last one.
    pub(crate) async fn tell_of_change(&mut self, before: &str, reason: String) {
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
    async fn ask_current(&self, sent: Sent, cancel: &CancellationToken) -> Result<Said, Failure> {
        let mut failed = 0;
        loop {
            let began = Instant::now();
            let said = self.ask_once(sent, cancel).await?;
            info!(
                end = said.end.in_a_word(),
                ms = began.elapsed().as_millis(),
                "reply ended"
            );
            failed += 1;
            let wait = match &said.end {
                ReplyEnd::Failed(error) => self.retry.wait(failed, error).map(|wait| (wait, error)),
                ReplyEnd::Complete | ReplyEnd::Cancelled => None,
            };
            let Some((wait, error)) = wait else {
                return Ok(said);
            };
            info!(try_number = failed + 1, wait_ms = wait.as_millis(), because = ?error.kind, "trying again");
            self.emit(Event::Retry {
                attempt: failed + 1,
                attempts: self.retry.attempts_after(error),
                wait,
                reason: error.to_string(),
            })
            .await;
            tokio::select! {
                biased;
                () = cancel.cancelled() => return Ok(Said::nothing(ReplyEnd::Cancelled)),
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    /// Sends the conversation and takes in the reply. The request goes out while the disk is still
    /// at work; the reply waits for the disk, which is done long before the model is.
    async fn ask_once(&self, sent: Sent, cancel: &CancellationToken) -> Result<Said, Failure> {
        let mut reply = self.models.current().reply(Request {
            system: &self.instructions.system,
            tools: self.offered.during(self.policy.mode),
            messages: self.history.curated(),
        });
        let (settled, first) = tokio::select! {
            biased;
            () = cancel.cancelled() => return Ok(Said::nothing(ReplyEnd::Cancelled)),
            both = async { tokio::join!(self.settle(), reply.next()) } => both,
        };
        settled?;
        let reply = Box::pin(stream::iter(first).chain(reply));
        let sent = sent.whole.estimate;
        Ok(reply::listen(reply, &self.history, &self.events, cancel, sent).await)
    }

    /// How big the request is.
    pub(crate) fn weigh(&mut self) -> Sent {
        let tools = self.offered.during(self.policy.mode);
        let messages = self.history.curated();
        self.scale.weigh(&self.instructions, tools, &messages)
    }

    /// Whether the server has read all of it, as far as its count tells.
    async fn check_reading(&mut self, sent: Sent, counted: Option<Usage>) {
        let Some(usage) = counted else { return };
        if let Some(read) = self.models.unread().notice(&sent, usage) {
            let message = format!(
                "The server has read {read} tokens of about {} that were sent: what does not fit \
                 into its context is cut off. Give it a larger one (Ollama: \
                 the provider's `context_window`, llama.cpp: `--ctx-size`), or start a new session.",
                sent.whole.estimate
            );
            let kind = NoticeKind::PromptCut;
            self.emit(Event::Notice { kind, message }).await;
        }
    }
}
