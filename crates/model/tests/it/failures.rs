//! Replies that cannot be had, or break off.

use std::time::Duration;

use futures_util::StreamExt;
use pollux_model::{
    Delta, Endpoint, ErrorKind, Model, ModelError, ModelInfo, OpenAi, Profile, Request,
};
use pollux_testkit::{HttpReply, ModelServer, Protocol, Turn};
use pollux_types::FinishReason;
use serde_json::json;
use tokio::io::AsyncWriteExt as _;

use super::support::{model, model_at, say_hi};

async fn fail(reply: HttpReply, protocol: Protocol) -> (Vec<Delta>, ModelError) {
    let server = ModelServer::start(vec![reply]);
    let (deltas, error) = say_hi(&*model(&server, protocol)).await;
    (deltas, error.expect("the reply fails"))
}

/// The error both protocols make of `reply`.
async fn both_fail(reply: HttpReply) -> ModelError {
    let (deltas, mut gemini) = fail(reply.clone(), Protocol::Gemini).await;
    assert_eq!(deltas, []);
    let (_, mut openai) = fail(reply, Protocol::OpenAi).await;
    for error in [&mut gemini, &mut openai] {
        let host = error.host.take();
        // Where access is refused, it is the provider that counts.
        assert_eq!(host.is_some(), error.kind != ErrorKind::Auth);
    }
    assert_eq!(gemini, openai);
    gemini
}

#[tokio::test]
async fn the_providers_own_words_are_told() {
    let reply = HttpReply::json(401, json!({"error": {"message": "Incorrect API key."}}));
    let error = both_fail(reply).await;
    assert_eq!(error.kind, ErrorKind::Auth);
    assert_eq!(
        error.message,
        "test refuses access: Incorrect API key. (HTTP 401 Unauthorized)"
    );
    assert_eq!(error.hint.as_deref(), Some("try another"));
}

#[tokio::test]
async fn a_wait_is_passed_on() {
    let reply = HttpReply::json(429, json!({"error": {"message": "slow down"}}));
    let error = both_fail(reply.header("retry-after", "7")).await;
    assert_eq!(error.kind, ErrorKind::RateLimited);
    assert_eq!(error.retry_after, Some(Duration::from_secs(7)));
}

#[tokio::test]
async fn a_page_is_not_an_answer() {
    let error = both_fail(HttpReply::text(200, "<html><body>Sign in</body></html>")).await;
    assert_eq!(error.kind, ErrorKind::NotSse);
    assert!(
        error.message.contains("check the base URL"),
        "{}",
        error.message
    );
    let error = both_fail(HttpReply::text(
        503,
        "<html><h1>Service Unavailable</h1></html>",
    ))
    .await;
    assert_eq!(error.kind, ErrorKind::Overloaded);
}

#[tokio::test]
async fn broken_json_is_never_skipped() {
    let reply = HttpReply::sse()
        .chunk("data: {\"x\n\n")
        .chunk("data: [DONE]\n\n");
    assert_eq!(both_fail(reply).await.kind, ErrorKind::MalformedChunk);
}

