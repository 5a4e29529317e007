//! Any text as an answer: no panic, only offered tools, and the same however it is cut.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pollux_model::{Found, TextCalls};

const TOOLS: [&str; 2] = ["read_file", "shell"];

fn found<'a>(pieces: impl Iterator<Item = &'a str>) -> Vec<Found> {
    let mut reader = TextCalls::new(TOOLS.map(str::to_owned).to_vec());
    let mut found = Vec::new();
    pieces.for_each(|piece| reader.feed(piece, &mut found));
    reader.end(&mut found);
    let mut joined: Vec<Found> = Vec::new();
    for item in found {
        match (joined.last_mut(), item) {
            (Some(Found::Text(before)), Found::Text(text))
            | (Some(Found::Thought(before)), Found::Thought(text)) => before.push_str(&text),
            (_, Found::Call { name, args }) => {
                assert!(TOOLS.contains(&name.as_str()), "{name} was not offered");
                joined.push(Found::Call { name, args });
            }
            (_, item) => joined.push(item),
        }
    }
    joined
}

fuzz_target!(|text: &str| {
    let whole = found(std::iter::once(text));
    let letters = text.char_indices().map(|(at, c)| &text[at..at + c.len_utf8()]);
    assert_eq!(whole, found(letters));
});
