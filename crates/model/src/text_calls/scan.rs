//! The walk through an answer.
//!
//! It knows prose, fences, and that some literals open something. What they open is the dialects'
//! affair: they read on, and say what it was.

use super::dialects::{FIRST, Forms, OPENERS, Opener, Outcome, Place, Span};
use super::fence::Fence;
use super::input::{Input, Kind};
use super::prose::Prose;
use super::shape::Call;
use super::{Found, fence};

/// Reads all of the text.
pub(super) async fn scan(text: Input, forms: Forms) {
    let mut scan = Scan {
        text,
        forms,
        prose: Prose::default(),
        said: Said::Nothing,
        has_thoughts: false,
        has_called: false,
        has_channels: false,
    };
    while scan.step().await {}
}

struct Scan {
    text: Input,
    forms: Forms,
    prose: Prose,
    said: Said,
    has_thoughts: bool,
    /// Since the last thought.
    has_called: bool,
    has_channels: bool,
}

/// What came last; white space and thoughts do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    Nothing,
    Words,
    Call,
}

impl Scan {
    /// Reads on by one thing; false at the end.
    async fn step(&mut self) -> bool {
        let Some(next) = self.text.peek().await else {
            return false;
        };
        match next {
            '`' | '~' => self.ticks(next).await,
            _ if self.opener(next).await => {}
            _ if next.is_alphanumeric() => {
                if let Some(last) = self.text.pass_run(char::is_alphanumeric).await {
                    self.said = Said::Words;
                    self.prose.see(last);
                }
            }
            _ => self.pass().await,
        }
        true
    }

    /// Gives out one character.
    async fn pass(&mut self) {
        if let Some(next) = self.text.next().await {
            if !next.is_whitespace() {
                self.said = Said::Words;
            }
            self.prose.see(next);
            self.text.release(Kind::Text);
        }
    }

    /// Reads what `next` opens; false if it opens nothing.
    async fn opener(&mut self, next: char) -> bool {
        if !FIRST.contains(next) || !self.prose.takes_calls() {
            return false;
        }
        if next.is_alphanumeric() && self.prose.is_in_word() {
            return false;
        }
        let possible: Vec<&Opener> = OPENERS
            .iter()
            .filter(|opener| opener.text.starts_with(next) && opener.forms <= self.forms)
            .filter(|opener| self.is_at(opener.place))
            .collect();
        let texts: Vec<&str> = possible.iter().map(|opener| opener.text).collect();
        let start = self.text.at();
        match self.text.eat_any(&texts).await {
            Some(which) => {
                self.text.attempt();
                let outcome = (possible[which].read)(&self.text).await;
                self.act(outcome, start).await;
                true
            }
            None => false,
        }
    }

    fn is_at(&self, place: Place) -> bool {
        match place {
            Place::Start => self.said == Said::Nothing,
            Place::Prose => true,
            Place::End => self.said == Said::Call || self.has_channels,
        }
    }

    async fn act(&mut self, outcome: Outcome, start: usize) {
        match outcome {
            Outcome::Calls(calls) => self.found(calls),
            Outcome::Nothing => self.text.replace([]),
            Outcome::Channel => {
                self.has_channels = true;
                self.text.replace([]);
                self.prose = Prose::default();
            }
            Outcome::Thought(span) => self.thought(&span).await,
            // A tag too many may be just words. But a thought that mentions think tags seems to end
            // early, and then what it called was not meant.
            Outcome::ThoughtEnd if self.has_thoughts && !self.has_called => {
                self.not_here(start).await;
            }
            Outcome::ThoughtEnd => {
                self.has_thoughts = true;
                self.has_called = false;
                self.text.replace([Found::WasThought]);
                self.prose = Prose::default();
                self.said = Said::Nothing;
            }
            Outcome::Quotation(span) => {
                self.text.release(Kind::Text);
                self.text.pass_until(span.closers, Kind::Text).await;
                self.said = Said::Words;
            }
            Outcome::Text => {
                self.text.release(Kind::Text);
                self.said = Said::Words;
                self.prose = Prose::after_call();
            }
            Outcome::Broken(closers) => {
                self.text.release(Kind::Text);
                if self.text.pass_until(closers, Kind::Text).await.is_some() {
                    self.text.eat_any(closers).await;
                    self.text.release(Kind::Text);
                }
                self.said = Said::Words;
                self.prose = Prose::after_call();
            }
            Outcome::No => self.not_here(start).await,
        }
    }

    /// No call begins at `start`; the text after it may still hold one. Unless it ended in the
    /// middle of what looked like a call: then nothing in there is anything but its inside.
    async fn not_here(&mut self, start: usize) {
        if self.text.ran_out() {
            self.text.release_rest();
            return;
        }
        self.text.back_to(start);
        self.pass().await;
    }

    fn found(&mut self, calls: Vec<Call>) {
        let calls = calls.into_iter().map(|call| Found::Call {
            name: call.name,
            args: call.args,
        });
        self.text.replace(calls);
        self.said = Said::Call;
        self.has_called = true;
        self.prose = Prose::after_call();
    }

    async fn thought(&mut self, span: &Span) {
        self.has_thoughts = true;
        self.has_called = false;
        self.text.replace([]);
        let ends: Vec<&str> = span.closers.iter().chain(span.before).copied().collect();
        if let Some(which) = self.text.pass_until(&ends, Kind::Thought).await
            && which < span.closers.len()
        {
            self.text.eat(ends[which]).await;
            self.text.replace([]);
        }
        self.prose = Prose::default();
    }

    /// Reads a run of backticks or tildes, and the block that it opens.
    async fn ticks(&mut self, mark: char) {
        self.text.attempt();
        let count = self.text.run(|c| c == mark).await.len();
        let opened = if self.prose.is_inert() || self.prose.closes_code(count) {
            None
        } else {
            fence::open(&self.text, mark, count, &self.prose).await
        };
        if let Some(fence) = opened {
            self.block(fence).await;
        } else {
            self.text.release(Kind::Text);
            self.said = Said::Words;
            match mark {
                '`' => self.prose.see_ticks(count),
                _ => self.prose.see(mark),
            }
        }
    }

    async fn block(&mut self, fence: Fence) {
        let body = if self.forms == Forms::All && fence.may_hold_calls() {
            fence.calls(&self.text).await
        } else {
            fence::Body::Open
        };
        match body {
            fence::Body::Calls(calls) => return self.found(calls),
            fence::Body::Closed => self.text.release(Kind::Text),
            fence::Body::Open if self.text.ran_out() => self.text.release_rest(),
            fence::Body::Open => {
                self.text.release(Kind::Text);
                fence.pass(&self.text).await;
            }
        }
        self.said = Said::Words;
        self.prose = Prose::after_call();
    }
}
