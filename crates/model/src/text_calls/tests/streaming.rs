//! What is given out when, and what it costs.

use super::{Found, TOOLS, TextCalls, found, line};

/// What comes out after each piece; the last is what comes at the end.
fn steps(pieces: &[&str]) -> Vec<String> {
    let mut reader = TextCalls::new(TOOLS.map(String::from).to_vec());
    let mut steps = Vec::new();
    for piece in pieces.iter().map(Some).chain([None]) {
        let mut out = Vec::new();
        match piece {
            Some(piece) => reader.feed(piece, &mut out),
            None => reader.end(&mut out),
        }
        let shown = out.into_iter().map(|one| match one {
            Found::Text(text) | Found::Thought(text) => text,
            Found::Call { name, .. } => format!("⟦{name}⟧"),
            Found::WasThought => "⟪⟫".to_owned(),
        });
        steps.push(shown.collect());
    }
    steps
}

#[test]
fn words_come_at_once() {
    let hello = ["Hel", "lo, ", "world. "];
    assert_eq!(steps(&hello), ["Hel", "lo, ", "world. ", ""]);
    let braces = ["a < b, ", "x[1] ", "a {", "x} b", "so {\"too", "l\": 1}"];
    let given = [
        "a < b, ",
        "x[1] ",
        "a ",
        "{x} b",
        "so ",
        "{\"tool\": 1}",
        "",
    ];
    assert_eq!(steps(&braces), given);
    let code = ["The `", "<tool_call>", "` tag"];
    assert_eq!(steps(&code), ["The ", "`<tool_call>", "` tag", ""]);
    let thought = ["<think>a", "b <", "/think>c"];
    assert_eq!(steps(&thought), ["a", "b ", "c", ""]);
    // Openers that are words cost a word.
    assert_eq!(steps(&["f", "un", " it"]), ["", "", "fun it", ""]);
}

#[test]
fn what_may_be_a_call_waits_until_it_is_decided() {
    let pieces = [
        "Ok <tool_",
        "call>{\"name\": ",
        "\"todo\"}",
        "</tool_call>",
        " so",
    ];
    assert_eq!(steps(&pieces), ["Ok ", "", "", "⟦todo⟧", " so", ""]);
    let other = ["Ok <tool_", "box> so"];
    assert_eq!(steps(&other), ["Ok ", "<tool_box> so", ""]);
    // "is" might have been a tool.
    let words = ["<tool_call> is", " a tag", ", so"];
    assert_eq!(steps(&words), ["", "<tool_call> is a tag", ", so", ""]);
    let bare = ["{\"name\": \"todo\", \"args\": {}}", "\n", "x"];
    let given = ["", "", "{\"name\": \"todo\", \"args\": {}}\nx", ""];
    assert_eq!(steps(&bare), given);
}

#[test]
fn blocks_of_code_are_not_held_back() {
    assert_eq!(
        steps(&["```", "python\n", "a = 1\n", "```", "\nso"]),
        ["", "```python\n", "a = 1\n", "```", "\nso", ""]
    );
    assert_eq!(
        steps(&["```json\n", "{\"a\": ", "1}\n", "```", "\nso"]),
        ["", "", "", "", "```json\n{\"a\": 1}\n```\nso", ""]
    );
    assert_eq!(
        steps(&["```\n", "ls\n", "```\n"]),
        ["", "```\nls\n", "```\n", ""]
    );
}

#[test]
fn what_is_too_long_is_text() {
    let long = format!(
        "<function=write>{{\"c\": \"{}\"}}</function>",
        "x".repeat(1024 * 1024)
    );
    let text = format!("a {long} b <tool_call>{{\"name\": \"todo\"}}</tool_call>");
    assert!(line([&*text]) == text, "comes out as it is");
    let (one, two) = text.split_at(1_048_000);
    assert!(line([one, two]) == text, "comes out as it is when cut");
    let thought = format!("<think>{}</think>", "x".repeat(3 * 1024 * 1024));
    assert_eq!(found([&*thought]).len(), 1, "thoughts are never held");
}

/// Each document would cost as much as all before it together.
#[test]
fn many_documents_cost_no_more_than_one() {
    let one = "{\"name\":\"todo\",\"args\":{\"a\":[1,2,3,4,5,6,7,8]}}\n";
    let many = one.repeat(10_000);
    for (before, after) in [("", ""), ("<tool_call>", "</tool_call>")] {
        let start = std::time::Instant::now();
        let found = found([before, &*many, after]);
        assert_eq!(found.len(), 10_000);
        let seconds = start.elapsed().as_secs();
        assert!(seconds < 20, "{seconds} s");
    }
}

/// Every opener here looks like one up to the end, and all of them are read in vain.
#[test]
fn who_wastes_time_gets_no_calls() {
    let call = "<tool_call>{\"name\": \"todo\"}</tool_call>";
    let vain = |times| format!("{}*/ Z\n\n", "<function_call>{/* ".repeat(times));
    let some = vain(20);
    assert_eq!(line([&*some, call]), format!("{some}⟦todo {{}}⟧"));
    let many = vain(2000);
    assert!(line([&*many, call]) == many + call, "comes out as it is");
}

/// Each of these would take minutes if every opener cost as much as the text is long.
#[test]
fn the_time_is_in_proportion_to_the_text() {
    for part in [
        "{",
        "[",
        "<",
        "`",
        "```",
        "```json\n",
        "~~~\n",
        "{\"tool_call\":",
        "{\"tool_call\":\"",
        "<tool_call>",
        "<tool_call>{\"a\":\"",
        "<tool_call>{/* ",
        "<tool_call>{/*}*/ ",
        "<function=todo><parameter=a>",
        "<function=todo><parameter=a></parameter>",
        "<function=todo>",
        "<invoke name=\"todo\"><parameter name=\"a\">",
        "[TOOL_CALLS]",
        "[TOOL_CALLS]todo{'a':\"",
        "<tool_call>todo<arg_key>",
        "<|channel|>analysis<|message|>",
        "<|channel|>final<|message|>",
        "<|start|>assistant",
        "[todo(a=[",
        "{\"name\": [",
        "<think>",
        "</think>",
        "functools[",
        "\n",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>",
        "<start_function_call>call:todo{a:",
        "f",
        "\\u",
    ] {
        let text = part.repeat(60_000 / part.len());
        for tail in ["", " */ Z", "\"}</parameter> Z"] {
            let text = format!("{text}{tail}");
            let found = found([&*text]);
            let calls = found.iter().any(|one| matches!(one, Found::Call { .. }));
            assert!(!calls, "{part:?} calls something");
        }
    }
}
