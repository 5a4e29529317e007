//! How fast replies are read, against JSON parsing alone on the same bytes.

use std::hint::black_box;
use std::time::{Duration, Instant};

use pollux_model::{Protocol, TextCalls, read_recorded};
use serde_json::{Value, json};

/// Events in a recording.
const EVENTS: usize = 20_000;
const RUNS: usize = 9;

/// One measured row.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) reference: f64,
    pub(crate) pollux: f64,
}

/// Throughput in MB/s, of the reference and of pollux.
pub(crate) fn rows() -> Vec<Row> {
    let protocols = [
        Protocol::Gemini,
        Protocol::OpenAi,
        Protocol::Anthropic,
        Protocol::Ollama,
    ];
    let mut rows: Vec<Row> = protocols.into_iter().map(reply).collect();
    rows.push(text());
    rows
}

fn reply(protocol: Protocol) -> Row {
    let events: Vec<String> = (0..EVENTS)
        .map(|n| event(protocol, n).to_string())
        .collect();
    let body: String = events
        .iter()
        .map(|event| match protocol {
            Protocol::Ollama => [event, "\n"].concat(),
            Protocol::Gemini | Protocol::OpenAi | Protocol::Anthropic => {
                ["data: ", event, "\n\n"].concat()
            }
        })
        .collect();
    let reference = median(|| {
        for event in &events {
            black_box(serde_json::from_str::<Value>(event).expect("it was JSON before"));
        }
    });
    let pollux = median(|| {
        black_box(read_recorded(protocol, body.as_bytes().chunks(16 * 1024)));
    });
    row(
        format!("reading {protocol:?}"),
        body.len(),
        reference,
        pollux,
    )
}

fn event(protocol: Protocol, n: usize) -> Value {
    let text = format!("word{n} ");
    match protocol {
        Protocol::Gemini => json!({
            "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "index": 0}],
            "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": n},
            "modelVersion": "bench",
        }),
        Protocol::OpenAi => json!({
            "id": "chatcmpl-bench", "object": "chat.completion.chunk", "model": "bench",
            "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}],
        }),
        Protocol::Anthropic => json!({
            "type": "content_block_delta", "index": 0,
            "delta": {"type": "text_delta", "text": text},
        }),
        Protocol::Ollama => json!({
            "model": "bench", "created_at": "2026-01-01T00:00:00.000000Z",
            "message": {"role": "assistant", "content": text}, "done": false,
        }),
    }
}

/// Prose with a call in it, against parsing the same text as one JSON string.
fn text() -> Row {
    let call =
        "```json\n{\"tool_call\": {\"name\": \"read_file\", \"arguments\": {\"a\": 1}}}\n```\n";
    let block = format!(
        "{}\n\n{call}\n",
        "Some plain words of an answer, and more. ".repeat(50)
    );
    let answer = block.repeat(200);
    let quoted = serde_json::to_string(&answer).expect("text is JSON text");
    let reference = median(|| {
        black_box(serde_json::from_str::<String>(&quoted).expect("it was JSON before"));
    });
    let pollux = median(|| {
        let mut reader = TextCalls::new(vec!["read_file".into()]);
        let mut found = Vec::new();
        for piece in answer.as_bytes().chunks(64) {
            reader.feed(std::str::from_utf8(piece).expect("it is ASCII"), &mut found);
        }
        reader.end(&mut found);
        black_box(found);
    });
    row("calls in text".into(), answer.len(), reference, pollux)
}

#[expect(clippy::cast_precision_loss, reason = "a few megabytes fit")]
fn row(name: String, bytes: usize, reference: Duration, pollux: Duration) -> Row {
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    Row {
        name,
        reference: rate(reference),
        pollux: rate(pollux),
    }
}

fn median(mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let started = Instant::now();
            work();
            started.elapsed()
        })
        .collect();
    times.sort();
    times[RUNS / 2]
}
