//! The text as far as it has arrived, and waiting for more of it.
//!
//! Readers move a cursor over it. Where a decision needs text that has not come yet, they wait;
//! once the text has ended, nothing waits. Text is held from the place up to which everything is
//! decided.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use super::Found;
use super::tools::Tools;

/// No honest call is longer. What is held back beyond this is given out as text, and so is the
/// rest of the answer: it may be the inside of what was too long.
const MOST_HELD: usize = 1024 * 1024;

/// Going back costs time. Who makes the scanner go back over more than this many times the text
/// gets no more calls, so that the time stays in proportion to the text.
const MOST_RESCANS: usize = 8;

/// What released text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Thought,
}

/// A handle on the text; clones share it.
#[derive(Clone)]
pub(super) struct Input(Arc<Mutex<Buffer>>);

#[derive(Default)]
struct Buffer {
    /// From `base` on; what is before is decided and gone.
    text: String,
    base: usize,
    /// The cursor. Places count from the beginning of the answer.
    at: usize,
    /// Up to where everything is decided.
    kept: usize,
    ended: bool,
    /// Somebody looked beyond the end of the ended text.
    touched_end: bool,
    rescanned: usize,
    /// The rest is text, unread.
    given_up: bool,
    found: Vec<Found>,
    tools: Arc<Tools>,
}

/// What `TextCalls` does with the text.
impl Input {
    pub(super) fn new(tools: Tools) -> Self {
        Self(Arc::new(Mutex::new(Buffer {
            tools: Arc::new(tools),
            ..Buffer::default()
        })))
    }

    pub(super) fn push(&self, text: &str) {
        let mut buffer = self.lock();
        let decided = buffer.kept - buffer.base;
        buffer.text.drain(..decided);
        buffer.base = buffer.kept;
        buffer.text.push_str(text);
    }

    pub(super) fn close(&self) {
        self.lock().ended = true;
    }

    /// The scanner has come to the end.
    pub(super) fn finish(&self) {
        self.lock().given_up = true;
    }

    /// Whether there is nothing left for the scanner to do.
    pub(super) fn is_done(&self) -> bool {
        self.lock().given_up
    }

    pub(super) fn take_found(&self, out: &mut Vec<Found>) {
        let mut buffer = self.lock();
        if buffer.given_up {
            buffer.at = buffer.base + buffer.text.len();
            buffer.release(Kind::Text);
        }
        out.append(&mut buffer.found);
    }

    fn lock(&self) -> MutexGuard<'_, Buffer> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reading.
impl Input {
    /// The character at the cursor; `None` at the end.
    pub(super) async fn peek(&self) -> Option<char> {
        self.decide(|buffer| match buffer.rest().chars().next() {
            Some(next) => Some(Some(next)),
            None => buffer.is_end().then_some(None),
        })
        .await
    }

    /// Takes the character at the cursor.
    pub(super) async fn next(&self) -> Option<char> {
        let next = self.peek().await?;
        self.lock().advance(next.len_utf8());
        Some(next)
    }

    /// Takes the characters that `fits` likes.
    pub(super) async fn run(&self, fits: impl Fn(char) -> bool) -> String {
        let mut run = String::new();
        self.decide(|buffer| {
            let rest = buffer.rest();
            let len = rest.find(|c| !fits(c)).unwrap_or(rest.len());
            let more = len == rest.len();
            run.push_str(&rest[..len]);
            buffer.advance(len);
            (!more || buffer.is_end()).then_some(())
        })
        .await;
        run
    }

    /// Takes white space.
    pub(super) async fn space(&self) {
        self.run(char::is_whitespace).await;
    }

    /// Takes `literal` if it is what comes next.
    pub(super) async fn eat(&self, literal: &str) -> bool {
        self.eat_any(&[literal]).await.is_some()
    }

    /// Takes the one of `literals` that comes next; its index. Of several the longest, and of
    /// equals the first.
    pub(super) async fn eat_any(&self, literals: &[&str]) -> Option<usize> {
        self.decide(|buffer| {
            let rest = buffer.rest();
            let is_open = |one: &&str| one.len() > rest.len() && one.starts_with(rest);
            if literals.iter().any(is_open) && !buffer.is_end() {
                return None;
            }
            let rest = buffer.rest();
            let fits = (0..literals.len()).filter(|which| rest.starts_with(literals[*which]));
            let longest = fits.rev().max_by_key(|which| literals[*which].len());
            buffer.advance(longest.map_or(0, |which| literals[which].len()));
            Some(longest)
        })
        .await
    }

    /// Takes one of `closers`, or the end of the text, where it may be cut short: servers swallow
    /// the marks at which a model stops.
    pub(super) async fn close_with(&self, closers: &[&str]) -> bool {
        if self.eat_any(closers).await.is_some() {
            return true;
        }
        let mut buffer = self.lock();
        let rest = buffer.rest();
        let cut = closers.iter().any(|closer| closer.starts_with(rest));
        if !(buffer.ended && (cut || rest.is_empty())) {
            return false;
        }
        let len = rest.len();
        buffer.advance(len);
        true
    }