#[tokio::test]
async fn a_reply_that_breaks_off_keeps_its_words_and_gives_no_calls() {
    for protocol in Protocol::ALL {
        let turn = || Turn::text(["some words"]).and_call("read_file", json!({"file_path": "a"}));
        for reply in [
            turn().unfinished().reply(protocol).reset(),
            turn().unfinished().reply(protocol).cut(),
        ] {
            let (deltas, error) = fail(reply, protocol).await;
            assert_eq!(error.kind, ErrorKind::StreamTruncated, "{protocol:?}");
            assert!(!deltas.iter().any(|delta| matches!(delta, Delta::Call(_))));
            assert!(
                deltas.contains(&Delta::Text("some words".into())),
                "{deltas:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_clean_end_before_the_end_is_a_break_too() {
    for protocol in Protocol::ALL {
        let (_, error) = fail(Turn::text(["half"]).unfinished().reply(protocol), protocol).await;
        assert_eq!(error.kind, ErrorKind::StreamTruncated, "{protocol:?}");
    }
}

#[tokio::test]
async fn an_empty_reply_is_an_error() {
    for protocol in Protocol::ALL {
        let (_, error) = fail(Turn::new().reply(protocol), protocol).await;
        assert_eq!(error.kind, ErrorKind::EmptyResponse, "{protocol:?}");
    }
}

#[tokio::test]
async fn an_error_inside_the_stream_wins_over_success() {
    for protocol in Protocol::ALL {
        let reply = HttpReply::sse().event(json!({"error": {"code": 503, "message": "busy"}}));
        let (_, error) = fail(reply, protocol).await;
        assert_eq!(
            (error.kind, error.message.as_str()),
            (ErrorKind::Overloaded, "busy")
        );
    }
}

#[tokio::test]
async fn an_empty_reply_says_why_it_is_empty() {
    for protocol in [Protocol::Gemini, Protocol::OpenAi, Protocol::Anthropic] {
        let ending = async |reason| {
            let reply = Turn::new().finish(reason).reply(protocol);
            fail(reply, protocol).await.1.message
        };
        let withheld = ending(FinishReason::ContentFilter).await;
        assert!(
            withheld.starts_with("the reply was withheld ("),
            "{protocol:?}: {withheld}"
        );
        let cut = ending(FinishReason::Length).await;
        assert!(cut.starts_with("the output limit"), "{protocol:?}: {cut}");
    }
}

#[tokio::test]
async fn who_failed_is_told() {
    let server = ModelServer::start(vec![HttpReply::text(500, "Internal Server Error")]);
    let error = say_hi(&*model(&server, Protocol::OpenAi)).await.1.unwrap();
    let told = format!("{}: Internal Server Error (HTTP 500)", server.address());
    assert_eq!(error.to_string(), told);
}

#[tokio::test]
async fn a_wrong_address_is_told_with_what_may_be_wrong_with_it() {
    for status in [404, 405] {
        let server = ModelServer::start(vec![HttpReply::text(status, "<p>Oh.</p>")]);
        let base = server.base_url();
        let model = model_at(&format!("{base}/api?key=secret"), Protocol::OpenAi);
        let error = say_hi(&*model).await.1.unwrap().to_string();
        let told = format!("nothing answers at {base}/api/chat/completions: Oh. (HTTP {status} ");
        assert!(error.starts_with(&told), "{error}");
        assert!(!error.contains("secret"));
    }
    let reply = HttpReply::text(404, "");
    let hint = fail(reply, Protocol::OpenAi).await.1.hint.unwrap();
    assert!(hint.starts_with("check the base URL; "), "{hint}");
}

#[tokio::test]
async fn a_server_without_tls_is_told_from_one_that_is_not_there() {
    // What answers anything with the same plain words.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let answer = async {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            let words = b"HTTP/1.1 400 Bad Request\r\n\r\n";
            stream.write_all(words).await.unwrap();
        }
    };
    let model = model_at(&format!("https://{address}"), Protocol::OpenAi);
    let error = tokio::select! {
        (_, error) = say_hi(&*model) => error.unwrap(),
        () = answer => return,
    };
    assert_eq!(
        error.message,
        format!("cannot reach {address}: the server does not speak TLS")
    );
    assert!(error.hint.unwrap().contains("`http://`"));
    assert!(error.nobody_there);
}

#[tokio::test]
async fn a_host_that_is_not_there_is_named() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    for protocol in Protocol::ALL {
        let (_, error) = say_hi(&*model_at(&format!("http://{address}"), protocol)).await;
        let error = error.unwrap();
        assert_eq!(error.kind, ErrorKind::Unreachable);
        assert!(error.nobody_there);
        assert_eq!(
            error.hint.as_deref(),
            Some("is it running, and is the address right?")
        );
        assert!(
            error
                .message
                .starts_with(&format!("cannot reach {address}: ")),
            "{}",
            error.message
        );
    }
}

