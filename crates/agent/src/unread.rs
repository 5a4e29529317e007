//! Whether a server reads all that it is sent.
//!
//! Some servers cut what does not fit into their context and say nothing; the model then works on
//! half a conversation. What gives them away is their count of tokens. Guessed sizes are too far
//! off to compare it with (by a factor of five, in some scripts), so two things are used that hold
//! whatever the language and the tokenizer: how many tokens there are at the very least, and that
//! a conversation that grows cannot be counted the same again.
//!
//! Some servers count only what they had not cached. Their counts look like those of a server that
//! cuts, so whatever can be explained that way is.

use pollux_types::Usage;

use crate::size::Sent;

/// No context is smaller than this: a lower count is one of new tokens only, or none at all.
const SMALLEST: u64 = 1024;

/// By how much a conversation must have grown, at the very least, to be compared.
const GROWTH: u64 = 1000;

/// Tokens that a server's template may add.
const TEMPLATE: u64 = 300;

/// What is known of how one model counts.
#[derive(Debug, Default)]
pub(crate) struct Unread {
    /// Earlier requests of this conversation: tokens at the very least, and as counted.
    seen: Vec<(u64, u64)>,
    /// Cached tokens are not counted.
    counts_new_only: bool,
    told: bool,
}

impl Unread {
    /// How many tokens were read, if that is less than was sent and nobody knows it yet.
    pub(crate) fn notice(&mut self, sent: &Sent, usage: Usage) -> Option<u64> {
        let count = counted(usage);
        let least = sent.whole.least;
        if count < SMALLEST {
            self.counts_new_only |= count < least;
            return None;
        }
        let may_be_new_only = self.counts_new_only || count <= most(sent.new.estimate);
        let cut = if may_be_new_only {
            count < sent.new.least
        } else {
            count < least || self.stands_still(least, count)
        };
        // A conversation that has shrunk is another one.
        self.seen.retain(|(before, _)| *before <= least);
        self.seen.push((least, count));
        let news = cut && !self.told;
        self.told |= cut;
        news.then_some(count)
    }

    /// Whether the count has not grown with the conversation.
    fn stands_still(&self, least: u64, count: u64) -> bool {
        self.seen.iter().any(|(before, counted)| {
            let growth = least.saturating_sub(*before);
            growth >= GROWTH && count < counted + growth / 2
        })
    }
}

/// How many tokens the server says it was sent. Where more were cached than there are, the cached
/// ones are not among them.
fn counted(usage: Usage) -> u64 {
    if usage.cached > usage.input {
        usage.input + usage.cached
    } else {
        usage.input
    }
}

/// How many tokens an estimate may stand for at most.
fn most(estimate: u64) -> u64 {
    estimate * 3 / 2 + TEMPLATE
}

#[cfg(test)]
mod tests;
