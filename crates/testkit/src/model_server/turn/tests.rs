//! A turn in each protocol, byte by byte.

use serde_json::json;

use super::*;

fn request(body: &Value) -> Recorded {
    Recorded {
        method: "POST".into(),
        path: "/".into(),
        headers: Vec::new(),
        body: body.to_string().into_bytes(),
        connection: 0,
    }
}

/// What is sent, with `|` between chunks and `GATE` for a gate.
fn sent(turn: Turn, protocol: Protocol, body: &Value) -> Vec<String> {
    let steps = turn.steps(protocol, &request(body), &mut 0).into_iter();
    steps
        .map(|step| match step {
            Step::Chunk(bytes) => String::from_utf8(bytes).unwrap(),
            _ => "GATE".into(),
        })
        .collect()
}

/// The JSON of each event, with the framing checked.
fn events(turn: Turn, protocol: Protocol, body: &Value) -> Vec<Value> {
    let end = match protocol {
        Protocol::Gemini => "\r\n\r\n",
        Protocol::OpenAi | Protocol::Anthropic => "\n\n",
        Protocol::Ollama => "\n",
    };
    let mut sent = sent(turn, protocol, body);
    if protocol == Protocol::OpenAi {
        assert_eq!(sent.pop().unwrap(), "data: [DONE]\n\n");
    }
    let data = |event: &String| {
        let data = match protocol {
            // The name of the event comes first.
            Protocol::Anthropic => event.split_once('\n').unwrap().1,
            _ => event,
        };
        let data = data
            .strip_prefix("data: ")
            .unwrap()
            .strip_suffix(end)
            .unwrap();
        assert!(!data.contains('\n'));
        serde_json::from_str(data).unwrap()
    };
    sent.iter().map(data).collect()
}

#[test]
fn gemini_says_a_turn_with_everything() {
    let turn = Turn::text(["Hel", "lo"])
        .and_call("read_file", json!({"file_path": "a"}))
        .signed("sig")
        .and_call("glob", json!({"pattern": "*"}))
        .thought("**Subject** text")
        .usage_in_full(Usage {
            input: 100,
            output: 20,
            cached: 30,
            thoughts: 8,
        });
    let events = events(turn, Protocol::Gemini, &json!({}));
    let parts: Vec<&Value> = events
        .iter()
        .map(|event| &event["candidates"][0]["content"]["parts"])
        .collect();
    assert_eq!(
        parts,
        [
            &json!([{"text": "**Subject** text", "thought": true}]),
            &json!([{"text": "Hel"}]),
            &json!([{"text": "lo"}]),
            &json!([
                {
                    "functionCall": {"id": "call_1", "name": "read_file", "args": {"file_path": "a"}},
                    "thoughtSignature": "sig",
                },
                {"functionCall": {"id": "call_2", "name": "glob", "args": {"pattern": "*"}}},
            ]),
            &json!([{"text": ""}]),
        ]
    );
    assert_eq!(events[0]["candidates"][0].get("finishReason"), None);
    assert_eq!(events[4]["candidates"][0]["finishReason"], "STOP");
    assert_eq!(
        events[4]["usageMetadata"],
        json!({
            "promptTokenCount": 100, "candidatesTokenCount": 12, "totalTokenCount": 120,
            "cachedContentTokenCount": 30, "thoughtsTokenCount": 8,
        })
    );
}

