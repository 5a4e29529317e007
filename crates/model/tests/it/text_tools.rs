//! Models that write their calls as text, over real HTTP.

use std::sync::Arc;

use pollux_model::{Delta, ErrorKind, Guidance, TextTools};
use pollux_testkit::{HttpReply, ModelServer, Protocol, Turn};
use pollux_types::{CallId, FinishReason, FunctionCall, FunctionResponse, Message, Part, Response};
use serde_json::json;

use super::support::{ask, model, say_hi, spread};

const CALL: &str = "```json\n{\"tool_call\": {\"name\": \"read_file\", \
                    \"arguments\": {\"file_path\": \"a\"}}}\n```";

fn conversation() -> Vec<Message> {
    vec![
        Message::user(vec![Part::text("read a")]),
        Message::model(vec![
            Part::text("I look."),
            Part::FunctionCall(FunctionCall {
                id: CallId::new("c1"),
                name: "read_file".into(),
                args: json!({"file_path": "a"}).as_object().unwrap().clone(),
                signature: None,
            }),
        ]),
        Message::user(vec![Part::FunctionResponse(FunctionResponse {
            id: CallId::new("c1"),
            name: "read_file".into(),
            response: Response::Output("alpha".into()),
        })]),
    ]
}

fn calls(deltas: &[Delta]) -> Vec<&FunctionCall> {
    let calls = deltas.iter().filter_map(|delta| match delta {
        Delta::Call(call) => Some(call),
        _ => None,
    });
    calls.collect()
}

async fn request_in_words(protocol: Protocol, guidance: Guidance) -> String {
    let server = ModelServer::speaking(protocol, [Turn::text(["ok"])]);
    let worded = TextTools::text(model(&server, protocol), guidance);
    ask(&worded, &conversation()).await;
    spread(&server.requests()[0].json())
}

