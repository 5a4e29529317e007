//! What was typed while the session was busy.
//!
//! Messages are sent one by one in the order they were typed, each as a prompt of its own: what
//! the model is told is what was typed. Until then the newest can be taken back and changed. A
//! command that changes whom messages are for, such as `/new`, waits behind those that came first.

use std::collections::VecDeque;

use crate::clip::clip;
use crate::line::{Line, one_line};
use crate::style::Style;

/// How many messages are shown.
const SHOWN: usize = 3;

/// Messages and commands that wait, oldest first.
#[derive(Debug, Default)]
pub struct Queue {
    waiting: VecDeque<String>,
}

impl Queue {
    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Puts a message at the end.
    pub fn push(&mut self, message: String) {
        self.waiting.push_back(message);
    }

    /// The message whose turn it is to be sent.
    pub fn take_oldest(&mut self) -> Option<String> {
        self.waiting.pop_front()
    }

    /// The message typed last, to be changed.
    pub fn take_newest(&mut self) -> Option<String> {
        self.waiting.pop_back()
    }

    /// What is shown above the prompt while something waits.
    pub fn lines(&self, width: usize) -> Vec<Line> {
        if self.is_empty() {
            return Vec::new();
        }
        let dim = |text: &str| Line::new(clip(text, width), Style::DIM);
        let mut lines = vec![dim("queued (up to edit):")];
        let shown = self.waiting.iter().take(SHOWN);
        lines.extend(shown.map(|message| dim(&format!("  {}", in_one_line(message)))));
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
            queue.push((*message).to_owned());
        }
        queue
    }

    fn shown(queue: &Queue, width: usize) -> String {
        let lines = queue.lines(width);
        lines.iter().map(|line| line.text() + "\n").collect()
    }

    #[test]
    fn messages_are_sent_in_order_and_the_newest_is_taken_back() {
        let mut queue = queue(&["one", "two", "three"]);
        assert_eq!(queue.take_newest().as_deref(), Some("three"));
        assert_eq!(queue.take_oldest().as_deref(), Some("one"));
        assert_eq!(queue.take_oldest().as_deref(), Some("two"));
        assert!(queue.is_empty());
        assert_eq!(queue.take_oldest(), None);
        assert_eq!(queue.take_newest(), None);
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
