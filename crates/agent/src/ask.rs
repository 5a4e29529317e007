//! Asking the model: one request, or as many as it takes to get a reply.

use futures_util::{StreamExt, stream};
use pollux_model::Request;
use pollux_types::event::Failure;
use pollux_types::{Event, Part, tokens};
use tokio_util::sync::CancellationToken;

use crate::reply::{self, ReplyEnd, Said};
use crate::session::Agent;

impl Agent {
    /// Asks until there is a reply, or no hope of one. A failed attempt leaves no trace but the last.
    pub(crate) async fn ask(&self, cancel: &CancellationToken) -> Result<Said, Failure> {
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
}
