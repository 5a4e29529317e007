//! The whole loop: ask the model, run what it asks for, ask again, until it asks for nothing.

use pollux_model::{ErrorKind, ModelError, ModelInfo};
use pollux_types::event::{Failure, FailureKind, NoticeKind};
use pollux_types::untrusted::visible;
use pollux_types::{Event, Message, Part, PromptEnd, PromptId};
use tokio_util::sync::CancellationToken;
use tracing::{debug, info};

use crate::reply::{ReplyEnd, Said};
use crate::schedule::Ended;
use crate::session::Agent;

impl Agent {
    /// Answers one prompt.
    ///
    /// **Invariant:** what the model is sent is in the log before the request goes out, and safe
    /// from a power cut before anything of the reply is shown or done.
    pub(crate) async fn answer(
        &mut self,
        mut prompt: Vec<Part>,
        cancel: &CancellationToken,
    ) -> Result<PromptEnd, Failure> {
        if let Some(end) = self.read_mentions(&mut prompt, cancel).await? {
            return Ok(end);
        }
        prompt.extend(self.note_on_mode());
        self.begin(prompt).await?;
        self.begin_with_the_chosen_model().await;
        let end = self.take_turns(cancel).await;
        self.settle().await?;
        end
    }

    /// Takes up what the person says.
    pub(crate) async fn begin(&mut self, said: Vec<Part>) -> Result<(), Failure> {
        self.prompt_count += 1;
        let prompt_id = PromptId::of(&self.session, self.prompt_count);
        let message = Message::user(said);
        let text = message.prompt();
        let ModelInfo { provider, model } = self.models.current().info();
        info!(%prompt_id, length = text.len(), provider, model, "user prompt");
        debug!("User query: '{}'", in_a_line(text));
        self.record(message)?;
        self.emit(Event::PromptStarted { prompt_id }).await;
        Ok(())
    }

    async fn take_turns(&mut self, cancel: &CancellationToken) -> Result<PromptEnd, Failure> {
        for _ in 0..self.max_turns {
            let Said {
                message,
                asked,
                end,
                counted,
            } = self.ask(cancel).await?;
            self.keep(message, &end).await?;
            self.count(counted).await;
            match end {
                ReplyEnd::Complete if asked.is_empty() => return Ok(PromptEnd::Completed),
                ReplyEnd::Complete => {}
                ReplyEnd::Cancelled => return Ok(PromptEnd::UserCancelled),
                ReplyEnd::Failed(error) => return Err(failure(&error)),
            }
            let ended = self.carry_out(asked, cancel).await?;
            let fatal = ended.iter().find_map(Ended::fatal);
            let refused = ended.iter().all(Ended::is_cancelled);
            let remembered = ended.iter().any(Ended::is_remembered);
            let calls = ended.iter().map(Ended::seen).collect();
            let results = ended.into_iter().map(Part::from).collect();
            let recorded = self.record_done(Message::user(results), calls);
            if let Some(failure) = fatal {
                return Err(failure);
            }
            recorded?;
            if remembered {
                self.read_memory().await;
            }
            if cancel.is_cancelled() {
                return Ok(PromptEnd::UserCancelled);
            }
            // The person has said no to everything, and will say what to do instead.
            if refused {
                return Ok(PromptEnd::Completed);
            }
        }
        Ok(PromptEnd::MaxTurns {
            limit: self.max_turns,
        })
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

/// A text for the log, which has a line for each thing.
/// A text as it goes into the debug log: in one line, and not all of a file that was piped in.
fn in_a_line(text: &str) -> String {
    const MOST: usize = 2_000;
    let shown = &text[..text.floor_char_boundary(MOST)];
    let cut = if shown.len() < text.len() { " .." } else { "" };
    visible(shown).replace('\n', "\\n") + cut
}

fn failure(error: &ModelError) -> Failure {
    let kind = match error.kind {
        ErrorKind::Auth => FailureKind::Auth,
        _ => FailureKind::Model,
    };
    Failure {
        kind,
        message: error.to_string(),
        hint: error.hint.clone(),
    }
}