#[test]
fn openai_says_a_turn_with_everything() {
    let turn = Turn::text_then_calls(
        "Hé",
        [("read_file", json!({"p": "é"})), ("glob", json!({}))],
    )
    .thought("hm")
    .usage(100, 20);
    let body = json!({"stream": true, "stream_options": {"include_usage": true}});
    let events = events(turn, Protocol::OpenAi, &body);
    let deltas: Vec<&Value> = events[..9]
        .iter()
        .map(|event| &event["choices"][0]["delta"])
        .collect();
    assert_eq!(deltas[0], &json!({"role": "assistant", "content": ""}));
    assert_eq!(deltas[1], &json!({"reasoning_content": "hm"}));
    assert_eq!(deltas[2], &json!({"content": "Hé"}));
    let opening = json!({"index": 0, "id": "call_1", "type": "function",
        "function": {"name": "read_file", "arguments": ""}});
    assert_eq!(deltas[3], &json!({"tool_calls": [opening]}));
    let fragment = |at: usize| {
        deltas[at]["tool_calls"][0]["function"]["arguments"]
            .as_str()
            .unwrap()
    };
    assert_eq!([fragment(4), fragment(5)].concat(), r#"{"p":"é"}"#);
    assert!(!fragment(4).is_empty() && !fragment(5).is_empty());
    assert_eq!(deltas[6]["tool_calls"][0]["id"], "call_2");
    assert_eq!(deltas[8]["tool_calls"][0]["index"], 1);
    assert_eq!(events[9]["choices"][0]["finish_reason"], "tool_calls");
    assert_eq!(events[10]["choices"], json!([]));
    assert_eq!(
        events[10]["usage"],
        json!({"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120})
    );
    assert_eq!(events.len(), 11);
}

#[test]
fn openai_tells_the_usage_only_to_those_who_ask() {
    let events = events(
        Turn::text(["a"]),
        Protocol::OpenAi,
        &json!({"stream": true}),
    );
    assert!(events.iter().all(|event| event.get("usage").is_none()));
    assert_eq!(
        events.last().unwrap()["choices"][0]["finish_reason"],
        "stop"
    );
}

#[test]
fn a_turn_can_wait_and_can_stay_unfinished() {
    for protocol in Protocol::ALL {
        let gate = Gate::new();
        let turn = Turn::text(["a"]).gate(&gate).and_text("b").unfinished();
        let sent = sent(turn, protocol, &json!({}));
        let at = sent.iter().position(|step| step == "GATE").unwrap();
        let (before, after) = (sent[..at].concat(), sent[at..].concat());
        assert!(
            before.contains("\"a\"") && !before.contains("\"b\""),
            "{sent:?}"
        );
        assert!(after.contains("\"b\""), "{sent:?}");
        let end = [
            "finishReason",
            "\"finish_reason\":\"",
            "stop_reason",
            "done_reason",
            "[DONE]",
        ];
        assert!(!end.iter().any(|end| after.contains(end)), "{sent:?}");
    }
}

#[test]
fn a_turn_can_end_for_another_reason() {
    let length = Turn::text(["a"]).finish(FinishReason::Length);
    let gemini = events(length.clone(), Protocol::Gemini, &json!({}));
    assert_eq!(gemini[1]["candidates"][0]["finishReason"], "MAX_TOKENS");
    let openai = events(length, Protocol::OpenAi, &json!({}));
    assert_eq!(openai[2]["choices"][0]["finish_reason"], "length");
}

#[test]
fn anthropic_says_a_turn_with_everything() {
    let turn = Turn::text_then_calls("Hé", [("read_file", json!({"p": "é"}))])
        .thought("hm")
        .usage(100, 20);
    let events = events(turn, Protocol::Anthropic, &json!({}));
    let kinds: Vec<&str> = events
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    let block = [
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
    ];
    let call = [
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
    ];
    let rest = ["content_block_stop", "message_delta", "message_stop"];
    assert_eq!(
        kinds,
        [&["message_start"][..], &block, &block, &call, &rest].concat()
    );
    assert_eq!(
        events[2]["delta"],
        json!({"type": "thinking_delta", "thinking": "hm"})
    );
    assert_eq!(
        events[5]["delta"],
        json!({"type": "text_delta", "text": "Hé"})
    );
    assert_eq!(events[7]["content_block"]["id"], "call_1");
    let json = |n: usize| events[n]["delta"]["partial_json"].as_str().unwrap();
    assert_eq!(format!("{}{}", json(8), json(9)), r#"{"p":"é"}"#);
    assert_eq!(events[11]["delta"]["stop_reason"], "tool_use");
    assert_eq!(events[11]["usage"]["output_tokens"], 20);
}
