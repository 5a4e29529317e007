//! The corpus of calls written as text, cut in every way.

use pollux_model::{Found, TextCalls};
use serde_json::{Value, json};

use super::support::TOOLS;

const CORPUS: &str = include_str!("../data/text-toolcalls.jsonl");

/// An answer, taken apart.
#[derive(Debug, Default, PartialEq)]
struct Answer {
    text: String,
    thoughts: String,
    calls: Vec<Value>,
}

fn read<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Answer {
    let mut reader = TextCalls::new(TOOLS.map(String::from).to_vec());
    let mut found = Vec::new();
    for piece in pieces {
        reader.feed(piece, &mut found);
    }
    reader.end(&mut found);
    let mut answer = Answer::default();
    for one in found {
        match one {
            Found::Text(text) => answer.text.push_str(&text),
            Found::Thought(text) => answer.thoughts.push_str(&text),
            Found::Call { name, args } => {
                answer.calls.push(json!({"name": name, "arguments": args}));
            }
            Found::WasThought => {
                answer.thoughts.push_str(&std::mem::take(&mut answer.text));
                answer.calls.clear();
            }
        }
    }
    answer
}

/// The text as the corpus writes it: without long gaps, and trimmed.
fn clean(text: &str) -> String {
    let mut clean = text.to_owned();
    while clean.contains("\n\n\n") {
        clean = clean.replace("\n\n\n", "\n\n");
    }
    clean.trim().to_owned()
}

fn corpus() -> Vec<Value> {
    let cases = CORPUS
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    cases.collect()
}

#[test]
fn every_case_is_read_as_it_should_be() {
    let cases = corpus();
    assert_eq!(cases.len(), 64);
    let mut wrong = Vec::new();
    for case in &cases {
        let answer = read([case["text"].as_str().unwrap()]);
        let is_clean = case["clean_text"]
            .as_str()
            .is_none_or(|expected| clean(&answer.text) == expected);
        if Value::Array(answer.calls.clone()) != case["calls"] || !is_clean {
            wrong.push(format!("{}: {answer:?}", case["why"]));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn where_a_case_is_cut_changes_nothing() {
    for case in corpus() {
        let text = case["text"].as_str().unwrap();
        let whole = read([text]);
        for (at, _) in text.char_indices() {
            let (one, two) = text.split_at(at);
            assert_eq!(read([one, two]), whole, "{text:?} cut at {at}");
        }
        let single = text.split_inclusive(|_| true);
        assert_eq!(read(single), whole, "{text:?} in single characters");
    }
}

/// The lines of the corpus that call nothing, with everything around them that might tempt.
#[test]
fn what_must_not_run_does_not_run_in_company_either() {
    let call = "```json\n{\"tool_call\": {\"name\": \"todo\"}}\n```";
    for case in corpus() {
        let text = case["text"].as_str().unwrap();
        let calls = case["calls"].as_array().unwrap();
        let answer = read([call, "\n\n", text]);
        let names: Vec<&Value> = answer.calls.iter().map(|call| &call["name"]).collect();
        assert!(names.len() <= calls.len() + 1, "{text:?}: {names:?}");
        assert_eq!(names[0], "todo", "{text:?}");
    }
}