#[tokio::test]
async fn tools_and_history_are_put_into_words() {
    insta::assert_snapshot!(request_in_words(Protocol::OpenAi, Guidance::System).await, @r#"
    model: "gemini-2.5-pro"
    stream: true
    stream_options: {"include_usage":true}
    messages:
      {"role":"system","content":"You are an AI assistant with access to the following tools. When you need to use a tool, respond with JSON in this exact format:\n\n```json\n{\"tool_call\": {\"name\": \"tool_name\", \"arguments\": {\"param\": \"value\"}}}\n```\n\nAvailable tools:\n\n**read_file**: Reads a file.\nParameters:\n  \"file_path\": string (optional) - \n\nIMPORTANT:\n- Only use tools when necessary.\n- Use exactly this JSON format, in a fence of its own.\n- Include all required parameters.\n- You can write explanatory text alongside the tool call.\n\n\nBe brief."}
      {"role":"user","content":"read a"}
      {"role":"assistant","content":"I look.\n```json\n{\"tool_call\":{\"name\":\"read_file\",\"arguments\":{\"file_path\":\"a\"}}}\n```\n"}
      {"role":"user","content":"<tool_result name=\"read_file\">\nalpha\n</tool_result>\nAnswer from this, or make the next call.\n"}
    "#);
    insta::assert_snapshot!(request_in_words(Protocol::Gemini, Guidance::FirstUser).await, @r#"
    systemInstruction: {"parts":[{"text":"Be brief."}]}
    generationConfig: {"thinkingConfig":{"includeThoughts":true}}
    contents:
      {"role":"user","parts":[{"text":"You are an AI assistant with access to the following tools. When you need to use a tool, respond with JSON in this exact format:\n\n```json\n{\"tool_call\": {\"name\": \"tool_name\", \"arguments\": {\"param\": \"value\"}}}\n```\n\nAvailable tools:\n\n**read_file**: Reads a file.\nParameters:\n  \"file_path\": string (optional) - \n\nIMPORTANT:\n- Only use tools when necessary.\n- Use exactly this JSON format, in a fence of its own.\n- Include all required parameters.\n- You can write explanatory text alongside the tool call.\n"},{"text":"read a"}]}
      {"role":"model","parts":[{"text":"I look.\n```json\n{\"tool_call\":{\"name\":\"read_file\",\"arguments\":{\"file_path\":\"a\"}}}\n```\n"}]}
      {"role":"user","parts":[{"text":"<tool_result name=\"read_file\">\nalpha\n</tool_result>\nAnswer from this, or make the next call.\n"}]}
    "#);
}

#[tokio::test]
async fn a_call_in_the_text_is_a_call() {
    for protocol in Protocol::ALL {
        let text = ["I look.\n\n", CALL, "\nThen I say."];
        let server = ModelServer::speaking(protocol, [Turn::text(text)]);
        let worded = TextTools::text(model(&server, protocol), Guidance::System);
        let (deltas, error) = say_hi(&worded).await;
        assert_eq!(error, None);
        assert_eq!(deltas[0], Delta::Text("I look.\n\nThen I say.".into()));
        let call = calls(&deltas)[0];
        assert_eq!(
            (call.name.as_str(), &call.args["file_path"]),
            ("read_file", &json!("a"))
        );
        let finish = Delta::Finish {
            reason: FinishReason::ToolCalls,
            detail: None,
        };
        assert_eq!(deltas.last(), Some(&finish));
    }
}

#[tokio::test]
async fn a_model_that_writes_calls_is_talked_to_in_text_from_then_on() {
    let turns = [Turn::text([CALL]), Turn::text([CALL])];
    let server = ModelServer::speaking(Protocol::OpenAi, turns);
    let model = TextTools::auto(model(&server, Protocol::OpenAi), Guidance::System);
    let (first, _) = say_hi(&model).await;
    let (second, _) = say_hi(&model).await;
    assert!(first.contains(&Delta::LearnedTextCalls), "{first:?}");
    assert!(!second.contains(&Delta::LearnedTextCalls), "{second:?}");
    let offered: Vec<bool> = server
        .requests()
        .iter()
        .map(|request| request.json().get("tools").is_some())
        .collect();
    assert_eq!(offered, [true, false]);
}

/// How servers say that they take no native tools.
const REFUSALS: [(u16, &str); 8] = [
    (
        400,
        "registry.ollama.ai/library/gemma:latest does not support tools",
    ),
    (400, "tools is not supported in this model"),
    (400, "m doesn't support function calling"),
    (400, "`tool_use` is not enabled for this model"),
    (500, "tools param requires --jinja flag"),
    (
        400,
        "\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set",
    ),
    (404, "No endpoints found that support tool use."),
    (
        400,
        "Function calling is not enabled for models/gemma-3-1b-it",
    ),
];

fn refused((status, message): (u16, &str)) -> HttpReply {
    HttpReply::json(status, json!({"error": {"message": message}}))
}

#[tokio::test]
async fn a_server_that_refuses_native_tools_is_asked_again_in_words() {
    for refusal in REFUSALS {
        for ways in [TextTools::auto, TextTools::careful] {
            let said = || Turn::text([CALL]).openai();
            let server = ModelServer::start(vec![refused(refusal), said(), said()]);
            let model = ways(model(&server, Protocol::OpenAi), Guidance::System);
            let (first, error) = say_hi(&model).await;
            assert_eq!(error, None, "{refusal:?}");
            assert_eq!(first[0], Delta::LearnedTextCalls);
            assert_eq!(calls(&first).len(), 1, "{first:?}");
            let (second, _) = say_hi(&model).await;
            assert!(!second.contains(&Delta::LearnedTextCalls), "{second:?}");
            let offered = server.requests().into_iter();
            let offered = offered.map(|request| request.json().get("tools").is_some());
            assert_eq!(offered.collect::<Vec<_>>(), [true, false, false]);
        }
    }
}

#[tokio::test]
async fn where_tools_must_be_native_a_refusal_leads_to_the_other_way() {
    let server = ModelServer::start(vec![refused(REFUSALS[0])]);
    let model = TextTools::native(model(&server, Protocol::OpenAi));
    let error = say_hi(&model).await.1.unwrap();
    assert_eq!(error.kind, ErrorKind::NoTools);
    let hint = error.hint.unwrap();
    assert!(hint.starts_with("`--tool-calls text`"), "{hint}");
}

#[tokio::test]
async fn a_server_that_took_tools_once_is_not_doubted() {
    let replies = vec![Turn::text(["ok"]).openai(), refused(REFUSALS[0])];
    let server = ModelServer::start(replies);
    let model = TextTools::auto(model(&server, Protocol::OpenAi), Guidance::System);
    assert_eq!(say_hi(&model).await.1, None);
    assert_eq!(say_hi(&model).await.1.unwrap().kind, ErrorKind::NoTools);
}

#[tokio::test]
async fn other_refusals_are_passed_on() {
    for other in [
        (400, "tool_call_ids did not have response messages"),
        (400, "images are not supported"),
        (403, "your plan does not support tools"),
    ] {
        let server = ModelServer::start(vec![refused(other)]);
        let model = TextTools::auto(model(&server, Protocol::OpenAi), Guidance::System);
        assert_ne!(say_hi(&model).await.1.unwrap().kind, ErrorKind::NoTools);
    }
}

#[tokio::test]
async fn native_calls_win_over_what_looks_like_one() {
    let turn = Turn::text([CALL]).and_call("read_file", json!({"file_path": "b"}));
    let server = ModelServer::speaking(Protocol::OpenAi, [turn]);
    let model = TextTools::auto(model(&server, Protocol::OpenAi), Guidance::System);
    let (deltas, _) = say_hi(&model).await;
    let calls = calls(&deltas);
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0].args["file_path"], "b");
    assert!(
        deltas
            .iter()
            .any(|delta| matches!(delta, Delta::BrokenCall { .. }))
    );
}

