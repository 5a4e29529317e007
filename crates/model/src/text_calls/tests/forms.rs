//! Readers that find less than everything.

use super::{TextCalls, found_by, shown, tools};

const TAGGED: [&str; 5] = [
    "<tool_call>{\"name\": \"todo\"}</tool_call>",
    "<function=todo></function>",
    "[TOOL_CALLS]todo{}",
    "functools[{\"name\": \"todo\"}]",
    "<|channel|>commentary to=functions.todo<|message|>{}<|call|>",
];

const UNTAGGED: [&str; 7] = [
    "{\"tool_call\": {\"name\": \"todo\"}}",
    "So {\"tool_call\": {\"name\": \"todo\"}}",
    "{\"name\": \"todo\", \"arguments\": {}}",
    "[{\"name\": \"todo\", \"arguments\": {}}]",
    "[todo()]",
    "```json\n{\"tool_call\": {\"name\": \"todo\"}}\n```\nx",
    "```tool_call\n{\"name\": \"todo\"}\n```",
];

/// What a reader finds, in whole and in single characters.
#[track_caller]
fn check(reader: impl Fn() -> TextCalls, text: &str, expected: &str) {
    assert_eq!(shown(found_by(reader(), [text])), expected, "{text:?}");
    let single = text.split_inclusive(|_| true);
    assert_eq!(shown(found_by(reader(), single)), expected, "{text:?}");
}

#[test]
fn tagged_only() {
    let reader = || TextCalls::tagged_only(tools());
    for text in TAGGED {
        check(reader, text, "⟦todo {}⟧");
    }
    for text in UNTAGGED {
        check(reader, text, text);
    }
    check(reader, "<think>a</think>b", "⟪a⟫b");
    check(reader, "a</think>b", "a⟪⟫b");
}

#[test]
fn thoughts_only() {
    for text in TAGGED.into_iter().chain(UNTAGGED) {
        check(TextCalls::thoughts_only, text, text);
        let thought = format!("<think>a</think>{text}");
        check(TextCalls::thoughts_only, &thought, &format!("⟪a⟫{text}"));
    }
    check(TextCalls::thoughts_only, "a</think>b", "a⟪⟫b");
    check(TextCalls::thoughts_only, "`<think>` x", "`<think>` x");
}
