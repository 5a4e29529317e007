//! Deltas on their way from a reply to whoever listens.

use std::collections::VecDeque;

use pollux_types::{FinishReason, Usage};

use crate::Delta;

/// Deltas on their way out. Text that arrived together leaves in one piece, so that what follows
/// costs by the read and not by the event.
#[derive(Debug, Default)]
pub(crate) struct Deltas {
    queue: VecDeque<Delta>,
    /// The newest report; some servers send one with every word, and only the last counts.
    usage: Option<Usage>,
}

impl Deltas {
    pub(crate) fn push(&mut self, delta: Delta) {
        match (self.queue.back_mut(), delta) {
            (Some(Delta::Text(before)), Delta::Text(text)) => before.push_str(&text),
            (_, Delta::Usage(usage)) => self.usage = Some(usage),
            (_, delta) => self.queue.push_back(delta),
        }
    }

    /// The end of a reply and the calls it asks for. Where the reply was cut off or withheld, so
    /// may be its calls, or one that was to follow: none of them is whole.
    pub(crate) fn finish(
        &mut self,
        calls: impl IntoIterator<Item = Delta>,
        reason: FinishReason,
        detail: Option<String>,
    ) {
        let cut = match reason {
            FinishReason::Length => Some("the reply was cut off at the output limit"),
            FinishReason::ContentFilter => Some("the provider withheld the rest of the reply"),
            FinishReason::Stop | FinishReason::ToolCalls | FinishReason::Unknown => None,
        };
        for call in calls {
            self.queue.push_back(match (call, cut) {
                (Delta::Call(mut call), Some(cut)) => {
                    call.args.clear();
                    let problem = format!("not to be trusted: {cut}");
                    Delta::BrokenCall { call, problem }
                }
                (call, _) => call,
            });
        }
        self.queue.extend(self.usage.take().map(Delta::Usage));
        self.queue.push_back(Delta::Finish { reason, detail });
    }

    pub(crate) fn pop(&mut self) -> Option<Delta> {
        let next = self.queue.pop_front();
        next.or_else(|| self.usage.take().map(Delta::Usage))
    }
}