/// A model that gives up soon.
fn impatient(server: &ModelServer) -> OpenAi {
    let info = ModelInfo {
        provider: "test".into(),
        model: "m".into(),
    };
    let endpoint = Endpoint {
        idle: Duration::from_millis(50),
        ..Endpoint::new(info, server.base_url())
    };
    OpenAi::new(endpoint, Profile::PLAIN).unwrap()
}

#[tokio::test]
async fn silence_ends() {
    let server = ModelServer::start(vec![HttpReply::sse().chunk(": hello\n\n").stall()]);
    let model = impatient(&server);
    let mut reply = model.reply(Request {
        system: "",
        tools: &[],
        messages: vec![],
    });
    let error = reply.next().await.unwrap().unwrap_err();
    assert_eq!(error.kind, ErrorKind::IdleTimeout);
}

#[tokio::test]
async fn calls_of_a_reply_that_was_cut_off_are_not_given_out() {
    for protocol in Protocol::ALL {
        let reasons: &[FinishReason] = match protocol {
            // It withholds nothing.
            Protocol::Ollama => &[FinishReason::Length],
            _ => &[FinishReason::Length, FinishReason::ContentFilter],
        };
        for reason in reasons.iter().copied() {
            let turn = Turn::text(["ok"]).and_call("read_file", json!({"file_path": "a"}));
            let server = ModelServer::speaking(protocol, [turn.finish(reason)]);
            let (deltas, error) = say_hi(&*model(&server, protocol)).await;
            assert_eq!(error, None);
            assert!(
                !deltas.iter().any(|delta| matches!(delta, Delta::Call(_))),
                "{deltas:?}"
            );
            assert!(
                deltas
                    .iter()
                    .any(|delta| matches!(delta, Delta::BrokenCall { .. }))
            );
            let last = deltas.last().unwrap();
            assert!(matches!(last, Delta::Finish { reason: told, .. } if *told == reason));
        }
    }
}

#[tokio::test]
async fn a_conversation_is_not_sent_on_to_another_server() {
    let other = ModelServer::start(vec![]);
    for protocol in Protocol::ALL {
        let reply = HttpReply::status(307).header("location", other.base_url());
        let (_, error) = fail(reply, protocol).await;
        assert!(
            error.message.contains("which is not followed"),
            "{}",
            error.message
        );
    }
    assert!(other.requests().is_empty());
}

#[tokio::test]
async fn an_error_that_never_ends_is_not_waited_for() {
    let reply = HttpReply::status(500).chunk("{\"error\": ").stall();
    let server = ModelServer::start(vec![reply]);
    let model = impatient(&server);
    let mut reply = model.reply(Request {
        system: "",
        tools: &[],
        messages: vec![],
    });
    let error = reply.next().await.unwrap().unwrap_err();
    assert_eq!(error.kind, ErrorKind::ProviderError);
}

#[tokio::test]
async fn a_blank_reply_is_empty() {
    for protocol in Protocol::ALL {
        let (_, error) = fail(Turn::text(["\n"]).reply(protocol), protocol).await;
        assert_eq!(error.kind, ErrorKind::EmptyResponse, "{protocol:?}");
    }
}

#[tokio::test]
async fn a_connection_that_was_closed_meanwhile_costs_nothing() {
    for protocol in Protocol::ALL {
        let said = |text| Turn::text([text]).reply(protocol);
        let server = ModelServer::start(vec![said("a"), HttpReply::hang_up(), said("b")]);
        let model = model(&server, protocol);
        say_hi(&*model).await;
        let (deltas, error) = say_hi(&*model).await;
        assert_eq!(error, None);
        assert_eq!(deltas[0], Delta::Text("b".into()));
        let connections: Vec<usize> = server
            .requests()
            .iter()
            .map(|request| request.connection)
            .collect();
        assert_eq!(connections, [0, 0, 1], "{protocol:?}");
    }
}
