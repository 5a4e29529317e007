//! Servers that cut, and servers that only seem to.

use std::sync::Arc;

use pollux_types::{Message, Part};

use crate::prompt::Instructions;
use crate::size::Scale;

use super::*;

/// A conversation with a server.
struct Talk {
    messages: Vec<Arc<Message>>,
    scale: Scale,
    unread: Unread,
    /// How many tokens the server makes of an estimated one, in percent.
    percent: u64,
}

impl Talk {
    fn new() -> Self {
        Self {
            messages: vec![],
            scale: Scale::default(),
            unread: Unread::default(),
            percent: 100,
        }
    }

    /// The user, or a tool, says this; what came of it by `count`, which gets what is new and all.
    fn say(&mut self, text: &str, count: impl Fn(u64, u64) -> u64) -> bool {
        let message = Message::user(vec![Part::text(text)]);
        self.messages.push(Arc::new(message));
        let told = Instructions {
            system: english(1000),
            memory: String::new(),
            tools: vec![],
        };
        let messages: Vec<&Arc<Message>> = self.messages.iter().collect();
        let sent = self.scale.weigh(&told, &told.tools, &messages);
        let usage = Usage {
            input: count(
                sent.new.estimate * self.percent / 100,
                sent.whole.estimate * self.percent / 100,
            ),
            output: 10,
            ..Usage::default()
        };
        let cut = self.unread.notice(&sent, usage).is_some();
        let answer = Message::model(vec![Part::text("ok")]);
        self.messages.push(Arc::new(answer));
        cut
    }
}

/// So many words.
fn english(words: usize) -> String {
    "The agent reads a file before it edits the next one. "
        .split_inclusive(' ')
        .cycle()
        .take(words)
        .collect()
}

fn chinese(signs: usize) -> String {
    "读取文件之前请先检查".chars().cycle().take(signs).collect()
}

fn whole(_new: u64, whole: u64) -> u64 {
    whole
}

fn window(size: u64) -> impl Fn(u64, u64) -> u64 {
    move |_, whole| whole.min(size)
}

#[test]
fn a_count_that_stands_still_is_told_once() {
    let mut talk = Talk::new();
    assert!(!talk.say(&english(1000), window(4096)));
    let cuts: Vec<bool> = (0..12)
        .map(|_| talk.say(&english(500), window(4096)))
        .collect();
    assert_eq!(cuts.iter().filter(|cut| **cut).count(), 1, "{cuts:?}");
    // About 9000 tokens were sent by then.
    assert!(cuts[..11].contains(&true), "{cuts:?}");
}

#[test]
fn what_must_be_more_is_told_at_once() {
    assert!(Talk::new().say(&english(20_000), window(4096)));
    assert!(Talk::new().say(&chinese(40_000), window(4096)));
    let mut talk = Talk::new();
    talk.say(&english(1000), window(8192));
    assert!(talk.say(&english(30_000), window(8192)));
}

#[test]
fn what_is_cut_by_half_is_told_at_once() {
    assert!(Talk::new().say(&english(12_000), window(8192)));
    let code = "    self.count += other.count(line, |at| at + 1);\n".repeat(1000);
    assert!(Talk::new().say(&code, window(5000)));
}

#[test]
fn whoever_reads_all_is_never_accused() {
    for percent in [20, 40, 80, 120, 200] {
        for text in [english(3000), chinese(3000), " \n--- ".repeat(5000)] {
            let mut talk = Talk::new();
            // No tokenizer makes less than a token of a word.
            let is_english = text.starts_with("The");
            talk.percent = if is_english { percent.max(80) } else { percent };
            for _ in 0..10 {
                assert!(!talk.say(&text, whole), "{percent} % of {text:.10}");
            }
        }
    }
}

#[test]
fn another_language_is_no_cut() {
    let mut talk = Talk::new();
    talk.percent = 120;
    talk.say(&english(3000), whole);
    talk.percent = 40;
    assert!(!talk.say(&chinese(30_000), |new, whole| (whole - new) * 3 + new));
}

#[test]
fn counting_only_what_is_new_is_no_cut() {
    let mut talk = Talk::new();
    talk.say(&english(3000), whole);
    for words in [50, 2000, 5000, 20, 900] {
        assert!(!talk.say(&english(words), |new, _| new), "{words}");
    }
    // Of such a server nothing is known but that it must have read what is new.
    assert!(!talk.say(&english(100), |_, whole| whole / 4));
    assert!(talk.say(&english(20_000), window(4096)));
}

/// A long conversation.
fn earlier() -> Vec<Arc<Message>> {
    vec![
        Arc::new(Message::user(vec![Part::text(english(50_000))])),
        Arc::new(Message::model(vec![Part::text("ok")])),
    ]
}

#[test]
fn a_conversation_that_goes_on_with_a_warm_cache_is_no_cut() {
    let mut talk = Talk::new();
    talk.messages = earlier();
    assert!(!talk.say(&english(3000), |new, _| new));
    let mut talk = Talk::new();
    talk.messages = earlier();
    assert!(talk.say(&english(3000), window(8192)));
}

#[test]
fn what_is_cached_is_counted_once() {
    let counted_of = |input, cached| {
        counted(Usage {
            input,
            cached,
            ..Usage::default()
        })
    };
    assert_eq!(counted_of(9500, 9000), 9500);
    assert_eq!(counted_of(500, 9000), 9500);
}

#[test]
fn a_conversation_that_was_cut_short_by_the_user_is_another() {
    let mut talk = Talk::new();
    talk.percent = 120;
    talk.say(&english(9000), whole);
    talk.messages.clear();
    talk.percent = 80;
    talk.say(&english(1000), whole);
    talk.say(&english(11_000), whole);
    assert!(!talk.say(&english(100), whole));
}

#[test]
fn senseless_counts_say_nothing() {
    let mut talk = Talk::new();
    for _ in 0..5 {
        assert!(!talk.say(&english(20_000), |_, _| 10));
        assert!(!talk.say(&english(20_000), |_, _| 0));
    }
}
