//! What was typed while the session was busy.
//!
//! Messages are sent one by one in the order they were typed, each as a prompt of its own: what
//! the model is told is what was typed. Until then each can be taken in hand and changed; it keeps
//! its place. A command that changes whom messages are for, such as `/new`, waits behind those that
//! came first.

use std::collections::VecDeque;

use crate::clip::clip;
use crate::draft::Draft;
use crate::line::{Line, one_line};
use crate::style::Style;

/// How many messages are shown.
const SHOWN: usize = 3;

/// Messages and commands that wait, oldest first.
#[derive(Debug, Default)]
pub struct Queue {
    waiting: VecDeque<Draft>,
    /// The place of the message that is being changed, which is not among those that wait.
    in_hand: Option<usize>,
}

impl Queue {
    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether a message is being changed.
    pub fn is_in_hand(&self) -> bool {
        self.in_hand.is_some()
    }

    /// Puts a message in the place of the one in hand, or else at the end. One that has been
    /// emptied is gone.
    pub fn push(&mut self, message: Draft) {
        let place = self.in_hand.take().unwrap_or(self.waiting.len());
        if !message.is_empty() {
            self.waiting.insert(place, message);
        }
    }

    /// The message whose turn it is to be sent.
    pub fn take_oldest(&mut self) -> Option<Draft> {
        let oldest = self.waiting.pop_front();
        if oldest.is_some() {
            self.in_hand = self.in_hand.map(|place| place.saturating_sub(1));
        }
        oldest
    }

    /// The message before the one in hand, which goes back to its place; the newest if there is
    /// none in hand.
    pub fn take_older(&mut self, written: Draft) -> Option<Draft> {
        let place = self.in_hand.unwrap_or(self.waiting.len());
        self.put_back(written);
        self.take(place.checked_sub(1)?)
    }

    /// The message after the one in hand, which goes back to its place.
    pub fn take_newer(&mut self, written: Draft) -> Option<Draft> {
        let stays = usize::from(!written.is_empty());
        let place = self.in_hand?;
        self.put_back(written);
        self.take(place + stays)
    }

    /// The message in hand, as it is written by now, goes back to its place.
    pub fn put_back(&mut self, written: Draft) {
        if self.is_in_hand() {
            self.push(written);
        }
    }

    /// The message in hand is none of these any more.
    pub fn let_go(&mut self) {
        self.in_hand = None;
    }

    fn take(&mut self, place: usize) -> Option<Draft> {
        let taken = self.waiting.remove(place)?;
        self.in_hand = Some(place);
        Some(taken)
    }

    /// What is shown above the prompt while something waits.
    pub fn lines(&self, width: usize) -> Vec<Line> {
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let dim = |text: &str| Line::new(clip(text, width), Style::DIM);
        let mut lines = vec![dim("queued (up to edit):")];
        let shown = self.waiting.iter().take(SHOWN);
        lines.extend(shown.map(|message| dim(&format!("  {}", in_one_line(&message.shown)))));
        if self.waiting.len() > SHOWN {
            lines.push(dim(&format!("  ... {} more", self.waiting.len() - SHOWN)));
        }
        lines
    }
}

/// The first line of a message that has any, with a mark if more follows.
fn in_one_line(message: &str) -> String {
    let mut lines = message.trim().lines();
    let first = lines.next().unwrap_or_default();
    let more = if lines.next().is_some() { " …" } else { "" };
    format!("{}{more}", one_line(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(messages: &[&str]) -> Queue {
        let mut queue = Queue::default();
        for message in messages {
            queue.push((*message).into());
        }
        queue
    }

    fn shown(queue: &Queue, width: usize) -> String {
        let lines = queue.lines(width);
        lines.iter().map(|line| line.text() + "\n").collect()
    }

    #[test]
    fn messages_are_sent_in_order() {
        let mut queue = queue(&["one", "two"]);
        assert_eq!(queue.take_oldest(), Some("one".into()));
        assert_eq!(queue.take_oldest(), Some("two".into()));
        assert_eq!(queue.take_oldest(), None);
    }

    #[test]
    fn one_after_the_other_is_taken_in_hand_and_keeps_its_place() {
        let mut queue = queue(&["one", "two", "three"]);
        assert_eq!(queue.take_newer("".into()), None);
        assert_eq!(queue.take_older("".into()), Some("three".into()));
        assert_eq!(queue.take_older("three!".into()), Some("two".into()));
        assert_eq!(queue.take_newer("two!".into()), Some("three!".into()));
        assert_eq!(queue.take_newer("three!".into()), None);
        assert!(!queue.is_in_hand());
        assert_eq!(queue.take_older("".into()), Some("three!".into()));
        assert_eq!(queue.take_older("".into()), Some("two!".into()));
        assert_eq!(queue.take_newer("two".into()), None, "the third is gone");
        assert_eq!(queue.take_older("".into()), Some("two".into()));
        // Meanwhile the first is sent.
        assert_eq!(queue.take_oldest(), Some("one".into()));
        queue.push("2".into());
        queue.push("3".into());
        assert_eq!(queue.take_older("".into()), Some("3".into()));
        assert_eq!(queue.take_older("3".into()), Some("2".into()));
        assert_eq!(queue.take_older("2".into()), None);
        assert_eq!(queue.take_oldest(), Some("2".into()));
        assert_eq!(queue.take_oldest(), Some("3".into()));
    }

    #[test]
    fn three_are_shown_and_the_others_counted() {
        assert_eq!(shown(&queue(&[]), 40), "");
        insta::assert_snapshot!(shown(&queue(&["and the tests"]), 40), @"
        queued (up to edit):
          and the tests
        ");
        insta::assert_snapshot!(
            shown(&queue(&["\n\nfirst\tline\nsecond", "a\u{1b}[2Jb", "three", "four", "five"]), 40),
            @r"
        queued (up to edit):
          first line …
          a\e[2Jb
          three
          ... 2 more
        "
        );
    }

    #[test]
    fn no_line_is_wider_than_the_screen() {
        let queue = queue(&["漢字漢字漢字漢字", "a longer message than fits", "c", "d"]);
        for width in 0..12 {
            assert!(queue.lines(width).iter().all(|line| line.width() <= width));
        }
    }
}