#[tokio::test]
async fn a_call_in_a_reply_that_breaks_off_is_none() {
    let reply = Turn::text(["Look: ", CALL]).unfinished().openai();
    let server = ModelServer::start(vec![reply]);
    let worded = TextTools::text(model(&server, Protocol::OpenAi), Guidance::System);
    let (deltas, error) = say_hi(&worded).await;
    assert!(error.is_some());
    assert!(calls(&deltas).is_empty(), "{deltas:?}");
    let cut = Turn::text([CALL]).finish(FinishReason::Length).openai();
    let server = ModelServer::start(vec![cut]);
    let worded = TextTools::text(model(&server, Protocol::OpenAi), Guidance::System);
    let (deltas, _) = say_hi(&worded).await;
    assert!(calls(&deltas).is_empty(), "{deltas:?}");
}

#[tokio::test]
async fn an_answer_without_calls_is_not_touched() {
    let text = "  Two\n\n\nlines,\t`code`, {\"a\": 1} and <b>.\n\n";
    let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text([text])]);
    let inner = model(&server, Protocol::OpenAi);
    let model = TextTools::auto(Arc::clone(&inner), Guidance::System);
    let (deltas, _) = say_hi(&model).await;
    let said = deltas.iter().filter_map(|delta| match delta {
        Delta::Text(text) => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(said.collect::<String>(), text);
}

#[tokio::test]
async fn where_only_native_calls_count_thoughts_are_still_told_apart() {
    let turn = Turn::text(["<think>hm</think>\n\nLook:\n", CALL]);
    let server = ModelServer::speaking(Protocol::OpenAi, [turn]);
    let native = TextTools::native(model(&server, Protocol::OpenAi));
    let (deltas, _) = say_hi(&native).await;
    assert!(calls(&deltas).is_empty());
    let thought = Delta::Thought {
        text: "hm".into(),
        signature: None,
    };
    assert_eq!(deltas[0], thought);
    assert_eq!(deltas[1], Delta::Text(format!("Look:\n{CALL}")));
}

#[tokio::test]
async fn an_example_is_no_call_where_native_calls_are_likely() {
    let tagged = "<tool_call>{\"name\": \"read_file\", \"arguments\": {}}</tool_call>";
    let turns = [Turn::text([CALL]), Turn::text([tagged]), Turn::text([CALL])];
    let server = ModelServer::speaking(Protocol::Gemini, turns);
    let model = TextTools::careful(model(&server, Protocol::Gemini), Guidance::FirstUser);
    let mut found = Vec::new();
    for _ in 0..3 {
        let (deltas, _) = say_hi(&model).await;
        found.push(calls(&deltas).len());
    }
    assert_eq!(found, [0, 1, 1]);
}

#[tokio::test]
async fn values_in_markup_are_what_the_schema_says() {
    for written in [
        "<tool_call>\n<function=read_file>\n<parameter=file_path>\n5\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>read_file\n<arg_key>file_path</arg_key>\n<arg_value>5</arg_value>\n</tool_call>",
        "<minimax:tool_call>\n<invoke name=\"read_file\">\n<parameter name=\"file_path\">5</parameter>\n</invoke>\n</minimax:tool_call>",
    ] {
        let server = ModelServer::speaking(Protocol::OpenAi, [Turn::text([written])]);
        let model = TextTools::auto(model(&server, Protocol::OpenAi), Guidance::System);
        let (deltas, _) = say_hi(&model).await;
        assert_eq!(calls(&deltas)[0].args["file_path"], json!("5"), "{written}");
    }
}

/// What is said, called and thought where words around calls are dropped.
async fn said_without_prose(reply: HttpReply) -> String {
    let server = ModelServer::start(vec![reply]);
    let auto = TextTools::auto(model(&server, Protocol::OpenAi), Guidance::System);
    let (deltas, _) = say_hi(&auto.only_calls()).await;
    let shown = deltas.iter().map(|delta| match delta {
        Delta::Text(text) => text.clone(),
        Delta::Thought { text, .. } => format!("<{text}>"),
        Delta::Call(call) => format!("[{}]", call.args["file_path"].as_str().unwrap()),
        Delta::BrokenCall { .. } => "[broken]".to_owned(),
        Delta::WasThought => "<<".to_owned(),
        _ => String::new(),
    });
    shown.collect()
}

#[tokio::test]
async fn words_around_calls_can_be_dropped() {
    let text = |pieces: &[&str]| Turn::text(pieces.iter().copied());
    let plain = text(&["No call", " here. "]).openai();
    assert_eq!(said_without_prose(plain).await, "No call here. ");
    let around = text(&["I look.\n\n", CALL, "\nThen I say."]).openai();
    assert_eq!(said_without_prose(around).await, "[a]");
    let thought = text(&["hm\n</think>\n", "I look.\n", CALL]).openai();
    assert_eq!(said_without_prose(thought).await, "<hm>[a]");
    // A call that does not count drops nothing.
    let native = text(&["I look.\n", CALL]).and_call("read_file", json!({"file_path": "b"}));
    assert_eq!(
        said_without_prose(native.openai()).await,
        "I look.[broken][b]"
    );
    let broken = text(&["I look.\n", CALL]).unfinished().openai();
    assert_eq!(said_without_prose(broken).await, "I look.");
}