    /// Takes everything up to and with the first of `literals`; what was before it, and which.
    pub(super) async fn until(&self, literals: &[&str]) -> Option<(String, usize)> {
        let mut before = String::new();
        let which = self
            .decide(|buffer| {
                let rest = buffer.rest();
                let (len, which) = search(rest, literals);
                before.push_str(&rest[..len]);
                buffer.advance(len + which.map_or(0, |which| literals[which].len()));
                match which {
                    Some(which) => Some(Some(which)),
                    None => buffer.is_end().then_some(None),
                }
            })
            .await;
        which.map(|which| (before, which))
    }

    /// Gives out everything up to the first of `literals` as `kind`, as it arrives; which it was.
    /// The cursor is then before it.
    pub(super) async fn pass_until(&self, literals: &[&str], kind: Kind) -> Option<usize> {
        self.decide(|buffer| {
            let (len, which) = search(buffer.rest(), literals);
            let ended = which.is_none() && buffer.is_end();
            let len = if ended { buffer.rest().len() } else { len };
            buffer.pass(len, kind);
            (ended || which.is_some()).then_some(which)
        })
        .await
    }

    /// Gives out the characters that `fits` likes as text; the last of them.
    pub(super) async fn pass_run(&self, fits: impl Fn(char) -> bool) -> Option<char> {
        let mut last = None;
        self.decide(|buffer| {
            let rest = buffer.rest();
            let len = rest.find(|c| !fits(c)).unwrap_or(rest.len());
            let more = len == rest.len();
            last = rest[..len].chars().next_back().or(last);
            buffer.pass(len, Kind::Text);
            (!more || buffer.is_end()).then_some(())
        })
        .await;
        last
    }

    /// Waits until `look` can tell. It can always tell once the text has ended.
    async fn decide<T>(&self, mut look: impl FnMut(&mut Buffer) -> Option<T>) -> T {
        poll_fn(|_| {
            let mut buffer = self.lock();
            if buffer.given_up {
                return Poll::Pending;
            }
            match look(&mut buffer) {
                Some(seen) if !buffer.given_up => Poll::Ready(seen),
                _ => Poll::Pending,
            }
        })
        .await
    }
}

/// Deciding.
impl Input {
    /// Where the cursor is.
    pub(super) fn at(&self) -> usize {
        self.lock().at
    }

    /// Puts the cursor back.
    pub(super) fn back_to(&self, at: usize) {
        let mut buffer = self.lock();
        buffer.rescanned += buffer.at - at;
        buffer.at = at;
        if buffer.rescanned > MOST_RESCANS * (at + 4096) {
            buffer.given_up = true;
        }
    }

    /// The text from `from` up to the cursor.
    pub(super) fn since(&self, from: usize) -> String {
        let buffer = self.lock();
        buffer.text[from - buffer.base..buffer.at - buffer.base].to_owned()
    }

    /// Gives out what is before the cursor.
    pub(super) fn release(&self, kind: Kind) {
        self.lock().release(kind);
    }

    /// Drops what is before the cursor, and adds something instead.
    pub(super) fn replace(&self, found: impl IntoIterator<Item = Found>) {
        let mut buffer = self.lock();
        buffer.kept = buffer.at;
        buffer.found.extend(found);
    }

    /// A new attempt: forgets that anybody looked beyond the end.
    pub(super) fn attempt(&self) {
        self.lock().touched_end = false;
    }

    /// Whether this attempt ran out of text.
    pub(super) fn ran_out(&self) -> bool {
        self.lock().touched_end
    }

    /// Gives out all there is as text.
    pub(super) fn release_rest(&self) {
        let mut buffer = self.lock();
        let len = buffer.rest().len();
        buffer.pass(len, Kind::Text);
    }

    /// The tools that may be called.
    pub(super) fn tools(&self) -> Arc<Tools> {
        self.lock().tools.clone()
    }
}

impl Buffer {
    fn rest(&self) -> &str {
        &self.text[self.at - self.base..]
    }

    /// Whether nothing will come after what is there.
    fn is_end(&mut self) -> bool {
        self.touched_end |= self.ended;
        self.ended
    }

    fn advance(&mut self, len: usize) {
        self.at += len;
        self.given_up |= self.at - self.kept > MOST_HELD;
    }

    /// Goes on and gives out at once, so that nothing is held however long it is.
    fn pass(&mut self, len: usize, kind: Kind) {
        self.at += len;
        self.release(kind);
    }

    fn release(&mut self, kind: Kind) {
        let text = &self.text[self.kept - self.base..self.at - self.base];
        self.kept = self.at;
        match (kind, self.found.last_mut()) {
            _ if text.is_empty() => {}
            (Kind::Text, Some(Found::Text(last))) | (Kind::Thought, Some(Found::Thought(last))) => {
                last.push_str(text);
            }
            (Kind::Text, _) => self.found.push(Found::Text(text.to_owned())),
            (Kind::Thought, _) => self.found.push(Found::Thought(text.to_owned())),
        }
    }
}

/// Where in `text` the first of `literals` begins, and which it is; or where one may begin.
fn search(text: &str, literals: &[&str]) -> (usize, Option<usize>) {
    for (at, _) in text.char_indices() {
        let tail = &text[at..];
        if let Some(which) = literals.iter().position(|one| tail.starts_with(one)) {
            return (at, Some(which));
        }
        if literals.iter().any(|one| one.starts_with(tail)) {
            return (at, None);
        }
    }
    (text.len(), None)
}
