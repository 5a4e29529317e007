//! Any bytes as a reply in any protocol: no panic, and the same however they are cut.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pollux_model::{Delta, Protocol, read_recorded};

/// Neighbouring texts joined: how many pieces they come in depends on the cuts.
fn joined(deltas: Vec<Delta>) -> Vec<Delta> {
    let mut joined: Vec<Delta> = Vec::new();
    let mut usage = None;
    for delta in deltas {
        match (joined.last_mut(), delta) {
            (Some(Delta::Text(before)), Delta::Text(text)) => before.push_str(&text),
            (_, Delta::Usage(newest)) => usage = Some(newest),
            (_, delta) => joined.push(delta),
        }
    }
    joined.extend(usage.map(Delta::Usage));
    joined
}

fuzz_target!(|data: &[u8]| {
    let Some((choice, body)) = data.split_first() else { return };
    let protocol = match choice % 4 {
        0 => Protocol::Gemini,
        1 => Protocol::OpenAi,
        2 => Protocol::Anthropic,
        _ => Protocol::Ollama,
    };
    let size = usize::from(choice / 4 % 8) + 1;
    let (whole, error) = read_recorded(protocol, [body]);
    let (cut, cut_error) = read_recorded(protocol, body.chunks(size));
    assert_eq!(error.map(|error| error.kind), cut_error.map(|error| error.kind));
    assert_eq!(joined(whole), joined(cut));
});
