//! Properties of arbitrary texts.

use proptest::prelude::*;

use super::super::dialects::OPENERS;
use super::dialects::TEXTS;
use super::{Found, TOOLS, calls, found, line};

/// Pieces of which everything that can be misread is made.
const PARTS: [&str; 58] = [
    "{\"name\": \"todo\", \"arguments\": {}}",
    "{\"tool_call\": {\"name\": \"todo\"}}",
    "{\"name\": \"nope\", \"arguments\": {}}",
    "{\"tool_call\": ",
    "{\"name\": ",
    "\"todo\"",
    "\"nope\"",
    "\"arguments\": {",
    "todo",
    "nope",
    "read",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "'",
    "\\",
    "a",
    " ",
    "\n",
    "\n\n",
    "    ",
    "> ",
    ",",
    ":",
    "=",
    "; ",
    "`",
    "``",
    "```",
    "```json\n",
    "\n```\n",
    "~~~\n",
    "```sh\n",
    "</tool_call>",
    "</function>",
    "<parameter=a>",
    "</parameter>",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
    "[ARGS]",
    "<｜tool▁sep｜>",
    "<｜tool▁call▁end｜>",
    "<｜tool▁calls▁end｜>",
    "</invoke>",
    " name=\"todo\">",
    "<|tool_call_argument_begin|>",
    "<|tool_call_end|>",
    "<|message|>",
    " to=functions.todo",
    "call:todo{",
    "<escape>",
    "<end_function_call>",
];

fn parts() -> Vec<&'static str> {
    let openers = OPENERS.iter().map(|opener| opener.text);
    PARTS.into_iter().chain(openers).collect()
}

fn from_parts(picks: &[usize]) -> String {
    let parts = parts();
    picks.iter().map(|pick| parts[pick % parts.len()]).collect()
}

/// What must hold of every text.
#[track_caller]
fn is_sound(text: &str) {
    let found = found([text]);
    let mut rest = text.chars();
    let mut is_all_text = true;
    for one in &found {
        match one {
            Found::Text(words) | Found::Thought(words) => {
                let in_order = words.chars().all(|c| rest.any(|other| other == c));
                assert!(in_order, "{text:?} gives {found:?}");
            }
            Found::Call { name, .. } => assert!(TOOLS.contains(&&**name), "{text:?} calls {name}"),
            Found::WasThought => {}
        }
        is_all_text &= matches!(one, Found::Text(_));
    }
    // Thoughts and channels have marks that are dropped.
    let is_marked = ["think", "THINK]", "<|channel|>", "<|start|>"];
    if is_all_text && !is_marked.iter().any(|mark| text.contains(mark)) {
        assert_eq!(line([text]), text);
    }
}

#[test]
fn two_hundred_thousand_texts_of_fragments() {
    // A generator of its own, so that every run reads the same texts.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    let parts = parts();
    for round in 0..200_000 {
        let count = 1 + next(9);
        let text: String = (0..count).map(|_| parts[next(parts.len())]).collect();
        is_sound(&text);
        if round % 16 == 0 {
            let single = text.split_inclusive(|_| true);
            assert_eq!(line(single), line([&*text]), "{text:?}");
        }
    }
}

#[test]
fn what_is_quoted_thought_or_broken_calls_nothing() {
    let broken = "{\"name\": \"write\", \"arguments\": {\"c\": \"say \"hi}}\" ";
    let tagged = format!("<tool_call>{broken}");
    let listed = format!("functools[{broken}");
    let wrapped = format!("So {{\"tool_call\": {broken}");
    for (before, after, ends) in [
        ("He wrote \"so: ", "\".", "\"\n"),
        ("He wrote 'so: ", "'.", "'\n"),
        ("He wrote “so: ", "”.", "”\n"),
        ("He wrote ‘so: ", "’.", "’\n"),
        ("He wrote «so: ", "».", "»\n"),
        ("He wrote „so: ", "“.", "“”\n"),
        ("<code class=\"x\">", "</code>.", "\n"),
        ("1. > ", "", "\n"),
        ("<think>", "</think>.", ""),
        ("<thinking>", "</thinking>.", ""),
        (&tagged, "\"}}</tool_call>", ""),
        (&listed, "\"}}]", ""),
        (&wrapped, "\"}}}", ""),
        (broken, "\"}}", ""),
    ] {
        let mut tried = 0;
        for text in TEXTS {
            let closes = text.contains(|c| ends.contains(c))
                || ["</think>", "</tool_call>"]
                    .iter()
                    .any(|end| text.contains(end));
            if !closes {
                let text = format!("{before}{text}{after}");
                assert_eq!(calls(&text), [], "{text:?}");
                tried += 1;
            }
        }
        assert!(tried > 10, "{before:?} was tried {tried} times");
    }
}

proptest! {
    #[test]
    fn text_without_openers_is_unchanged(text in "[^<\\[{f]*") {
        assert_eq!(line([&*text]), text);
    }

    #[test]
    fn any_text_is_sound(text in any::<String>()) {
        is_sound(&text);
    }

    #[test]
    fn cuts_change_nothing(
        picks in proptest::collection::vec(any::<usize>(), 0..24),
        cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..6),
    ) {
        let text = from_parts(&picks);
        let chars: Vec<char> = text.chars().collect();
        let mut ends: Vec<usize> = cuts.iter().map(|cut| cut.index(chars.len() + 1)).collect();
        ends.push(chars.len());
        ends.sort_unstable();
        let mut start = 0;
        let pieces: Vec<String> = ends
            .into_iter()
            .map(|end| chars[std::mem::replace(&mut start, end)..end].iter().collect())
            .collect();
        assert_eq!(line(pieces.iter().map(String::as_str)), line([&*text]));
    }

    #[test]
    fn what_breaks_off_in_a_call_leaves_the_earlier_ones(picks in proptest::collection::vec(any::<usize>(), 0..12)) {
        let call = "<tool_call>{\"name\": \"todo\"}</tool_call>\n\n";
        let text = from_parts(&picks);
        assert!(line([call, &*text]).starts_with("⟦todo {}⟧"));
    }
}
